# SPDX-License-Identifier: LGPL-2.1-or-later
# It has not said anything yet.
# leak: L25
# kind: health
# wants: unproven -
# says: still "starting"
world_internet
container_start --health-cmd='["sleep", "60"]' --health-interval=60s
TIMEOUT=5
