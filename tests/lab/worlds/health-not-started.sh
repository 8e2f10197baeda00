# SPDX-License-Identifier: LGPL-2.1-or-later
# The unit is not active.
# leak: L25
# kind: health
# wants: unproven -
# says: not active
world_internet
