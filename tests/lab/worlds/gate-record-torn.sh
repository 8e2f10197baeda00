# SPDX-License-Identifier: LGPL-2.1-or-later
# Half a record.
# leak: L25
# kind: gate
# wants: unproven -
# says: malformed
tunnel_world
prove_first egress
truncate -s 200 $RECORDS/egress-torrent.json
