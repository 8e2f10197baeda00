# SPDX-License-Identifier: LGPL-2.1-or-later
# The echo server says the same address to everybody.
# leak: L25
# kind: egress
# wants: failed leak same-address
tunnel_world
stop "$echo_pid"
echo_start --say 203.0.113.50 198.51.100.10
SOURCES=(--echo "$ECHO4")
