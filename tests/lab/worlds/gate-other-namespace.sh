# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's processes of now stand in another namespace than the proved one, though its unit was not restarted.
# leak: L16
# kind: gate
# wants: unproven -
# says: another network namespace
tunnel_world
ip netns add other
prove_first egress
join vpn.service other sleep 1000
systemctl show -P MainPID vpn.service >/sys/fs/cgroup/init.scope/cgroup.procs
