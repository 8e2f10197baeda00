# SPDX-License-Identifier: LGPL-2.1-or-later
# Nobody answers, neither the host nor the tunnel.
# leak: L25
# kind: egress
# wants: unproven - no-answer
tunnel_world
stop "$echo_pid"
