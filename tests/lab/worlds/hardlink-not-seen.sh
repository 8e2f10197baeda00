# SPDX-License-Identifier: LGPL-2.1-or-later
# The importer's directory is another one of the same name.
# leak: -
# kind: hardlink
# wants: failed - not-seen
data_world
mkdir -p /run/other/torrents
downloader 1000
importer 1000 -p BindPaths=/run/other/torrents:$DATA/torrents
