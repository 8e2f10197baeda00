# SPDX-License-Identifier: LGPL-2.1-or-later
# An engine that cannot start containers.
# leak: L25
# kind: engine
# wants: failed -
# says: exit status 125
world_internet
engine_stand_in 'echo "cannot set up namespace" >&2; exit 125'
