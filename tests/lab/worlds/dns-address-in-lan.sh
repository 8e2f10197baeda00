# SPDX-License-Identifier: LGPL-2.1-or-later
# The provider's resolver has an address of the "local network" that is excepted from the tunnel (nixarr #48).
# leak: L3 L17
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
resolv_client 10.2.0.1
ip -n vpn route add 10.2.0.0/16 via 10.77.0.1 dev eth0
