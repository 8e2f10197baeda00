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

# AF_VSOCK reaches the hypervisor from whatever namespace.
vsock() { python3 -c 'import socket; socket.socket(40, 1)' 2>/dev/null; }
if vsock; then
        service torrent.service vpn python3 -c 'import socket, time; s = socket.socket(40, 1); time.sleep(1000)'
        sleep 0.3
        expect "a socket to the hypervisor" 1 'holds a socket of AF_VSOCK, which no network namespace keeps in' binding
        check "that is a leak" [ "$(field binding-torrent .leak)" = true ]
        stop "$service_pid"
else
        lacks "a socket to the hypervisor" "no AF_VSOCK"
fi

# Between fork() and setns(): systemd's child in the unit's group, with nothing of the service run yet.
cp "$(command -v bash)" /run/systemd-executor
mkfifo /run/hold
placing() {          # SECONDS
        background /run/systemd-executor -c 'echo $$ >"$1/libpod-payload-1/cgroup.procs" || exit; read -t "$2" <>/run/hold
                exec nsenter --net=/run/netns/vpn "${@:3}"' - "$CGROUP/torrent.service" "$1" setpriv --bounding-set "$POWERS" sleep 1000
        service_pid=$!
        until grep -qx "$service_pid" "$CGROUP/torrent.service/libpod-payload-1/cgroup.procs"; do sleep 0.01; done
}
placing 0.7
expect "a process that systemd has not put into its place yet is waited for" 0 passed binding
stop "$service_pid"
placing 30
expect "but not for ever" 3 'has a process that systemd has not put into its place yet' binding
stop "$service_pid"
expect "the others are as they were" 0 passed binding

# Powers that the Compose file does not give.
DROP=${POWERS/-net_raw,/} service torrent.service vpn sleep 1000
expect "a power that nobody declared" 1 'process [0-9]+ \(sleep\) of torrent.service can use CAP_NET_RAW, which the Compose file does not give' binding
check "that is no leak" [ "$(field binding-torrent .leak)" = false ]
expect "one that was declared" 0 passed binding --declared CAP_NET_RAW
check "the evidence names it" [ "$(field binding-torrent '.evidence.capabilities.powers[] | [.capability, .declared, .name] | join(" ")')" = \
        "CAP_NET_RAW true sleep" ]
expect "another one was" 1 'can use CAP_NET_RAW' binding --declared NET_ADMIN
expect "all were" 0 passed binding --declared ALL
stop "$service_pid"
DROP=none service torrent.service vpn setpriv --reuid 4242 --clear-groups sleep 1000
expect "a user that can get it back by a program with file capabilities" 1 'can use CAP_SYS_ADMIN' binding
stop "$service_pid"
DROP=none service torrent.service vpn setpriv --reuid 4242 --clear-groups --no-new-privs sleep 1000
expect "one that cannot" 0 passed binding
stop "$service_pid"
DROP=none service torrent.service vpn unshare --user --map-root-user sleep 1000
expect "all powers, over a user namespace of its own" 0 passed binding
check "with all of them in it" [ "$(field binding-torrent .evidence.capabilities.effective | tr -d 0x | grep -c f)" = 1 ]
stop "$service_pid"
expect "none of that is left" 0 passed binding

# A link that egress was proved without.
ip link add v9 type veth peer name eth1 netns vpn
expect "a new link that is down carries nothing" 0 passed binding
ip -n vpn link set eth1 up
expect "and up" 1 "the link eth1 \\(veth\\) in the tunnel's network namespace was not there when egress was proved" binding
check "that is no leak" [ "$(field binding-torrent .leak)" = false ]
expect "found while it runs, too" 1 'was not there when egress was proved' binding --again torrent.service
expect "egress with it" 0 passed prove_egress
expect "then it is known" 0 passed binding
ip link del v9
ip link add v9 type veth peer name eth1 netns vpn
ip -n vpn link set eth1 up
expect "another one of the same name is not" 1 'the link eth1 .* was not there' binding
ip link del v9
expect "without it" 0 passed binding

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
