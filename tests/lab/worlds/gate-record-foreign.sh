# SPDX-License-Identifier: LGPL-2.1-or-later
# The record is another user's.
# leak: L25
# kind: gate
# wants: unproven -
# says: not owned by root
tunnel_world
prove_first egress
chown 4242 $RECORDS/egress-torrent.json
