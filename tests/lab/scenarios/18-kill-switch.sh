# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill switch: shown once for each start of the tunnel, before the client; and what a tunnel without one comes to.
# machine: vpn

evidence() { record killswitch tunnel "evidence.killswitch.$1"; }

given_down
start_target
eventually 90 "the stack comes up" all_up
expect_equal "the kill switch was proved" "passed closed done" \
        "$(record killswitch tunnel verdict) $(evidence code) $(evidence step)"
expect_match "before the client started" 'killswitch of tunnel: passed' \
        sh -c "sed '/Starting vpn-client.service/,\$d' <<'END'
$(since)
END"
echo "# it took $(record killswitch tunnel duration_ms) ms"
