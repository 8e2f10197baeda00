# SPDX-License-Identifier: LGPL-2.1-or-later
# Guard: beside the tunnel nothing leaves the namespace but what the tunnel itself sends, whatever a client tries.
# shellcheck shell=bash

units=/run/manager
mkdir -p $units /run/systemd
background "$TOOLS/manager" /run/systemd/private $units
until [ -S /run/systemd/private ]; do sleep 0.02; done
world_internet
world_tunnel
address host v0 10.77.0.3/24 fd00:77::3/64          # a neighbour
address vpn eth0 fd00:77::2/64
cp "$(readlink -f /bin/bash)" /run/conmon

mkdir -p $units/s-vpn-pod.service
background /run/conmon -c 'nsenter --net=/run/netns/vpn sleep 1000; :'
pod_pid=$!
echo active >$units/s-vpn-pod.service/ActiveState
echo $pod_pid >$units/s-vpn-pod.service/MainPID
until pgrep -P $pod_pid >/dev/null && [ "$(cat "/proc/$(pgrep -P $pod_pid)/comm")" = sleep ]; do sleep 0.02; done

rule() { "$NETNS" "$1" --unit s-vpn-pod.service --engine podman --tunnel-unit vpn.service "${@:2}"; }
load() { rule guard "$@"; }
guarded() { rule guarded; }
inside() { ip netns exec vpn "$@"; }

# What came out of the namespace by eth0, less ARP and the link-local part of IPv6.
nft 'table netdev cap { counter out { }; chain in { type filter hook ingress device v0 priority 0;
        ether type arp accept; ip6 daddr ff02::/16 accept; icmpv6 type { 135, 136 } accept; counter name out; }; }'
out() { nft -j list counter netdev cap out | jq '.nftables[] | .counter? // empty | .packets'; }
# UNIT COMMAND...: in the namespace and in the control group of the unit.
as() { bash -c 'echo $$ >"$1/libpod-payload-1/cgroup.procs" || exit; shift; exec nsenter --net=/run/netns/vpn "$@"' \
        - "$CGROUP/$1" "${@:2}" 2>/dev/null; }
client() { as torrent.service "$TOOLS/sender" "$@"; }
tunnel() { as vpn.service "$TOOLS/sender" "$@"; }
# NAME SENDER...: nothing comes out, or something does.
closed() { local n; n=$(out); "${@:2}"; check "closed: $1" [ "$(out)" = "$n" ]; }
open() { local n; n=$(out); "${@:2}"; check "open: $1" [ "$(out)" -gt "$n" ]; }

unit_activate vpn.service
unit_activate torrent.service
far=198.51.100.77 far6=2001:db8:e::77
# The tunnel goes down and its routes with it: what is left leads out by the uplink.
down() {
        ip -n vpn link set tun0 down
        ip -n vpn route replace default via 10.77.0.1 dev eth0
        ip -n vpn -6 route replace default via fd00:77::1 dev eth0
}
down
ways=("udp $far 9" "udp $far6 9" "tcp $far 443" "tcp $far6 443" "icmp $far 0" "icmp $far6 0" "udp $far 9 device=eth0"
        "tcp $far 443 device=eth0" "icmp $far 0 device=eth0" "udp $far 9 mark=51820" "udp $far 9 source=10.77.0.2"
        "udp $far6 9 source=fd00:77::2" "ip $far 9 source=10.77.0.2" "ip $far6 9 source=fd00:77::2" "ip $far 9 source=10.8.0.2"
        "frame $far 9 device=eth0" "frame $far6 9 device=eth0" "frame $far 9 device=eth0 bypass=1" "udp $far 53"
        "udp 10.77.0.1 53" "tcp 10.77.0.1 53" "udp 10.77.0.3 53" "tcp 10.77.0.3 853" "udp 10.77.0.3 5353" "udp 10.77.0.1 9"
        "udp fd00:77::1 9" "udp 10.0.0.9 9" "udp 192.168.1.9 9" "udp 239.1.2.3 9 device=eth0"
        "udp $far 9 payload=0400000000000000000000000000000000")
near=("udp 10.77.0.3 9" "tcp 10.77.0.3 443" "udp fd00:77::3 9" "icmp 10.77.0.3 0")
for way in "${ways[@]}" "${near[@]}"; do open "without the rule, $way" client $way; done

