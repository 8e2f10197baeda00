# SPDX-License-Identifier: LGPL-2.1-or-later
# A container that joins the tunnel.
# leak: L9 L16
# kind: bound
# wants: passed
client_world
