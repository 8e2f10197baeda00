# SPDX-License-Identifier: LGPL-2.1-or-later
# A kernel module has put a link into every namespace; it is down and carries nothing.
# leak: L1
# kind: binding
# wants: passed
client_world
ip -n vpn link add eth7 type veth peer name eth8
