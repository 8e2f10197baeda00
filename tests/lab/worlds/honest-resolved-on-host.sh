# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd-resolved and nscd run on the host, and the client sees neither.
# leak: L4
# kind: dns
# wants: passed - through-tunnel
tunnel_world
helper /run/systemd/resolve/io.systemd.Resolve
helper /run/nscd/socket
resolver prov 10.8.0.1 53
PROPERTIES=(-p "InaccessiblePaths=/run/systemd/resolve /run/nscd")
resolv_client 10.8.0.1
