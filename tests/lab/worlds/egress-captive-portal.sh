# SPDX-License-Identifier: LGPL-2.1-or-later
# A captive portal answers instead of the echo server.
# leak: L25
# kind: egress
# wants: unproven - odd-answer
tunnel_world
stop "$echo_pid"
echo_start --say '<html>Please log in</html>' 198.51.100.10
SOURCES=(--echo "$ECHO4")
