# SPDX-License-Identifier: LGPL-2.1-or-later
# The record is of a time that has not come yet.
# leak: L25
# kind: gate
# wants: unproven -
# says: has not come yet
tunnel_world
prove_first egress
record_age -7200
