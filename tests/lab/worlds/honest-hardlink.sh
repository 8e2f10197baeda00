# SPDX-License-Identifier: LGPL-2.1-or-later
# One directory, two services, one user.
# leak: -
# kind: hardlink
# wants: passed
data_world
downloader 1000
importer 1000
