# SPDX-License-Identifier: LGPL-2.1-or-later
# A rule sends queries for the provider's resolver to the host's.
# leak: L3
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
resolv_client 10.8.0.1
nft_in vpn 'table ip nat { chain out { type nat hook output priority -100; udp dport 53 dnat to 10.77.0.1; }; }'
