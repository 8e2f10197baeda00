# SPDX-License-Identifier: LGPL-2.1-or-later
# There is no client to look at.
# leak: L25
# kind: dns
# wants: unproven -
tunnel_world
