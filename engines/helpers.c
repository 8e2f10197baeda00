/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engines/helpers.h"

const HelperRow helper_rows[HELPERS_MAX] = {
        { "/run/nscd/socket", "nscd", HELPER_RESOLVER },
        { "/var/run/nscd/socket", "nscd", HELPER_RESOLVER },
        { "/run/systemd/resolve/io.systemd.Resolve", "systemd-resolved", HELPER_RESOLVER },
        { "/run/systemd/resolve/io.systemd.Resolve.Monitor", "systemd-resolved", HELPER_RESOLVER },
        { "/run/avahi-daemon/socket", "avahi", HELPER_RESOLVER },
        { "/var/run/avahi-daemon/socket", "avahi", HELPER_RESOLVER },
        { "/var/lib/sss/pipes/nss", "sssd", HELPER_RESOLVER },
        { "/run/dbus/system_bus_socket", "the system bus", HELPER_BUS },
        { "/var/run/dbus/system_bus_socket", "the system bus", HELPER_BUS },
        { "/run/podman/podman.sock", "podman", HELPER_ENGINE },
        { "/var/run/podman/podman.sock", "podman", HELPER_ENGINE },
        { "/run/docker.sock", "docker", HELPER_ENGINE },
        { "/var/run/docker.sock", "docker", HELPER_ENGINE },
        { "/run/containerd/containerd.sock", "containerd", HELPER_ENGINE },
        { "/run/crio/crio.sock", "cri-o", HELPER_ENGINE },
        { "/run/systemd/private", "systemd", HELPER_ENGINE },
};
