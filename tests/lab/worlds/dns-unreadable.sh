# SPDX-License-Identifier: LGPL-2.1-or-later
# There is no telling whom the client asks: its resolv.conf is no file.
# leak: L3 L25
# kind: dns
# wants: unproven - no-resolv-conf
tunnel_world
mkdir /run/world-dir
PROPERTIES=(-p TemporaryFileSystem=/etc:ro -p BindReadOnlyPaths=/run/world-dir:/etc/resolv.conf)
client_start
PROPERTIES=()
