# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof was killed: its record says that it has not come to its end.
# leak: L25
# kind: gate
# wants: unproven -
# says: not come to its end
tunnel_world
prove_first egress
jq '.pending = true | .verdict = "unproven"' $RECORDS/egress-torrent.json >/run/world-f
cat /run/world-f >$RECORDS/egress-torrent.json
