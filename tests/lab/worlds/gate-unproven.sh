# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof could not see.
# leak: L25
# kind: gate
# wants: unproven -
# says: says "unproven"
tunnel_world
stop "$echo_pid"
prove_anyhow egress --retry-for 0
