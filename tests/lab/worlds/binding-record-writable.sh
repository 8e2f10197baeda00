# SPDX-License-Identifier: LGPL-2.1-or-later
# Others than root may write the record of egress.
# leak: L25
# kind: binding
# wants: unproven -
# says: not owned by root, or others may write
client_world
chmod 666 $RECORDS/egress-torrent.json
