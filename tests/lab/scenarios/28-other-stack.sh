# SPDX-License-Identifier: LGPL-2.1-or-later
# A service that joins the network of another stack's container comes and goes with that container, and never keeps it from coming back.
# machine: vpn
# on request: it takes half a minute of two stacks that go up and down, and little of the product leads there

# stack NAME SERVICE LINE... : one service that does nothing.
stack() {
        local name=$1 service=$2
        shift 2
        {
                printf 'services:\n  %s:\n    image: docker.io/library/caddy:2.10\n' "$service"
                # shellcheck disable=SC2016
                echo '    entrypoint: ["/bin/busybox", "sh", "-c", "trap \"exit 0\" TERM; sleep 100000 & wait"]'
                printf '    stop_grace_period: 2s\n    restart: unless-stopped\n'
                printf '    %s\n' "$@"
        } | lab_file "$M" "/etc/unitproof/$name/compose.yaml"
}
network() { on sh -c 'readlink "/proc/$(podman inspect -f "{{.State.Pid}}" '"$1"')/ns/net"'; }
together() { active "$box" && active "$app" && [ "$(network other-box)" = "$(network joiner-app)" ]; }
# moved BOX APP : both run, and neither in its earlier invocation.
moved() { renewed "$box" "$1" && renewed "$app" "$2" && together; }

box=beside-box.service app=joiner-app.service
stack beside box "container_name: other-box"
stack joiner app "network_mode: container:other-box"
expect_match "check says who runs that container" "comes and goes with $box" on unitproof check joiner
reload
on systemctl start --no-block joiner.target
eventually 60 "the joiner brings up what it stands on" together
on systemctl start beside.target

first=$(invocation "$box") second=$(invocation "$app")
expect "the other's restart goes well" on systemctl restart "$box"
eventually 60 "and takes the joiner into the new network" moved "$first" "$second"

first=$(invocation "$box") second=$(invocation "$app")
on podman kill --signal KILL other-box >/dev/null
eventually 60 "after a crash of the other, too" moved "$first" "$second"

on systemctl stop "$box"
eventually 30 "the other stopped, the joiner is" state "$app" inactive
on systemctl start "$box"
eventually 60 "started, both are back" together

on systemctl stop "$app"
expect "a stop of the joiner leaves the other" active "$box"
on systemctl restart "$box"
eventually 30 "which can be restarted" active "$box"
sleep 2
expect "and the joiner stays stopped: an operator did that" state "$app" inactive
on systemctl start "$app"
eventually 30 "until it is started by hand" together

on systemctl stop joiner.target beside.target
eventually 30 "both stacks go down" state "$app" inactive
eventually 30 "for good" state "$box" inactive
on rm -r /etc/unitproof/beside /etc/unitproof/joiner
reload
on systemctl reset-failed
