# SPDX-License-Identifier: LGPL-2.1-or-later
# A client in a user namespace of its own, as rootless images and keep-id have it.
# leak: L16
# kind: binding
# wants: passed
tunnel_world
PROPERTIES=(-p PrivateUsers=yes -p User=client)
client_start
PROPERTIES=()
prove_first egress
