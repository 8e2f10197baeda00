# SPDX-License-Identifier: LGPL-2.1-or-later
# No secret of .env is to be seen by any user of the host: not in units, command lines, journal or records.
# machine: media

key=$(on cat /etc/lab/keys/client)
secrets=("$key" "change me")
# holds COMMAND... : its output has one of the secrets in it.
holds() {
        local output secret
        output=$(on "$@" 2>/dev/null | tr '\0' ' ')
        [ -n "$output" ] || return 2
        for secret in "${secrets[@]}"; do grep -qF -- "$secret" <<<"$output" && return 0; done
        return 1
}
# A health check that prints what it should not.
on sed -i -E '0,/"CMD", "\/gluetun-entrypoint", "healthcheck"/s||"CMD-SHELL", "echo checked with $$WIREGUARD_PRIVATE_KEY; /gluetun-entrypoint healthcheck"|' \
        /etc/unitproof/media/compose.yaml
on systemctl daemon-reload
on systemctl restart media.target
eventually 120 "given: the tunnel is healthy" on sh -c \
        '[ "$(jq -r .verdict /run/unitproof/media/health-gluetun.json)" = passed ] && systemctl is-active media-qbittorrent.service'
expect "given: the health check prints the key" holds podman inspect gluetun --format '{{json .State.Health.Log}}'
expect_match "the record says what it printed" 'checked with \*\*\*' on jq -r .evidence.last_output /run/unitproof/media/health-gluetun.json
expect "given: the tunnel has the key" holds podman exec gluetun sh -c 'echo $WIREGUARD_PRIVATE_KEY'
expect_not "no unit file has it" holds systemctl cat 'media-*'
expect_not "no property of a unit has it" holds systemctl show --all 'media-*'
expect_not "no command line has it" holds sh -c 'cat /proc/[0-9]*/cmdline'
expect_not "the journal does not have it" holds journalctl -b --no-pager -o export
expect_not "no record has it" holds sh -c 'cat /run/unitproof/media/* /run/unitproof/media/running/*'
expect_not "the status does not have it" holds unitproof status --json media
expect_not "the metrics do not have it" holds unitproof status --prometheus media
core_limit() { on grep -q '^LimitCORE=0$' "/run/systemd/generator/$1"; }
expect "proofs leave no core" core_limit media-proof-egress-qbittorrent.service
expect_not "no file that others may read has it" holds find /run/systemd/generator /run/unitproof \
        -type f -perm /044 -exec cat {} +
