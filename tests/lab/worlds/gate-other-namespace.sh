# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's processes of now stand in another namespace than the proved one, though its unit was not restarted.
# leak: L16
# kind: gate
# wants: unproven -
# says: another network namespace
tunnel_world
ip netns add other
service_stop vpn.service
PROPERTIES=(-p ExitType=cgroup)
tunnel_start
PROPERTIES=()
tunnel_ready
prove_first egress
join vpn.service other sleep 1000
kill -9 "$(systemctl show -P MainPID vpn.service)"
