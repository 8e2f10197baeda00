# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's processes stand in two namespaces.
# leak: L16
# kind: egress
# wants: unproven -
# says: different network namespaces
tunnel_world
join vpn.service host sleep 1000
