# SPDX-License-Identifier: LGPL-2.1-or-later
# The bundled stack on an honest day: all services after their proofs, at a boot and at the next one.
# machine: media

STACK=media
services="caddy gluetun jellyfin jellyseerr postgres prepare prowlarr qbittorrent radarr redis sonarr"
all_services() {
        local service
        for service in $services; do active "media-$service.service" || return; done
}
# position PATTERN : the number of the journal's first line of this boot that matches.
position() { on journalctl -b -q -o cat --no-pager | grep -nEm 1 -- "$1" | cut -d : -f 1; }
before() { [ "$(position "$1")" -lt "$(position "$2")" ]; }
status_of_proofs() {
        on sh -c 'unitproof status media --json | jq -r "[.stacks[0].proofs[].state] | unique[]"'
}
evidence() { on sh -c 'jq -r ".id, .boot_id" /run/unitproof/media/*.json' | sort -u; }

expect_honest_boot() {
        eventually 120 "$1: every service is active" all_services
        expect_equal "$1: every proof passed" passed "$(status_of_proofs)"
        expect "$1: health of the tunnel before its egress" \
                before 'health of gluetun: passed' 'egress of qbittorrent: passed'
        expect "$1: the tunnel's outage before its egress" \
                before 'killswitch of gluetun: passed' 'egress of qbittorrent: passed'
        expect "$1: egress before the client" \
                before 'egress of qbittorrent: passed' '^Starting media-qbittorrent.service'
        expect "$1: binding before the client counts as started" \
                before 'binding of qbittorrent: passed' '^Started media-qbittorrent.service'
        expect "$1: health of the client before the importer" \
                before 'health of qbittorrent: passed' '^Starting media-sonarr.service'
        expect "$1: hardlink before the importer counts as started" \
                before 'hardlink of sonarr: passed' '^Started media-sonarr.service'
        expect_equal "$1: nothing failed" "0 loaded units listed." "$(on systemctl --failed | tail -n 1)"
        expect_equal "$1: no packet of the client outside" 0 "$(lab_outside "$M")"
        expect_not "$1: but many inside" test "$(lab_tunnelled "$M")" -lt 100
}

expect_honest_boot "first boot"
first=$(evidence)
expect_equal "there is evidence of each proof, and one boot ID" 20 "$(wc -l <<<"$first")"
expect_equal "a value with a blank arrives whole" "change me" \
        "$(on podman exec postgres sh -c 'echo "$POSTGRES_PASSWORD"')"
expect_match "explain names the line that made a unit" 'compose.yaml:[0-9]+' \
        on unitproof explain media-qbittorrent.service
expect_match "graph knows what waits" 'qbittorrent' on unitproof graph media

lab_reboot "$M" || report 1 "it reboots" ""
expect_honest_boot "second boot"
expect_equal "no record and no boot ID of the first boot is left" "" \
        "$(comm -12 <(echo "$first") <(evidence))"
