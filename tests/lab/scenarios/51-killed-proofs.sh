# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof of each kind is killed at random points: nothing old counts, nothing is left open or behind, the next run is right.
# machine: worlds
# on request: long: 10 to 20 min

[ -n "$build" ] || skip "the build is not known"
"$LAB_SOURCE/worlds/run" --on "$M" --kills 20 "$build"
report $? "each kind bears to be killed" "see above"
