# SPDX-License-Identifier: LGPL-2.1-or-later
# Two users, one group, UMASK=002.
# leak: -
# kind: hardlink
# wants: passed
data_world
chmod 2775 $DATA/*
downloader 1000 -p UMask=002
importer 1001 -p Group=1000
