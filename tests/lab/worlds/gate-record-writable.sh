# SPDX-License-Identifier: LGPL-2.1-or-later
# Others may write the record.
# leak: L25
# kind: gate
# wants: unproven -
# says: not owned by root, or others may write
tunnel_world
prove_first egress
chmod 666 $RECORDS/egress-torrent.json
