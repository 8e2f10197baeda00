# SPDX-License-Identifier: LGPL-2.1-or-later
# All worlds: each must come to the verdict that it names.
# machine: worlds

[ -n "$build" ] || skip "the build is not known"
"$LAB_SOURCE/worlds/run" --on "$M" "$build"
report $? "no false pass, no false failure, no other verdict" "see above"
