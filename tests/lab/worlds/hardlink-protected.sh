# SPDX-License-Identifier: LGPL-2.1-or-later
# Another user, and files that it may not write: the kernel protects hardlinks.
# leak: -
# kind: hardlink
# wants: failed - protected-hardlinks
data_world
chmod 777 $DATA/*
downloader 1000
importer 1001
