# SPDX-License-Identifier: LGPL-2.1-or-later
# systemd listens in the host's network and hands the socket to the client, for its web page: an escape.
# leak: L14
# kind: binding
# wants: failed leak
# says: socket of another network namespace
client_world
service_stop torrent.service
systemd-run -q --collect --unit=torrent --socket-property=ListenStream=127.0.0.1:8099 \
        -p NetworkNamespacePath=/run/netns/vpn -p Type=exec -- sleep 1000
echo torrent.socket >>/run/world-units
echo torrent.service >>/run/world-units
systemctl start torrent.service
