# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What scenarios say about a stack: $STACK is its name, vpn unless a scenario says otherwise. Everything
# about packets is counted from the last `mark` on.

STACK=vpn

unit() { echo "$STACK-$1.service"; }
compose_file() { echo "/etc/unitproof/$STACK/compose.yaml"; }

# mark : from here on. since : the journal's messages from there, of the units or fields given.
mark() {
        CURSOR=$(on journalctl -q -n 1 --show-cursor -o cat | sed -n 's/^-- cursor: //p')
        OUTSIDE=$(lab_outside "$M")
        TUNNELLED=$(lab_tunnelled "$M")
}
# said PATTERN : one of them matches.
since() { on journalctl -q --no-pager -o cat --after-cursor "$CURSOR" "$@"; }

said() { since | grep -E -m 1 -- "$1"; }

# The client of the stack sends about 380 packets a second by every way it finds.
silent() { [ "$(lab_tunnelled "$M")" = "$TUNNELLED" ] && kept_inside; }
kept_inside() { [ "$(lab_outside "$M")" = "$OUTSIDE" ]; }
talking() { [ "$(lab_tunnelled "$M")" -gt "$TUNNELLED" ]; }

# edit SED-ARGUMENT... : changes the stack's file. reload : and systemd and the generator read it.
edit() { on sed -i -E "$@" "$(compose_file)"; }
reload() { on systemctl daemon-reload; }
start_target() { on systemctl start --no-block "$STACK.target"; }
quiet() { "$@" >/dev/null 2>&1; }

# drop_in UNIT : stdin becomes a drop-in of the operator's for this unit.
drop_in() { lab_file "$M" "/etc/systemd/system/$1.d/lab.conf"; }

all_up() {
        local service
        for service in tunnel client importer; do active "$(unit "$service")" || return; done
}
all_down() {
        local service
        for service in tunnel client importer; do
                case $(on systemctl is-active "$(unit "$service")") in
                inactive | failed) ;;
                *) return 1 ;;
                esac
        done
}

# The stack as stacks/ has it, and nothing of an earlier scenario left on the machine.
restore() {
        local etc=$LAB/machines/$M/root/etc
        rm -rf "$etc"/systemd/system/vpn-* "$etc"/systemd/system-generators
        cp "$LAB_SOURCE/stacks/$STACK/compose.yaml" "$etc/unitproof/$STACK/compose.yaml"
        on systemctl start lab-echo@a.service lab-echo@b.service
        quiet on systemctl unmask vpn-proof-egress-client.service
        reload
        on systemctl reset-failed
}

# given_up : all of the stack is active. given_down : none of it, and nothing of it will start by itself.
given_up() {
        restore
        start_target
        eventually 90 "given: the stack is up" all_up
        mark
}
given_down() {
        on systemctl stop "$STACK.target"
        eventually 30 "given: the stack is down" all_down
        restore
        mark
}

# record KIND SUBJECT FIELD : what the record of a proof says.
record() { on jq -r ".$3" "/run/unitproof/$STACK/$1-$2.json"; }

# The client did not run since the mark: no packet of it at either end, and no container.
expect_client_never_ran() {
        expect_not "the client's unit is not active" active "$(unit client)"
        expect "no packet of the client arrived anywhere" silent
        expect_equal "no container of the client was started" "" \
                "$(since -t podman | grep 'container start .*name=vpn-client')"
}
