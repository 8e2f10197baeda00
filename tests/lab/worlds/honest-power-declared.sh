# SPDX-License-Identifier: LGPL-2.1-or-later
# The Compose file gives the client NET_RAW: that is the operator's word.
# leak: L15
# kind: binding
# wants: passed
tunnel_world
DROP=${POWERS/CAP_NET_RAW/}
client_start
DROP=
prove_first egress
MORE=(--declared CAP_NET_RAW)
