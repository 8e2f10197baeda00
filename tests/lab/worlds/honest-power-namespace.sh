# SPDX-License-Identifier: LGPL-2.1-or-later
# A client with all powers, over a user namespace of its own: they reach neither the tunnel's network nor the host's.
# leak: L15
# kind: binding
# wants: passed
tunnel_world
PROPERTIES=(-p PrivateUsers=yes)
DROP=none
client_start
DROP= PROPERTIES=()
prove_first egress
