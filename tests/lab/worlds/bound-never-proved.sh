# SPDX-License-Identifier: LGPL-2.1-or-later
# Nobody proved egress.
# leak: L9 L25
# kind: bound
# wants: unproven -
# says: is missing
tunnel_world
client_start
