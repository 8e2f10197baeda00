# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd's sandbox with one ReadWritePaths= for the whole data root.
# leak: -
# kind: hardlink
# wants: passed
data_world
downloader 1000 -p ProtectSystem=strict -p ReadWritePaths=$DATA
importer 1000 -p ProtectSystem=strict -p ReadWritePaths=$DATA -p ProtectHome=yes -p PrivateTmp=yes
