# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's packets leave from another namespace: nothing here shows that a leak would be seen.
# leak: L8 L25
# kind: killswitch
# wants: unproven - no-carrier
tunnel_world
