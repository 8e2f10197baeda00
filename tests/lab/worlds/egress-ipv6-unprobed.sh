# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv6 goes into the tunnel, and no source could tell where it comes out.
# leak: L2
# kind: egress
# wants: unproven - family-unprobed
tunnel_world
SOURCES=(--echo "$ECHO4")
