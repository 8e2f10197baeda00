# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel started anew since.
# leak: L10
# kind: gate
# wants: unproven -
# says: earlier start of its unit
tunnel_world
prove_first egress
service_stop vpn.service
tunnel_start
tunnel_ready
