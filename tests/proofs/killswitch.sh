# SPDX-License-Identifier: LGPL-2.1-or-later
# Kill-switch proof: honest tunnels, ways past them, outages that cannot be judged, and what is left by a killed proof.
# shellcheck shell=bash

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

before=$(picture)
expect "honest world" 0 'nothing of [0-9]+ attempts got out while tun0 was down' killswitch
check "it came to its end" [ "$(field killswitch-vpn .evidence.killswitch.step)" = done ]
check "everything is as it was" [ "$before" = "$(picture)" ]
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
check "without an outage" [ "$(field killswitch-vpn .duration_ms)" -lt 300 ]
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
leaks() {            # NAME PROBE-PATTERN WHEN-PATTERN [OPTION...]
        local name=$1 probe=$2 when=$3
        shift 3
        expect "$name" 1 "\(($probe)(, unprivileged)?\) leaves by eth0 $when" anew "$@"
        check "$name: that is a leak" [ "$(field killswitch-vpn .leak) $(code)" = "true leak" ]
}
fallback() { ip -n vpn route add default via 10.77.0.1 dev eth0 metric 1000; }
fallback_end() { ip -n vpn route del default via 10.77.0.1 dev eth0 metric 1000; }

in_vpn nft flush ruleset
fallback
leaks "no rules, a fallback route" tcp 'when the tunnel.s interface is down|beside the tunnel' --unprivileged-clients
check "everything is as it was after a leak" [ "$(ip -n vpn route show default | head -n 1)" = "default dev tun0 scope link " ]
expect "and it was given back" 0 '^0$' bash -c "find $RECORDS -name '.restore*' | wc -l"
fallback_end
leaks "routes alone are no kill switch" 'device-(tcp|udp)|endpoint-tcp' 'beside the tunnel'
rules_with ct state established accept
fallback
leaks "established connections first" flow-tcp 'when the tunnel.s interface is down' --unprivileged-clients
fallback_end
rules_with meta l4proto != tcp accept
fallback
leaks "only TCP is closed" 'udp|ping|device-udp|endpoint-udp' '.*'
fallback_end
rules_with meta nfproto ipv6 accept
ip -n vpn -6 route add default via fd00:77::1 dev eth0 metric 2000
leaks "only IPv4 is closed" '[a-z-]+' '.*'
ip -n vpn -6 route del default via fd00:77::1 dev eth0 metric 2000
rules_with oifname eth0 udp dport 3478 accept
leaks "bound to the uplink" 'device-(tcp|udp)' 'beside the tunnel'
rules_with meta mark 0xca6c accept
in_vpn ip rule add fwmark 51820 lookup 77 priority 50
ip -n vpn route add default via 10.77.0.1 dev eth0 table 77
leaks "marked packets" 'mark-(tcp|udp)' 'beside the tunnel'
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
leaks "rules for one user only" '[a-z-]+' '.*' --unprivileged-clients
fallback_end
rules_with ip daddr $ENDPOINT accept
leaks "the VPN server's other ports" 'endpoint-(tcp|udp)' 'beside the tunnel' --unprivileged-clients

