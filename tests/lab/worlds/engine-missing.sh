# SPDX-License-Identifier: LGPL-2.1-or-later
# Podman is not there.
# leak: L25
# kind: engine
# wants: failed -
world_internet
mount --bind /dev/null /usr/bin/podman
