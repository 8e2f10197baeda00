# SPDX-License-Identifier: LGPL-2.1-or-later
# The client talks to the hypervisor, which no network namespace is in the way of.
# leak: L23
# kind: binding
# wants: failed leak
# says: AF_VSOCK
client_world
join torrent.service vpn "$TOOLS/odd" vsock
