# SPDX-License-Identifier: LGPL-2.1-or-later
# avahi runs on the host, and its socket is in the client's file system.
# leak: L4 L20
# kind: dns
# wants: failed leak helper-reachable
tunnel_world
helper /run/avahi-daemon/socket
resolv_client 10.8.0.1
