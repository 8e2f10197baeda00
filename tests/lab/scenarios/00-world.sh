# SPDX-License-Identifier: LGPL-2.1-or-later
# The lab itself: the small internet answers, and the capture point sees what it is there to see.
# machine: plain

. "$LAB_SOURCE/guest/etc/lab/world.conf"

expect_equal "the machine has nothing to complain about" running "$(on systemctl is-system-running --wait)"
expect_equal "echo A sees the host's IPv4 address" "$HOST4" "$(on curl -s "http://$ECHO4_A/")"
expect_equal "echo B sees the host's IPv6 address" "$HOST6" "$(on curl -s "http://[$ECHO6_B]/")"
expect_equal "nothing was counted yet" "0 0" "$(lab_outside "$M") $(lab_tunnelled "$M")"

on podman run -d --quiet --name outside --network podman lab/client:1 >/dev/null
counted_outside() { [ "$(lab_outside "$M")" -gt 0 ]; }
eventually 10 "a client outside of a tunnel is counted" counted_outside
on podman rm -f -t 0 outside >/dev/null
