# SPDX-License-Identifier: LGPL-2.1-or-later
# The importer has ended.
# leak: L25
# kind: hardlink
# wants: unproven -
# says: is not active
data_world
downloader 1000
