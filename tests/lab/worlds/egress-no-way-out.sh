# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is down and nothing else is there.
# leak: L10
# kind: egress
# wants: unproven - no-way-out
tunnel_world
ip -n vpn link set tun0 down
