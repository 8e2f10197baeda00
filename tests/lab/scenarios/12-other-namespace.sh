# SPDX-License-Identifier: LGPL-2.1-or-later
# A client that somebody puts into the host's network: refused before it sends a packet.
# machine: vpn

given_down
on sed -nE 's/ --pod-id-file [^ ]+/ --network host/; s/^ExecStart=/ExecStart=\n&/p' \
        /run/systemd/generator/vpn-client.service | { echo "[Service]"; cat; } | drop_in vpn-client.service
reload
expect_match "given: the client's unit asks for the host's network" 'run .*--network host' \
        on systemctl show -P ExecStart vpn-client.service
start_target

eventually 60 "the check before its first instruction refuses it" said 'bound of client: failed'
expect_not "the client's unit is not active" active vpn-client.service
expect "no packet of the client arrived anywhere" silent
expect_match "the journal names the cause" "bound of client: failed.*host's network namespace" since
expect "the tunnel runs" active vpn-tunnel.service
expect_match "the status names it" '(bound|binding) +client +failed' on unitproof status vpn
