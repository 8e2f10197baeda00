# SPDX-License-Identifier: LGPL-2.1-or-later
# A leak that begins while the stack runs: the next look at what runs finds it, and the stack halts at once.
# on request: long: 3 min and more
# machine: vpn

reprove() { on systemctl start vpn-reprove.service; }
running() { on jq -r ".$3" "/run/unitproof/$STACK/running/$1-$2.json"; }

given_up
expect "given: the timer is there" active vpn-reprove.timer
expect_match "in 15 minutes at the latest, and a tenth of that" 'OnActiveUSec=15min' on systemctl show -P TimersMonotonic vpn-reprove.timer
expect "what runs is proved anew" reprove
expect_equal "egress, binding and hardlink" "passed passed passed" \
        "$(running egress client verdict) $(running binding client verdict) $(running hardlink importer verdict)"
expect "everything still runs" all_up

expect_equal "anybody may read the records" passed \
        "$(on setpriv --reuid=65534 --clear-groups jq -r .verdict /run/unitproof/vpn/running/egress-client.json)"
metric() { on systemctl start unitproof-metrics.service && on grep -qF "$1" /run/unitproof/metrics/unitproof.prom; }
expect "the metrics have it" metric 'unitproof_proof_verdict{stack="vpn",proof="egress",subject="client",verdict="passed"} 1'
expect "the stack is not halted" metric 'unitproof_stack_halted{stack="vpn"} 0'

# Beside a restart it is in nobody's way.
before=$(invocation vpn-client.service)
on sh -c 'for i in 1 2 3 4 5 6; do systemctl start vpn-reprove.service; done & systemctl restart vpn-client.service; wait'
expect "a restart meanwhile: the client is up" renewed vpn-client.service "$before"
expect_not "and no look failed" state vpn-reprove.service failed

# What an operator has stopped is not started, and there is no word of it.
on systemctl stop vpn-client.service
mark
expect "a look while the client is stopped" reprove
expect "the client stays down" state vpn-client.service inactive
expect_not "no proof of it has spoken" said '(egress|binding) of client: (passed|failed|unproven)'
on systemctl start vpn-client.service
eventually 30 "the client is up again" all_up

# Unproven is a warning, and nothing stops.
on systemctl stop lab-echo@a.service lab-echo@b.service
mark
reprove
expect "no echo server: the client goes on" active vpn-client.service
expect "it is said" said 'egress of client: unproven'
expect_equal "and counted" 1 "$(running egress client evidence.again.unproven_in_a_row)"
on systemctl start lab-echo@a.service lab-echo@b.service

# The tunnel is sabotaged: its rules are gone and everything leaves by the container's own link.
eventually 30 "given: with the servers it is proved again" reprove
on podman exec vpn-tunnel sh -c 'nft flush ruleset; for f in -4 -6; do ip $f rule del priority 101; ip $f rule del priority 98; done'
outside() { [ "$(lab_outside "$M")" -gt "$OUTSIDE" ]; }
mark
eventually 10 "given: the client is seen outside of the tunnel" outside
expect "and its unit knows nothing of it" active vpn-client.service
expect_not "the next look fails" reprove
eventually 15 "the halt unit has failed" state vpn-halt.service failed
eventually 20 "every service of the stack is down" all_down
expect_equal "the record says that it is a leak" "failed true" "$(running egress client verdict) $(running egress client leak)"
expect_equal "the record of the start is what it was" passed "$(record egress client verdict)"
expect_match "the journal says why" 'vpn is halted: proof egress of client found a leak: ' since
expect "the metrics say that it is halted" metric 'unitproof_stack_halted{stack="vpn"} 1'
expect "and that there is a leak" metric 'unitproof_proof_leak{stack="vpn",proof="egress",subject="client"} 1'
expect_match "the status says what was seen" 'egress +client +failed' on unitproof status vpn
on journalctl --update-catalog
expect_match "the journal explains it (-x)" 'Subject: Stack vpn is halted after a leak' on journalctl -x --no-pager -u vpn-halt.service -n 20
expect_match "and the leak, with what to do" 'LEAK: client would reach the network beside its tunnel' \
        on journalctl -x --no-pager -u vpn-reprove.service -n 40
expect_not "the timer is gone with the stack" active vpn-reprove.timer
mark
throughout 3 "it stays down" all_down
expect "no packet of the client arrived since" silent

restore
start_target
eventually 60 "with the tunnel as it was a start brings all back" all_up

# The halt is not lost: to a run of the halt unit that has looked already, nor to a systemd that executes itself anew.
leak() { on podman exec vpn-tunnel sh -c 'nft flush ruleset; for f in -4 -6; do ip $f rule del priority 101; ip $f rule del priority 98; done'; }
printf '%s\n' '[Service]' 'ExecCondition=' \
        'ExecCondition=sh -c "/usr/libexec/unitproof/unitproof-gate leaked --stack vpn; r=$$?; sleep 3; exit $$r"' | drop_in vpn-halt.service
reload
on systemctl start --no-block vpn-halt.service
on sleep 1
leak
expect_not "the look finds it" reprove
eventually 20 "halted, though the halt unit was just looking" all_down
restore
start_target
eventually 60 "given: all is up again" all_up
leak
on sh -c 'systemctl start --no-block vpn-reprove.service; for i in 1 2 3 4 5 6 7 8; do systemctl daemon-reexec; sleep 0.05; done'
eventually 30 "halted, though systemd was executing itself anew" all_down
expect "and it stays visible" state vpn-halt.service failed
restore
start_target
eventually 60 "given: all is up at the end" all_up
