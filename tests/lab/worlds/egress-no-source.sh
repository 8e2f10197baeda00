# SPDX-License-Identifier: LGPL-2.1-or-later
# Nobody is configured to ask.
# leak: L25
# kind: egress
# wants: unproven -
# says: no echo server is configured
tunnel_world
SOURCES=()
