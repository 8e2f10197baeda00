# SPDX-License-Identifier: LGPL-2.1-or-later
# Files change under a running stack: the operator is told, egress is proved anew, and a restart only on request.
# on request: long: 2 min
# machine: vpn

provider=/etc/unitproof/vpn/provider.conf
given_down
echo "endpoint one" | lab_file "$M" $provider
edit 's|^    env_file: .env|&\n    volumes: ["./provider.conf:/provider.conf:ro"]|'
reload
start_target
eventually 90 "given: the stack is up" all_up
expect "given: its files are watched" active vpn-changed.path
expect "given: the tunnel's file is watched" active vpn-changed-tunnel.path
looked() { [ "$(on jq -r .id /run/unitproof/vpn/running/egress-client.json)" != "$1" ]; }

mark
on sh -c 'echo "# a remark" >>/etc/unitproof/vpn/compose.yaml'
eventually 10 "the Compose file: the operator is told" said 'compose.yaml has changed: .*daemon-reload'
mark
before=$(on jq -r .id /run/unitproof/vpn/running/egress-client.json 2>/dev/null)
tunnel=$(invocation vpn-tunnel.service)
on sh -c "echo 'endpoint two' >$provider.new; mv $provider.new $provider"
eventually 10 "the provider's file: the operator is told" said 'provider.conf has changed: vpn-tunnel.service still runs'
eventually 20 "egress is proved anew" looked "$before"
expect_equal "the tunnel goes on" "$tunnel" "$(invocation vpn-tunnel.service)"
expect "everything still runs" all_up

edit 's|^    env_file: .env|&\n    x-unitproof: {on-change: restart}|'
reload
mark
on sh -c "echo 'endpoint three' >$provider"
eventually 20 "with on-change: restart the tunnel is restarted" renewed vpn-tunnel.service "$tunnel"
eventually 60 "and its client comes back" all_up
expect "through a new proof" said 'egress of client: passed'

on systemctl stop vpn.target
eventually 30 "given: the stack is down" all_down
expect_not "a stack that is down watches nothing" active vpn-changed-tunnel.path
mark
on sh -c "echo 'endpoint four' >$provider"
throughout 2 "and a change starts nothing" all_down
on rm $provider
given_up
