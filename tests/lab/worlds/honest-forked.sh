# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd has forked a process of the client, and it has not entered its namespace yet: it stands in the host's.
# leak: L16
# kind: binding
# wants: passed
client_world
service_stop torrent.service
mkfifo /run/world-hold
PROPERTIES=(-p StandardInput=file:/run/world-hold)
TYPE=simple client_start
PROPERTIES=()
background bash -c 'sleep 0.7; : >/run/world-hold'
