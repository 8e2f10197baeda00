# SPDX-License-Identifier: LGPL-2.1-or-later
# One file system, mounted twice in the importer.
# leak: -
# kind: hardlink
# wants: failed - separate-mounts
data_world
downloader 1000
importer 1000 -p BindPaths=$DATA/movies
