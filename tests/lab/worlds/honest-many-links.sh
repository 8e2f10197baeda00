# SPDX-License-Identifier: LGPL-2.1-or-later
# A host with many bridges and a tunnel with a dozen links that lead nowhere.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_world
for n in $(seq 12); do
        ip link add "br$n" type bridge
        ip addr add "10.$((100 + n)).0.1/24" dev "br$n"
        ip -n vpn link add "x$n" type veth peer name "y$n" netns vpn
        ip -n vpn link set "x$n" up
done
