# SPDX-License-Identifier: LGPL-2.1-or-later
# The same, asked again at once: the kernel seeks nobody whom it has not found just now.
# leak: L3
# kind: dns
# wants: unproven - unclear-way
tunnel_world
resolv_client 10.77.0.9
prove_anyhow dns
prove_anyhow dns
