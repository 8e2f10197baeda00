# SPDX-License-Identifier: LGPL-2.1-or-later
# Gate: what lets a service start and what does not. Without systemd; the lab has it with.
# shellcheck shell=bash

world_internet
world_tunnel
service vpn.service vpn sleep 1000
cp "$ROUNDTRIP" /run/roundtrip
gate() { INVOCATION_ID=${INVOCATION-$(new_id)} "$GATE" start --stack $STACK --subject torrent --wait 0.3 "$@"; }
need=(--require egress:torrent:vpn.service)
prove() { quiet egress --echo "$ECHO4" --stun "$STUN6"; }

expect "nothing was ever proved" 3 'directory of records .* is missing' gate "${need[@]}"
quiet "$PROVE" engine --stack $STACK --engine native --roundtrip-dir /run
expect "this proof did not run" 3 'egress of torrent is missing: the proof did not run.*masked' gate "${need[@]}"
expect "a proof without unit" 0 '' gate --require engine:native:
quiet "$PROVE" engine --stack $STACK --engine native --roundtrip-dir /run
many=()
for i in {1..100}; do many+=(--require "health:db$i:db$i.service"); done
expect "a service may wait for many others" 3 'health of db1 is missing' gate "${many[@]}"
prove
expect "all is well" 0 '' gate "${need[@]}" --require engine:native:
expect "the same record a second time" 3 'was used by an earlier start already' gate "${need[@]}"
prove
id=$(new_id)
INVOCATION=$id expect "a new record" 0 '' gate "${need[@]}"
INVOCATION=$id expect "twice in one start" 0 '' gate "${need[@]}"
prove
INVOCATION='' expect "without systemd" 3 'without INVOCATION_ID' gate "${need[@]}"
INVOCATION=nonsense expect "with a bad invocation ID" 3 'without INVOCATION_ID' gate "${need[@]}"
expect "another unit than the proved one" 3 'about another unit' gate --require egress:torrent:other.service
touch $RECORDS/held-torrent
expect "one of two is missing" 3 'health of db is missing' gate "${need[@]}" --require health:db:db.service
check "the held mark is gone" [ ! -e $RECORDS/held-torrent ]
expect "then the other was not used up" 0 '' gate "${need[@]}"
prove
unit_activate vpn.service
expect "the tunnel was restarted" 3 'about an earlier start of its unit' gate "${need[@]}"
prove
rm /run/systemd/units/invocation:vpn.service
expect "the tunnel is not active" 3 'about a unit that is not active' gate "${need[@]}"
unit_activate vpn.service
prove
service_id=$(readlink /run/systemd/units/invocation:vpn.service)
service_stop vpn.service; ip netns add vpn2; ip -n vpn2 link set lo up; service vpn.service vpn2 sleep 1000
ln -sfn "$service_id" /run/systemd/units/invocation:vpn.service
expect "the namespace is another, behind systemd's back" 3 'another network namespace' gate "${need[@]}"
service_stop vpn.service; service vpn.service vpn sleep 1000

