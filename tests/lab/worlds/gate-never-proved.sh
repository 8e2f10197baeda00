# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof unit is masked, missing or skipped, and the client starts all the same.
# leak: L9 L25
# kind: gate
# wants: unproven -
# says: missing
tunnel_world
