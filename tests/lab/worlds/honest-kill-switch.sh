# SPDX-License-Identifier: LGPL-2.1-or-later
# A kill switch as gluetun has it: nothing by eth0 but the endpoint.
# leak: L6 L9
# kind: egress
# wants: passed - through-tunnel
wireguard_world
nft_in vpn 'table inet k { chain o { type filter hook output priority 0; policy drop; oifname { "lo", "wg0" } accept;
        ip daddr 203.0.113.9 udp dport 51820 oifname "eth0" accept; };
        chain i { type filter hook input priority 0; policy drop; iifname { "lo", "wg0" } accept; ct state established,related accept; }; }'
