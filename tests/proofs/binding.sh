# SPDX-License-Identifier: LGPL-2.1-or-later
# Binding proof: honest, sabotaged and broken worlds.
# shellcheck shell=bash

world_internet
world_tunnel
service vpn.service vpn sleep 1000
service torrent.service vpn sleep 1000
prove_egress() { egress --echo "$ECHO4" --stun "$STUN6" "$@"; }

expect "no record of egress" 3 'record of the egress proof of torrent is missing' binding
expect "the same where egress is off" 0 passed binding --without-egress
expect "egress passes" 0 passed prove_egress
expect "honest world" 0 'all processes \(1\) of torrent.service' binding
check "record names the client's activation" [ "$(field binding-torrent .invocation_id)" = \
        "$(readlink /run/systemd/units/invocation:torrent.service)" ]
check "both records name one namespace" [ "$(field binding-torrent .netns_cookie)" = "$(field egress-torrent .netns_cookie)" ]
check "links are listed" [ "$(field binding-torrent '.evidence.links[].name' | sort | xargs)" = "eth0 lo tun0" ]

service torrent.service host sleep 1000
expect "one process in the host's network" 1 "runs in the host's network namespace" binding
check "that is a leak" [ "$(field binding-torrent .leak)" = true ]
stop "$service_pid"
ip netns add other
service torrent.service other sleep 1000
expect "one process in a third namespace" 1 'runs in another network namespace' binding
check "that is a leak" [ "$(field binding-torrent .leak)" = true ]
stop "$service_pid"
expect "only the tunnel's namespace again" 0 passed binding

# A group of its own below the container's.
mkdir -p "$CGROUP/torrent.service/libpod-payload-1/inner/deeper"
service torrent.service host sleep 1000
echo "$service_pid" >"$CGROUP/torrent.service/libpod-payload-1/inner/deeper/cgroup.procs"
expect "a process hidden in a nested group" 1 "runs in the host's network namespace" binding
stop "$service_pid"
service torrent.service host sleep 1000
echo "$service_pid" >"$CGROUP/torrent.service/runtime/cgroup.procs"
expect "the engine's monitor may be in the host's network" 0 passed binding
stop "$service_pid"

# Sockets keep the namespace they were made in.
for kind in SOCK_STREAM SOCK_DGRAM; do
        background python3 -c "
import ctypes, os, socket, sys, time
s = socket.socket(socket.AF_INET, socket.$kind)
fd = os.open('/run/netns/vpn', os.O_RDONLY)
ctypes.CDLL(None).setns(fd, 0)
open(sys.argv[1] + '/libpod-payload-1/cgroup.procs', 'w').write(str(os.getpid()))
time.sleep(1000)" "$CGROUP/torrent.service"
        holder=$!
        until grep -qx "$holder" "$CGROUP/torrent.service/libpod-payload-1/cgroup.procs"; do sleep 0.02; done
        expect "an inherited socket of the host ($kind)" 1 'holds a socket of another network namespace' binding
        check "that is a leak" [ "$(field binding-torrent .leak)" = true ]
        stop $holder
done

# A rule for the client's user only: root, who proved egress, does not meet it.
service torrent.service vpn setpriv --reuid 4242 --clear-groups sleep 1000
expect "client with a user of its own" 0 passed binding
ip -n vpn rule add uidrange 4242-4242 lookup 42
ip -n vpn route add default via 10.77.0.1 dev eth0 table 42
expect "that user is routed past the tunnel" 1 'user 4242 of the client reaches .* by eth0, not by tun0' binding
check "that is a leak" [ "$(field binding-torrent .leak)" = true ]
ip -n vpn rule del uidrange 4242-4242 lookup 42

# The tunnel is another one than the one that was proved.
unit_activate vpn.service
expect "the tunnel was restarted since" 3 'about an earlier start of the tunnel' binding
expect "egress anew" 0 passed prove_egress
expect "then it is fine again" 0 passed binding
sed -i 's/"netns_cookie": \([0-9]*\)/"netns_cookie": 1\1/' $RECORDS/egress-torrent.json
expect "egress was proved in another namespace" 1 'proved in another network namespace' binding
check "that is no leak" [ "$(field binding-torrent .leak)" = false ]
expect "a failed egress record" 3 'no echo server' egress
expect "does not do" 3 'does not say' binding
chmod 666 $RECORDS/egress-torrent.json
expect "nor does one that others may write" 3 'not owned by root, or others may write' binding
quiet prove_egress
service_stop torrent.service
expect "the client is not active" 3 'torrent.service is not active' binding
unit_activate torrent.service
expect "the client has no process" 3 'torrent.service has no process' binding
service torrent.service vpn sleep 1000
service_stop vpn.service
expect "the tunnel is not active" 3 'vpn.service is not active' binding
service vpn.service host sleep 1000
expect "the tunnel is in the host's network" 1 'vpn.service itself runs in the host' binding
