# SPDX-License-Identifier: LGPL-2.1-or-later
# DNS proof: resolvers in the tunnel, on the loopback, next door, behind sockets of the file system; and what the
# kernel makes of them.
# shellcheck shell=bash

world_internet
world_tunnel

cat >/run/resolver.py <<'EOF'
import select, socket, sys
address, port, upstream, what = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
family = socket.AF_INET6 if ":" in address else socket.AF_INET
udp, tcp = socket.socket(family, socket.SOCK_DGRAM), socket.socket(family, socket.SOCK_STREAM)
tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if what != "tcp":
    udp.bind((address, port))
if what != "udp":
    tcp.bind((address, port)); tcp.listen()
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
open("/run/resolver-ready", "w").close()
while True:
    for s in select.select([udp, tcp], [], [])[0]:
        if s is tcp:
            s.accept()
            continue
        query, client = udp.recvfrom(512)
        if upstream:
            out.sendto(query, (upstream, 53))
        udp.sendto(query[:2] + b"\x81\x83" + query[4:], client)
EOF
# NAMESPACE ADDRESS [PORT [FORWARD-TO [udp|tcp]]]: a name server in $resolver_pid; with FORWARD-TO it asks there, by UDP.
resolver() {
        background ip netns exec "$1" python3 /run/resolver.py "$2" "${3:-53}" "${4:-}" "${5:-both}"
        resolver_pid=$!
        until [ -e /run/resolver-ready ]; do sleep 0.01; done
        rm /run/resolver-ready
}

# UNIT UID RESOLV.CONF [MOUNT-COMMANDS]: a process behind the tunnel with files of its own.
contained() {
        local file
        file=$(mktemp /run/resolv.XXXXXX)
        printf '%b' "$3" >"$file"
        [ -e "/run/systemd/units/invocation:$1" ] || unit_activate "$1"
        background nsenter --net=/run/netns/vpn unshare --mount bash -c 'mount --bind "$3" /etc/resolv.conf; eval "$4"
                echo $$ >"$1/libpod-payload-1/cgroup.procs" || exit; touch "$3.ready"
                exec setpriv --reuid "$2" --regid "$2" --clear-groups sleep 1000' - "$CGROUP/$1" "$2" "$file" "${4:-:}"
        until [ -e "$file.ready" ] && grep -qs sleep "/proc/$!/comm"; do sleep 0.01; done
}
tunnel() { service_stop vpn.service; contained vpn.service 0 "$1"; }
client() { service_stop torrent.service; contained torrent.service 1000 "$@"; }
both() { tunnel "$1"; client "$1"; }
dns() {
        "$PROVE" dns --stack $STACK --subject torrent --unit torrent.service --tunnel-unit vpn.service --engine podman \
                --probe-timeout 0.5 "$@"
}
listening() { until ip netns exec vpn ss -lun | grep -q '127.0.0.1:53 '; do sleep 0.01; done; }
leak() { [ "$(field dns-torrent .leak)" = true ]; }
code() { [ "$(field dns-torrent .evidence.dns.code)" = "$1" ]; }
vpn_nft() { ip netns exec vpn nft "$@"; }
drop() { vpn_nft 'table inet kill { chain out { type filter hook output priority 0; oifname "eth0" drop; }; }'; }
drop_end() { vpn_nft delete table inet kill; }

touch /etc/resolv.conf 2>/dev/null
both 'nameserver 127.0.0.1\n'
expect "no resolver on the loopback" 0 'names are asked of 127.0.0.1 \(silent\)' dns
check "that is said" code silent
resolver vpn 127.0.0.1
stop "$resolver_pid"

# The tunnel's own resolver, as gluetun has it.
service vpn.service vpn python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 53))
while True:
    q, c = s.recvfrom(512); s.sendto(q[:2] + b"\x81\x83" + q[4:], c)'
own_resolver=$service_pid
listening
expect "the tunnel's own resolver" 0 'names are asked of 127.0.0.1 \(loopback\) and of nobody else' dns
check "the record names the client's activation" [ "$(field dns-torrent .invocation_id)" = \
        "$(readlink /run/systemd/units/invocation:torrent.service)" ]
check "one file for both" [ "$(field dns-torrent .evidence.dns.same_as_tunnel)" = true ]
client '# moved in by a rename\nnameserver 127.0.0.1\n'
expect "a file of its own is no leak" 0 passed dns
check "but it is told" [ "$(field dns-torrent .evidence.dns.same_as_tunnel)" = false ]
client ''
expect "an empty resolv.conf means the loopback" 0 '127.0.0.1 \(loopback\)' dns

