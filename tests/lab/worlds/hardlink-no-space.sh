# SPDX-License-Identifier: LGPL-2.1-or-later
# The file system of the downloads is full.
# leak: -
# kind: hardlink
# wants: failed - no-space
data_world
mount -t tmpfs -o size=8k,nr_inodes=3,uid=1000 tmpfs $DATA/torrents
touch $DATA/torrents/{a,b}
downloader 1000
importer 1000
