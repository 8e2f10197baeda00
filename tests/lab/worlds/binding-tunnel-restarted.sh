# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel started anew since egress was proved.
# leak: L10
# kind: binding
# wants: unproven -
# says: earlier start of the tunnel
client_world
service_stop vpn.service
tunnel_start
tunnel_ready
