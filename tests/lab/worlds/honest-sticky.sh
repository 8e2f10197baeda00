# SPDX-License-Identifier: LGPL-2.1-or-later
# A library with the sticky bit.
# leak: -
# kind: hardlink
# wants: passed
data_world
chmod 1777 $DATA/movies
downloader 1000
importer 1000
