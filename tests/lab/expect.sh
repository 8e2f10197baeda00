# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# What scenarios say. $M is the machine; each expectation prints one TAP line, and what it saw if it is
# not met. The scenario goes on after one that failed, so that one run shows everything.

CHECKS=0
FAILURES=0

on() { lab_run "$M" "$@"; }

# report STATUS TEXT OUTPUT
report() {
        CHECKS=$((CHECKS + 1))
        if [ "$1" = 0 ]; then
                echo "ok $CHECKS - $2"
        else
                FAILURES=$((FAILURES + 1))
                echo "not ok $CHECKS - $2"
                printf '%s\n' "$3" | head -n 12 | sed 's/^/#    /'
        fi
}

# expect TEXT COMMAND... : the command succeeds. expect_not: it fails, but not for being unknown.
expect() {
        local text=$1 output status=0
        shift
        output=$("$@" 2>&1) || status=$?
        report "$status" "$text" "$* → $status: $output"
}

expect_not() {
        local text=$1 output status=0
        shift
        output=$("$@" 2>&1) || status=$?
        case $status in
        0 | 126 | 127) report 1 "$text" "$* → $status: $output" ;;
        *) report 0 "$text" "" ;;
        esac
}

# expect_equal TEXT WANTED SEEN
expect_equal() {
        if [ "$2" = "$3" ]; then report 0 "$1" ""; else report 1 "$1" "wanted: $2, seen: $3"; fi
}

# expect_match TEXT PATTERN COMMAND... : the output of the command holds the extended pattern.
expect_match() {
        local text=$1 pattern=$2 output status=0
        shift 2
        output=$("$@" 2>&1) || true
        grep -Eq -- "$pattern" <<<"$output" || status=1
        report "$status" "$text" "no /$pattern/ in the output of $*: $output"
}

# eventually SECONDS TEXT COMMAND... : the command succeeds within the time; says how long it took.
eventually() {
        local seconds=$1 text=$2 start=$EPOCHREALTIME deadline=$((SECONDS + $1)) output
        shift 2
        until output=$("$@" 2>&1); do
                if [ $SECONDS -ge $deadline ]; then
                        report 1 "$text" "not within $seconds s: $*: $output"
                        return 0
                fi
                sleep 0.1
        done
        report 0 "$text ($(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }") s)" ""
}

# throughout SECONDS TEXT COMMAND... : the command succeeds all the time.
throughout() {
        local text=$2 deadline=$((SECONDS + $1)) output
        shift 2
        while [ $SECONDS -lt $deadline ]; do
                if ! output=$("$@" 2>&1); then
                        report 1 "$text" "$*: $output"
                        return 0
                fi
                sleep 0.2
        done
        report 0 "$text" ""
}

skip() {
        echo "# skipped: $*"
        exit 77
}

# Words about units, for use behind the verbs above.
active() { [ "$(on systemctl is-active "$1")" = active ]; }
state() { [ "$(on systemctl is-active "$1")" = "$2" ]; }
invocation() { on systemctl show -P InvocationID "$1"; }
# renewed UNIT OLD : active, and in another invocation than OLD.
renewed() { active "$1" && [ "$(invocation "$1")" != "$2" ]; }
nothing_outside() { [ "$(lab_outside "$M")" = 0 ]; }
