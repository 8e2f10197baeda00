# SPDX-License-Identifier: LGPL-2.1-or-later
# A client with one process.
# leak: L14 L16
# kind: binding
# wants: passed
client_world
