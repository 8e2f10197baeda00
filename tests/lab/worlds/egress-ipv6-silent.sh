# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv6 goes into the tunnel, and nothing comes out at the other end.
# leak: L2
# kind: egress
# wants: unproven -
# says: IPv6
tunnel_world
nft_in prov 'table ip6 f { chain f { type filter hook forward priority 0; drop; }; }'
