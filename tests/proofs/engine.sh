# SPDX-License-Identifier: LGPL-2.1-or-later
# Engine and health proofs, with stand-ins for the engine's program: that of a real engine is tried in the lab.
# shellcheck shell=bash

mount -t tmpfs tmpfs /usr/local/bin
ip netns attach host $$
mkdir -p /run/roundtrip
cp "$ROUNDTRIP" /run/roundtrip/roundtrip
engine() { "$PROVE" engine --stack $STACK --engine "${ENGINE:-podman}" --roundtrip-dir "${DIR:-/run/roundtrip}" "$@"; }
stand_in() { printf '#!/bin/bash\n%s\n' "$1" >/usr/local/bin/podman; chmod +x /usr/local/bin/podman; }

if [ ! -e /usr/bin/podman ]; then
        expect "not installed" 1 'podman is not on this host' engine
        stand_in 'for a; do case "$a" in --rootfs) next=1;; *) [ "${next:-}" ] && root=${a%:O} && next=;; esac; done
                [ "$1" = run ] && exec "$root/roundtrip" "${@: -1}"'
        expect "works" 0 'started a container, which answered' engine
        check "record is called like the engine" [ "$(field engine-podman .verdict)" = passed ]
        stand_in 'echo "${@: -1}"'
        expect "a program that prints its arguments" 1 'did not answer' engine
        stand_in 'exit 0'
        expect "a program that does nothing" 1 'did not answer' engine
        stand_in 'echo "cannot set up namespace" >&2; exit 125'
        expect "an engine that cannot" 1 'exit status 125: cannot set up namespace' engine
        stand_in 'sleep 1000'
        expect "an engine that hangs" 3 'did not finish' engine --timeout 0.5
        stand_in 'yes'
        expect "an engine that never stops talking" 3 'could not be run' engine --timeout 5
        printf 'junk' >/usr/local/bin/podman
        expect "a broken program" 3 'could not be run' engine
        rm /usr/local/bin/podman

        inspect() { stand_in "cat <<'E'
$1
E"; }
        health() {
                "$PROVE" health --stack $STACK --subject db --unit db.service --engine podman --container db "$@"
        }
        expect "unit is not active" 3 'db.service: not active' health
        service db.service host sleep 1000
        state() { echo "[{\"State\":{\"Pid\":${2:-$service_pid},\"Health\":$1}}]"; }
        expect "no engine" 3 'not on this host' health
        inspect "$(state '{"Status":"healthy","Log":[]}')"
        expect "healthy" 0 'db is healthy' health
        inspect "$(state '{"Status":"unhealthy","Log":[{"Output":"old"},{"Output":"connection\nrefused\u001b[31m"}]}')"
        expect "unhealthy, with the last word" 1 'unhealthy: connection refused\?\[31m$' health
        printf 'hunter22\nsecond secret\n' >/run/redact
        inspect "$(state '{"Status":"unhealthy","Log":[{"Output":"login me:hunter22@db: second secret, hunter22"}]}')"
        expect "a secret in what the check printed" 1 'unhealthy: login me:\*\*\*@db: \*\*\*, \*\*\*$' health --redact /run/redact
        check "is in no record" eval '! grep -q "hunter22\|second" $RECORDS/health-db.json'
        expect "secrets that cannot be read: nothing is repeated" 1 'not repeated' health --redact /run/nothing
        check "nor in this one" eval '! grep -q hunter22 $RECORDS/health-db.json'
        inspect "$(state '{"Status":"","Log":null}')"
        expect "no health check" 3 'has no health check' health
        inspect '[{"State":{"Pid":1}}]'
        expect "no health check, no key" 3 'has no health check' health
        inspect "$(state '{"Status":"starting","Log":[]}')"
        expect "still starting" 3 'still "starting" when the time was up' health --timeout 0.5
        stand_in "n=\$(cat /run/n 2>/dev/null || echo 0); echo \$((n + 1)) >/run/n
                [ \$n -lt 3 ] && s=starting || s=healthy
                echo '[{\"State\":{\"Pid\":$service_pid,\"Health\":{\"Status\":\"'\$s'\"}}}]'"
        expect "starting, then healthy" 0 'is healthy' health
        check "it took four looks" [ "$(field health-db .evidence.looks)" = 4 ]
        inspect "$(state '{"Status":"healthy"}' 1)"
        expect "a container of that name that is another unit's" 3 'not the one it runs' health
        inspect 'not JSON'
        expect "an answer that is none" 3 'did not let the proof look' health
        inspect "$(state '{"Status":"splendid"}')"
        expect "a word that is none" 3 'did not let the proof look' health
        stand_in 'echo "Error: no such container db" >&2; exit 125'
        expect "container gone" 3 'its container is gone' health
        stand_in "ln -sfn $(new_id) /run/systemd/units/invocation:db.service; echo '[]'"
        expect "restarted in between" 3 'started anew' health
        rm /usr/local/bin/podman
fi
ENGINE=native expect "the host itself" 0 'answered' engine
DIR=/run/nowhere ENGINE=native expect "program not installed" 3 'could not be run' engine
expect "unknown engine" 2 'bad value for --engine' env "$PROVE" engine --stack s --engine nonsense
