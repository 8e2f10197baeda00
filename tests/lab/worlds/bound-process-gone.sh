# SPDX-License-Identifier: LGPL-2.1-or-later
# The process that the runtime names has ended.
# leak: L25
# kind: bound
# wants: unproven -
# says: is gone
client_world
BOUND=4194300
