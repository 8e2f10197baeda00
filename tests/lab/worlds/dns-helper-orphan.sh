# SPDX-License-Identifier: LGPL-2.1-or-later
# A name service whose process cannot be found answers in the client's file system.
# leak: L4 L25
# kind: dns
# wants: unproven - helper-unknown
tunnel_world
helper /run/nscd/socket orphan
resolv_client 10.8.0.1
