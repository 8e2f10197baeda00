# SPDX-License-Identifier: LGPL-2.1-or-later
# Without a detector some world comes out otherwise: each detector is switched off in turn.
# machine: worlds
# on request: long: a build of its own and a hundred worlds, 10 min

[ -n "$build" ] || skip "the build is not known"
mutant=$build-mutations
[ -e "$mutant/build.ninja" ] || meson setup -Dmutations=true "$mutant" "$LAB_SOURCE/../.." >/dev/null || exit 1
meson compile -C "$mutant" unitproof-prove unitproof-probe unitproof-gate unitproof-netns >"$mutant/log" 2>&1 ||
        { tail -n 20 "$mutant/log"; exit 1; }
"$LAB_SOURCE/worlds/run" --on "$M" --mutations "$mutant" "$build"
report $? "each detector is missed by its worlds" "see above"
lab_install "$M" "$build"
