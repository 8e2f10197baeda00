# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd's own sandbox: two ReadWritePaths= are two mounts, though nobody mounted anything.
# leak: -
# kind: hardlink
# wants: failed - separate-mounts
data_world
downloader 1000
importer 1000 -p ProtectSystem=strict -p "ReadWritePaths=$DATA/torrents $DATA/movies"
