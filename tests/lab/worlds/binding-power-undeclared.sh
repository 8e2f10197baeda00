# SPDX-License-Identifier: LGPL-2.1-or-later
# The client can send frames past routes and filters, and its Compose file gives it no such power (an engine that gives
# NET_RAW to all does that).
# leak: L13 L15
# kind: binding
# wants: failed -
# says: can use CAP_NET_RAW, which the Compose file does not give
tunnel_world
DROP=${POWERS/CAP_NET_RAW/}
client_start
DROP=
prove_first egress
