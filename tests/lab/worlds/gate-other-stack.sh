# SPDX-License-Identifier: LGPL-2.1-or-later
# A record of another stack's client of the same name.
# leak: L25
# kind: gate
# wants: unproven -
tunnel_world
prove_first egress
sed -i 's/"stack": "s"/"stack": "t"/' $RECORDS/egress-torrent.json
