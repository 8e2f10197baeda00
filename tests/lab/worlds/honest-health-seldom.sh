# SPDX-License-Identifier: LGPL-2.1-or-later
# The check runs seldom, so its last word is old; it is run once more.
# leak: -
# kind: health
# wants: passed
world_internet
container_start --health-cmd='["true"]' --health-interval=1h
podman healthcheck run db
sleep 5
MAX_AGE=1
