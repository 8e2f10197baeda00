# SPDX-License-Identifier: LGPL-2.1-or-later
# A process in the host's network hides in a control group below the client's.
# leak: L16
# kind: binding
# wants: failed leak
# says: runs in the host's network namespace
client_world
mkdir -p "$CGROUP/torrent.service/inner"
join torrent.service host sleep 1000
echo "$service_pid" >"$CGROUP/torrent.service/inner/cgroup.procs"
