# SPDX-License-Identifier: LGPL-2.1-or-later
# Others may write in the directory of records, and could put another record there.
# leak: L25
# kind: gate
# wants: unproven -
# says: not owned by root, or others may write
tunnel_world
prove_first egress
chmod 777 $RECORDS
