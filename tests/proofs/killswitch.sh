# SPDX-License-Identifier: LGPL-2.1-or-later
# Kill-switch proof: honest tunnels, ways past them, outages that cannot be judged, and what is left by a killed proof.
# shellcheck shell=bash
# on request: long: 120 outages take two to three minutes

ENDPOINT=203.0.113.9
all=(--echo "$ECHO4" --echo "$ECHO6" --stun "$STUN4" --stun "$STUN6" --probe-timeout 1)

killswitch() {
        "$PROVE" killswitch --stack $STACK --subject vpn --unit vpn.service --engine podman "${all[@]}" "$@"
}
# Nothing of an earlier run holds any more.
anew() { rm -f $RECORDS/.passed-killswitch-vpn; killswitch "$@"; }
code() { field killswitch-vpn .evidence.killswitch.code; }
in_vpn() { ip netns exec vpn "$@"; }

# The rules of an image that does it right: the interface first, nothing established beside it, frames too.
rules_honest() {
        in_vpn nft -f - <<-END
		table inet kill { }
		delete table inet kill
		table inet kill {
			chain output {
				type filter hook output priority 0; policy drop;
				oifname { "lo", "tun0" } accept
				icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
				ip daddr $ENDPOINT udp dport 51820 accept
				oifname != "tun0" ct direction reply ct state established accept
			}
		}
		table netdev kill { }
		delete table netdev kill
		table netdev kill {
			chain leaving {
				type filter hook egress device "eth0" priority 0; policy drop;
				ether type arp accept
				ip daddr $ENDPOINT udp dport 51820 accept
				meta rtclassid >= 0 ether type ip6 icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
			}
		}
	END
}
# RULE...: ahead of everything else in the output chain; frames may leave.
rules_with() {
        rules_honest
        in_vpn nft delete table netdev kill
        in_vpn nft "insert rule inet kill output $*"
}

# As world_tunnel, but with a carrier: what the tunnel sends travels over eth0, unreadable.
world_carried() {
        ip netns add vpn
        ip -n vpn link set lo up
        link_pair host v0 vpn eth0
        address host v0 10.77.0.1/24 fd00:77::1/64
        address vpn eth0 10.77.0.2/24 fd00:77::2/64
        ip -n vpn route add $ENDPOINT via 10.77.0.1
        rules_honest
        background "$TOOLS/wire" /run/netns/vpn tun0 /run/netns/prov tun1 $ENDPOINT 51820
        wire_pid=$!
        until ip -n vpn link show tun0 >/dev/null 2>&1 && ip -n prov link show tun1 >/dev/null 2>&1; do sleep 0.02; done
        ip -n prov link set tun1 up
        address prov tun1 10.8.0.1/24 fd00:8::1/64
        tunnel_up
        ip -n vpn link set tun0 mtu 1400
        # The kernel's own addresses come when they come.
        for link in eth0 tun0; do
                for _ in $(seq 300); do
                        ip -n vpn -6 addr show dev $link scope link | grep inet6 | grep -qv tentative && break
                        sleep 0.02
                done
        done
}
# The namespace as `ip` shows it, without what changes by itself.
picture() {
        ip -n vpn addr show dev tun0 | sed 's/valid_lft.*//; s/qlen.*//'
        for f in -4 -6; do ip -n vpn $f route show table all | sort; ip -n vpn $f rule; done
        in_vpn nft -s list ruleset
}

world_internet
world_carried
service vpn.service vpn sleep 1000

# Addresses are new: they are settled when none is on probation any more.
for _ in $(seq 50); do in_vpn ip addr show tentative | grep -q inet6 || break; sleep 0.1; done
before=$(picture)
expect "honest world" 0 'nothing of [0-9]+ attempts got out while tun0 was down' killswitch
check "it came to its end" [ "$(field killswitch-vpn .evidence.killswitch.step)" = done ]
check "everything is as it was" diff <(echo "$before") <(picture)
check "the carrier was found" [ "$(field killswitch-vpn .evidence.killswitch.carrier.remote)" = $ENDPOINT ]
check "record names the invocation" [ "$(field killswitch-vpn .invocation_id)" = \
        "$(readlink /run/systemd/units/invocation:vpn.service)" ]
