# SPDX-License-Identifier: LGPL-2.1-or-later
# The power that is declared is not the one that the client has: it can take over the processes of others.
# leak: L15
# kind: binding
# wants: failed -
# says: can use CAP_SYS_PTRACE
tunnel_world
DROP=${POWERS/CAP_SYS_PTRACE/}
client_start
DROP=
prove_first egress
MORE=(--declared CAP_NET_RAW)
