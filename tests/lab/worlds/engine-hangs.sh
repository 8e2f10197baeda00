# SPDX-License-Identifier: LGPL-2.1-or-later
# An engine that hangs.
# leak: L25
# kind: engine
# wants: unproven -
# says: did not finish
world_internet
engine_stand_in 'exec sleep 1000'
TIMEOUT=0.5
