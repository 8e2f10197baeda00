# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's processes stand in the host's own network, as systemd lets them where it may not enter another.
# leak: L16
# kind: egress
# wants: failed leak
# says: host's own network namespace
tunnel_world
service_stop vpn.service
service vpn.service host sleep 1000
