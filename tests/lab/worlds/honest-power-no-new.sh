# SPDX-License-Identifier: LGPL-2.1-or-later
# A user without powers, who cannot get any back.
# leak: L15
# kind: binding
# wants: passed
tunnel_world
PROPERTIES=(-p User=client -p NoNewPrivileges=yes)
DROP=none
client_start
DROP= PROPERTIES=()
prove_first egress
