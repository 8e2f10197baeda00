# SPDX-License-Identifier: LGPL-2.1-or-later
# Words, variables, labels, paths and health commands arrive in a container as they were written, byte for byte; so do a plain service's.
# machine: vpn

# 1,000 strings of each kind and 200 paths; UNITPROOF_TESTS=all: 10,000 of each.
STACK=strings
seed=${UNITPROOF_SEED:-1} services=4 targets=50 files=20
[ "${UNITPROOF_TESTS:-}" != all ] || services=40 targets=250 files=750
root=$LAB/machines/$M
mkdir -p "$root/root/etc/unitproof/strings" "$root/srv/strings"/{mount,units,emit/{units,quadlets}}
for ((i = 0; i < services; i++)); do mkdir -p "$root/srv/strings/s$i"; done
"$LAB_SOURCE/strings" make "$root/root/etc/unitproof/strings" "$seed" "$services" 250 "$targets"
expect "the stack is good" on unitproof check strings
on unitproof config strings >"$root/srv/strings/config"
reload
start_target
names=$(seq -f 's%g' 0 $((services - 1)))
all_run() { for name in $names; do active "strings-$name.service" || return; done; }
eventually $((120 + 5 * services)) "the containers run" all_run
# shellcheck disable=SC2016
expect "what they got can be read" on sh -c 'for name; do
        pid=$(podman inspect -f "{{.State.Pid}}" strings-$name) && cd /srv/strings/$name &&
        cat /proc/$pid/cmdline >cmdline && cat /proc/$pid/environ >environ && cat /proc/$pid/mountinfo >mountinfo &&
        readlink -z /proc/$pid/cwd >cwd && podman inspect -f "{{json .Config}}" strings-$name >config.json &&
        podman healthcheck run strings-$name >/dev/null && [ -e health ] || exit
done' sh $names
expect "they are what was written" "$LAB_SOURCE/strings" compare "$root/root/etc/unitproof/strings" "$root/srv/strings" "$root/srv/strings/config"
echo "# $("$LAB_SOURCE/strings" compare "$root/root/etc/unitproof/strings" "$root/srv/strings" "$root/srv/strings/config" | tail -n 1)"

# The writer's own classes for units, as native services have them.
"$build/tests/oracle/oracle-emit" "$root/srv/strings/emit" "$seed" "$files" >/dev/null
units=
for unit in "$root/srv/strings/emit/units"/*.service; do
        unit=$(basename "$unit")
        units="$units $unit"
        sed -E -e 's|^ExecStart=/bin/echo(.*)|ExecStart=/usr/bin/env -0\nExecStart=/usr/bin/printf "%%s\\\\0" --\nExecStart=/usr/bin/printf "%%s\\\\0"\1|' \
                -e "\$a StandardOutput=append:/srv/strings/units/${unit%.service}" "$root/srv/strings/emit/units/$unit" >"$root/root/etc/systemd/system/$unit"
done
reload
# shellcheck disable=SC2086
expect "plain services run" on systemctl start $units
# shellcheck disable=SC2016,SC2086
expect "the paths that systemd read can be had" on sh -c 'for unit; do
        n=${unit#o-} n=${n%.service}
        busctl --json=short get-property org.freedesktop.systemd1 "/org/freedesktop/systemd1/unit/o_2d${n}_2eservice" \
                org.freedesktop.systemd1.Unit RequiresMountsFor >"/srv/strings/units/o-$n.paths" || exit
done' sh $units
expect "and got what was written" "$LAB_SOURCE/strings" units "$root/srv/strings/emit/units" "$root/srv/strings/units"
echo "# $("$LAB_SOURCE/strings" units "$root/srv/strings/emit/units" "$root/srv/strings/units" | tail -n 1)"

on systemctl stop strings.target
rm -rf "$root/root/etc/unitproof/strings" "$root/root/etc/systemd/system"/o-*.service "$root/srv/strings"
reload
on systemctl reset-failed
