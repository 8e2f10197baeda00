# SPDX-License-Identifier: LGPL-2.1-or-later
# Worlds: each must come to the verdict that it names. One in eight, or all of them with UNITPROOF_TESTS=all.
# machine: worlds

[ -n "$build" ] || skip "the build is not known"
worlds=()
[ "${UNITPROOF_TESTS:-}" = all ] ||
        mapfile -t worlds < <(cd "$LAB_SOURCE/worlds" && printf '%s\n' *.sh | sed 's/\.sh$//' | awk 'NR % 8 == 1')
"$LAB_SOURCE/worlds/run" --on "$M" "$build" "${worlds[@]}"
report $? "no false pass, no false failure, no other verdict" "see above"
