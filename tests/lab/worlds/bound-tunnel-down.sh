# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is down.
# leak: L9 L10
# kind: bound
# wants: unproven -
# says: vpn.service is not active
client_world
service_stop vpn.service
