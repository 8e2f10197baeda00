# SPDX-License-Identifier: LGPL-2.1-or-later
# A tunnel with the kill rule and no rule of its own.
# leak: L9
# kind: egress
# wants: passed - through-tunnel
tunnel_world
guard_load
