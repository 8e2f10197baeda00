# SPDX-License-Identifier: LGPL-2.1-or-later
# No echo server answers: what is silent with the tunnel down was silent before.
# leak: L25
# kind: killswitch
# wants: unproven - no-control
carried_world
stop "$echo_pid"
