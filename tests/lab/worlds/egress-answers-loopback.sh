# SPDX-License-Identifier: LGPL-2.1-or-later
# The answer is 127.0.0.1, which scripts store as the external address when the look-up failed.
# leak: L25
# kind: egress
# wants: unproven - odd-answer
tunnel_world
stop "$echo_pid"
echo_start --say 127.0.0.1 198.51.100.10
SOURCES=(--echo "$ECHO4")