check "nothing is left of it" [ -z "$(find $RECORDS -name '.restore*')" ]
best=$(for _ in 1 2 3; do anew >/dev/null 2>&1; field killswitch-vpn .duration_ms; done | sort -n | head -1)
echo "# best of three takes $best ms"

# Once for each activation of the tunnel
run=$(field killswitch-vpn .evidence.run)
expect "a second start takes it again" 0 'shown at 20.* for this start of the tunnel' killswitch
check "and names the run" [ "$(field killswitch-vpn .evidence.killswitch.reused)" = "$run" ]
check "without an outage" [ "$(code)" = reused ]
service torrent.service vpn sleep 1000
expect "while a client runs too" 0 'shown at' killswitch --client-units torrent.service
ip -n vpn route add 192.0.2.128/25 dev tun0
expect "a route more, and a client runs" 3 'torrent.service runs, and the proof is an outage.*have changed since' \
        killswitch --client-units torrent.service
check "that is said in a word" [ "$(code)" = clients-run ]
expect "a drill is an outage all the same" 0 'nothing of' killswitch --client-units torrent.service --disrupt
check "and says whom it interrupted" [ "$(field killswitch-vpn .evidence.interrupted)" = torrent.service ]
ip -n vpn route del 192.0.2.128/25 dev tun0
expect "a rule for what comes in" 0 'nothing of' anew
in_vpn nft 'add chain inet kill input { type filter hook input priority 0; policy accept; }'
expect "changes nothing" 0 'shown at' killswitch --client-units torrent.service
in_vpn nft 'add rule inet kill output oifname "eth9" accept'
expect "a rule for what goes out does" 3 'have changed since' killswitch --client-units torrent.service
rules_honest
in_vpn nft delete chain inet kill input 2>/dev/null
service_stop torrent.service
anew >/dev/null 2>&1
service_stop vpn.service
service vpn.service vpn sleep 1000
expect "a new start of the tunnel is proved anew" 0 'nothing of' killswitch
echo '{"run":"x"}' >$RECORDS/.passed-killswitch-vpn
expect "a forged file of an earlier run is none" 0 'nothing of' killswitch
chmod 666 $RECORDS/.passed-killswitch-vpn
expect "nor is one that others may write" 0 'nothing of' killswitch

# Ways past the tunnel
# What is named is whichever is seen first, and that must be one that does get out there; and so must all that are listed.
leaks() {            # NAME "PROBE ..." WHEN-PATTERN [OPTION...]
        local name=$1 probes=$2 when=$3
        shift 3
        expect "$name" 1 "\((${probes// /|})(, unprivileged)?\) leaves by eth0 $when" anew "$@"
        check "$name: that is a leak" [ "$(field killswitch-vpn .leak) $(code)" = "true leak" ]
        check "$name: nothing is called a leak that is none" [ -z "$(field killswitch-vpn '.evidence.killswitch.leaks[].probe' | sort -u |
                grep -vxE "${probes// /|}")" ]
}
fallback() { ip -n vpn route add default via 10.77.0.1 dev eth0 metric 1000; }
fallback_end() { ip -n vpn route del default via 10.77.0.1 dev eth0 metric 1000; }

