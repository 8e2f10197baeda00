# SPDX-License-Identifier: LGPL-2.1-or-later
# A client runs already: the outage would show, or hide, what it does. Nothing is done, nothing is claimed.
# leak: L9
# kind: killswitch
# wants: unproven - clients-run
carried_world
client_start
MORE+=(--client-units torrent.service)
