# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof's unit is masked, then missing, then a lie: the client does not start, and its journal says why.
# machine: vpn

given_down
on systemctl mask --quiet vpn-proof-egress-client.service
start_target
eventually 60 "the tunnel is up" active vpn-tunnel.service
sleep 3
expect_client_never_ran
expect_match "a start by hand says that it is masked" 'masked|vpn-proof-egress-client' \
        on systemctl start vpn-client.service
expect_client_never_ran

given_down
# Runs the real generator, then takes the proof's file away.
lab_file "$M" /etc/systemd/system-generators/unitproof-generator <<'SCRIPT'
#!/bin/sh
/usr/lib/systemd/system-generators/unitproof-generator "$@"
rm -f "$1/vpn-proof-egress-client.service"
SCRIPT
on chmod +x /etc/systemd/system-generators/unitproof-generator
reload
expect_equal "given: systemd knows no such proof" not-found \
        "$(on systemctl show -P LoadState vpn-proof-egress-client.service)"
start_target
eventually 60 "the tunnel is up" active vpn-tunnel.service
sleep 3
expect_client_never_ran

given_down
printf '[Service]\nExecStart=\nExecStart=true\n' | drop_in vpn-proof-egress-client.service
reload
start_target
eventually 60 "a proof that proves nothing does not open the gate" said 'client may not start: .*egress'
expect_client_never_ran
