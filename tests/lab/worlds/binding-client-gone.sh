# SPDX-License-Identifier: LGPL-2.1-or-later
# The client has ended.
# leak: L25
# kind: binding
# wants: unproven -
# says: is not active
client_world
service_stop torrent.service
