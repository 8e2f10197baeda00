# SPDX-License-Identifier: LGPL-2.1-or-later
# The library is on another file system.
# leak: -
# kind: hardlink
# wants: failed - other-file-system
data_world
downloader 1000
importer 1000 -p TemporaryFileSystem=$DATA/movies:uid=1000,mode=0755
