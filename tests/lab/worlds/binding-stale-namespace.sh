# SPDX-License-Identifier: LGPL-2.1-or-later
# The namespace was deleted and made again behind systemd's back: the client keeps the old one, the tunnel has the new one.
# leak: L16
# kind: binding
# wants: failed leak
# says: runs in another network namespace
client_world
service_stop vpn.service
ip netns del vpn
ip netns add vpn
service vpn.service vpn sleep 1000
