# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill switch: shown once for each start of the tunnel, before the client runs; by an operator's word also later; and
# what becomes of a tunnel that has none, and of a proof that is killed in the middle.
# on request: long: 2.5 min
# machine: vpn

PROOF=vpn-proof-killswitch-tunnel.service
found() { record killswitch tunnel "evidence.killswitch.$1"; }
before_client() { since | sed '/Starting vpn-client.service/,$d'; }
link_is_up() { on podman exec vpn-tunnel ip link show tun0 | grep -q '[<,]UP[,>]'; }
taken_away() { on test -e /run/unitproof/vpn/.restore-killswitch-tunnel; }

given_down
start_target
eventually 90 "the stack comes up" all_up
expect_equal "the kill switch was proved" "passed closed done" \
        "$(record killswitch tunnel verdict) $(found code) $(found step)"
expect_match "before the client started" 'killswitch of tunnel: passed' before_client
expect "and before egress" test "$(record killswitch tunnel monotonic_usec)" -lt "$(record egress client monotonic_usec)"
expect_equal "everything was given back" "true 0 false" \
        "$(record killswitch tunnel 'evidence.killswitch.restored | (.kept > 0 and .kept == .back), (.missing | length), .down' | xargs)"
expect_equal "the carrier is the provider's" 51820 "$(found carrier.port)"
expect "no packet of the client outside" kept_inside
took=$(record killswitch tunnel duration_ms)
run=$(record killswitch tunnel evidence.run)
echo "# it took $took ms"

# The next start of the client relies on it.
before=$(invocation vpn-client.service)
on systemctl restart vpn-client.service
expect "the client starts again" renewed vpn-client.service "$before"
expect_equal "by what was shown before" "passed reused $run" \
        "$(record killswitch tunnel verdict) $(found code) $(found reused)"
echo "# which took $(record killswitch tunnel duration_ms) ms"

# A drill
before=$(invocation vpn-client.service)
expect_equal "without a word nothing is interrupted" 2 "$(on unitproof drill killswitch vpn >/dev/null 2>&1; echo $?)"
expect_match "a drill says whom it interrupts, and what it found" \
        'vpn-client.service|killswitch of tunnel: passed: nothing of' on unitproof drill killswitch vpn --yes
expect_equal "it was made under the client" "closed vpn-client.service" \
        "$(found code) $(record killswitch tunnel evidence.interrupted)"
expect_equal "which still runs" "$before" "$(invocation vpn-client.service)"
mark
eventually 15 "and talks" talking
expect "through the tunnel alone" kept_inside

# Killed in the middle
given_down
start_target
expect "given: the proof is killed while the link is down" on timeout 90 sh -c \
        "until test -e /run/unitproof/vpn/.restore-killswitch-tunnel; do sleep 0.005; done
        kill -9 \$(cat /sys/fs/cgroup/system.slice/$PROOF/cgroup.procs)"
eventually 20 "it is said" said 'did not come to its end'
expect_match "what it took away is given back" 'link is up again, with all addresses and routes|server can be reached again' since
eventually 90 "and the client comes by a proof that ended" all_up
expect "the link is up" link_is_up
expect_not "nothing is left" taken_away
expect "no packet of the client outside" kept_inside

# Rules that let established connections go on, ahead of the test of the interface, as many images have them, and no kill rule of ours.
given_down
edit 's|^  tunnel:$|&\n    x-unitproof: {guard: off}|'
drop_in vpn-tunnel.service <<'END'
[Service]
ExecStartPost=/bin/sh -c 'until podman exec vpn-tunnel nft insert rule inet gluetun output ct state established accept; do sleep 0.1; done'
END
reload
beacons=$(lab_count "$M" outside_beacon tunnelled)
start_target
eventually 90 "established first: the halt unit has failed" state vpn-halt.service failed
eventually 20 "every service of the stack is down" all_down
expect_not "the client's unit is not active" active vpn-client.service
expect_equal "no container of the client was started" "" "$(since -t podman | grep 'container start .*name=vpn-client')"
# What got out is the proof's own, and that is how it knows.
expect_equal "no packet of the client arrived anywhere" "$beacons" "$(lab_count "$M" outside_beacon tunnelled)"
expect "the tunnel was healthy all the same" said 'health of tunnel: passed'
expect_equal "the record says that it is a leak" "failed true leak" \
        "$(record killswitch tunnel verdict) $(record killswitch tunnel leak) $(found code)"
expect_match "and by what" 'flow-(tcp|udp)' record killswitch tunnel reason
expect_match "the journal says why the stack is halted" 'vpn is halted: .*killswitch of tunnel found a leak' since

restore
start_target
eventually 60 "with a good tunnel a start brings all back" all_up
