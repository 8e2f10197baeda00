# SPDX-License-Identifier: LGPL-2.1-or-later
# A host without quadlet, and one whose disk is full: a failed unit says so; and without any stack there is silence.
# machine: vpn

given_up
client=$(invocation vpn-client.service)
quadlet=/usr/lib/systemd/system-generators/podman-system-generator
on sh -c 'mv /usr/libexec/podman/quadlet /run/quadlet.away; mv '$quadlet' /run/generator.away'
reload
expect_match "without quadlet a failed unit names the version that is needed" 'quadlet.*4\.[4-9]|4\.[4-9].*quadlet' \
        on systemctl show -P Description vpn-failed.service
on sh -c 'mv /run/quadlet.away /usr/libexec/podman/quadlet; mv /run/generator.away '$quadlet
reload
expect "back again, the stack is still up" all_up
expect_equal "and was not disturbed" "$client" "$(invocation vpn-client.service)"

on mount -t tmpfs -o size=64k none /run/systemd/generator
reload
expect_match "a full output directory is said by a failed unit" 'No space left' \
        on systemctl show -P Description vpn-failed.service
expect_equal "and no half of the stack is there" "/run/systemd/generator/vpn-failed.service" \
        "$(on find /run/systemd/generator -name 'vpn-*')"
on umount /run/systemd/generator
reload
expect "with room again, the stack is whole" all_up

# Proofs of a start that is under way would speak as well, and who tells of files that change.
on systemctl stop vpn-changed.path
idle() { ! on systemctl list-jobs --no-legend | grep -q .; }
eventually 30 "given: no job is under way" idle
on mv /etc/unitproof/vpn /etc/unitproof.away
mark
reload
expect_not "without a stack the generator says nothing" said '[Uu]nitproof'
expect_equal "and makes nothing" "" "$(on find /run/systemd/generator -name 'vpn*')"
on mv /etc/unitproof.away /etc/unitproof/vpn
reload