resolver host 10.77.0.1
expect "the next door's resolver answers too" 1 '10.77.0.1 answers on port 53 \(UDP\) by eth0' dns
check "that is a leak" leak
drop
expect "a rule closes that" 0 'passed' dns
check "the way is told" [ "$(field dns-torrent '[.evidence.dns.users[0].neighbours[] | select(.server == "10.77.0.1") | .way] | unique | join(" ")')" = closed ]
drop_end
stop "$resolver_pid"
for port in 53 853; do
        resolver host 10.77.0.1 $port '' tcp
        expect "the next door listens on port $port by TCP only" 1 "10.77.0.1 answers on port $port \(TCP\)" dns
        stop "$resolver_pid"
done
address vpn eth0 fd00:77::2/64
resolver host fd00:77::1
expect "the next door's resolver by IPv6" 1 'fd00:77::1 answers on port 53' dns
stop "$resolver_pid"
ip -n vpn addr del fd00:77::2/64 dev eth0

# Through the tunnel.
client 'nameserver 10.8.0.1\nnameserver 127.0.0.1\n'
expect "the provider's resolver is down, the tunnel's own is up" 0 '10.8.0.1 \(silent\), 127.0.0.1 \(loopback\)' dns
resolver prov 10.8.0.1
expect "the provider's resolver" 0 '10.8.0.1 \(through-tunnel\)' dns
stop "$resolver_pid"
client 'nameserver 203.0.113.77\n'
expect "a resolver behind the tunnel that never answers" 0 '203.0.113.77 \(silent\)' dns

# The client's own file leads out.
client 'nameserver 10.77.0.1\n'
expect "the engine's resolver, which is down" 1 'user 1000 asks of the resolver 10.77.0.1 leaves by eth0, beside the tunnel$' dns
check "the names are out: a leak" leak
resolver host 10.77.0.1
expect "the engine's resolver" 1 '10.77.0.1 leaves by eth0, beside the tunnel, and is answered' dns
drop
expect "closed by a rule" 0 'no name is asked of anybody: the way to 10.77.0.1 is closed' dns
check "that is said" code closed
drop_end
vpn_nft 'table netdev kill { chain out { type filter hook egress device "eth0" priority 0; drop; }; }'
expect "closed below the IP layer" 0 'the way to 10.77.0.1 is closed' dns
vpn_nft delete table netdev kill
vpn_nft 'table inet kill { chain out { type filter hook output priority 0; oifname "eth0" udp dport 53 drop; }; }'
expect "closed for UDP alone" 1 '10.77.0.1 leaves by eth0.*and is answered' dns
drop_end
ip -n vpn route add prohibit 10.77.0.1
expect "closed by a route" 0 'the way to 10.77.0.1 is closed' dns
ip -n vpn route del prohibit 10.77.0.1
stop "$resolver_pid"
client 'nameserver fe80::1%eth0\n'
# Asked again at once the kernel may send no question for the neighbour, since one is on its way or has failed just now.
for again in "" ", again" ", and again"; do
        expect "a resolver of the link$again" 3 'unclear|fe80::1%eth0' dns
done
client 'nameserver 10.77.0.66\n'
for again in "" ", again" ", and again"; do
        expect "a resolver next door that is not there$again" 3 'would leave by eth0, and nothing tells whether it may' dns
done

# Rules for DNS alone.
client 'nameserver 10.8.0.1\n'
vpn_nft 'table ip nat { chain out { type nat hook output priority -100; udp dport 53 dnat to 10.77.0.1; }; }'
expect "a rule redirects queries" 1 '10.8.0.1 leaves by eth0' dns
vpn_nft delete table ip nat
ip -n vpn route add default via 10.77.0.1 dev eth0 table 42
ip -n vpn rule add ipproto udp dport 53 lookup 42
expect "a routing rule for the port" 1 '10.8.0.1 leaves by eth0' dns
ip -n vpn rule del ipproto udp dport 53 lookup 42
ip -n vpn rule add uidrange 4242-4242 lookup 42
expect "a rule for somebody else" 0 passed dns
contained torrent.service 4242 'nameserver 10.8.0.1\n'
expect "a rule for one user of the client" 1 'user 4242 asks of the resolver 10.8.0.1 leaves by eth0' dns
ip -n vpn rule del uidrange 4242-4242 lookup 42
expect "without it" 0 passed dns

