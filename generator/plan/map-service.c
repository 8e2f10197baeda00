/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* What becomes of each key of a Compose service in a .container file that quadlet 5.4.2 reads. One row a key,
 * sorted; a test holds it against compose_service_keys, so that no key can be lost without a word. Keys of
 * quadlet that are younger than 5.4 (Memory=, AppArmor=, HttpProxy=, …) are written as PodmanArgs=. */
#define ARGV ESCAPE_QUADLET_ARGV
#define KEYVAL ESCAPE_QUADLET_KEYVAL
#define LINE ESCAPE_QUADLET_LINE
#define SCALAR ESCAPE_QUADLET_SCALAR
#define STRV ESCAPE_QUADLET_STRV

/* clang-format off */
const ServiceKey service_keys[] = {
        { "annotations",         emit_pairs,             "Annotation",               KEYVAL },
        { "attach",              emit_elsewhere,         NULL,                       0 },
        { "blkio_config",        emit_blkio,             NULL,                       0 },
        { "build",               emit_elsewhere,         NULL,                       0 },
        { "cap_add",             emit_capabilities,      "AddCapability",            STRV },
        { "cap_drop",            emit_capabilities,      "DropCapability",           STRV },
        { "cgroup",              emit_namespace,         "--cgroupns",               ARGV },
        { "cgroup_parent",       emit_cgroup_parent,     "Slice",                    ESCAPE_NAME },
        { "command",             emit_command,           "Exec",                     ARGV },
        { "configs",             emit_files,             "configs",                  0 },
        { "container_name",      emit_elsewhere,         NULL,                       0 },
        { "cpu_count",           emit_elsewhere,         NULL,                       0 },
        { "cpu_percent",         emit_elsewhere,         NULL,                       0 },
        { "cpu_period",          emit_flag,              "--cpu-period",             ARGV },
        { "cpu_quota",           emit_flag,              "--cpu-quota",              ARGV },
        { "cpu_rt_period",       emit_flag,              "--cpu-rt-period",          ARGV },
        { "cpu_rt_runtime",      emit_flag,              "--cpu-rt-runtime",         ARGV },
        { "cpu_shares",          emit_flag,              "--cpu-shares",             ARGV },
        { "cpus",                emit_flag,              "--cpus",                   ARGV },
        { "cpuset",              emit_flag,              "--cpuset-cpus",            ARGV },
        { "credential_spec",     emit_refused,           NULL,                       0 },
        { "depends_on",          emit_elsewhere,         NULL,                       0 },
        { "deploy",              emit_deploy,            NULL,                       0 },
        { "develop",             emit_elsewhere,         NULL,                       0 },
        { "device_cgroup_rules", emit_flag_list,         "--device-cgroup-rule",     ARGV },
        { "devices",             emit_devices,           "AddDevice",                STRV },
        { "dns",                 emit_dns,               "DNS",                      LINE },
        { "dns_opt",             emit_dns,               "DNSOption",                LINE },
        { "dns_search",          emit_dns,               "DNSSearch",                LINE },
        { "domainname",          emit_refused,           NULL,                       0 },
        { "entrypoint",          emit_entrypoint,        "Entrypoint",               SCALAR },
        { "env_file",            emit_elsewhere,         NULL,                       0 },
        { "environment",         emit_environment,       NULL,                       0 },
        { "expose",              emit_expose,            "ExposeHostPort",           LINE },
        { "extends",             emit_elsewhere,         NULL,                       0 },
        { "external_links",      emit_external_links,    NULL,                       0 },
        { "extra_hosts",         emit_extra_hosts,       "AddHost",                  LINE },
        { "gpus",                emit_gpus,              NULL,                       0 },
        { "group_add",           emit_list,              "GroupAdd",                 LINE },
        { "healthcheck",         emit_healthcheck,       NULL,                       0 },
        { "hostname",            emit_hostname,          "HostName",                 SCALAR },
        { "image",               emit_image,             "Image",                    SCALAR },
        { "init",                emit_true,              "RunInit",                  0 },
        { "ipc",                 emit_namespace,         "--ipc",                    ARGV },
        { "isolation",           emit_refused,           NULL,                       0 },
        { "label_file",          emit_elsewhere,         NULL,                       0 },
        { "labels",              emit_labels,            "Label",                    KEYVAL },
        { "links",               emit_links,             NULL,                       0 },
        { "logging",             emit_logging,           NULL,                       0 },
        { "mac_address",         emit_mac_address,       NULL,                       0 },
        { "mem_limit",           emit_flag,              "--memory",                 ARGV },
        { "mem_reservation",     emit_flag,              "--memory-reservation",     ARGV },
        { "mem_swappiness",      emit_elsewhere,         NULL,                       0 },
        { "memswap_limit",       emit_flag,              "--memory-swap",            ARGV },
        { "models",              emit_refused,           NULL,                       0 },
        { "network_mode",        emit_network_mode,      NULL,                       0 },
        { "networks",            emit_networks,          "Network",                  LINE },
        { "oom_kill_disable",    emit_elsewhere,         NULL,                       0 },
        { "oom_score_adj",       emit_flag,              "--oom-score-adj",          ARGV },
        { "pid",                 emit_namespace,         "--pid",                    ARGV },
        { "pids_limit",          emit_scalar,            "PidsLimit",                SCALAR },
        { "platform",            emit_flag,              "--platform",               ARGV },
        { "ports",               emit_ports,             "PublishPort",              LINE },
        { "post_start",          emit_hooks,             "ExecStartPost",            ESCAPE_ARGV },
        { "pre_stop",            emit_hooks,             "ExecStop",                 ESCAPE_ARGV },
        { "privileged",          emit_flag_true,         "--privileged",             ARGV },
        { "profiles",            emit_elsewhere,         NULL,                       0 },
        { "provider",            emit_refused,           NULL,                       0 },
        { "pull_policy",         emit_pull_policy,       "Pull",                     ESCAPE_WORD },
        { "pull_refresh_after",  emit_elsewhere,         NULL,                       0 },
        { "read_only",           emit_read_only,         "ReadOnly",                 0 },
        { "restart",             emit_restart,           "Restart",                  ESCAPE_WORD },
        { "runtime",             emit_runtime,           "GlobalArgs",               ARGV },
        { "scale",               emit_scale,             NULL,                       0 },
        { "secrets",             emit_files,             "secrets",                  0 },
        { "security_opt",        emit_security_opt,      NULL,                       0 },
        { "shm_size",            emit_scalar,            "ShmSize",                  SCALAR },
        { "stdin_open",          emit_flag_true,         "--interactive",            ARGV },
        { "stop_grace_period",   emit_stop_grace_period, "StopTimeout",              ESCAPE_WORD },
        { "stop_signal",         emit_scalar,            "StopSignal",               SCALAR },
        { "storage_opt",         emit_storage_opt,       "--storage-opt",            ARGV },
        { "sysctls",             emit_sysctls,           "Sysctl",                   STRV },
        { "tmpfs",               emit_tmpfs,             "Tmpfs",                    LINE },
        { "tty",                 emit_flag_true,         "--tty",                    ARGV },
        { "ulimits",             emit_ulimits,           "Ulimit",                   LINE },
        { "use_api_socket",      emit_refused,           NULL,                       0 },
        { "user",                emit_user,              "User",                     SCALAR },
        { "userns_mode",         emit_namespace,         "--userns",                 ARGV },
        { "uts",                 emit_namespace,         "--uts",                    ARGV },
        { "volumes",             emit_volumes,           "Volume",                   LINE },
        { "volumes_from",        emit_volumes_from,      "--volumes-from",           ARGV },
        { "working_dir",         emit_scalar,            "WorkingDir",               SCALAR },
};
/* clang-format on */
const size_t n_service_keys = LENGTH(service_keys);

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
                                     diag_position(d->lower->diag, d->lower->arena, pair->key->span)));
        after = w->buf.len;
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
                if (row)
                        emit_key(d, row, pair);
                else
                        diag_error(d->lower->diag, pair->key->span, "not-supported",
                                   "'%s' of service '%s' is not known", pair->key->text, d->service->name);
        }
}
