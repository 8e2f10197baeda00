# SPDX-License-Identifier: LGPL-2.1-or-later
# The name of the echo server cannot be resolved.
# leak: L25
# kind: egress
# wants: unproven -
# says: cannot resolve
tunnel_world
SOURCES=(--echo http://nowhere.invalid/)
