# SPDX-License-Identifier: LGPL-2.1-or-later
# The provider's resolver is down: nothing resolves, nothing leaks.
# leak: L3
# kind: dns
# wants: passed - silent
tunnel_world
resolv_client 10.8.0.1
