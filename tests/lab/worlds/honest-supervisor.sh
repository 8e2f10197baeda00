# SPDX-License-Identifier: LGPL-2.1-or-later
# The image starts as root and runs the application as somebody else.
# leak: -
# kind: hardlink
# wants: passed
data_world
downloader 0
join torrent.service host setpriv --reuid 1000 --regid 1000 --clear-groups sleep 1000
importer 0
join radarr.service host setpriv --reuid 1000 --regid 1000 --clear-groups sleep 1000
