# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill rule: a tunnel without any kill switch of its own loses its link under a client, and nothing gets out.
# on request: long: 6 min on a busy machine
# machine: vpn

cc -std=gnu17 -D_GNU_SOURCE -O1 -static -o "$LAB/machines/$M/root/usr/local/lib/lab/sender" \
        "$LAB_SOURCE/../proofs/sender.c"
. "$LAB_SOURCE/guest/etc/lab/world.conf"

# As root, in the namespace of the tunnel and its client, but in no control group of theirs.
pid() { on podman inspect -f '{{.State.Pid}}' "vpn-$1"; }
inside() { on nsenter -t "$(pid client)" -n "$@"; }
send() { inside /usr/local/lib/lab/sender "$@"; }
tunnel() { on podman exec vpn-tunnel "$@"; }
address() { on podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$1"; }
link_down() { tunnel ip link set tun0 down; }
# With what going down destroys.
link_up() {
        local family
        tunnel ip link set tun0 up
        tunnel ip address replace "$TUNNEL6/128" dev tun0
        for family in -4 -6; do tunnel ip $family route replace default dev tun0 table 51820; done
}
# Counters of the rule itself, by which it is seen that something was tried.
refused() { inside nft -j list table inet unitproof | jq '[.nftables[].counter? | select(.) | select(.name | startswith("dropped")).packets] | add'; }
leaking() { ! kept_inside; }

# --- routes past the tunnel ---
given_down
edit "s|docker.io/qmcgaw/gluetun:v3.40|localhost/lab/tunnel-leaks:1\\n    x-unitproof: {proofs: {egress: {timeout: 5s}, killswitch: off}}|"
reload
start_target
eventually 60 "with routes past the tunnel the egress proof fails" \
        said 'egress of client: failed: .* leads past the tunnel, by eth0'
expect_equal "which is no leak, since the kill rule closes the way" false "$(record egress client leak)"
expect_client_never_ran
expect_not "and nothing is halted" state vpn-halt.service failed

# --- a tunnel with no kill switch of its own ---
given_down
given_up
expect_match "the rule was loaded before the tunnel" 'vpn-tunnel.service: kill rule loaded' \
        on journalctl -b -q -o cat -u vpn-tunnel.service --no-pager
expect_equal "the record says that it is there" there "$(record egress client evidence.kill_rule)"
tunnel nft delete table inet gluetun
gateway=$(inside ip -4 route show default table main | awk '{ print $3 }')
mac=$(inside ip neigh show "$gateway" | grep -o '[0-9a-f:]\{17\}')
pod=$(inside ip -4 -o address show eth0 | awk '{ split($4, a, "/"); print a[1] }')
ways=("udp $BEACON4 9" "tcp $BEACON4 80" "icmp $BEACON4 0" "udp $BEACON4 9 device=eth0" "tcp $BEACON4 80 device=eth0"
        "icmp $BEACON4 0 device=eth0" "udp $BEACON4 9 mark=51820" "tcp $BEACON4 80 mark=51820" "udp $BEACON4 9 source=$pod"
        "ip $BEACON4 9 source=$pod mark=51820" "frame $BEACON4 9 device=eth0 mac=$mac source=$pod"
        "frame $BEACON4 9 device=eth0 mac=$mac source=$pod bypass=1")
try_all() { local way; for way in "${ways[@]}"; do send $way; done >/dev/null 2>&1; true; }

# A connection through the tunnel, to be used again when that is down.
inside bash -c "exec 3<>/dev/tcp/$ECHO4_A/80; : >/run/flow-open; until [ -e /run/flow-go ]; do sleep 0.1; done
        printf 'GET / HTTP/1.0\r\n\r\n' >&3; sleep 2" &
flow=$!
eventually 30 "given: a connection through the tunnel" on test -e /run/flow-open
before=$(refused)
mark
link_down
try_all
on touch /run/flow-go
throughout 3 "the link is down: nothing of the client gets out" kept_inside
wait $flow
on rm -f /run/flow-open /run/flow-go
expect "nor by any other way, nor of the old connection" kept_inside
expect "though it was tried" test "$(refused)" -gt $((before + 100))
link_up

# --- what must go on ---
expect "a neighbour reaches the client" on nsenter -t "$(pid importer)" -n curl -fsS -m 5 "http://$pod:8080/"
tunnel ip rule add from "$pod" table 200
tunnel ip route add default via "$gateway" table 200
expect "and so does one from outside, as by a published port" on sh -c "
        ip -n isp route replace ${pod%.*}.0/24 via $HOST4; ip -n echo route replace ${pod%.*}.0/24 via 203.0.113.1
        ip netns exec echo curl -fsS -m 5 http://$pod:8080/"
importer=$(on podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' vpn-importer)
expect "the client reaches its neighbour" send tcp "$importer" 8989
expect_not "but no name server of the host's" send tcp "$gateway" 53
expect "which answers the neighbour" on nsenter -t "$(pid importer)" -n /usr/local/lib/lab/sender tcp "$gateway" 53

# --- and the test can see a leak ---
mark
inside nft delete table inet unitproof
inside nft delete table netdev unitproof
link_down
eventually 10 "without the rule the client gets out" leaking
eventually 10 "and a frame does" eval 'n=$(lab_outside "$M"); send frame "$BEACON4" 9 device=eth0 mac="$mac" source="$pod"
        [ "$(lab_outside "$M")" -gt "$n" ]'

# --- a rule that is gone is found out ---
link_up
mark
on systemctl restart --no-block vpn-client.service
eventually 60 "without the rule the client does not start again" said "(egress of client: failed: the kill rule .* is gone|killswitch of tunnel: failed)"
expect_not "it does not run" active vpn-client.service
# Nor has the image a kill switch any more, which the other proof shows: that is a leak.
eventually 60 "the proof of the kill switch finds a leak, and the stack is halted" state vpn-halt.service failed
eventually 30 "all of it is down" all_down
restore
start_target
eventually 90 "a start of the target brings all back" all_up
