# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel comes up while the proof waits for it.
# leak: L9
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn link set tun0 down
background bash -c '. /srv/worlds/in/net.sh; sleep 0.7; tunnel_up'
