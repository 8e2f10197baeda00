# SPDX-License-Identifier: LGPL-2.1-or-later
# A tunnel that never gets healthy, and a health check that is nowhere: both are said, and nothing waits for ever.
# machine: vpn

given_down
edit 's|"CMD", "/gluetun-entrypoint", "healthcheck"|"CMD", "false"|; s|retries: 20|retries: 2|'
reload
start_target
health_judged() { [ "$(record health tunnel pending)" = false ]; }
eventually 60 "the health proof of the tunnel has ended" health_judged
expect_match "it did not pass" '^(failed|unproven)$' record health tunnel verdict
expect_match "the status says that it is not healthy" 'health +tunnel +(failed|unproven) .*healthy' \
        on unitproof status vpn
expect_client_never_ran

given_down
edit 's|depends_on: \[client\]|depends_on: {client: {condition: service_healthy}}|'
reload
start_target
no_check() { [ "$(record health client verdict)" = unproven ] && [ "$(record health client pending)" = false ]; }
eventually 60 "a service without any health check is unproven" no_check
expect_equal "at once" yes "$([ "$(record health client duration_ms)" -lt 5000 ] && echo yes)"
expect_match "the record says what to add" 'health' record health client remedy
expect "that service itself runs" active vpn-client.service
expect_not "the one that waits for its health does not" active vpn-importer.service
