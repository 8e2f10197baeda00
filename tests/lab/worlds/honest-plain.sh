# SPDX-License-Identifier: LGPL-2.1-or-later
# A TUN device and a process that carries its packets, as OpenVPN has it: both families, HTTP and STUN.
# leak: L1 L2 L22
# kind: egress
# wants: passed - through-tunnel
tunnel_world
