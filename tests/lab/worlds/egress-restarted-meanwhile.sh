# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is restarted all the time: what was looked at is not what runs.
# leak: L10
# kind: egress
# wants: unproven -
# says: restarted|not active|no process|no tunnel interface|no way out
tunnel_world
nft_in inet 'table ip slow { chain i { type filter hook input priority 0; ip saddr 203.0.113.9 drop; }; }'
background bash -c 'while :; do systemctl restart vpn.service; sleep 0.2; done'
