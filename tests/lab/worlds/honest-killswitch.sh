# SPDX-License-Identifier: LGPL-2.1-or-later
# Rules that look at the link first, and at frames: nothing gets out, interface down or server silent.
# leak: L6 L7 L8 L11 L12 L13 L23
# kind: killswitch
# wants: passed - closed
carried_world
