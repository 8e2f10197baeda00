# SPDX-License-Identifier: LGPL-2.1-or-later
# Bound: what the OCI hook lets start, and what the binding proof makes of its record.
# shellcheck shell=bash

world_internet
world_tunnel
service vpn.service vpn sleep 1000
service torrent.service vpn sleep 1000
client=$service_pid
prove_egress() { quiet egress --echo "$ECHO4" --stun "$STUN6"; }
pid_in() { background nsenter --net="/run/netns/$1" sleep 1000; outsider=$!
           until [ "$(cat /proc/$outsider/comm)" = sleep ]; do sleep 0.02; done; }

expect "egress was not proved" 3 'record of the egress proof of torrent is missing' bound "$client"
expect "it is switched off" 0 'torrent starts in the network namespace of vpn.service' bound "$client" off
prove_egress
expect "honest world" 0 'torrent starts in the network namespace of vpn.service' bound "$client"
check "the record names the container" [ "$(field bound-torrent '.evidence.container')" = 0123abcd ]
check "and its process" [ "$(field bound-torrent '.evidence.pid')" = "$client" ]
check "and the tunnel's activation" [ "$(field bound-torrent '.unit + " " + .invocation_id')" = \
        "vpn.service $(readlink /run/systemd/units/invocation:vpn.service)" ]
check "and the proved namespace" [ "$(field bound-torrent .netns_cookie)" = "$(field egress-torrent .netns_cookie)" ]
expect "the binding proof takes it" 0 passed binding_alone

pid_in host
for egress in on off; do
        expect "the host's network, egress $egress" 1 "would run in the host's network namespace" bound $outsider $egress
        check "that is no leak, nothing ran" [ "$(field bound-torrent '"\(.verdict) \(.leak)"')" = "failed false" ]
        expect "the binding proof sees that the hook refused" 3 'OCI hook for torrent does not say "passed"' binding_alone
done
stop $outsider
ip netns add third; ip -n third link set lo up
pid_in third
for egress in on off; do
        expect "a third namespace, egress $egress" 1 'would run in another network namespace' bound $outsider $egress
done
stop $outsider
expect "a process that is gone" 3 'is gone' bound $outsider
jq '.verdict = "failed" | .reason = "x"' $RECORDS/egress-torrent.json >/run/f; cat /run/f >$RECORDS/egress-torrent.json
expect "egress failed" 3 'does not say "passed"' bound "$client"
prove_egress
unit_activate vpn.service
expect "egress was proved before the tunnel's restart" 3 'earlier start of the tunnel' bound "$client"
rm /run/systemd/units/invocation:vpn.service
expect "the tunnel is down" 3 'vpn.service is not active' bound "$client"
unit_activate vpn.service
prove_egress

# The binding proof asks for the record of the container that runs.
rm $RECORDS/bound-torrent.json
expect "no hook" 3 'OCI hook for torrent is missing: the hook did not run' binding_alone
quiet bound "$client"
service torrent.service vpn sleep 1000
stop "$client"
expect "a hook for an earlier container" 3 'about an earlier container' binding_alone
quiet bound "$service_pid"
expect "and now for this one" 0 passed binding_alone
forge() {            # NAME PATTERN JQ-PROGRAM
        quiet bound "$service_pid"
        jq "$3" $RECORDS/bound-torrent.json >/run/f; cat /run/f >$RECORDS/bound-torrent.json
        expect "$1" 3 "$2" binding_alone
}
forge "the same PID, another process" 'about an earlier container' '.evidence.start_time -= 1'
forge "another boot" 'another boot' '.boot_id = "0123456789abcdef0123456789abcdef"'
forge "another tunnel" 'another tunnel' '.unit = "other.service"'
forge "another namespace" 'another network namespace' '.netns_cookie += 1'
forge "killed" 'not come to its end' '.pending = true | .verdict = "unproven"'
forge "no process" 'about an earlier container' '.evidence = {}'
forge "malformed" malformed '.x = 1'

# What the runtime says.
hook() { "$PROVE" bound; }
broken() {           # NAME PATTERN JQ-PROGRAM
        expect "$1" 3 "$2" bash -c 'jq "$1" | "$PROVE" bound' - "$3" < <(state "$service_pid")
}
rm $RECORDS/bound-torrent.json
expect "nothing" 3 'no JSON object' hook </dev/null
expect "no JSON" 3 'no JSON object' hook <<<'{ "id": '
expect "too much" 3 'cannot be read' hook < <(head -c 600000 /dev/zero)
expect "nothing ever comes" 3 'cannot be read' timeout 8 "$PROVE" bound < <(sleep 9)
broken "no annotations" 'no annotations' 'del(.annotations)'
broken "no stack" 'unitproof.stack is missing' 'del(.annotations."org.unitproof.stack")'
broken "a stack that leaves its directory" 'unitproof.stack is missing or no name' '.annotations."org.unitproof.stack" = "../x"'
broken "no subject" 'unitproof.subject is missing' 'del(.annotations."org.unitproof.subject")'
broken "a tunnel that is no unit" 'tunnel-unit is missing or no unit' '.annotations."org.unitproof.tunnel-unit" = "a/b"'
broken "egress is maybe" 'neither on nor off' '.annotations."org.unitproof.egress" = "maybe"'
broken "an engine that nobody knows" 'names no engine' '.annotations."org.unitproof.engine" = "x"'
broken "no process" 'names no process' '.pid = 0'
broken "a process that is text" 'names no process' '.pid = "1"'
broken "no container" 'names no container' '.id = ""'
check "none of them left a record" [ ! -e $RECORDS/bound-torrent.json ]
