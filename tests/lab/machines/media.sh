# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The bundled stack as an operator would have it: a copy, with the .env of this provider's customer, and a
# data root that belongs to PUID.
lab_stack "$1" "$LAB_SOURCE/../../docs/examples/media" media
lab_env "$1" media
install -d -o 1000 -g 1000 "$LAB/machines/$1/srv/media"
