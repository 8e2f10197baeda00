# SPDX-License-Identifier: LGPL-2.1-or-later
# The library is not there: an empty mount point, a disk that did not come.
# leak: -
# kind: hardlink
# wants: unproven - missing-directory
data_world
downloader 1000
importer 1000
TO=$DATA/nowhere
