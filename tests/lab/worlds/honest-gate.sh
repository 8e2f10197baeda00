# SPDX-License-Identifier: LGPL-2.1-or-later
# Proved a moment ago, about this tunnel.
# leak: L9
# kind: gate
# wants: passed
tunnel_world
prove_first egress
