# SPDX-License-Identifier: LGPL-2.1-or-later
# Nobody proved egress.
# leak: L25
# kind: binding
# wants: unproven -
# says: is missing
tunnel_world
client_start
