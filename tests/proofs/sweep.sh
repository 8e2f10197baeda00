# SPDX-License-Identifier: LGPL-2.1-or-later
# Sweep: what a killed tunnel has left in the namespace of a pod goes, everything else stays.
# shellcheck shell=bash

units=/run/manager
mkdir -p $units /run/systemd
background "$TOOLS/manager" /run/systemd/private $units
until [ -S /run/systemd/private ]; do sleep 0.02; done

world_internet
world_tunnel
cp "$(readlink -f /bin/bash)" /run/conmon
cp "$(readlink -f /bin/bash)" /run/other

# MONITOR NAMESPACE: the pod's main process, with the infra process in the namespace as its child.
pod() {
        rm -rf $units/s-vpn-pod.service
        mkdir -p $units/s-vpn-pod.service
        background "$1" -c 'nsenter --net="/run/netns/$1" sleep 1000; :' - "$2"
        pod_pid=$!
        echo active >$units/s-vpn-pod.service/ActiveState
        echo $pod_pid >$units/s-vpn-pod.service/MainPID
        until [ "$(cat /proc/$pod_pid/comm)" = "${1##*/}" ] && pod_child=$(pgrep -P $pod_pid) &&
                [ "$(cat "/proc/$pod_child/comm")" = sleep ]; do sleep 0.02; done
}
pod_end() { kill -9 "$pod_child"; stop $pod_pid; }
sweep() { "$NETNS" sweep --unit s-vpn-pod.service --engine podman "$@"; }
# What is to stay. Link-local addresses come when the kernel has found them to be free, which may be in between.
kept() {
        for f in -4 -6; do ip -n vpn $f rule; ip -n vpn $f route show table all | grep -Ev 'tun0|fe80:'; done
        ip -n vpn -o link | sed 's/@.*//' | cut -d: -f2 | sort
        ip -n vpn -o addr | awk '{ print $2, $4 }' | grep -v fe80: | sort
        ip netns exec vpn nft list ruleset
}
names() { ip -n vpn -o link | awk -F': ' '{ print $2 }' | cut -d@ -f1 | sort | xargs; }

expect "no such unit" 0 'does not run: nothing to sweep' sweep
mkdir -p $units/s-vpn-pod.service; echo inactive >$units/s-vpn-pod.service/ActiveState
expect "a pod that does not run" 0 'does not run: nothing to sweep' sweep
ip netns exec vpn nft 'table inet kill { chain out { type filter hook output priority 0; policy drop;
        oifname { "lo", "tun0" } accept; ip daddr 203.0.113.9 accept; }; }'
ip -n vpn link add extra0 type veth peer name extra1
pod /run/conmon vpn
kept >/run/before
expect "nothing has been left" 0 'kept 1 tunnel link\(s\) that a process still holds, among them tun0$' sweep
kept >/run/after
check "all is as it was" cmp /run/before /run/after

leave() {
        for f in -4 -6; do
                ip -n vpn $f rule add pref 98 to "$([ $f = -4 ] && echo 10.77.0.0/24 || echo fd00:77::/64)" lookup main
                ip -n vpn $f rule add pref 101 not fwmark 0xca6c lookup 51820
                ip -n vpn $f rule add pref 32500 lookup main suppress_prefixlength 0
                ip -n vpn $f rule add pref 40000 iif lo uidrange 7-9 prohibit
                ip -n vpn $f rule add pref 0 fwmark 7 lookup local
                ip -n vpn $f rule add pref 32766 ipproto tcp dport 80 lookup main
        done
        ip -n vpn rule add pref 77 tos 0x10 goto 32766
        ip -n vpn tuntap add dev old0 mode tun
        ip -n vpn link set old0 up
        ip -n vpn tuntap add dev tap0 mode tap
        quiet ip -n vpn link add wg0 type wireguard && wireguard=1 || wireguard=0
}
leave
check "left-overs are there" [ "$(ip -n vpn rule | wc -l)" = 10 ]
expect "they are swept" 0 'IPv6 rule with priority 101 to table 51820' sweep
check "and nothing is left to do" [ "$(sweep 2>&1 | grep -c removed)" = 0 ]
ip -n vpn link del tap0
kept >/run/after
check "all else is as it was" diff /run/before /run/after
leave
expect "links are named" 0 'link old0 of kind tun' sweep
check "TAP stays, it may be the way out: $(names)" [ "$(names)" = "eth0 extra0 extra1 lo tap0 tun0" ]
[ $wireguard = 1 ] || echo "# this kernel has no WireGuard: not tried with it"
check "the host keeps its rules" [ "$(ip rule | wc -l)" = 3 ]
quiet stop "$wire_pid"
for _ in $(seq 100); do ip -n vpn link show tun0 >/dev/null 2>&1 || break; sleep 0.02; done
ip -n vpn tuntap add dev tun0 mode tun
expect "a tunnel link that nobody holds any more" 0 'link tun0 of kind tun' sweep
pod_end

ip rule add pref 55 lookup main
pod /run/conmon host
expect "the host's own namespace" 1 "is in the host's network namespace, which is not swept" sweep
check "is not touched" [ "$(ip rule | grep -c '^55:')" = 1 ]
pod_end
pod /run/other vpn
expect "a monitor that is none" 1 'cannot sweep' sweep
pod_end
echo 999999 >$units/s-vpn-pod.service/MainPID
expect "a pod that has just ended" 0 'nothing to sweep' sweep
expect "no unit given" 2 'missing option --unit' "$NETNS" sweep --engine podman
rm /run/systemd/private
expect "systemd does not answer" 1 'cannot sweep' sweep
