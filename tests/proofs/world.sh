# SPDX-License-Identifier: LGPL-2.1-or-later
# A small internet in network namespaces, and services that look to a proof like units of systemd: processes in a
# control group below system.slice and a link with the invocation ID. Sourced by `run` inside private namespaces,
# whose PID 1 stands in the "host" network.
#
#   host 192.0.2.2 ── inet (echo servers 198.51.100.10 .11, 2001:db8:e::10) ── prov 203.0.113.9 (NAT)
#     └─ 10.77.0.1 ── eth0 vpn tun0 10.8.0.2 ═════════ wire ═════════ tun1 10.8.0.1 ──┘
# shellcheck shell=bash

CGROUP=/sys/fs/cgroup/system.slice
STACK=s
RECORDS=/run/unitproof/$STACK
ECHO4=http://198.51.100.10/
ECHO4B=http://198.51.100.11/
ECHO6='http://[2001:db8:e::10]/'
STUN4=198.51.100.10:3478
STUN6='[2001:db8:e::10]:3478'
tests=0 failures=0 left_out=0 children=()

quiet() { "$@" >/dev/null 2>&1; }

link_pair() {        # NAMESPACE LINK PEER-NAMESPACE PEER
        ip link add "$2" netns "$1" type veth peer name "$4" netns "$3"
        ip -n "$1" link set "$2" up
        ip -n "$3" link set "$4" up
}

address() {          # NAMESPACE LINK ADDRESS...
        local namespace=$1 link=$2
        shift 2
        for a; do ip -n "$namespace" addr add "$a" dev "$link" nodad 2>/dev/null ||
                  ip -n "$namespace" addr add "$a" dev "$link"; done
}

sysctls() {          # NAMESPACE KEY=VALUE...
        local namespace=$1
        shift
        for s; do ip netns exec "$namespace" sh -c 'echo "${1#*=}" >/proc/sys/net/"${1%%=*}"' - "$s"; done
}

# A child that ends with the test; bash is not to report how.
background() { "$@" & children+=($!); disown; }
stop() { kill -9 "$1" 2>/dev/null; while kill -0 "$1" 2>/dev/null; do sleep 0.01; done; }

world_internet() {
        ip link set lo up
        # The host is this very namespace, under a name that `ip -n` understands.
        ip netns attach host $$
        for n in inet prov; do ip netns add $n; ip -n $n link set lo up; done
        link_pair host h0 inet i0
        link_pair inet i1 prov p0
        address host h0 192.0.2.2/24 2001:db8:1::2/64
        address inet i0 192.0.2.1/24 2001:db8:1::1/64
        address inet i1 203.0.113.1/24 2001:db8:9::1/64
        address inet lo 198.51.100.10/32 198.51.100.11/32 2001:db8:e::10/128
        address prov p0 203.0.113.9/24 2001:db8:9::9/64
        ip -n host route add default via 192.0.2.1
        ip -n host -6 route add default via 2001:db8:1::1
        ip -n prov route add default via 203.0.113.1
        ip -n prov -6 route add default via 2001:db8:9::1
        for n in host inet prov; do sysctls $n ipv4/ip_forward=1 ipv6/conf/all/forwarding=1; done
        nft 'table inet nat { chain post { type nat hook postrouting priority 100; oifname "h0" masquerade; }; }'
        ip netns exec prov nft 'table inet nat { chain post { type nat hook postrouting priority 100;
                oifname "p0" masquerade; }; }'
        echo_start
}

echo_start() {
        background ip netns exec inet "$TOOLS/echo" 198.51.100.10 198.51.100.11 2001:db8:e::10
        echo_pid=$!
        for _ in $(seq 100); do
                ip netns exec inet ss -ltn 2>/dev/null | grep -q '198.51.100.11:80' && break
                sleep 0.02
        done
}

# The tunnel container's namespace: a way to the host like any container's, and the tunnel in it.
world_tunnel() {
        ip netns add vpn
        ip -n vpn link set lo up
        link_pair host v0 vpn eth0
        address host v0 10.77.0.1/24 fd00:77::1/64
        address vpn eth0 10.77.0.2/24
        background "$TOOLS/wire" /run/netns/vpn tun0 /run/netns/prov tun1
        wire_pid=$!
        until ip -n vpn link show tun0 >/dev/null 2>&1 && ip -n prov link show tun1 >/dev/null 2>&1; do
                sleep 0.02
        done
        ip -n prov link set tun1 up
        address prov tun1 10.8.0.1/24 fd00:8::1/64
        tunnel_up
}

tunnel_up() {
        ip -n vpn link set tun0 up
        address vpn tun0 10.8.0.2/24 fd00:8::2/64
        ip -n vpn route replace default dev tun0
        ip -n vpn -6 route replace default dev tun0
}