# A resolver on the loopback that is somewhere else.
client 'nameserver 127.0.0.1\n'
stop "$own_resolver"
service vpn.service vpn python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 53))
o = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    q, c = s.recvfrom(512); s.sendto(q[:2] + b"\x81\x83" + q[4:], c)
    try: o.sendto(b"zz" + q[2:], ("10.77.0.1", 53))
    except OSError: pass'
listening
expect "the tunnel's resolver asks next door in clear" 1 '127.0.0.1 leaves by eth0' dns
drop
expect "and is not let out" 0 '127.0.0.1 \(loopback\)' dns
drop_end
stop "$service_pid"
for address in 127.0.0.1 127.0.0.11; do
        background python3 -c '
import ctypes, os, socket, sys
here = os.open("/proc/self/ns/net", os.O_RDONLY); there = os.open("/run/netns/vpn", os.O_RDONLY)
libc = ctypes.CDLL(None); libc.setns(there, 0)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind((sys.argv[1], 53)); libc.setns(here, 0)
open("/run/resolver-ready", "w").close()
while True:
    q, c = s.recvfrom(512); s.sendto(q[:2] + b"\x81\x83" + q[4:], c)' $address
        resolver_pid=$!
        until [ -e /run/resolver-ready ]; do sleep 0.01; done
        rm /run/resolver-ready
        expect "an engine answers from the host at $address" 1 'on the loopback is process [0-9]+ \(python3?\), which lives in another' dns
        check "that is a leak" leak
        stop "$resolver_pid"
done

# Sockets of the file system.
helper() {           # NAMESPACE PATH
        mkdir -p "${2%/*}"
        background ip netns exec "$1" python3 -c '
import os, socket, sys, time
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); os.chmod(sys.argv[1], 0o666)
open("/run/helper-ready", "w").close(); time.sleep(1000)' "$2"
        helper_pid=$!
        until [ -e /run/helper-ready ]; do sleep 0.01; done
        rm /run/helper-ready
}
for path in /run/systemd/resolve/io.systemd.Resolve /run/avahi-daemon/socket /run/nscd/socket; do
        helper host $path
        expect "the host's $path" 1 "user 1000 reaches .* at $path, which resolves names outside" dns
        check "that is a leak" leak
        chmod 600 $path
        [ $path = /run/nscd/socket ] || { stop "$helper_pid"; rm $path; }
done
expect "it may not be used" 0 passed dns
stop "$helper_pid"
rm $path
helper vpn $path
expect "the same of a process behind the tunnel" 0 passed dns
stop "$helper_pid"
expect "nobody listens there" 0 passed dns
rm $path
helper host /run/nscd/socket
client 'nameserver 127.0.0.1\n' 'mount -t tmpfs tmpfs /run/nscd'
expect "it is hidden from the client" 0 passed dns
stop "$helper_pid"

client '' 'umount /etc/resolv.conf; mkdir /run/odd; mount --bind /run /etc; mkdir -p /etc/resolv.conf'
expect "no file at all" 3 'resolv.conf cannot be read' dns
rmdir /run/resolv.conf
client 'nameserver 127.0.0.1\n' 'echo nameserver 10.8.0.1 >/run/linked; mkdir -p /run/etc; ln -sf /run/linked /run/etc/resolv.conf
        umount /etc/resolv.conf; mount --bind /run/etc /etc'
expect "a link to somewhere else" 0 '10.8.0.1 \(silent\)' dns
# Ports are few, so that connections to different places share them.
client 'nameserver 127.0.0.1\n'
sysctls vpn "ipv4/ip_local_port_range=40000 40015"
check "questions with one port are told apart" eval 'for _ in 1 2 3 4 5 6; do quiet dns --probe-timeout 0.3 || break; done; code silent'
sysctls vpn "ipv4/ip_local_port_range=32768 60999"
ip -n vpn link set lo down
expect "nothing can be watched" 3 'could not be watched' dns
ip -n vpn link set lo up

service_stop torrent.service
expect "the client is not active" 3 'torrent.service is not active' dns
service torrent.service host sleep 1000
expect "the client is in the host's network" 3 "host's network namespace" dns
service_stop torrent.service
ip netns add other
service torrent.service other sleep 1000
expect "the client is elsewhere" 3 'in another network namespace than vpn.service' dns
service_stop vpn.service
expect "the tunnel is not active" 3 'vpn.service is not active' dns
