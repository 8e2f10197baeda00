# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is killed, restarted and replaced under a running client: back by itself, through new proofs.
# machine: vpn

given_up

# comes_back TEXT COMMAND... : after it the client is active again, in a new invocation and by a new record.
comes_back() {
        local text=$1 before proof
        shift
        before=$(invocation vpn-client.service)
        proof=$(record egress client id)
        "$@" >/dev/null 2>&1
        eventually 60 "$text: the client comes back" renewed vpn-client.service "$before"
        expect_not "$text: through a new egress proof" test "$proof" = "$(record egress client id)"
        eventually 60 "$text: and so does the importer" active vpn-importer.service
}
kill_conmon() { on sh -c 'kill -9 "$(cat "$(podman inspect -f "{{.ConmonPidFile}}" vpn-tunnel)")"'; }
update() { on podman tag "localhost/lab/tunnel:$1" docker.io/qmcgaw/gluetun:v3.40 && on systemctl restart vpn-tunnel.service; }

comes_back "podman kill" on podman kill vpn-tunnel
comes_back "conmon killed" kill_conmon
comes_back "systemctl restart" on systemctl restart vpn-tunnel.service
comes_back "another image" update 2
expect "the new image runs" on podman exec vpn-tunnel test -e /lab/updated
comes_back "the pod is killed" on podman pod kill vpn-tunnel-pod
comes_back "the pod ends well" on podman stop -t 1 vpn-tunnel-pod-infra
comes_back "all containers are stopped" on podman stop -t 1 -a
comes_back "the client is killed" on podman kill vpn-client
expect "the client talked" talking
expect "and never outside of the tunnel" kept_inside
echo "# packets of the client: $(($(lab_tunnelled "$M") - TUNNELLED)) through the tunnel," \
        "$(($(lab_outside "$M") - OUTSIDE)) outside"
update 1
