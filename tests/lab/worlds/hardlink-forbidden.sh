# SPDX-License-Identifier: LGPL-2.1-or-later
# The importer may not write into its library.
# leak: -
# kind: hardlink
# wants: failed - forbidden
data_world
downloader 1000 -p UMask=000
importer 1001
