# SPDX-License-Identifier: LGPL-2.1-or-later
# A program that repeats what it was told.
# leak: L25
# kind: engine
# wants: failed -
# says: did not answer
world_internet
engine_stand_in 'echo "${@: -1}"'
