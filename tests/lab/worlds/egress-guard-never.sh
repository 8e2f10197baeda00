# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill rule was not loaded.
# leak: L9
# kind: egress
# wants: failed - kill-rule
# says: was not loaded
tunnel_world
GUARDED=1
RETRY=1
