# SPDX-License-Identifier: LGPL-2.1-or-later
# There is no tunnel that could go down.
# leak: L25
# kind: killswitch
# wants: unproven - no-tunnel-link
tunnel_namespace
service vpn.service vpn sleep 1000
