# SPDX-License-Identifier: LGPL-2.1-or-later
# The healthy container of that name is another unit's.
# leak: L25
# kind: health
# wants: unproven -
world_internet
container_start --health-cmd='["true"]' --health-interval=1s
systemd-run -q --collect --unit=other.service -- sleep 1000
echo other.service >>/run/world-units
MORE=(--unit other.service)
