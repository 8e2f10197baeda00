# SPDX-License-Identifier: LGPL-2.1-or-later
# No engine: services of the host.
# leak: -
# kind: engine
# wants: passed
world_internet
ENGINE=native
