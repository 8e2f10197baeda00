# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd-resolved runs on the host, and the client can speak to it.
# leak: L4
# kind: dns
# wants: failed leak helper-reachable
tunnel_world
helper /run/systemd/resolve/io.systemd.Resolve
resolv_client 10.8.0.1
