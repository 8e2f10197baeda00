# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The machine's own small internet makes room for that of the worlds; and users for their services.
etc=$LAB/machines/$1/root/etc
rm -f "$etc"/systemd/system/{network-online,multi-user}.target.wants/lab-*
printf '%s\n' downloads:x:1000:1000::/:/bin/sh library:x:1001:1001::/:/bin/sh client:x:4242:4242::/:/bin/sh >>"$etc/passwd"
printf '%s\n' downloads:x:1000: library:x:1001: client:x:4242: >>"$etc/group"
