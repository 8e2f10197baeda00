# SPDX-License-Identifier: LGPL-2.1-or-later
# A tunnel that never gets healthy, and a health check that is nowhere: both are said, and nothing waits for ever.
# machine: vpn

given_down
edit 's|"CMD", "/gluetun-entrypoint", "healthcheck"|"CMD", "false"|; s|retries: 10|retries: 2|'
reload
start_target
eventually 60 "the health proof of the tunnel does not pass" said 'health of tunnel: (failed|unproven)'
# Between two tries, since a proof that runs has no verdict yet.
not_healthy() { on unitproof status vpn | grep -Eq 'health +tunnel +(failed|unproven) .*healthy'; }
eventually 30 "the status says that it is not healthy" not_healthy
expect_client_never_ran

given_down
edit 's|depends_on: \[client\]|depends_on: {client: {condition: service_healthy}}|'
reload
start_target
eventually 60 "a service without any health check is unproven" said 'health of client: unproven'
expect_equal "at once" yes "$([ "$(record health client duration_ms)" -lt 5000 ] && echo yes)"
expect_match "the record says what to add" 'health' record health client remedy
expect "that service itself runs" active vpn-client.service
expect_not "the one that waits for its health does not" active vpn-importer.service
