/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/compose.h"

/* What becomes of every service key of the specification when a stack is compiled to quadlets.
 * Whoever lowers a key goes by its row; the documentation's table is made from these rows. */

#define MAPPED(k)                                                                                            \
        { k, KEY_MAPPED, NULL }
#define DIFFERENT(k, why)                                                                                    \
        { k, KEY_DIFFERENT, why }
#define HARMLESS(k, why)                                                                                     \
        { k, KEY_HARMLESS, why }
#define REFUSED(k, why)                                                                                      \
        { k, KEY_REFUSED, why }

static const char windows[] = "applies to Windows containers only; engines on Linux ignore it";
static const char cgroup1[] = "has no effect with the unified cgroup hierarchy, which systemd needs";

const KeyRow compose_service_keys[] = {
        MAPPED("annotations"),
        HARMLESS("attach", "output goes to the journal in any case"),
        MAPPED("blkio_config"),
        DIFFERENT("build", "built by Podman once for each start of the stack, from its cache where nothing "
                           "changed; cache_from, cache_to, provenance, sbom and "
                           "entitlements are BuildKit's and left out"),
        MAPPED("cap_add"),
        MAPPED("cap_drop"),
        MAPPED("cgroup"),
        DIFFERENT("cgroup_parent", "has to be a slice of systemd; other control groups are refused"),
        MAPPED("command"),
        DIFFERENT("configs",
                  "mounted read-only from 'file:', 'content:' or 'environment:'; external ones are refused"),
        MAPPED("container_name"),
        HARMLESS("cpu_count", windows),
        HARMLESS("cpu_percent", windows),
        MAPPED("cpu_period"),
        MAPPED("cpu_quota"),
        MAPPED("cpu_rt_period"),
        MAPPED("cpu_rt_runtime"),
        MAPPED("cpu_shares"),
        MAPPED("cpus"),
        MAPPED("cpuset"),
        REFUSED("credential_spec", "is a way to log in of Windows containers"),
        MAPPED("depends_on"),
        DIFFERENT("deploy", "resources.limits and one replica are mapped; what needs a swarm is refused"),
        HARMLESS("develop", "only 'docker compose watch' uses it"),
        MAPPED("device_cgroup_rules"),
        MAPPED("devices"),
        MAPPED("dns"),
        MAPPED("dns_opt"),
        MAPPED("dns_search"),
        REFUSED("domainname", "Podman has no option for it, and takes no sysctl that sets it: write the "
                              "whole name as 'hostname:'"),
        MAPPED("entrypoint"),
        DIFFERENT("env_file",
                  "read when the stack is compiled, by Compose's grammar; a change needs a reload"),
        MAPPED("environment"),
        MAPPED("expose"),
        MAPPED("extends"),
        DIFFERENT("external_links",
                  "found by name on a shared network; a name for one container alone is refused"),
        MAPPED("extra_hosts"),
        DIFFERENT("gpus", "devices of the Container Device Interface, for the drivers nvidia, amd and cdi"),
        MAPPED("group_add"),
        DIFFERENT("healthcheck",
                  "'start_interval' has no counterpart: 'interval' counts during the start as well"),
        MAPPED("hostname"),
        MAPPED("image"),
        MAPPED("init"),
        MAPPED("ipc"),
        REFUSED("isolation", "is a choice of Windows containers"),
        MAPPED("label_file"),
        MAPPED("labels"),
        DIFFERENT("links", "become network aliases, seen by every container on the network"),
        DIFFERENT("logging", "json-file and local become k8s-file, which is Podman's file of that kind"),
        MAPPED("mac_address"),
        MAPPED("mem_limit"),
        MAPPED("mem_reservation"),
        HARMLESS("mem_swappiness", cgroup1),
        MAPPED("memswap_limit"),
        REFUSED("models", "run the model in a service of its own"),
        MAPPED("network_mode"),
        DIFFERENT("networks", "'priority', 'gw_priority', 'link_local_ips' and 'driver_opts' of "
                              "one service are refused"),
        HARMLESS("oom_kill_disable", cgroup1),
        MAPPED("oom_score_adj"),
        MAPPED("pid"),
        MAPPED("pids_limit"),
        MAPPED("platform"),
        MAPPED("ports"),
        MAPPED("post_start"),
        DIFFERENT("pre_stop", "the container stops whatever the command comes to"),
        MAPPED("privileged"),
        MAPPED("profiles"),
        REFUSED("provider", "is a program that Compose runs"),
        DIFFERENT("pull_policy", "always, missing, never and build are mapped; timed refreshes are refused"),
        HARMLESS("pull_refresh_after", "Compose 2.40 does not use it either"),
        MAPPED("read_only"),
        DIFFERENT("restart", "unless-stopped is as always: a stop by the operator lasts until the "
                             "next start or boot"),
        MAPPED("runtime"),
        DIFFERENT("scale", "one container a service: 1 is mapped, other numbers are refused"),
        DIFFERENT("secrets", "mounted read-only from 'file:' or 'environment:'; external ones are refused"),
        DIFFERENT("security_opt", "options of Docker that Podman does not know are refused"),
        MAPPED("shm_size"),
        MAPPED("stdin_open"),
        MAPPED("stop_grace_period"),
        MAPPED("stop_signal"),
        DIFFERENT("storage_opt", "size and inodes; others belong to storage.conf and are refused"),
        MAPPED("sysctls"),
        MAPPED("tmpfs"),
        MAPPED("tty"),
        MAPPED("ulimits"),
        REFUSED("use_api_socket",
                "mount the engine's socket under 'volumes:' if the service has to rule the engine"),
        MAPPED("user"),
        MAPPED("userns_mode"),
        MAPPED("uts"),
        DIFFERENT("volumes", "a missing host directory is created by the unit before the container starts"),
        MAPPED("volumes_from"),
        MAPPED("working_dir"),
};
const size_t compose_n_service_keys = sizeof compose_service_keys / sizeof *compose_service_keys;
