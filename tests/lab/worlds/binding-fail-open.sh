# SPDX-License-Identifier: LGPL-2.1-or-later
# The whole client runs in the host's network, as where systemd is not permitted to enter the namespace and goes on without.
# leak: L16
# kind: binding
# wants: failed leak
# says: runs in the host's network namespace
client_world
restart torrent.service host sleep 1000