expect "nothing is loaded yet" 1 'was not loaded since this boot' guarded
expect "it is loaded" 0 'kill rule loaded \(1 links, 2 subnets of neighbours, 0 exceptions\)' load
expect "and is there" 0 '' guarded
expect "loaded once more" 0 'kill rule loaded' load
check "in each table once" [ "$(inside nft list tables | xargs)" = "table inet unitproof table netdev unitproof" ]
check "what is kept is root's alone" [ "$(stat -c %a /run/unitproof/.guard)" = 700 ]
for way in "${ways[@]}"; do closed "$way" client $way; done
for way in "${near[@]}"; do open "$way" client $way; done
for way in "udp $far 9" "tcp $far6 443" "icmp $far 0" "udp $far 53" "udp $far 9 mark=7" "udp $far 9 device=eth0"; do
        open "the tunnel itself, $way" tunnel $way
done
closed "not even the tunnel with frames" tunnel frame $far 9 device=eth0
mark=$(inside nft list chain inet unitproof leaving | grep -o '0x[0-9a-f]*')
closed "a frame that has the mark" client frame $far 9 device=eth0 mark="$mark"
closed "a datagram that has the mark" client udp $far 9 mark="$mark"
check "counted: $(inside nft list counter inet unitproof dropped_dns | grep packets | xargs)" \
        grep -q 'packets [1-9]' <<<"$(inside nft list counter inet unitproof dropped_dns)"
# Known and said in decision 0012: who may mark packets can send what looks like WireGuard; who may open AF_XDP, anything.
open "WireGuard's form with a mark, for which a client needs a capability" \
        client udp $far 9 mark=51820 payload=0400000000000000000000000000000000
n=$(out); client xdp $far 9 device=eth0; echo "# AF_XDP, for which a client needs CAP_NET_RAW: $(($(out) - n)) frames"

# From outside.
background as torrent.service "$TOOLS/echo" 10.77.0.2
until inside ss -ltn | grep -q 10.77.0.2:80; do sleep 0.02; done
check "a port is answered to the host" "$TOOLS/sender" tcp 10.77.0.2 80
ip -n inet route add 10.77.0.0/24 via 192.0.2.2
check "and to the internet" ip netns exec inet "$TOOLS/sender" tcp 10.77.0.2 80
n=$(out)
"$TOOLS/sender" tcp 10.77.0.2 4444
check "also that nobody listens" [ "$(out)" -gt "$n" ]
ip -n host route add 10.8.0.2 via 10.77.0.2 dev v0
address vpn tun0 10.8.0.2/24
n=$(inside nft list counter inet unitproof arrived_for_other | grep -o 'packets [0-9]*')
"$TOOLS/sender" icmp 10.8.0.2 0
check "the tunnel's address is not told to those beside it" \
        [ "$(inside nft list counter inet unitproof arrived_for_other | grep -o 'packets [0-9]*')" != "$n" ]

