# SPDX-License-Identifier: LGPL-2.1-or-later
# There is no check, neither in the file nor in the image.
# leak: L25
# kind: health
# wants: unproven -
# says: no health check
world_internet
container_start
