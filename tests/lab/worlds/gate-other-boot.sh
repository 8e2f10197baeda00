# SPDX-License-Identifier: LGPL-2.1-or-later
# The record is of another boot.
# leak: L25
# kind: gate
# wants: unproven -
# says: another boot
tunnel_world
prove_first egress
sed -i 's/"boot_id": "................/"boot_id": "0123456789abcdef/' $RECORDS/egress-torrent.json