in_vpn nft flush ruleset
fallback
open="device-tcp device-udp endpoint-tcp endpoint-udp" # by the routes alone
leaks "no rules, a fallback route" "$open" 'beside the tunnel' --unprivileged-clients
check "everything is as it was after a leak" [ "$(ip -n vpn route show default | head -n 1)" = "default dev tun0 scope link " ]
expect "and it was given back" 0 '^0$' bash -c "find $RECORDS -name '.restore*' | wc -l"
fallback_end
leaks "routes alone are no kill switch" "$open" 'beside the tunnel' --unprivileged-clients
rules_with ct state established accept
fallback
leaks "established connections first" "flow-tcp flow-udp" 'when the tunnel.s interface is down' --unprivileged-clients
fallback_end
rules_with meta l4proto != tcp accept
fallback
leaks "only TCP is closed" "udp ping flow-udp device-udp source-udp endpoint-udp dns-udp" '.*' --unprivileged-clients
fallback_end
rules_with meta nfproto ipv6 accept
ip -n vpn -6 route add default via fd00:77::1 dev eth0 metric 2000
leaks "only IPv4 is closed" "tcp udp ping icmp flow-tcp flow-udp device-tcp device-udp source-tcp source-udp mark-tcp mark-udp frame dns-udp dns-tcp" '.*'
ip -n vpn -6 route del default via fd00:77::1 dev eth0 metric 2000
rules_with oifname eth0 udp dport 3478 accept
# Only datagrams get out, but who looks for a next hop does not say for which protocol.
leaks "bound to the uplink" "device-tcp device-udp" 'beside the tunnel' --unprivileged-clients
rules_with meta mark 0xca6c accept
in_vpn ip rule add fwmark 51820 lookup 77 priority 50
ip -n vpn route add default via 10.77.0.1 dev eth0 table 77
leaks "marked packets" "mark-tcp mark-udp frame" 'beside the tunnel'
expect "marked packets, if nobody can mark" 0 'nothing of' anew --unprivileged-clients
check "are told" [ "$(field killswitch-vpn '.evidence.killswitch.with_raw | length')" -gt 0 ]
in_vpn ip rule del fwmark 51820 lookup 77 priority 50
ip -n vpn route flush table 77
rules_honest
in_vpn nft delete table netdev kill
leaks "frames" frame 'beside the tunnel'
expect "frames, if nobody can send them" 0 'nothing of' anew --unprivileged-clients
rules_with meta skuid 65534 accept
fallback
leaks "rules for one user only" "tcp udp ping flow-tcp flow-udp $open source-tcp source-udp dns-udp dns-tcp" '.*' --unprivileged-clients
fallback_end
rules_with ip daddr $ENDPOINT accept
leaks "the VPN server's other ports" "endpoint-tcp endpoint-udp" 'beside the tunnel' --unprivileged-clients


# The uplink's own network
world_resolver() {
        background python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("10.77.0.1", 53))
while True:
    query, peer = s.recvfrom(512)
    s.sendto(query[:2] + b"\x81\x83" + query[4:], peer)'
        resolver_pid=$!
        until ss -lun | grep -q '10.77.0.1:53'; do sleep 0.05; done
}
rules_with ip daddr 10.77.0.1 udp dport 53 accept
expect "a gateway that may be asked, but answers nothing" 0 "machines on the uplink's own network can be reached" \
        anew --unprivileged-clients
check "is told" [ "$(field killswitch-vpn '.evidence.killswitch.near[0].probe')" = gateway-dns-udp ]
world_resolver
leaks "a gateway that answers for the host" gateway-dns-udp 'beside the tunnel' --unprivileged-clients
stop "$resolver_pid"
rules_with ip daddr 224.0.0.0/4 accept
ip -n vpn route add 224.0.0.0/4 dev eth0
expect "multicast on a bridge" 0 "machines on the uplink's own network can be reached" anew --unprivileged-clients
ip -n vpn route del 224.0.0.0/4 dev eth0

# Somebody who reacts. CONDITION COMMANDS: done once, in the tunnel's namespace.
when() {
        # Ahead of everybody else, so that a busy machine does not make it late.
        background timeout 20 chrt -f 10 nsenter --net=/run/netns/vpn \
                bash -c "until $1; do sleep 0.002; done; $2" >/dev/null 2>&1
}
is_down='! ip link show tun0 | grep -q "[<,]UP[,>]"'
is_cut='nft list table inet unitproof-drill'
rules_honest
when "$is_cut" 'nft "delete table inet kill; delete table netdev kill"; ip route replace default via 10.77.0.1 dev eth0'
leaks "a daemon that falls back when its server is silent" "tcp udp ping icmp flow-tcp flow-udp $open source-tcp source-udp mark-tcp mark-udp frame dns-udp dns-tcp" "when the tunnel.s server does not answer"
ip -n vpn route replace default dev tun0
rules_honest
expect "all well again" 0 'nothing of' anew

# What cannot be judged
short=(--timeout 20)
expect "no echo source" 3 'no echo server is configured' "$PROVE" killswitch --stack $STACK --subject other --unit vpn.service --engine podman
expect "no way to watch" 3 'cannot be watched' setpriv --bounding-set -net_raw -- \
        "$PROVE" killswitch --stack $STACK --subject vpn --unit vpn.service --engine podman "${all[@]}" --disrupt