# Records that are not what they should be.
forge() {            # NAME STATUS PATTERN JQ-PROGRAM
        prove
        jq "$4" $RECORDS/egress-torrent.json >/run/forged && cat /run/forged >$RECORDS/egress-torrent.json
        expect "$1" "$2" "$3" gate "${need[@]}"
}
forge "another boot" 3 'another boot' '.boot_id = "0123456789abcdef0123456789abcdef"'
forge "another version" 3 'another version' '.version = 2'
forge "a key too many" 3 malformed '.x = 1'
forge "a key too few" 3 malformed 'del(.remedy)'
forge "a verdict that is none" 3 malformed '.verdict = "probably"'
forge "another subject" 3 'another stack, proof or subject' '.subject = "radarr"'
forge "another proof" 3 'another stack, proof or subject' '.proof = "binding"'
forge "of tomorrow" 3 'time that has not come yet' '.monotonic_usec += 86400000000'
forge "a time that is none" 3 malformed '.monotonic_usec = -1'
forge "a number as text" 3 malformed '.monotonic_usec = "1"'
forge "an ID that is none" 3 malformed '.id = "x"'
forge "a unit that is none" 3 malformed '.unit = "../x.service"'
forge "no object" 3 malformed '[.]'
forge "another stack" 3 'another stack, proof or subject' '.stack = "t"'
forge "passed and leak" 3 malformed '.leak = true'
forge "passed and pending" 3 malformed '.pending = true'
forge "pending" 3 'not come to its end' '.pending = true | .verdict = "unproven"'
forge "failed" 1 'says "failed": it leaks' '.verdict = "failed" | .reason = "it leaks"'
forge "unproven" 3 'says "unproven"' '.verdict = "unproven"'
prove; : >$RECORDS/egress-torrent.json
expect "empty" 3 malformed gate "${need[@]}"
prove; head -c 300 $RECORDS/egress-torrent.json >/run/f; cat /run/f >$RECORDS/egress-torrent.json
expect "cut off" 3 malformed gate "${need[@]}"
prove; echo '{}' >>$RECORDS/egress-torrent.json
expect "something behind it" 3 malformed gate "${need[@]}"
prove; printf '\0' >>$RECORDS/egress-torrent.json
expect "a NUL behind it" 3 malformed gate "${need[@]}"
prove; printf '\xff' | cat - $RECORDS/egress-torrent.json >/run/f; cat /run/f >$RECORDS/egress-torrent.json
expect "no UTF-8" 3 malformed gate "${need[@]}"
prove; sed -i 's/"verdict": "passed"/"verdict": "failed", &/' $RECORDS/egress-torrent.json
expect "a key twice" 3 malformed gate "${need[@]}"
prove; head -c 300000 /dev/zero >$RECORDS/egress-torrent.json
expect "too big" 3 'larger than any' gate "${need[@]}"
prove; chmod 664 $RECORDS/egress-torrent.json
expect "writable by the group" 3 'not owned by root' gate "${need[@]}"
prove; chown 1000 $RECORDS/egress-torrent.json
expect "somebody else's" 3 'not owned by root' gate "${need[@]}"
prove; mv $RECORDS/egress-torrent.json /run/moved; ln -s /run/moved $RECORDS/egress-torrent.json
expect "a symbolic link" 3 'not a plain file' gate "${need[@]}"
rm $RECORDS/egress-torrent.json; mkfifo $RECORDS/egress-torrent.json
expect "a FIFO" 3 'not a plain file' timeout 5 "$GATE" start --stack $STACK --subject torrent "${need[@]}"
rm $RECORDS/egress-torrent.json
prove; ln $RECORDS/egress-torrent.json /run/second
expect "a file with a second name" 3 'not a plain file' gate "${need[@]}"
rm /run/second
rm $RECORDS/egress-torrent.json; mkdir $RECORDS/egress-torrent.json
expect "a directory" 3 'not a plain file|cannot be read' gate "${need[@]}"
rmdir $RECORDS/egress-torrent.json; mknod $RECORDS/egress-torrent.json c 1 3
expect "a device" 3 'not a plain file' gate "${need[@]}"
rm $RECORDS/egress-torrent.json
prove; mv $RECORDS /run/elsewhere; ln -s /run/elsewhere $RECORDS
expect "the directory is a link" 3 'directory of records .* not a plain file' gate "${need[@]}"
rm $RECORDS; mv /run/elsewhere $RECORDS
chown 1000 $RECORDS
expect "the directory is somebody else's" 3 'directory of records .* not owned by root' gate "${need[@]}"
chown 0 $RECORDS; chmod 775 ${RECORDS%/*}
expect "others may write above it" 3 'directory of records .* not owned by root' gate "${need[@]}"
chmod 755 ${RECORDS%/*}
prove; mkdir -p $RECORDS/running; mv $RECORDS/egress-torrent.json $RECORDS/running/
expect "a look at what runs is no proof of a start" 3 'egress of torrent is missing' gate "${need[@]}"
rm -r $RECORDS/running
prove; chmod 777 $RECORDS
expect "the directory is writable by others" 3 'directory of records .* not owned by root' gate "${need[@]}"
chmod 755 $RECORDS
prove; expect "and after all that, well" 0 '' gate "${need[@]}"
expect "a requirement that is none" 2 '' gate --require nonsense
expect "a name that leaves the directory" 2 '' gate --require egress:../x:

# A proof that is just running is waited for.
prove
jq '.pending = true | .verdict = "unproven"' $RECORDS/egress-torrent.json >/run/f; cat /run/f >$RECORDS/egress-torrent.json
background bash -c 'sleep 0.5; "$PROVE" egress --stack s --subject torrent --unit vpn.service --engine podman \
        --echo http://198.51.100.10/ --stun "[2001:db8:e::10]:3478"'
expect "a proof that is running" 0 '' gate "${need[@]}" --wait 5

# No image of a process that has seen secrets.
mkfifo /run/wait
no_core() {          # PROGRAM...: waits for its input
        "$@" </run/wait & pid=$!
        exec 9>/run/wait
        until [ "$(readlink /proc/$pid/exe)" = "$1" ]; do sleep 0.01; done
        sleep 0.1
        grep -q '^Max core file size *0 ' /proc/$pid/limits
        r=$?
        exec 9>&-
        wait $pid
        return $r
}
check "the gate leaves no core" no_core "$GATE" broken
check "the proofs leave no core" no_core "$PROVE" bound

# Halt.
expect "no leak: the halt unit is skipped" 1 '' "$GATE" leaked --stack $STACK
expect "a stack without records: skipped" 1 '' "$GATE" leaked --stack nothing
ip -n vpn route replace default via 10.77.0.1 dev eth0
expect "leak" 1 "host's own address" egress --echo "$ECHO4"
expect "the halt unit runs" 0 '' "$GATE" leaked --stack $STACK
expect "and says why" 1 'stack s is halted: proof egress of torrent found a leak: .*192.0.2.2' "$GATE" halted --stack $STACK
expect "once only; and as nobody has started the stack again, the unit stays failed" 255 'halted already' "$GATE" leaked --stack $STACK
expect "the leak again, found anew" 1 "host's own address" egress --echo "$ECHO4"
expect "halts again" 0 '' "$GATE" leaked --stack $STACK
expect "said" 1 'stack s is halted' "$GATE" halted --stack $STACK
# A page for the record that says "pending", and none for what was found.
mount -t tmpfs -o size=4k,mode=755 tmpfs /run/unitproof
expect "a leak whose record cannot be written" 1 "host's own address.*record could not be written" egress --echo "$ECHO4"
expect "halts all the same" 0 '' "$GATE" leaked --stack $STACK
expect "and it is said" 1 'proof egress-torrent found a leak, and its record could not be written' "$GATE" halted --stack $STACK
expect "once" 1 '' "$GATE" leaked --stack $STACK
umount /run/unitproof
expect "stopped, and nobody to ask: no mark, no error" 0 'cannot tell' "$GATE" stopped --stack $STACK --subject torrent \
        --unit torrent.service --tunnel-unit vpn.service --target s.target
check "no mark" [ ! -e $RECORDS/held-torrent ]
