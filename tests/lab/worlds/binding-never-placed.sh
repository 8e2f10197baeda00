# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd does not come to put the client into its namespace: nothing of it has run, and nothing is known.
# leak: L16
# kind: binding
# wants: unproven
# says: has a process that systemd has not put into its place yet
client_world
service_stop torrent.service
mkfifo /run/world-hold
PROPERTIES=(-p StandardInput=file:/run/world-hold)
TYPE=simple client_start
PROPERTIES=()
