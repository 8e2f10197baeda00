# SPDX-License-Identifier: LGPL-2.1-or-later
# What the operator says holds: a stopped client stays stopped, a started one comes back, the target does as told.
# machine: vpn

given_up
up_again() { active vpn-tunnel.service && [ "$(invocation vpn-tunnel.service)" != "$tunnel" ]; }
client_down() { ! active vpn-client.service; }
client_up() { quiet on systemctl start vpn-client.service; eventually 30 "given: the client is up" active vpn-client.service; }
held() { on test -e /run/unitproof/vpn/held-client; }
lifted() { ! held; }
sub() { [ "$(on systemctl show -P SubState "$1")" = "$2" ]; }
starting() { [ "$(on systemctl show -P ActiveState "$1")" = activating ]; }

# at_rest : it is down, and nothing is on its way to start it. at_rest_with_tunnel : while its tunnel is up.
at_rest() { state vpn-client.service inactive && state vpn-return-client.service inactive; }
at_rest_with_tunnel() { active vpn-tunnel.service && at_rest; }
# sticks TEXT : the client has been stopped, which outlives the next activation of its tunnel.
sticks() {
        eventually 3 "$1: a stop is noted" held
        tunnel=$(invocation vpn-tunnel.service)
        on systemctl restart vpn-tunnel.service
        eventually 30 "$1: the tunnel is activated" up_again
        eventually 3 "$1: the client is not brought back" at_rest_with_tunnel
        throughout 1 "$1: it stays down" at_rest
}
# slowed UNIT : its start waits as long as there is /run/slow. failing UNIT : fails as long as there is /run/fail.
slowed() { printf '[Service]\nExecStartPre=sh -c "while test -e /run/slow; do sleep 0.1; done"\n' | drop_in "$1"; }
failing() { printf '[Service]\nExecStartPre=sh -c "! test -e /run/fail"\n' | drop_in "$1"; }
undo() { on rm -rf /run/slow /run/fail "/etc/systemd/system/$1.d"; reload; }

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
returning=$(invocation vpn-return-client.service)
on systemctl kill -s KILL vpn-return-client.service
eventually 20 "who retries is there again after it was killed" renewed vpn-return-client.service "$returning"
on systemctl stop vpn-client.service
on systemctl start lab-echo@a.service lab-echo@b.service
mark
throughout 4 "a stop while it is being retried ends the retries" client_down
tunnel=$(invocation vpn-tunnel.service)
on systemctl restart vpn-tunnel.service
eventually 60 "the tunnel is restarted" up_again
throughout 4 "and the client stays down" client_down
expect "no packet of it arrived" silent

# Whatever else is on its way, a stop of the client is noted, and outlives the next activation of the tunnel.
on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down
client_up
on systemctl stop vpn-client.service
sticks "without the target"

slowed vpn-importer.service
reload
on touch /run/slow
start_target
eventually 30 "target on its way: the client is up" active vpn-client.service
eventually 30 "target on its way: something else still starts" starting vpn-importer.service
on systemctl stop vpn-client.service
sticks "target on its way"
undo vpn-importer.service
on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down

slowed vpn-proof-health-tunnel.service
reload
on touch /run/slow
start_target
eventually 30 "tunnel not healthy: it is looked at" starting vpn-proof-health-tunnel.service
on systemctl stop vpn-client.service
mark
undo vpn-proof-health-tunnel.service
eventually 30 "tunnel not healthy: a proof that was queued is made" said 'egress of client: passed'
sticks "tunnel not healthy"
on systemctl start vpn.target

eventually 30 "given: the stack is up" all_up
failing vpn-tunnel.service
reload
on touch /run/fail
on podman kill vpn-tunnel >/dev/null
eventually 30 "tunnel fails: it waits for its restart" sub vpn-tunnel.service auto-restart
eventually 30 "tunnel fails: the client waits for it" state vpn-return-client.service active
on systemctl stop vpn.target
eventually 30 "tunnel fails: a stop of the target takes all down" all_down
throughout 1 "which is no stop of the client" lifted
on rm /run/fail
start_target
eventually 60 "given: the stack is up" all_up
on touch /run/fail
on podman kill vpn-tunnel >/dev/null
eventually 30 "tunnel fails: it waits for its restart" sub vpn-tunnel.service auto-restart
eventually 30 "tunnel fails: the client is down" state vpn-client.service inactive
on systemctl stop vpn-client.service
eventually 3 "tunnel fails: a stop is noted" held
undo vpn-tunnel.service
eventually 30 "tunnel fails: it is back, the client is not brought back" at_rest_with_tunnel

