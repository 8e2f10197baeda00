# SPDX-License-Identifier: LGPL-2.1-or-later
# A service of the host without a bounding set: its user has no power, but a program with file capabilities gives it all.
# leak: L15
# kind: binding
# wants: failed -
# says: can use CAP_SYS_ADMIN
tunnel_world
PROPERTIES=(-p User=client)
DROP=none
client_start
DROP= PROPERTIES=()
prove_first egress
