# SPDX-License-Identifier: LGPL-2.1-or-later
# A resolver next door, which the kill rule closes.
# leak: L3
# kind: dns
# wants: passed - silent
tunnel_world
resolver host 10.77.0.1 53
guard_load
resolv_client 10.8.0.1
