# SPDX-License-Identifier: LGPL-2.1-or-later
# A client with 300 processes.
# leak: L16
# kind: binding
# wants: passed
client_world
join torrent.service vpn "$TOOLS/odd" crowd 300
sleep 0.3
