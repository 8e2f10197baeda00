# SPDX-License-Identifier: LGPL-2.1-or-later
# The data root is a symbolic link.
# leak: -
# kind: hardlink
# wants: passed
data_world
ln -s $DATA /run/link
downloader 1000
importer 1000
FROM=/run/link/torrents TO=/run/link/movies
