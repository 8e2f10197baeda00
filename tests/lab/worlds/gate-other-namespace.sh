# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's processes of now stand in another namespace than the proved one.
# leak: L16
# kind: gate
# wants: unproven -
# says: another network namespace
tunnel_world
prove_first egress
ip netns add other
join vpn.service other sleep 1000
kill -9 "$(systemctl show -P MainPID vpn.service)"; echo "$service_pid" >/dev/null