slowed vpn-tunnel.service
printf '[Service]\nExecStop=sleep 2\n' | drop_in vpn-client.service
reload
client_up
on systemctl restart --no-block vpn-tunnel.service
eventually 10 "tunnel restarts: the client is on its way down" state vpn-client.service deactivating
on systemctl stop vpn-client.service
sticks "tunnel restarts, the client was on its way down"
client_up
on touch /run/slow
on systemctl restart --no-block vpn-tunnel.service
eventually 30 "tunnel restarts: it starts" starting vpn-tunnel.service
on systemctl stop vpn-client.service
eventually 3 "tunnel restarts: a stop is noted" held
undo vpn-tunnel.service
undo vpn-client.service
eventually 30 "tunnel restarts: it is up, the client is not brought back" at_rest_with_tunnel

on systemctl stop lab-echo@a.service lab-echo@b.service
on systemctl start --no-block vpn-client.service
eventually 30 "started by hand: its egress is looked at" starting vpn-proof-egress-client.service
eventually 5 "started by hand: the earlier stop is over" lifted
on systemctl stop vpn-client.service
on systemctl start lab-echo@a.service lab-echo@b.service
sticks "started by hand, stopped during its proof"

# Systemd is away for six seconds while it is asked.
client_up
on sed -nE 's/^ExecStopPost=-(.*unitproof-gate stopped .*)/[Service]\nExecStopPost=\nExecStopPost=sh -c "sleep 2; exec \1"/p; /^ExecStopPost=.*podman/p' \
        /run/systemd/generator/vpn-client.service | drop_in vpn-client.service
reload
printf '#!/bin/sh\nsleep 6\n' | lab_file "$M" /etc/systemd/system-generators/slow
on chmod +x /etc/systemd/system-generators/slow
on systemctl stop --no-block vpn-client.service
eventually 30 "systemd executes itself anew: the client is being stopped" sub vpn-client.service stop-post
on systemctl daemon-reexec
eventually 30 "systemd executes itself anew: the client is stopped" state vpn-client.service inactive
on rm /etc/systemd/system-generators/slow
undo vpn-client.service
sticks "systemd executes itself anew"

client_up
on mount -t tmpfs -o size=16k,mode=0755 tmpfs /run/unitproof/vpn
on sh -c 'dd if=/dev/zero of=/run/unitproof/vpn/full bs=4096 2>/dev/null'
on systemctl stop vpn-client.service
on rm /run/unitproof/vpn/full
sticks "no space left"
on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down
on umount /run/unitproof/vpn

# The client stops with what it follows, which is no word about the client, and comes back with that and not before.
edit -e 's|^services:|&\n  helper:\n    image: lscr.io/linuxserver/sonarr:4.0.15\n    stop_grace_period: 1s|' \
        -e 's|^      tunnel: .*|&\n      helper: {condition: service_started, restart: true}|'
reload
start_target
eventually 60 "given: the stack is up, and what the client follows" all_up
before=$(invocation vpn-client.service)
on systemctl restart vpn-helper.service
eventually 30 "it restarts with what it follows" renewed vpn-client.service "$before"
on systemctl stop vpn-helper.service
eventually 5 "it stops with what it follows" at_rest
throughout 2 "what was stopped by hand is not started for it" state vpn-helper.service inactive
expect "and the client stays down" at_rest
on systemctl start vpn-helper.service
eventually 30 "it comes back with what it follows" active vpn-client.service
on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down
restore

start_target
eventually 60 "a start of the target brings all up" all_up
tunnel=$(invocation vpn-tunnel.service)
on systemctl restart vpn.target
eventually 60 "a restart of the target restarts the tunnel" up_again
eventually 60 "a restart of the target brings all up" all_up
on systemctl stop vpn.target
eventually 30 "a stop of the target takes all down" all_down
throughout 4 "and they stay down" all_down
expect_not "which was no stop of the client" held
on systemctl start vpn.target
eventually 60 "a start of the target brings all up" all_up
