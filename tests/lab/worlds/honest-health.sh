# SPDX-License-Identifier: LGPL-2.1-or-later
# The check says yes, after a moment.
# leak: -
# kind: health
# wants: passed
world_internet
container_start --health-cmd='["true"]' --health-interval=1s
