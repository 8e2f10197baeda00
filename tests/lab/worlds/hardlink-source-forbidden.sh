# SPDX-License-Identifier: LGPL-2.1-or-later
# The downloader may not write where it downloads.
# leak: -
# kind: hardlink
# wants: failed - source-forbidden
data_world
chown 0:0 $DATA/torrents
downloader 1000
importer 1000
