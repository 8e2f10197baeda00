# SPDX-License-Identifier: LGPL-2.1-or-later
# An earlier start of the client has used this record: the proof did not run for this one.
# leak: L25
# kind: gate
# wants: unproven -
# says: older than the last end|used by an earlier start
tunnel_world
prove_first egress
prove_gate
service_stop torrent.service
