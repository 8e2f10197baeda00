# SPDX-License-Identifier: LGPL-2.1-or-later
# The importer may only read.
# leak: -
# kind: hardlink
# wants: failed - read-only
data_world
downloader 1000
importer 1000 -p ReadOnlyPaths=$DATA
