# SPDX-License-Identifier: LGPL-2.1-or-later
# The echo servers are down: egress is unproven, tried again with growing pauses, and comes back by itself.
# machine: vpn

given_down
edit 's|^x-unitproof:|&\n  proofs: {egress: {timeout: 2s}, killswitch: {timeout: 8s}}|'
reload
on systemctl stop lab-echo@a.service lab-echo@b.service
start_target

tries() { since -o short-unix | awk '/Starting vpn-proof-egress-client.service/ { print $1 }'; }
tried_often() { [ "$(tries | wc -l)" -ge 4 ]; }
eventually 90 "the proof was run four times" tried_often
expect_client_never_ran
expect_equal "egress is unproven, which is no leak" "unproven false" \
        "$(record egress client verdict) $(record egress client leak)"
expect "the tunnel runs" active vpn-tunnel.service
expect_match "the status says what is missing" 'egress +client +unproven' on unitproof status vpn
expect_equal "the pauses grow" yes "$(tries | awk 'NR > 1 { gap[NR - 1] = $1 - last } { last = $1 }
        END { print (gap[3] > gap[1] ? "yes" : gap[1] " " gap[2] " " gap[3]) }')"

on systemctl start lab-echo@a.service lab-echo@b.service
eventually 60 "the client comes back by itself" active vpn-client.service
eventually 10 "and talks through the tunnel" talking
expect "and only through it" kept_inside
eventually 60 "the importer comes back too" active vpn-importer.service
