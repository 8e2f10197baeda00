# SPDX-License-Identifier: LGPL-2.1-or-later
# Podman, real.
# leak: -
# kind: engine
# wants: passed
world_internet
