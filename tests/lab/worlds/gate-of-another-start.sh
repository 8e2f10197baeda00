# SPDX-License-Identifier: LGPL-2.1-or-later
# Somebody else's start brought a proof while the client still ran; the client then ended, and starts without a new one.
# leak: L10 L25
# kind: gate
# wants: unproven -
# says: older than the last end
tunnel_world
prove_first egress
prove_gate
prove_first egress
service_stop torrent.service
