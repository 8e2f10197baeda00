# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel has ended since.
# leak: L10
# kind: gate
# wants: unproven -
# says: not active
tunnel_world
prove_first egress
service_stop vpn.service
