# SPDX-License-Identifier: LGPL-2.1-or-later
# What runs is proved anew: beside the records of starts, and with nothing left behind if there is nothing to prove.
# shellcheck shell=bash

units=/run/manager
mkdir -p $units /run/systemd
background "$TOOLS/manager" /run/systemd/private $units
until [ -S /run/systemd/private ]; do sleep 0.02; done
# UNIT STATE
unit() { mkdir -p "$units/$1"; echo "$2" >"$units/$1/ActiveState"; }

world_internet
world_tunnel
service vpn.service vpn sleep 1000
service torrent.service vpn sleep 1000
unit vpn.service active
running=$RECORDS/running
again() { egress --echo "$ECHO4" --stun "$STUN6" --again torrent.service --retry-for 0.2 "$@"; }
bind_again() { binding_alone --again torrent.service; }
id_of() { jq -r .id "$1"; }

unit torrent.service inactive
expect "a unit that does not run" 0 'nothing to prove: torrent.service does not run' again
unit torrent.service activating
expect "a unit that is starting brings its own proofs" 0 'nothing to prove' again
check "and nothing is written" [ ! -e $running ]
quiet egress --echo "$ECHO4" --stun "$STUN6"
quiet binding
start=$(id_of $RECORDS/egress-torrent.json)
unit torrent.service active
expect "honest: egress" 0 'egress of torrent: passed' again
expect "honest: binding" 0 'all processes \(1\) of torrent.service' bind_again
check "the record of the start is as it was" [ "$(id_of $RECORDS/egress-torrent.json)" = "$start" ]
check "the new one lies beside" [ "$(field running/egress-torrent .verdict)" = passed ]
check "it names the activation of the client" [ "$(field running/egress-torrent .evidence.again.invocation_id)" = \
        "$(readlink /run/systemd/units/invocation:torrent.service)" ]
check "everybody can read it" setpriv --reuid 65534 --clear-groups cat $running/egress-torrent.json
expect "a start goes on with the record of its own proof" 0 '' env INVOCATION_ID="$(new_id)" "$GATE" start --stack $STACK \
        --subject torrent --require egress:torrent:vpn.service

# Unproven: said and counted; the service goes on.
stop "$echo_pid"
expect "no echo server" 3 'egress of torrent: unproven' again
check "once" [ "$(field running/egress-torrent .evidence.again.unproven_in_a_row)" = 1 ]
expect "and again" 3 'egress of torrent: unproven' again
check "twice in a row" [ "$(field running/egress-torrent .evidence.again.unproven_in_a_row)" = 2 ]
check "the record of the start still says passed" [ "$(field egress-torrent .verdict)" = passed ]
check "no restart was asked for" [ ! -e $units/torrent.service/restarts ]
echo_start
expect "the servers are back" 0 passed again
check "the count begins anew" [ "$(field running/egress-torrent .evidence.again.unproven_in_a_row)" = 0 ]

# The service ends while it is looked at: no verdict about it.
stop "$echo_pid"
before=$(id_of $running/egress-torrent.json)
background bash -c 'sleep 0.5; echo inactive >'$units/torrent.service/ActiveState
expect "stopped meanwhile" 0 'nothing to prove any more: torrent.service' again --retry-for 2
check "nothing was written" [ "$(id_of $running/egress-torrent.json)" = "$before" ]
unit torrent.service active
background bash -c 'sleep 0.5; ln -sfn 0123456789abcdef0123456789abcdef /run/systemd/units/invocation:torrent.service'
expect "started anew meanwhile" 0 'nothing to prove any more' again --retry-for 2
echo_start
quiet binding

# Failed, and no leak: it goes on only through new proofs.
jq '.netns_cookie += 1' $RECORDS/egress-torrent.json >/run/f && cat /run/f >$RECORDS/egress-torrent.json
expect "failed" 4 'restarted and runs again only through new proofs' bind_again
check "systemd was asked, and a stop would win" [ "$(cat $units/torrent.service/restarts)" = fail ]
echo yes >$units/torrent.service/refuse
expect "a stop is queued" 4 'not restarted: something else is on its way' bind_again
expect "that is no leak" 1 '' "$GATE" leaked --stack $STACK
quiet egress --echo "$ECHO4" --stun "$STUN6"

# A leak that begins later.
ip -n vpn route replace default via 10.77.0.1 dev eth0
expect "a late leak" 1 "host's own address" again
check "no restart: the stack is to halt" [ "$(wc -l <$units/torrent.service/restarts)" = 1 ]
check "the start's record is as it was" [ "$(field egress-torrent .verdict)" = passed ]
expect "the halt unit runs" 0 '' "$GATE" leaked --stack $STACK
expect "and says why" 1 'stack s is halted: proof egress of torrent found a leak' "$GATE" halted --stack $STACK
unit s.target inactive
expect "once only: another proof that fails leaves it failed" 255 'halted already' "$GATE" leaked --stack $STACK
echo start >$units/s.target/JobType
expect "until the stack is being started again" 1 '' "$GATE" leaked --stack $STACK
rm $units/s.target/JobType
unit s.target active
expect "or is up" 1 '' "$GATE" leaked --stack $STACK
expect "the leak at a start" 1 "host's own address" egress --echo "$ECHO4"
expect "halts as well" 0 '' "$GATE" leaked --stack $STACK
expect "both are told" 1 'found a leak' "$GATE" halted --stack $STACK
expect "neither a second time" 1 '' "$GATE" leaked --stack $STACK
tunnel_up
chmod 777 $running
expect "a directory that others may write to: halt, not trust" 0 'halting' "$GATE" leaked --stack $STACK
chmod 755 $running
service torrent.service host sleep 1000
expect "a process that left, late" 1 "runs in the host's network namespace" bind_again
stop "$service_pid"
expect "it takes a unit" 2 'bad value' egress --again nonsense
expect "engine proofs are not for what runs" 2 'again' "$PROVE" engine --stack s --engine native --again torrent.service
