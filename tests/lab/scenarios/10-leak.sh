# SPDX-License-Identifier: LGPL-2.1-or-later
# A tunnel that routes around the VPN, without the kill rule: the leak halts the stack, and the client never runs.
# machine: vpn

given_down
edit 's|docker.io/qmcgaw/gluetun:v3.40|localhost/lab/tunnel-leaks:1\n    x-unitproof: {guard: off}|'
reload
start_target

eventually 60 "the halt unit has failed" state vpn-halt.service failed
eventually 20 "every service of the stack is down" all_down
expect_client_never_ran
expect "the tunnel was healthy all the same" said 'health of tunnel: passed'
expect_equal "the record says that it is a leak" "failed true" \
        "$(record egress client verdict) $(record egress client leak)"
expect_match "the journal says why the stack is halted" 'vpn is halted: .* found a leak: ' since
# Two proofs find it, and each has the halt unit started.
named() { on systemctl --failed | grep -q vpn-halt.service; }
on systemctl start vpn-halt.service
expect "another proof that fails does not take that away" state vpn-halt.service failed
eventually 20 "systemctl --failed names it" named
expect_match "the status names it" 'egress +client +failed' on unitproof status vpn
throughout 3 "it stays down" all_down

restore
start_target
eventually 60 "with a good tunnel a start of the target brings all back" all_up
