# SPDX-License-Identifier: LGPL-2.1-or-later
# Names: the engine's resolver is closed by the kill rule; a name service of the host in the client's files, and that resolver where
# the tunnel's rules let questions through, are leaks.
# machine: vpn

found() { record dns client "evidence.dns.$1"; }
halted() { state vpn-halt.service failed && all_down; }
# On the host, as nscd listens. It hangs up at once, since the host's own programs ask it too.
lab_file "$M" /etc/systemd/system/lab-nscd.socket <<'END'
[Socket]
ListenStream=/run/nscd/socket
Accept=yes
MaxConnections=1000
TriggerLimitIntervalSec=0
END
lab_file "$M" /etc/systemd/system/lab-nscd@.service <<'END'
[Unit]
StartLimitIntervalSec=0
[Service]
ExecStart=true
StandardInput=socket
END

given_up
resolver=$(on podman exec vpn-client sed -n 's/^nameserver //p' /etc/resolv.conf | head -n 1)
expect_match "given: the client is told to ask the engine's resolver" '^10\.|^172\.|^192\.168\.' echo "$resolver"
expect "given: which answers the importer" on nsenter -t "$(on podman inspect -f '{{.State.Pid}}' vpn-importer)" -n \
        bash -c "exec 3<>/dev/tcp/$resolver/53"
expect_equal "no name is asked of anybody" "passed closed" "$(record dns client verdict) $(found code)"
expect_match "and that is said" "the way to $resolver is closed" record dns client reason
expect_equal "it is the file of the tunnel" true "$(found same_as_tunnel)"
expect "given: names may be asked of the host's nscd" on systemctl start lab-nscd.socket

edit '/lscr.io.linuxserver.qbittorrent/,/volumes/s|volumes:|&\n      - /run/nscd:/run/nscd|'
reload
on systemctl restart --no-block vpn-client.service
eventually 60 "nscd's socket in the client: the stack is halted" halted
expect_equal "the record says why" "failed true helper-reachable" "$(record dns client verdict) $(record dns client leak) $(found code)"
expect_match "with the path" 'reaches nscd at /(var/)?run/nscd/socket' record dns client reason
expect_match "the journal says why the stack is halted" 'vpn is halted: .*dns of client found a leak' since
expect "no packet of the client outside" kept_inside
on systemctl stop lab-nscd.socket

# An image that opens port 53 so that it finds its server by name, and no kill rule.
given_down
edit 's|^  tunnel:$|&\n    x-unitproof: {guard: off, proofs: {killswitch: off}}|'
drop_in vpn-tunnel.service <<'END'
[Service]
ExecStartPost=/bin/sh -c 'until podman exec vpn-tunnel nft insert rule inet gluetun output udp dport 53 accept; do sleep 0.1; done'
END
reload
start_target
eventually 60 "a resolver that can be asked: the stack is halted" halted
expect_equal "the record says why" "failed true resolver-beside" "$(record dns client verdict) $(record dns client leak) $(found code)"
expect_match "by whom, and by which link" "the resolver $resolver leaves by eth0, beside the tunnel" record dns client reason
expect "egress alone would not have told" test "$(record egress client verdict)" = passed
restore
on sh -c 'rm -rf /etc/systemd/system/lab-nscd* /run/nscd; systemctl daemon-reload'
