# SPDX-License-Identifier: LGPL-2.1-or-later
# The resolver has an address on the uplink that nobody has now.
# leak: L3
# kind: dns
# wants: unproven - unclear-way
tunnel_world
resolv_client 10.77.0.9
