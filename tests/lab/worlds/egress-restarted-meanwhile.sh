# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's unit is restarted all the time, and the look takes longer than that: what was looked at is not what runs.
# leak: L10
# kind: egress
# wants: unproven -
# says: restarted|not active|no process
tunnel_namespace
background "$TOOLS/wire" --delay 400 /run/netns/vpn tun0 /run/netns/prov tun1
until quiet ip -n vpn link show tun0 && quiet ip -n prov link show tun1; do sleep 0.02; done
tunnel_ready
service vpn.service vpn sleep 1000
background bash -c 'while :; do systemctl restart vpn.service; done'
MORE=(--probe-timeout 4)
