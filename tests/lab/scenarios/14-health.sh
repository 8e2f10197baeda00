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

# Plain depends_on: what was started may have come to a good end when the gate looks, a second or two later.
STACK=jobs
lab_file "$M" /etc/unitproof/jobs/compose.yaml <<'YAML'
x-base: &base {image: docker.io/library/busybox:1.37, stop_grace_period: 2s}
services:
  db:
    <<: *base
    entrypoint: ["sh", "-c", "sleep 2; touch /up; exec sleep 1000"]
    healthcheck: {test: ["CMD", "test", "-e", "/up"], interval: 1s}
  job: {<<: *base, entrypoint: ["true"]}
  bad: {<<: *base, entrypoint: ["false"]}
  polite: {<<: *base, entrypoint: ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.1; done"]}
  app:
    <<: *base
    entrypoint: ["sleep", "1000"]
    depends_on: {db: {condition: service_healthy}, job: {condition: service_started}, polite: {condition: service_started}}
  held:
    <<: *base
    entrypoint: ["sleep", "1000"]
    depends_on: {db: {condition: service_healthy}, bad: {condition: service_started}}
YAML
reload
mark
start_target
eventually 60 "a service starts after a job that has ended well" active jobs-app.service
expect_equal "which is over" inactive "$(on systemctl show -P ActiveState jobs-job.service)"
eventually 30 "after one that failed it does not" said 'held may not start: bad .* has failed'
expect_not "it is held" active jobs-held.service
job=$(on systemctl show -P ExecMainStartTimestampMonotonic jobs-job.service)
on systemctl restart jobs-app.service
expect "a restart of the service" active jobs-app.service
expect_not "is for a new run of the job" [ "$job" = "$(on systemctl show -P ExecMainStartTimestampMonotonic jobs-job.service)" ]
on systemctl stop jobs-app.service
on systemctl restart jobs-polite.service jobs-job.service
over() { [ "$(on systemctl show -P ActiveState "jobs-$1.service")" = inactive ]; }
eventually 10 "a job that somebody starts for it ends" over job
on systemctl stop jobs-polite.service
expect_equal "a stop by hand may end as well" "success" "$(on systemctl show -P Result jobs-polite.service)"
quiet on systemctl start --job-mode=ignore-dependencies jobs-app.service
expect "but is no end of a job" said 'app may not start: polite .* is not active'
expect_not "while the job's is one" said 'app may not start: job '
on systemctl stop jobs.target
on sh -c 'rm -r /etc/unitproof/jobs; systemctl reset-failed'
reload
