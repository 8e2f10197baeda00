# SPDX-License-Identifier: LGPL-2.1-or-later
# A shell of root on the host links what the service may not: the proof takes the service's place, not root's.
# leak: L25
# kind: hardlink
# wants: failed - forbidden
data_world
chmod 755 $DATA/movies
chown 0:0 $DATA/movies
downloader 1000
importer 1000
ln "$(mktemp -p $DATA/torrents)" $DATA/movies/by-root
