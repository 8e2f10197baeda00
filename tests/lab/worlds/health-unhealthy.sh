# SPDX-License-Identifier: LGPL-2.1-or-later
# The check says no.
# leak: L25
# kind: health
# wants: failed -
# says: unhealthy
world_internet
container_start --health-cmd='["false"]' --health-interval=1s --health-retries=1
