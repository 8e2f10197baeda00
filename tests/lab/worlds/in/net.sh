# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# The small internet of tests/proofs/world.sh, around a machine of the lab that has none of its own. Made anew for each world, so with
# as few processes as can be.
#
#   host 192.0.2.2 ── inet (echo servers 198.51.100.10 .11, 2001:db8:e::10) ── prov 203.0.113.9 (NAT)
#     └─ 10.77.0.1 ── eth0 vpn tun0 10.8.0.2 ═══════ wire ═══════ tun1 10.8.0.1 ──┘

ECHO4=http://198.51.100.10/
ECHO4B=http://198.51.100.11/
ECHO6='http://[2001:db8:e::10]/'
STUN4=198.51.100.10:3478
STUN6='[2001:db8:e::10]:3478'
children=()

quiet() { "$@" >/dev/null 2>&1; }
in_netns() { nsenter --net="/run/netns/$1" -- "${@:2}"; }

address() {          # NAMESPACE LINK ADDRESS...
        local namespace=$1 link=$2 a
        shift 2
        for a; do case $a in
                *:*) echo "addr add $a dev $link nodad" ;;
                *) echo "addr add $a dev $link" ;;
                esac done | ip -n "$namespace" -batch -
}
sysctls() {          # NAMESPACE KEY=VALUE...
        in_netns "$1" bash -c 'for s; do echo "${s#*=}" >/proc/sys/net/"${s%%=*}"; done' - "${@:2}"
}
nft_in() { in_netns "$1" nft "$2"; }

# A child that ends with the world; bash is not to report how.
background() { "$@" & children+=($!); disown; }
stop() { kill -9 "$1" 2>/dev/null; while kill -0 "$1" 2>/dev/null; do sleep 0.01; done; }

echo_start() {       # [--say TEXT] ADDRESS...
        [ $# -gt 0 ] || set -- 198.51.100.10 198.51.100.11 2001:db8:e::10
        background nsenter --net=/run/netns/inet -- "$TOOLS/echo" "$@"
        echo_pid=$!
}

world_internet() {
        ip -batch - <<-END
		netns add inet
		netns add prov
		netns attach host $$
		link add h0 type veth peer name i0 netns inet
		link set h0 up
		addr add 192.0.2.2/24 dev h0
		addr add 2001:db8:1::2/64 dev h0 nodad
		END
        ip -n inet -batch - <<-END
		link set lo up
		link set i0 up
		link add i1 type veth peer name p0 netns prov
		link set i1 up
		addr add 192.0.2.1/24 dev i0
		addr add 2001:db8:1::1/64 dev i0 nodad
		addr add 203.0.113.1/24 dev i1
		addr add 2001:db8:9::1/64 dev i1 nodad
		addr add 198.51.100.10/32 dev lo
		addr add 198.51.100.11/32 dev lo
		addr add 2001:db8:e::10/128 dev lo nodad
		END
        ip -n prov -batch - <<-END
		link set lo up
		link set p0 up
		addr add 203.0.113.9/24 dev p0
		addr add 2001:db8:9::9/64 dev p0 nodad
		route add default via 203.0.113.1
		route add ::/0 via 2001:db8:9::1
		END
        ip route add default via 192.0.2.1
        ip route add ::/0 via 2001:db8:1::1
        echo 1 | tee /proc/sys/net/ipv4/ip_forward >/proc/sys/net/ipv6/conf/all/forwarding
        sysctls inet ipv4/ip_forward=1 ipv6/conf/all/forwarding=1
        sysctls prov ipv4/ip_forward=1 ipv6/conf/all/forwarding=1
        nft 'table inet nat { chain post { type nat hook postrouting priority 100; oifname "h0" masquerade; }; }'
        nft_in prov 'table inet nat { chain post { type nat hook postrouting priority 100; oifname "p0" masquerade; }; }'
        echo_start
}

# The namespace of the tunnel with its way to the host, as a container has it, and no tunnel yet.
tunnel_namespace() {
        world_internet
        ip -batch - <<-END
		netns add vpn
		link add v0 type veth peer name eth0 netns vpn
		link set v0 up
		addr add 10.77.0.1/24 dev v0
		addr add fd00:77::1/64 dev v0 nodad
		END
        ip -n vpn -batch - <<-END
		link set lo up
		link set eth0 up
		addr add 10.77.0.2/24 dev eth0
		END
}
tunnel_up() {
        ip -n vpn -batch - <<-END
		link set tun0 up
		addr replace 10.8.0.2/24 dev tun0
		addr replace fd00:8::2/64 dev tun0 nodad
		route replace default dev tun0
		route replace ::/0 dev tun0
		END
}
# Both ends are there, the provider's is made ready, then ours.
tunnel_ready() {
        ip -n prov -batch - <<-END
		link set tun1 up
		addr replace 10.8.0.1/24 dev tun1
		addr replace fd00:8::1/64 dev tun1 nodad
		END
        tunnel_up
}

internet_remove() {
        local name
        {
                for name in /sys/class/net/*; do [ "${name##*/}" = lo ] || echo "link del ${name##*/}"; done
                for name in /run/netns/*; do [ ! -e "$name" ] || echo "netns del ${name##*/}"; done
        } | ip -force -batch - 2>/dev/null
        nft flush ruleset
}
