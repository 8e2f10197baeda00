/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* What becomes of each key of a Compose service: what writes it into a .container file that quadlet 5.4.2
 * reads, and the verdicts for unit mode, compatible mode and native mode (support.h), of which the latter two
 * have no writers yet. One row a key, sorted; a test holds it against the schema, so that no key can be lost
 * without a word. Keys of quadlet that are younger than 5.4 (Memory=, AppArmor=, HttpProxy=, …) are
 * PodmanArgs=. */
#define ARGV ESCAPE_QUADLET_ARGV
#define KEYVAL ESCAPE_QUADLET_KEYVAL
#define LINE ESCAPE_QUADLET_LINE
#define SCALAR ESCAPE_QUADLET_SCALAR
#define STRV ESCAPE_QUADLET_STRV

/* clang-format off */
const ServiceKey service_keys[] = {
        { "annotations", emit_pairs, "Annotation", KEYVAL,
          { MAPPED, MAPPED, REFUSED("only containers have them") } },
        { "attach", emit_elsewhere, NULL, 0,
          { HARMLESS("output goes to the journal in any case"),
            HARMLESS("output goes to the journal in any case"),
            HARMLESS("output goes to the journal in any case") } },
        { "blkio_config", emit_blkio, NULL, 0,
          { MAPPED, MAPPED, BY("IOWeight=, IODeviceWeight=, IOReadBandwidthMax=, …") } },
        { "build", emit_elsewhere, NULL, 0,
          { DIFFERENT("built by Podman once for each start of the stack, from its cache where nothing "
            "changed; cache_from, cache_to, provenance, sbom and entitlements are BuildKit's and left out"),
            MAPPED,
            REFUSED("a service of the host is installed, not built") } },
        { "cap_add", emit_capabilities, "AddCapability", STRV,
          { MAPPED, MAPPED, BY("AmbientCapabilities=, CapabilityBoundingSet=") } },
        { "cap_drop", emit_capabilities, "DropCapability", STRV,
          { MAPPED, MAPPED, BY("CapabilityBoundingSet=") } },
        { "cgroup", emit_namespace, "--cgroupns", ARGV,
          { MAPPED, MAPPED, REFUSED("a unit sees the host's control groups") } },
        { "cgroup_parent", emit_cgroup_parent, "Slice", ESCAPE_NAME,
          { DIFFERENT("has to be a slice of systemd; other control groups are refused"),
            MAPPED,
            DIFFERENT("Slice=, which has to be a slice of systemd") } },
        { "command", emit_command, "Exec", ARGV, { MAPPED, MAPPED, BY("ExecStart=") } },
        { "configs", emit_files, "configs", 0,
          { DIFFERENT("mounted read-only from 'file:', 'content:' or 'environment:', the latter two with uid, gid "
            "and mode; external ones are refused"),
            MAPPED,
            BY("LoadCredential=, BindReadOnlyPaths=") } },
        { "container_name", emit_elsewhere, NULL, 0,
          { MAPPED, MAPPED, HARMLESS("a unit has a name already, by which others find it") } },
        { "cpu_count", emit_elsewhere, NULL, 0,
          { HARMLESS("applies to Windows containers only; engines on Linux ignore it"),
            HARMLESS("applies to Windows containers only; engines on Linux ignore it"),
            HARMLESS("applies to Windows containers only; engines on Linux ignore it") } },
        { "cpu_percent", emit_elsewhere, NULL, 0,
          { HARMLESS("applies to Windows containers only; engines on Linux ignore it"),
            HARMLESS("applies to Windows containers only; engines on Linux ignore it"),
            HARMLESS("applies to Windows containers only; engines on Linux ignore it") } },
        { "cpu_period", emit_flag, "--cpu-period", ARGV, { MAPPED, MAPPED, BY("CPUQuotaPeriodSec=") } },
        { "cpu_quota", emit_flag, "--cpu-quota", ARGV, { MAPPED, MAPPED, BY("CPUQuota=") } },
        { "cpu_rt_period", emit_flag, "--cpu-rt-period", ARGV,
          { MAPPED, MAPPED, REFUSED("the unified cgroup hierarchy has no budget for realtime") } },
        { "cpu_rt_runtime", emit_flag, "--cpu-rt-runtime", ARGV,
          { MAPPED, MAPPED, REFUSED("the unified cgroup hierarchy has no budget for realtime") } },
        { "cpu_shares", emit_cpu_shares, "--cpu-shares", ARGV,
          { MAPPED, MAPPED, DIFFERENT("CPUWeight=, on its own scale") } },
        { "cpus", emit_flag, "--cpus", ARGV, { MAPPED, MAPPED, BY("CPUQuota=") } },
        { "cpuset", emit_flag, "--cpuset-cpus", ARGV, { MAPPED, MAPPED, BY("AllowedCPUs=") } },
        { "credential_spec", emit_refused, NULL, 0,
          { REFUSED("leave it out, since only Windows containers log in this way"),
            REFUSED("leave it out, since only Windows containers log in this way"),
            REFUSED("leave it out, since only Windows containers log in this way") } },
        { "depends_on", emit_elsewhere, NULL, 0,
          { DIFFERENT("what somebody waits for as completed is run to its end for all who wait for it"),
            DIFFERENT("units order the start and proofs hold it back; the engine starts one service at a time"),
            BY("Wants=, After= and the gate") } },
        { "deploy", emit_deploy, NULL, 0,
          { DIFFERENT("resources.limits and one replica are mapped; what needs a swarm is refused"),
            DIFFERENT("as in unit mode; restart_policy is systemd's business"),
            DIFFERENT("resources and restart_policy; what needs a swarm is refused") } },
        { "develop", emit_elsewhere, NULL, 0,
          { HARMLESS("only 'docker compose watch' uses it"),
            HARMLESS("only 'docker compose watch' uses it"),
            HARMLESS("only 'docker compose watch' uses it") } },
        { "device_cgroup_rules", emit_flag_list, "--device-cgroup-rule", ARGV,
          { MAPPED, MAPPED, BY("DeviceAllow=") } },
        { "devices", emit_devices, "AddDevice", STRV,
          { MAPPED, MAPPED, DIFFERENT("DeviceAllow=; under another name is refused") } },
        { "dns", emit_dns, "DNS", LINE,
          { DIFFERENT("those of a service that joins another's network are set on that network"),
            MAPPED, BY("a resolv.conf of its own by BindReadOnlyPaths=") } },
        { "dns_opt", emit_dns, "DNSOption", LINE,
          { DIFFERENT("those of a service that joins another's network are set on that network"),
            MAPPED, BY("a resolv.conf of its own by BindReadOnlyPaths=") } },
        { "dns_search", emit_dns, "DNSSearch", LINE,
          { DIFFERENT("those of a service that joins another's network are set on that network"),
            MAPPED, BY("a resolv.conf of its own by BindReadOnlyPaths=") } },
        { "domainname", emit_domainname, "HostName", SCALAR,
          { DIFFERENT("becomes a part of the host name, which is then the whole name"),
            MAPPED,
            REFUSED("a unit has the host's names") } },
        { "entrypoint", emit_entrypoint, "Entrypoint", SCALAR, { MAPPED, MAPPED, BY("ExecStart=") } },
        { "env_file", emit_elsewhere, NULL, 0,
          { DIFFERENT("read when the stack is compiled, by Compose's grammar; a change needs a reload"),
            MAPPED,
            DIFFERENT("read when the stack is compiled, by Compose's grammar; a change needs a reload") } },
        { "environment", emit_environment, NULL, 0,
          { MAPPED, MAPPED, BY("EnvironmentFile=, a file that only root reads") } },
        { "expose", emit_expose, "ExposeHostPort", LINE,
          { MAPPED, MAPPED, HARMLESS("it tells readers; nothing closes the ports of a service of the host") } },
        { "extends", emit_elsewhere, NULL, 0, { MAPPED, MAPPED, BY("resolved before") } },
        { "external_links", emit_external_links, NULL, 0,
          { DIFFERENT("found by name on a shared network; a name for one container alone is refused"),
            MAPPED,
            REFUSED("a unit has the host's names") } },
        { "extra_hosts", emit_extra_hosts, "AddHost", LINE,
          { DIFFERENT("those of a service that joins another's network are set on that network"),
            MAPPED, BY("a hosts file of its own by BindReadOnlyPaths=") } },
        { "gpus", emit_gpus, NULL, 0,
          { DIFFERENT("devices of the Container Device Interface, for the drivers nvidia, amd and cdi"),
            MAPPED,
            DIFFERENT("DeviceAllow= for the device nodes of the driver") } },
        { "group_add", emit_list, "GroupAdd", LINE, { MAPPED, MAPPED, BY("SupplementaryGroups=") } },
        { "healthcheck", emit_healthcheck, NULL, 0,
          { DIFFERENT("'start_interval' has no counterpart: 'interval' counts during the start as well"),
            MAPPED,
            DIFFERENT("its command runs in the unit's namespaces before the start is over, and for "
            "each health proof") } },
        { "hostname", emit_hostname, "HostName", SCALAR,
          { MAPPED, MAPPED, REFUSED("a unit has the host's names") } },
        { "image", emit_image, "Image", SCALAR,
          { MAPPED, MAPPED, REFUSED("'x-unitproof: {exec: […]}' names a program of the host instead") } },
        { "init", emit_true, "RunInit", 0,
          { MAPPED, MAPPED, HARMLESS("systemd reaps what a service leaves") } },
        { "ipc", emit_namespace, "--ipc", ARGV,
          { DIFFERENT("that of another service only if both share one network, or neither shares any"),
            MAPPED,
            DIFFERENT("PrivateIPC= for private; the host's is the default") } },
        { "isolation", emit_refused, NULL, 0,
          { REFUSED("leave it out, since only Windows containers have the choice"),
            REFUSED("leave it out, since only Windows containers have the choice"),
            REFUSED("leave it out, since only Windows containers have the choice") } },
        { "label_file", emit_elsewhere, NULL, 0,
          { MAPPED, MAPPED, HARMLESS("labels are read by tools that look at containers") } },
        { "labels", emit_labels, "Label", KEYVAL,
          { MAPPED, MAPPED, HARMLESS("labels are read by tools that look at containers") } },
        { "links", emit_links, NULL, 0,
          { DIFFERENT("become network aliases, seen by every container on the network"),
            MAPPED,
            REFUSED("a unit has the host's names") } },
        { "logging", emit_logging, NULL, 0,
          { DIFFERENT("json-file and local become k8s-file, which is Podman's file of that kind"),
            MAPPED,
            DIFFERENT("journald, none and limits of rate; other drivers are refused") } },
        { "mac_address", emit_mac_address, NULL, 0,
          { MAPPED, MAPPED, REFUSED("a unit has the host's links, or those of its tunnel") } },
        { "mem_limit", emit_memory, "--memory", ARGV, { MAPPED, MAPPED, BY("MemoryMax=") } },
        { "mem_reservation", emit_memory, "--memory-reservation", ARGV, { MAPPED, MAPPED, BY("MemoryLow=") } },
        { "mem_swappiness", emit_elsewhere, NULL, 0,
          { HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs"),
            HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs"),
            HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs") } },
        { "memswap_limit", emit_flag, "--memory-swap", ARGV,
          { MAPPED, MAPPED, DIFFERENT("MemorySwapMax=, which is what remains beside mem_limit") } },
        { "models", emit_refused, NULL, 0,
          { REFUSED("run the model in a service of its own"),
            REFUSED("run the model in a service of its own"),
            REFUSED("run the model in a service of its own") } },
        { "network_mode", emit_network_mode, NULL, 0,
          { MAPPED,
            DIFFERENT("a join is the engine's; nothing looks at the namespace before the first "
            "instruction, the binding proof right after"),
            DIFFERENT("host, none and a tunnel of the stack; what only an engine has is refused") } },
        { "networks", emit_networks, "Network", LINE,
          { DIFFERENT("'priority', 'gw_priority', 'link_local_ips' and 'driver_opts' of one service are refused"),
            MAPPED,
            REFUSED("are an engine's: 'network_mode' says where a service of the host lives") } },
        { "oom_kill_disable", emit_elsewhere, NULL, 0,
          { HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs"),
            HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs"),
            HARMLESS("has no effect with the unified cgroup hierarchy, which systemd needs") } },
        { "oom_score_adj", emit_flag, "--oom-score-adj", ARGV, { MAPPED, MAPPED, BY("OOMScoreAdjust=") } },
        { "pid", emit_namespace, "--pid", ARGV,
          { DIFFERENT("that of another service only if both share one network, or neither shares any"),
            MAPPED,
            DIFFERENT("host is the default; others are refused") } },
        { "pids_limit", emit_scalar, "PidsLimit", SCALAR, { MAPPED, MAPPED, BY("TasksMax=") } },
        { "platform", emit_flag, "--platform", ARGV,
          { MAPPED,
            MAPPED,
            DIFFERENT("ConditionArchitecture= would skip in silence: another platform than the host's "
            "is refused") } },
        { "ports", emit_ports, "PublishPort", LINE,
          { DIFFERENT("those of a service that joins another's network are set on that network"),
            MAPPED,
            DIFFERENT("a service of the host listens for itself; in a tunnel's namespace by a socket "
            "unit that passes on") } },
        { "post_start", emit_hooks, "ExecStartPost", ESCAPE_ARGV, { MAPPED, MAPPED, BY("ExecStartPost=") } },
        { "pre_stop", emit_hooks, "ExecStop", ESCAPE_ARGV,
          { DIFFERENT("the container stops whatever the command comes to"), MAPPED, BY("ExecStop=") } },
        { "privileged", emit_flag_true, "--privileged", ARGV,
          { MAPPED, MAPPED, HARMLESS("without other keys a unit has all rights") } },
        { "profiles", emit_elsewhere, NULL, 0, { MAPPED, MAPPED, BY("resolved before") } },
        { "provider", emit_refused, NULL, 0,
          { REFUSED("run what it provides as a service or a unit of its own"),
            REFUSED("run what it provides as a service or a unit of its own"),
            REFUSED("run what it provides as a service or a unit of its own") } },
        { "pull_policy", emit_pull_policy, "Pull", ESCAPE_WORD,
          { DIFFERENT("timed refreshes (daily, weekly, every_…) look for a newer image at each start"),
            MAPPED,
            REFUSED("there is no image") } },
        { "pull_refresh_after", emit_elsewhere, NULL, 0,
          { HARMLESS("Compose 2.40 does not use it either"),
            HARMLESS("Compose 2.40 does not use it either"),
            HARMLESS("Compose 2.40 does not use it either") } },
        { "read_only", emit_read_only, "ReadOnly", 0,
          { MAPPED, MAPPED, BY("ProtectSystem=strict, ReadOnlyPaths=/") } },
        { "restart", emit_restart, "Restart", ESCAPE_WORD,
          { DIFFERENT("unless-stopped is as always: a stop by the operator lasts until the next start or boot; "
            "on-failure:N counts starts of any kind, N + 1 within 600 s; a client of a tunnel has no limit; "
            "what is awaited as completed is not restarted after success"),
            DIFFERENT("systemd restarts, and proves anew; the engine is told not to"),
            BY("Restart=") } },
        { "runtime", emit_runtime, "GlobalArgs", ARGV, { MAPPED, MAPPED, REFUSED("there is no container") } },
        { "scale", emit_scale, NULL, 0,
          { DIFFERENT("one container a service: 1 is mapped, with 0 it is left out, other numbers are refused"),
            DIFFERENT("one container a service: 1 is mapped, with 0 it is left out, other numbers are refused"),
            DIFFERENT("one unit a service: 1 is mapped, with 0 it is left out, other numbers are refused") } },
        { "secrets", emit_files, "secrets", 0,
          { DIFFERENT("mounted read-only from 'file:' or 'environment:', the latter with uid, gid and mode; "
            "external ones are refused"),
            MAPPED,
            BY("LoadCredential=") } },
        { "security_opt", emit_security_opt, NULL, 0,
          { DIFFERENT("options of Docker that Podman does not know are refused"),
            MAPPED,
            DIFFERENT("no-new-privileges, seccomp=unconfined, apparmor and label; profiles of seccomp "
            "are an engine's") } },
        { "shm_size", emit_scalar, "ShmSize", SCALAR,
          { MAPPED, MAPPED, BY("TemporaryFileSystem=/dev/shm:size=") } },
        { "stdin_open", emit_flag_true, "--interactive", ARGV,
          { MAPPED, MAPPED, HARMLESS("a unit of the boot has no terminal") } },
        { "stop_grace_period", emit_stop_grace_period, "StopTimeout", ESCAPE_WORD,
          { MAPPED, MAPPED, BY("TimeoutStopSec=") } },
        { "stop_signal", emit_scalar, "StopSignal", SCALAR, { MAPPED, MAPPED, BY("KillSignal=") } },
        { "storage_opt", emit_storage_opt, "--storage-opt", ARGV,
          { DIFFERENT("size and inodes; others belong to storage.conf and are refused"),
            MAPPED,
            REFUSED("there is no container") } },
        { "sysctls", emit_sysctls, "Sysctl", STRV,
          { DIFFERENT("'net.' ones of a service that joins another's network are set on that network"),
            MAPPED, DIFFERENT("of the network namespace of its tunnel; the host's belong to sysctl.d") } },
        { "tmpfs", emit_tmpfs, "Tmpfs", LINE, { MAPPED, MAPPED, BY("TemporaryFileSystem=") } },
        { "tty", emit_flag_true, "--tty", ARGV,
          { MAPPED, MAPPED, HARMLESS("a unit of the boot has no terminal") } },
        { "ulimits", emit_ulimits, "Ulimit", LINE, { MAPPED, MAPPED, BY("LimitNOFILE=, …") } },
        { "use_api_socket", emit_refused, NULL, 0,
          { REFUSED("mount the engine's socket under 'volumes:' if the service has to rule the engine"),
            DIFFERENT("the engine's own; what the service starts through it is proved by nobody"),
            REFUSED("a service of the host reaches the engine's socket by its own rights") } },
        { "user", emit_user, "User", SCALAR, { MAPPED, MAPPED, BY("User=, Group=") } },
        { "userns_mode", emit_namespace, "--userns", ARGV,
          { DIFFERENT("a service that shares a network has the host's; others are refused there"),
            MAPPED,
            DIFFERENT("PrivateUsers= for private; the host's is the default") } },
        { "uts", emit_namespace, "--uts", ARGV,
          { MAPPED, MAPPED, DIFFERENT("host is the default; others are refused") } },
        { "volumes", emit_volumes, "Volume", LINE,
          { DIFFERENT("a missing host directory is created by the unit before the container starts"),
            MAPPED,
            DIFFERENT("BindPaths=; volumes of an engine are refused") } },
        { "volumes_from", emit_volumes_from, "--volumes-from", ARGV,
          { MAPPED, MAPPED, REFUSED("volumes of containers are an engine's") } },
        { "working_dir", emit_working_dir, "WorkingDir", SCALAR, { MAPPED, MAPPED, BY("WorkingDirectory=") } },
};
/* clang-format on */
const size_t n_service_keys = ELEMENTS(service_keys);

const ServiceKey *service_key_find(const char *key) {
        size_t low = 0, high = n_service_keys;

        while (low < high) {
                size_t middle = low + (high - low) / 2;
                int c = strcmp(key, service_keys[middle].key);

                if (c == 0)
                        return service_keys + middle;
                if (c < 0)
                        high = middle;
                else
                        low = middle + 1;
        }
        return NULL;
}

/* Lines for the container that came from a key stand below a comment which says where it is written. */
static void emit_key(Draft *d, const ServiceKey *row, const NodePair *pair) {
        UnitWriter *w = &d->container;
        size_t before = w->buf.len, after;

        unit_comment(w, arena_printf(d->lower->arena, "%s: %s", row->key,
                                     diag_origin(d->lower->diag, d->lower->arena, pair->key->span)));
        after = w->buf.len;
        d->key = row->key;
        row->emit(d, row, pair->value);
        if (w->buf.len == after) {
                w->buf.len = before;
                w->buf.data[before] = '\0';
        }
}

void draft_emit_keys(Draft *d) {
        const Node *node = d->service->node;

        for (size_t i = 0; i < node->n; i++) {
                const NodePair *pair = node->pairs + i;
                const ServiceKey *row;

                if (node_is_null(pair->value) || str_has_prefix(pair->key->text, "x-"))
                        continue;
                row = service_key_find(pair->key->text);
                if (row && judge_together(d, pair))
                        emit_key(d, row, pair);
                else if (!row)
                        diag_error(d->lower->diag, pair->key->span, "not-supported",
                                   "'%s' of service '%s' is not known", pair->key->text, d->service->name);
        }
}
