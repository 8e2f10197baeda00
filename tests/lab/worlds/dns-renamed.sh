# SPDX-License-Identifier: LGPL-2.1-or-later
# Somebody renames a new resolv.conf over the host's: the mount over it in the running client is gone, and it reads the host's.
# leak: L5
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
resolv_client 10.8.0.1
echo 'nameserver 10.77.0.1' >/etc/resolv.conf.new
mv /etc/resolv.conf.new /etc/resolv.conf
