# SPDX-License-Identifier: LGPL-2.1-or-later
# A drill of the kill switch on a schedule: at its time, under the clients, and only while the tunnel runs.
# machine: vpn

TIMER=vpn-drill-killswitch-tunnel.timer
scheduled() { on date --date "+$1 seconds" +%H:%M:%S; }
next_is() { on systemctl list-timers "$TIMER" --no-legend | grep -q "$1"; }
drilled() { [ "$(record killswitch tunnel evidence.interrupted)" = vpn-client.service ]; }

given_up
expect_not "without a schedule there is no timer" on systemctl cat "$TIMER"

soon=$(scheduled 12)
edit "s|^x-unitproof:|&\n  proofs: {killswitch: {schedule: \"$soon\"}}|"
reload
on systemctl start "$TIMER"
expect "the next drill is listed" next_is "$soon"
before=$(invocation vpn-client.service)
eventually 40 "it is made at its time" drilled
expect_equal "and closed" "passed closed" \
        "$(record killswitch tunnel verdict) $(record killswitch tunnel evidence.killswitch.code)"
expect_equal "the client still runs" "$before" "$(invocation vpn-client.service)"
eventually 15 "and talks" talking
expect "through the tunnel alone" kept_inside

# With the tunnel the timer goes, and comes.
on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down
expect_not "no tunnel, no drill" active "$TIMER"
start_target
eventually 90 "given: the stack is up" all_up
expect "the timer is back with the tunnel" active "$TIMER"

edit 's|schedule: "[^"]*"|schedule: "now and then"|'
expect_match "what systemd could not read is refused" "schedule.*calendar event" on unitproof check vpn
restore
