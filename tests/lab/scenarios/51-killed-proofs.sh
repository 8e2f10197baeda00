# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof of each kind is killed at random points: nothing old counts, nothing is left open or behind, the next run is right.
# machine: worlds
# on request: 20 kills for each kind take more than ten minutes

[ -n "$build" ] || skip "the build is not known"
"$LAB_SOURCE/worlds/run" --on "$M" --kills 20 "$build"
report $? "each kind bears to be killed" "see above"
