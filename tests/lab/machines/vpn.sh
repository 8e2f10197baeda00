# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The small stack that most scenarios need.
lab_stack "$1" "$LAB_SOURCE/stacks/vpn" vpn
lab_env "$1" vpn
install -d -o 1000 -g 1000 "$LAB/machines/$1"/srv/data{,/torrents,/movies}
