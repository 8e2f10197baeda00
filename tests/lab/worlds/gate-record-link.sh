# SPDX-License-Identifier: LGPL-2.1-or-later
# The record is a symbolic link to one that says "passed".
# leak: L25
# kind: gate
# wants: unproven -
tunnel_world
prove_first egress
mv $RECORDS/egress-torrent.json /run/world-record
ln -s /run/world-record $RECORDS/egress-torrent.json
