# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill rule is there, before the client's first instruction and after.
# leak: L9
# kind: binding
# wants: passed
tunnel_world
guard_load
client_start
prove_first egress
prove_anyhow bound
grep -q 'bound of torrent: passed' /run/world-output || exit 4
