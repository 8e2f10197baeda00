# SPDX-License-Identifier: LGPL-2.1-or-later
# What the operator says holds: a stopped client stays stopped, a started one comes back, the target does as told.
# machine: vpn

given_up
up_again() { active vpn-tunnel.service && [ "$(invocation vpn-tunnel.service)" != "$tunnel" ]; }
client_down() { ! active vpn-client.service; }

on systemctl stop vpn-client.service
throughout 4 "a stopped client stays down" client_down
tunnel=$(invocation vpn-tunnel.service)
on podman kill vpn-tunnel >/dev/null
eventually 60 "the tunnel comes back after a crash" up_again
throughout 4 "and the client stays down" client_down
on systemctl start vpn-client.service
expect "a start by hand brings it up" active vpn-client.service
before=$(invocation vpn-client.service)
on podman kill vpn-tunnel >/dev/null
eventually 60 "and then it follows the tunnel again" renewed vpn-client.service "$before"

edit 's|^x-unitproof:|&\n  proofs: {egress: {timeout: 2s}}|'
reload
mark
on systemctl stop lab-echo@a.service lab-echo@b.service
on systemctl restart --no-block vpn-client.service
eventually 60 "given: the client is being retried" said 'egress of client: unproven'
on systemctl stop vpn-client.service
on systemctl start lab-echo@a.service lab-echo@b.service
mark
throughout 8 "a stop while it is being retried ends the retries" client_down
tunnel=$(invocation vpn-tunnel.service)
on systemctl restart vpn-tunnel.service
eventually 60 "the tunnel is restarted" up_again
throughout 4 "and the client stays down" client_down
expect "no packet of it arrived" silent

tunnel=$(invocation vpn-tunnel.service)
on systemctl restart vpn.target
eventually 60 "a restart of the target restarts the tunnel" up_again
eventually 60 "a restart of the target brings all up" all_up
on systemctl stop vpn.target
eventually 30 "a stop of the target takes all down" all_down
throughout 4 "and they stay down" all_down
on systemctl start vpn.target
eventually 60 "a start of the target brings all up" all_up
