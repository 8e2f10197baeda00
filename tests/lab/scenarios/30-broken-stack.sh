# SPDX-License-Identifier: LGPL-2.1-or-later
# A stack with an error beside a good one: it is a failed unit that says where, and the good one is not concerned.
# machine: vpn

given_up
client=$(invocation vpn-client.service)
lab_file "$M" /etc/unitproof/broken/compose.yaml <<'YAML'
services:
  web:
    image: docker.io/library/caddy:2.10
    restart: sometimes
YAML
reload
on systemctl start broken.target
eventually 10 "the broken stack is a failed unit" state broken-failed.service failed
expect_match "it says file, line and column" '/etc/unitproof/broken/compose.yaml:4:14: error: ' \
        on systemctl status broken-failed.service
expect_match "systemctl --failed names it" 'broken-failed.service' on systemctl --failed
expect_equal "the good stack goes on" "$client" "$(invocation vpn-client.service)"
expect "with all of its services" all_up

on sed -i s/sometimes/always/ /etc/unitproof/broken/compose.yaml
reload
expect_equal "mended, the failed unit is gone" not-found "$(on systemctl show -P LoadState broken-failed.service)"
on systemctl start broken.target
eventually 30 "and the service runs" active broken-web.service

on sed -i s/always/sometimes/ /etc/unitproof/broken/compose.yaml
reload
expect_match "broken again, status shows what goes on" 'active \(running\) +broken-web.service' on sh -c 'unitproof status broken || true'
expect_equal "and its JSON" broken-web.service "$(on sh -c 'unitproof status --json | jq -r ".broken[] | select(.units_problem == null).running[] | select(.sub == \"running\").unit"')"
on sed -i s/sometimes/always/ /etc/unitproof/broken/compose.yaml
reload
on systemctl stop broken.target
on rm -r /etc/unitproof/broken
reload
expect_equal "removed, nothing of it is left" "" "$(on systemctl list-unit-files --no-legend 'broken*')"
expect "the good stack is still up" all_up
