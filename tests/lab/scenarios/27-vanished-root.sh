# SPDX-License-Identifier: LGPL-2.1-or-later
# The data root is a mount that goes away under running writers: they stop, write nothing into the empty mount point, and come back.
# machine: vpn

given_down
writers_up() { active vpn-client.service && active vpn-importer.service; }
writers_down() { ! active vpn-client.service && ! active vpn-importer.service; }
client_up_alone() { active vpn-client.service && ! active vpn-importer.service; }
# only_the_client_returns TEXT : the mount goes and is back; the importer was stopped by hand.
only_the_client_returns() {
        on umount /srv/data
        eventually 30 "$1: the mount goes" writers_down
        on mount --bind /srv/disk /srv/data
        eventually 60 "$1: the client comes back, and the importer does not" client_up_alone
        throughout 3 "$1: and it stays so" client_up_alone
}
nothing_written() { [ -z "$(on ls -A /srv/data)" ]; }
mount_file() { printf '%s\n' '[Mount]' Where=/srv/data $1 | lab_file "$M" /etc/systemd/system/srv-data.mount; }

on mv /srv/data /srv/disk
on mkdir /srv/data
mount_file 'What=/srv/disk Type=none Options=bind'
edit 's|^x-unitproof:|&\n  data: [{path: /srv/data, mount: true}]|'
reload
start_target
eventually 90 "the stack comes up, and the mount with it" all_up
expect "it is mounted" on mountpoint -q /srv/data
expect_match "the hardlink proof names the mount point" '^/srv/data$' record hardlink importer evidence.source.mount.on_host

mark
tunnel=$(invocation vpn-tunnel.service)
on umount /srv/data
eventually 30 "the writers stop when the mount goes" writers_down
expect_equal "the tunnel goes on" "$tunnel" "$(invocation vpn-tunnel.service)"
expect "nothing is in the empty mount point" nothing_written
expect_not "that was no word of the operator's" on test -e /run/unitproof/vpn/held-client
throughout 5 "nobody mounts it again" writers_down
expect_not "it is not mounted" on mountpoint -q /srv/data
# As with a disk that is unplugged: systemd would mount it, and cannot.
mount_file 'What=/srv/unplugged Type=ext4'
reload
expect_not "a writer cannot be started without the mount" on systemctl start vpn-importer.service
on systemctl start --no-block vpn-client.service
throughout 3 "nor a client" writers_down
expect "nothing is in the empty mount point" nothing_written

on mount --bind /srv/disk /srv/data
eventually 60 "they come back with the mount, whoever has mounted it" writers_up

# A loose cable: back before the writers have come to rest. That too is no stop by hand.
for writer in client importer; do
    printf '%s\n' '[Service]' 'ExecStop=sleep 3' | lab_file "$M" /etc/systemd/system/vpn-$writer.service.d/slow.conf
done
reload
mark
before="$(invocation vpn-client.service) $(invocation vpn-importer.service)"
writers_new() { writers_up && [ "$(invocation vpn-client.service)" != "${before% *}" ] && [ "$(invocation vpn-importer.service)" != "${before#* }" ]; }
on umount /srv/data
on sleep 1
expect "a writer is on its way down" test "$(on systemctl is-active vpn-importer.service)" = deactivating
on mount --bind /srv/disk /srv/data
eventually 60 "they come back as well if the mount is back at once" writers_new
expect_not "nobody has stopped one by hand" said 'was stopped by hand'
# Stopped by hand, and the mount goes before that has ended: that is one all the same.
on systemctl stop --no-block vpn-importer.service
on sleep 1
only_the_client_returns "while it is being stopped by hand"
on systemctl start vpn-importer.service
on rm -r /etc/systemd/system/vpn-client.service.d /etc/systemd/system/vpn-importer.service.d
reload

on systemctl stop vpn-importer.service
only_the_client_returns "stopped by hand"
on systemctl start vpn-importer.service
expect "a start by hand brings it up" active vpn-importer.service

on systemctl stop vpn.target
eventually 30 "the stack is stopped" all_down
on umount /srv/data
on mount --bind /srv/disk /srv/data
throughout 3 "a mount starts nothing of a stack that is stopped" all_down

on umount /srv/data
on rm /etc/systemd/system/srv-data.mount
on rmdir /srv/data
on mv /srv/disk /srv/data