tunnel_drop() {
        ip netns del vpn
        stop "$wire_pid"
        ip link del v0 2>/dev/null
        ip -n prov link del tun1 2>/dev/null
        return 0
}

new_id() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

unit_activate() {    # UNIT: a new activation
        mkdir -p /run/systemd/units
        ln -sfn "$(new_id)" "/run/systemd/units/invocation:$1"
        mkdir -p "$CGROUP/$1/runtime" "$CGROUP/$1/libpod-payload-1"
}

# Powers that Podman takes from a container, and with which a client could leave its tunnel.
POWERS=-sys_admin,-net_admin,-net_raw,-sys_ptrace,-sys_module,-bpf,-sys_rawio,-dac_read_search

# UNIT NAMESPACE COMMAND...: a process of the unit's service; its PID is in $service_pid. A client's has no POWERS, or none of
# those in DROP ("none": all of them).
service() {
        local unit=$1 namespace=$2
        shift 2
        case $unit:${DROP:-$POWERS} in
        torrent.service:none) ;;
        torrent.service:*) set -- setpriv --bounding-set "${DROP:-$POWERS}" "$@" ;;
        esac
        [ -e "/run/systemd/units/invocation:$unit" ] || unit_activate "$unit"
        background bash -c 'echo $$ >"$1/libpod-payload-1/cgroup.procs" || exit; shift
                exec nsenter --net="/run/netns/$1" "${@:2}"' - "$CGROUP/$unit" "$namespace" "$@"
        service_pid=$!
        for _ in $(seq 200); do
                case $(readlink /proc/$service_pid/exe) in
                */nsenter | */setpriv | */unshare | "$(readlink /proc/$$/exe)") ;;
                *) break ;;
                esac
                sleep 0.01
        done
}

service_stop() {     # UNIT
        rm -f "/run/systemd/units/invocation:$1"
        [ -d "$CGROUP/$1" ] || return 0
        echo 1 >"$CGROUP/$1/cgroup.kill"
        while grep -q 'populated 1' "$CGROUP/$1/cgroup.events"; do sleep 0.01; done
        find "$CGROUP/$1" -depth -type d -exec rmdir {} + 2>/dev/null
        return 0
}

field() { jq -r "$2" "$RECORDS/$1.json"; }

# NAME STATUS REASON-PATTERN COMMAND...
expect() {
        local name=$1 status=$2 pattern=$3 output got start end
        shift 3
        tests=$((tests + 1))
        start=$(date +%s%N)
        output=$("$@" 2>&1)
        got=$?
        end=$(date +%s%N)
        if [ $got -eq "$status" ] && grep -qE -- "$pattern" <<<"$output"; then
                echo "ok $tests $name ($(((end - start) / 1000000)) ms)"
        else
                echo "not ok $tests $name: status $got instead of $status, or not /$pattern/:"
                sed 's/^/  /' <<<"$output"
                failures=$((failures + 1))
        fi
}

# NAME WHY : a case that this machine cannot have.
lacks() { left_out=$((left_out + 1)); echo "skipped: $1: $2"; }

# NAME COMMAND...
check() {
        local name=$1
        shift
        tests=$((tests + 1))
        if "$@"; then echo "ok $tests $name"
        else echo "not ok $tests $name"; failures=$((failures + 1)); fi
}

egress() { "$PROVE" egress --stack $STACK --subject torrent --unit vpn.service --engine podman "$@"; }
# PID [on|off]: what a runtime says to the hook before the first instruction of a container; egress is proved or not.
state() {
        jq -n --argjson pid "$1" --arg egress "${2:-on}" '{ ociVersion: "1.0", id: "0123abcd", pid: $pid, status: "created",
                bundle: "/run/bundle", annotations: { "org.unitproof.stack": "s", "org.unitproof.subject": "torrent",
                "org.unitproof.tunnel-unit": "vpn.service", "org.unitproof.egress": $egress, other: "x" } }'
}
bound() { state "$@" | "$PROVE" bound; }
# The binding proof after an engine that runs the hook.
binding() {
        local first egress=on
        [ "${1:-}" = --without-egress ] && egress=off
        first=$(head -qn 1 "$CGROUP/torrent.service/libpod-payload-1/cgroup.procs" 2>/dev/null)
        [ -z "$first" ] || quiet bound "$first" $egress
        binding_alone "$@"
}
binding_alone() {
        "$PROVE" binding --stack $STACK --subject torrent --unit torrent.service --tunnel-unit vpn.service \
                --engine podman "$@"
}

finish() {
        for p in "${children[@]}"; do kill -9 "$p" 2>/dev/null; done
        wait 2>/dev/null
        find /sys/fs/cgroup/system.slice -depth -type d -exec rmdir {} + 2>/dev/null
        echo "$((tests - failures)) of $tests passed, $left_out left out"
        [ $failures -eq 0 ]
}
