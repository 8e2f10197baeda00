# SPDX-License-Identifier: LGPL-2.1-or-later
# 300 ms each way.
# leak: L25
# kind: egress
# wants: passed - through-tunnel
tunnel_world --delay 300
MORE=(--probe-timeout 3)
