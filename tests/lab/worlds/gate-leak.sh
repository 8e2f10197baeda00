# SPDX-License-Identifier: LGPL-2.1-or-later
# The proof found a leak.
# leak: L1
# kind: gate
# wants: failed -
# says: says "failed"
tunnel_world
ip -n vpn route replace default via 10.77.0.1 dev eth0
prove_anyhow egress