# A connection that was made through the tunnel does not go on beside it.
quiet tunnel_up
open_flow() { as torrent.service bash -c 'exec 3<>/dev/tcp/198.51.100.10/80; : >/run/connected; read -r _ </run/go
        printf "GET / HTTP/1.0\r\n\r\n" >&3; sleep 0.7'; }
mkfifo /run/go
background open_flow; flow=$!
until [ -e /run/connected ]; do sleep 0.02; done
n=$(out)
down
echo go >/run/go
while kill -0 $flow 2>/dev/null; do sleep 0.02; done
check "an established flow does not leave beside the tunnel" [ "$(out)" = "$n" ]
quiet tunnel_up
check "and through the tunnel all is well" client tcp 198.51.100.10 80

# A kernel tunnel has no socket for what it sends itself.
ip -n vpn link add vx0 type vxlan id 7 remote 198.51.100.78 dstport 4789 dev eth0
ip -n vpn link set vx0 up
ip -n vpn route add 198.51.100.78 via 10.77.0.1 dev eth0
n=$(out)
address vpn vx0 10.99.0.1/24
for _ in $(seq 100); do inside "$TOOLS/sender" udp 10.99.0.2 9 >/dev/null 2>&1; [ "$(out)" -gt "$n" ] && break; sleep 0.02; done
check "UDP of the kernel itself, such as WireGuard's handshake" [ "$(out)" -gt "$n" ]
ip -n vpn link del vx0
# A link that comes later has no chain for frames, but is no way out for packets.
ip -n vpn link add late0 type veth peer name late1 netns host
ip -n vpn link set late0 up
ip link set late1 up
address vpn late0 192.168.9.2/24
closed "by a link that came later" client udp 192.168.9.1 9 device=late0
check "nothing there" [ "$(cat /sys/class/net/late1/statistics/rx_packets)" -lt 20 ]
ip link del late1

# Exceptions, names, another place for the cgroup.
down
expect "exceptions" 0 '2 exceptions' load --allow 192.168.1.0/24 --allow 10.77.0.1
open "what is allowed" client udp 192.168.1.9 9
open "the gateway, as it is named" client udp 10.77.0.1 9
closed "but no name server there" client udp 10.77.0.1 53
closed "not beside it" client udp 192.168.2.9 9
expect "public space cannot be allowed" 2 'bad value for --allow' load --allow 198.51.100.0/24
expect "nor nonsense" 2 'bad value for --allow' load --allow '10.0.0.0/8 }'
ip -n vpn tuntap add dev tap7 mode tap
ip -n vpn link set tap7 up
ip -n vpn route add 198.51.100.79 dev tap7
n=$(out)
expect "a TAP is an uplink" 0 'kill rule loaded \(2 links' load
check "and is closed" eval '! client udp 198.51.100.79 9'
expect "unless it is named" 0 'kill rule loaded' load --interface tap7
check "and is open then" client udp 198.51.100.79 9
expect "a name that is none" 2 'bad value for --interface' load --interface 'tap"7'
ip -n vpn link del tap7

# The egress proof sees the rule, and what it closes.
expect "loaded" 0 'kill rule loaded' load
service vpn.service vpn sleep 1000
sources=(--echo "$ECHO4" --echo "$ECHO6" --guarded --probe-timeout 0.5)
ip -n vpn link set tun0 up
expect "routes lead past a tunnel that is up" 1 'leads past the tunnel, by eth0, where a kill rule closes' \
        egress "${sources[@]}" --retry-for 4
check "which is no leak" [ "$(field egress-torrent .leak)" = false ]
check "and was tried again" [ "$(field egress-torrent .evidence.rounds)" -gt 1 ]
quiet tunnel_up
expect "the way leads through it" 0 'IPv4 leaves by tun0.*IPv6 leaves by tun0' egress "${sources[@]}"
check "evidence" [ "$(field egress-torrent .evidence.kill_rule)" = there ]
inside nft insert rule inet unitproof sent accept
expect "the same without the rule" 1 'the kill rule .* is not as it was loaded' egress "${sources[@]}" --retry-for 0
check "is no leak" [ "$(field egress-torrent .leak)" = false ]
expect "unless it is not asked for" 0 passed egress --echo "$ECHO4" --echo "$ECHO6"
down

# Taken away or changed by the tunnel.
expect "loaded" 0 'kill rule loaded' load
inside nft insert rule inet unitproof sent accept
expect "a rule was put in" 1 'is not as it was loaded.*systemctl restart vpn.service' guarded
load; inside nft 'table inet unitproof { flags dormant; }'
expect "a table was put to sleep" 1 'is not as it was loaded' guarded
load; inside nft delete table netdev unitproof
expect "one of the tables is gone" 1 'is gone' guarded
load; inside nft flush ruleset
expect "all rules are gone" 1 'is gone' guarded
expect "and loaded again" 0 'kill rule loaded' load
expect "it is there" 0 '' guarded
closed "and closed" client udp $far 9

# Where it cannot be loaded, the tunnel does not start.
service_stop vpn.service
expect "the tunnel has no control group" 1 'vpn.service does not start: cannot load' load
unit_activate vpn.service
expect "the tunnel is started anew" 0 'kill rule loaded' load
open "its new processes may send" tunnel udp $far 9
echo 1 >$units/s-vpn-pod.service/MainPID
expect "the host's own namespace" 1 'does not start' load
check "nothing was loaded there" eval '! nft list table inet unitproof 2>/dev/null'
echo 999999 >$units/s-vpn-pod.service/MainPID
expect "no pod" 1 'it does not run' load
expect "no pod to be asked about" 3 'cannot tell' guarded
