# SPDX-License-Identifier: LGPL-2.1-or-later
# A record about another tunnel.
# leak: L25
# kind: gate
# wants: unproven -
# says: about another unit
tunnel_world
prove_first egress
service other.service vpn sleep 1000
REQUIRE=(--require egress:torrent:other.service)
