# SPDX-License-Identifier: LGPL-2.1-or-later
# The check was healthy, hangs since then, and the engine goes on telling the last word.
# leak: L25
# kind: health
# wants: unproven -
# says: comes to no end
world_internet
container_start --health-cmd='["sh", "-c", "test ! -e /tmp/hang || sleep 1000"]' --health-interval=1s --health-timeout=1s
for _ in $(seq 50); do podman healthcheck run db && break; sleep 0.1; done
podman exec db touch /tmp/hang
sleep 5
MAX_AGE=1
