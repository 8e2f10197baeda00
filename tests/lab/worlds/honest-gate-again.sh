# SPDX-License-Identifier: LGPL-2.1-or-later
# The client is restarted, and egress is proved anew each time.
# leak: L10
# kind: gate
# wants: passed
tunnel_world
prove_first egress
prove_gate
service_stop torrent.service
prove_first egress