check "no way to watch: in a word" [ "$(code)" = no-sniffer ]
ip -n vpn nexthop add id 7 dev tun0
ip -n vpn route add 192.0.2.128/25 nhid 7
expect "a route that cannot be given back" 3 'cannot be kept .*nexthop objects' anew
check "the link was not touched" in_vpn bash -c "! { $is_down; }"
ip -n vpn nexthop del id 7
stop "$echo_pid"
expect "no echo server answers" 3 'no traffic goes through the tunnel' anew "${short[@]}"
check "no echo server answers: in a word" [ "$(code)" = no-control ]
echo_start
when "$is_down" "kill -9 $echo_pid"
expect "the servers fall silent in the middle" 3 'the tunnel did not work again .*after the interface' anew "${short[@]}"
echo_start
when "$is_down" 'ip link set tun0 up'
expect "somebody sets the interface up" 3 'could not be held down|nothing else' anew
when "$is_down" 'echo 1 >/proc/sys/net/ipv6/conf/tun0/disable_ipv6'
expect "an address that cannot be given back" 3 'could not be given back, and the tunnel stays closed .*IPv6 (address|default route)' anew
check "an address that cannot be given back: in a word" [ "$(code)" = not-restored ]
check "the interface is down" in_vpn bash -c "$is_down"
check "what is missing lies there still" [ -s $RECORDS/.restore-killswitch-vpn ]
check "for nobody else to read" [ "$(stat -c %a $RECORDS/.restore-killswitch-vpn)" = 600 ]
expect "the next run cannot do it either" 3 'could not be given back' killswitch
in_vpn sh -c 'echo 0 >/proc/sys/net/ipv6/conf/tun0/disable_ipv6'
expect "once it can be, the next run gives it back" 0 'nothing of' killswitch
check "and says that something was left" [ "$(field killswitch-vpn .evidence.killswitch.restored.leftovers)" = true ]

# Killed in the middle
before=$(picture)
left=0
nft 'table inet seen { chain p { type filter hook prerouting priority -300; iifname "v0" ip daddr 198.51.100.0/24 counter; }; }'
for _ in $(seq 20); do
        rm -f $RECORDS/.passed-killswitch-vpn
        background "$PROVE" killswitch --stack $STACK --subject vpn --unit vpn.service --engine podman "${all[@]}" 2>/dev/null
        pid=$!
        sleep "$(shuf -i 50-1900 -n 1 | sed 's/^/0000/; s/\(...\)$/.\1/')"
        stop $pid
        if [ -e $RECORDS/.restore-killswitch-vpn ] || in_vpn nft list table inet unitproof-drill >/dev/null 2>&1; then
                left=$((left + 1))
                # Through the tunnel or not at all.
                in_vpn timeout 0.3 bash -c "exec 3<>/dev/tcp/198.51.100.10/80" 2>/dev/null
        fi
        killswitch >/dev/null 2>&1 || echo "# after a kill: $(field killswitch-vpn .reason)"
        [ "$before" = "$(picture)" ] || { echo "# not as it was"; left=1000; }
done
check "killed at 20 points, the next run gives everything back ($left times something was left)" [ $left -lt 1000 ]
check "some left something" [ $left -gt 0 ]
check "and nothing got out beside the tunnel" grep -q 'counter packets 0 ' <<<"$(nft list table inet seen)"
in_vpn nft flush ruleset
ip -n vpn route add 198.51.100.99 via 10.77.0.1 dev eth0
in_vpn bash -c 'echo x >/dev/udp/198.51.100.99/9'
check "which would have been counted" grep -q 'counter packets [1-9]' <<<"$(sleep 0.2; nft list table inet seen)"
ip -n vpn route del 198.51.100.99 via 10.77.0.1 dev eth0
rules_honest
nft delete table inet seen

# The tunnel
expect "no client and no unit" 3 'nothing.service is not active' \
        "$PROVE" killswitch --stack $STACK --subject vpn --unit nothing.service --engine podman "${all[@]}"
ip -n vpn link set tun0 down
expect "the interface is down before" 3 'no tunnel interface that is up' anew --timeout 6
tunnel_up
service_stop vpn.service
service vpn.service host sleep 1000
expect "a tunnel in the host's namespace" 1 "host's own network namespace" killswitch
service_stop vpn.service
tunnel_drop
world_tunnel
service vpn.service vpn sleep 1000
expect "a tunnel whose packets nobody sees" 3 "tunnel's own packets were not seen" anew
check "a tunnel whose packets nobody sees: in a word" [ "$(code)" = no-carrier ]
