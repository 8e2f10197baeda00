# SPDX-License-Identifier: LGPL-2.1-or-later
# The link is up, the far end is dead: silence is no proof of anything.
# leak: L8
# kind: egress
# wants: unproven - inside-silent
tunnel_world
ip -n prov link set p0 down
