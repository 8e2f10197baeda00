# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's process is gone and its interface with it; nothing falls back.
# leak: L10
# kind: egress
# wants: unproven - -
# says: not active|no process
tunnel_world
service_stop vpn.service
