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
# How long a try takes depends on the host; what is said of the pauses has to grow, and has to be kept.
pauses() { since -t unitproof-gate | sed -n 's/^client did not start .* next attempt in \([0-9.]*\) s.*/\1/p'; }
expect_equal "the pauses grow" yes "$(pauses | awk '$1 <= last { shrinks = 1 } { last = $1; all = all " " $1 }
        END { print (NR >= 2 && !shrinks ? "yes" : all) }')"
waited=$(tries | awk 'NR == 1 { first = $1 } { last = $1 } END { print last - first }')
expect "and are kept" awk "BEGIN { exit !($waited >= $(pauses | head -n 3 | paste -sd+)) }"

on systemctl start lab-echo@a.service lab-echo@b.service
eventually 60 "the client comes back by itself" active vpn-client.service
eventually 10 "and talks through the tunnel" talking
expect "and only through it" kept_inside
eventually 60 "the importer comes back too" active vpn-importer.service
