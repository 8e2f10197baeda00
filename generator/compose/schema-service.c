/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>
#include <stdint.h>

#include "generator/compose/rules.h"

/* Keys of a service, and of the small sections within; build, deploy and others have files of
 * their own. */

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define RANGE(from, to) ((const long long[]){ (from), (to) })

static const Type condition_type = { .forms = FORM_STRING,
                                     .what = "a condition",
                                     .finish = finish_text,
                                     .words = WORDS("service_started", "service_healthy",
                                                    "service_completed_successfully") };
static const KeyDef depends_keys[] = {
        { .name = "condition", .type = &condition_type },
        { .name = "restart", .type = &type_bool },
        { .name = "required", .type = &type_bool_strict },
};
static const Section depends_section = SECTION(depends_keys, .extensions = true, .required = { "condition" });
static const KeyDef dependency_row = { .type = &(const Type){ .forms = FORM_MAPPING,
                                                              .what = "a mapping with a condition",
                                                              .section = &depends_section,
                                                              .finish = finish_section } };
static const Type depends_type = { .forms = FORM_SEQUENCE | FORM_MAPPING,
                                   .what = "a list of services, or a mapping",
                                   .values = &dependency_row,
                                   .items = &(const KeyDef){ .type = &type_string },
                                   .unique = true,
                                   .closed_names = true,
                                   .finish = finish_named };

static const KeyDef device_keys[] = {
        { .name = "source", .type = &type_string },
        { .name = "target", .type = &type_string },
        { .name = "permissions", .type = &type_string },
};
static const Section device_section = SECTION(device_keys, .extensions = true, .required = { "source" });
static const KeyDef device_row = { .expand = expand_device,
                                   .type = &(const Type){ .forms = FORM_STRING | FORM_MAPPING,
                                                          .what = "SOURCE:TARGET or a mapping",
                                                          .section = &device_section,
                                                          .finish = finish_section } };
static const Type devices_type = {
        .forms = FORM_SEQUENCE, .what = "a list of devices", .items = &device_row, .finish = finish_list
};

static const KeyDef env_file_keys[] = {
        { .name = "path", .type = &type_string, .path = PATH_FILE },
        { .name = "required", .type = &type_bool_kept },
        { .name = "format", .type = &type_string },
};
static const Section env_file_section = SECTION(env_file_keys, .required = { "path" });
static const KeyDef env_file_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_MAPPING,
                                                            .what = "a path or a mapping",
                                                            .section = &env_file_section,
                                                            .finish = finish_section } };
static const Type env_files_type = { .forms = FORM_STRING | FORM_SEQUENCE,
                                     .what = "a path or a list of paths",
                                     .items = &env_file_row,
                                     .finish = finish_list };

static const KeyDef label_file_row = { .type = &type_string, .path = PATH_FILE };
static const Type label_files_type = { .forms = FORM_STRING | FORM_SEQUENCE,
                                       .what = "a path or a list of paths",
                                       .items = &label_file_row,
                                       .finish = finish_strings };

static const KeyDef extends_keys[] = {
        { .name = "file", .type = &type_string, .path = PATH_FILE },
        { .name = "service", .type = &type_string },
};
static const Section extends_section = SECTION(extends_keys, .required = { "service" });
static const Type extends_type = { .forms = FORM_STRING | FORM_MAPPING,
                                   .what = "the name of a service, or a mapping",
                                   .section = &extends_section,
                                   .finish = finish_section };

static const Type test_type = { .forms = FORM_STRING | FORM_SEQUENCE,
                                .what = "a command, as a string or a list",
                                .items = &(const KeyDef){ .type = &type_string },
                                .finish = finish_test };
static const Type retries_type = { .forms = FORM_NUMBER | FORM_STRING,
                                   .what = "a whole number from 0 on",
                                   .finish = finish_int_kept,
                                   .limits = RANGE(0, LLONG_MAX) };
static const KeyDef health_keys[] = {
        { .name = "test", .type = &test_type, .merge = MERGE_REPLACE },
        { .name = "timeout", .type = &type_duration },
        { .name = "interval", .type = &type_duration },
        { .name = "retries", .cast = CAST_INT, .type = &retries_type },
        { .name = "start_period", .type = &type_duration },
        { .name = "start_interval", .type = &type_duration },
        { .name = "disable", .cast = CAST_BOOL, .type = &type_bool },
};
static const Section health_section = SECTION(health_keys, .extensions = true);
static const Type health_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &health_section, .finish = finish_section
};

static const KeyDef log_option_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_NUMBER | FORM_NULL,
                                                              .what = "a string or a number" } };
static const KeyDef logging_keys[] = {
        { .name = "driver", .type = &type_string },
        { .name = "options",
          .type = &(const Type){ .forms = FORM_MAPPING,
                                 .what = "a mapping",
                                 .values = &log_option_row,
                                 .open_names = true,
                                 .finish = finish_map } },
};
static const Section logging_section = SECTION(logging_keys, .extensions = true);
static const Type logging_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &logging_section, .finish = finish_section
};

static const KeyDef attachment_keys[] = {
        { .name = "aliases", .type = &type_strings, .index = INDEX_NAME },
        { .name = "driver_opts", .type = &type_options },
        { .name = "gw_priority", .type = &type_number },
        { .name = "interface_name", .type = &type_string },
        { .name = "ipv4_address", .type = &type_string },
        { .name = "ipv6_address", .type = &type_string },
        { .name = "link_local_ips", .type = &type_strings, .index = INDEX_NAME },
        { .name = "mac_address", .type = &type_string },
        { .name = "priority", .type = &type_number },
};
static const Section attachment_section = SECTION(attachment_keys, .extensions = true);
static const KeyDef attachment_row = { .type = &(const Type){ .forms = FORM_MAPPING | FORM_NULL,
                                                              .what = "a mapping",
                                                              .section = &attachment_section,
                                                              .finish = finish_section } };
static const Type attachments_type = { .forms = FORM_SEQUENCE | FORM_MAPPING,
                                       .what = "a list of networks, or a mapping",
                                       .values = &attachment_row,
                                       .items = &(const KeyDef){ .type = &type_string },
                                       .unique = true,
                                       .closed_names = true,
                                       .finish = finish_named };

static const KeyDef port_keys[] = {
        { .name = "name", .type = &type_string },
        { .name = "mode", .type = &type_string },
        { .name = "host_ip", .type = &type_string },
        { .name = "target",
          .cast = CAST_INT,
          .type = &(const Type){ .forms = FORM_INT | FORM_STRING,
                                 .what = "a port",
                                 .finish = finish_int,
                                 .limits = RANGE(0, UINT32_MAX) } },
        { .name = "published",
          .type = &(const Type){ .forms = FORM_STRING | FORM_INT,
                                 .what = "a port or a range of ports",
                                 .finish = finish_published } },
        { .name = "protocol", .type = &type_string },
        { .name = "app_protocol", .type = &type_string },
};
static const Section port_section = SECTION(port_keys, .extensions = true);
static const KeyDef port_row = { .defaults = defaults_port,
                                 .type = &(const Type){ .forms = FORM_INT | FORM_STRING | FORM_MAPPING,
                                                        .exact = true,
                                                        .what = "a port",
                                                        .section = &port_section,
                                                        .finish = finish_section } };
static const Type ports_type = { .forms = FORM_SEQUENCE,
                                 .what = "a list of ports",
                                 .items = &port_row,
                                 .unique = true,
                                 .finish = finish_list };

static const KeyDef secret_mount_row = { .expand = expand_file_mount,
                                         .defaults = defaults_secret,
                                         .type = &(const Type){ .forms = FORM_STRING | FORM_MAPPING,
                                                                .what = "a name or a mapping",
                                                                .section = &file_mount_section,
                                                                .finish = finish_section } };

static const KeyDef bind_keys[] = {
        { .name = "selinux",
          .type = &(const Type){ .forms = FORM_STRING,
                                 .what = "z or Z",
                                 .words = WORDS("z", "Z"),
                                 .finish = finish_text } },
        { .name = "propagation", .type = &type_string },
        { .name = "create_host_path", .type = &type_bool },
        { .name = "recursive",
          .type = &(const Type){ .forms = FORM_STRING,
                                 .what = "a word",
                                 .finish = finish_text,
                                 .words = WORDS("enabled", "disabled", "writable", "readonly") } },
};
static const KeyDef volume_option_keys[] = {
        { .name = "labels", .type = &type_map },
        { .name = "nocopy", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "subpath", .type = &type_string },
};
static const KeyDef tmpfs_keys[] = {
        { .name = "size",
          .type = &(const Type){ .forms = FORM_INT | FORM_STRING,
                                 .what = "a size such as 512m",
                                 .finish = finish_bytes,
                                 .range = RANGE(0, LLONG_MAX) } },
        { .name = "mode",
          .type = &(const Type){ .forms = FORM_NUMBER,
                                 .passing = FORM_STRING,
                                 .what = "a file mode without quotes",
                                 .finish = finish_int,
                                 .limits = RANGE(0, UINT32_MAX) } },
};
static const KeyDef image_keys[] = {
        { .name = "subpath", .type = &type_string },
};
#define MOUNT_SECTION(rows)                                                                                  \
        (&(const Type){ .forms = FORM_MAPPING,                                                               \
                        .what = "a mapping",                                                                 \
                        .section = &(const Section) SECTION(rows, .extensions = true),                       \
                        .finish = finish_section })
static const KeyDef mount_keys[] = {
        { .name = "type",
          .type = &(const Type){ .forms = FORM_STRING,
                                 .what = "a type of mount",
                                 .finish = finish_text,
                                 .words = WORDS("bind", "volume", "tmpfs", "cluster", "npipe", "image") } },
        { .name = "source", .type = &type_string },
        { .name = "target", .type = &type_string },
        { .name = "read_only", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "consistency", .type = &type_string },
        { .name = "bind", .type = MOUNT_SECTION(bind_keys) },
        { .name = "volume", .type = MOUNT_SECTION(volume_option_keys) },
        { .name = "tmpfs", .type = MOUNT_SECTION(tmpfs_keys) },
        { .name = "image", .type = MOUNT_SECTION(image_keys) },
};
static const Section mount_section = SECTION(mount_keys, .extensions = true, .required = { "type" });
static const KeyDef mount_row = { .expand = expand_mount,
                                  .path = PATH_MOUNT,
                                  .type = &(const Type){ .forms = FORM_STRING | FORM_MAPPING,
                                                         .what = "SOURCE:TARGET or a mapping",
                                                         .section = &mount_section,
                                                         .finish = finish_section } };
static const Type mounts_type = { .forms = FORM_SEQUENCE,
                                  .what = "a list of mounts",
                                  .items = &mount_row,
                                  .unique = true,
                                  .finish = finish_list };

static const KeyDef credential_keys[] = {
        { .name = "config", .type = &type_string },
        { .name = "file", .type = &type_string },
        { .name = "registry", .type = &type_string },
};
static const KeyDef option_list_row = {
        .type = &(const Type){ .forms = FORM_STRING | FORM_NUMBER | FORM_BOOL | FORM_SEQUENCE,
                               .what = "a value or a list",
                               .items = &(const KeyDef){ .type = &(const Type){ .forms = FORM_STRING |
                                                                                         FORM_NUMBER |
                                                                                         FORM_BOOL,
                                                                                .what = "a value" } } }
};
static const KeyDef provider_keys[] = {
        { .name = "type", .type = &type_string },
        { .name = "options",
          .type = &(const Type){ .forms = FORM_MAPPING,
                                 .what = "a mapping",
                                 .values = &option_list_row,
                                 .open_names = true,
                                 .finish = finish_option_lists } },
};
static const Section provider_section = SECTION(provider_keys, .extensions = true, .required = { "type" });

#define TYPE(forms_, what_, ...) (&(const Type){ .forms = (forms_), .what = (what_), __VA_ARGS__ })

static const KeyDef service_keys[] = {
        { .name = "profiles", .type = &type_strings, .index = INDEX_NAME },
        { .name = "annotations", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "attach", .type = &type_bool_kept },
        { .name = "build",
          .type = &build_type,
          .merge = MERGE_BUILD,
          .expand = expand_build,
          .defaults = defaults_build },
        { .name = "develop", .type = &develop_type },
        { .name = "blkio_config", .type = &blkio_type },
        { .name = "cap_add", .type = &type_strings, .index = INDEX_NAME },
        { .name = "cap_drop", .type = &type_strings, .index = INDEX_NAME },
        { .name = "cgroup_parent", .type = &type_string },
        { .name = "cgroup",
          .type = TYPE(FORM_STRING, "host or private", .finish = finish_text,
                       .words = WORDS("host", "private")) },
        { .name = "cpu_count",
          .cast = CAST_INT,
          .type = TYPE(FORM_INT | FORM_STRING, "a whole number", .finish = finish_int,
                       .range = RANGE(0, 1LL << 31)) },
        { .name = "cpu_percent",
          .cast = CAST_FLOAT,
          .type = TYPE(FORM_INT | FORM_STRING, "a whole number from 0 to 100", .finish = finish_float,
                       .range = RANGE(0, 100)) },
        { .name = "cpu_period", .cast = CAST_INT, .type = &type_integer },
        { .name = "cpu_quota", .cast = CAST_INT, .type = &type_integer },
        { .name = "cpu_rt_period", .cast = CAST_INT, .type = &type_integer },
        { .name = "cpu_rt_runtime", .cast = CAST_INT, .type = &type_integer },
        { .name = "cpus", .cast = CAST_FLOAT, .type = &type_float },
        { .name = "cpuset", .type = &type_string },
        { .name = "cpu_shares", .cast = CAST_INT, .type = &type_integer },
        { .name = "command", .type = &type_command, .merge = MERGE_REPLACE },
        { .name = "configs", .type = &type_file_mounts, .index = INDEX_CONFIG },
        { .name = "container_name",
          .type = TYPE(FORM_STRING, "a string", .finish = finish_text, .check = check_container_name) },
        { .name = "credential_spec", .type = MOUNT_SECTION(credential_keys) },
        { .name = "depends_on", .type = &depends_type, .merge = MERGE_DEPENDS, .expand = expand_depends },
        { .name = "deploy", .type = &deploy_type },
        { .name = "device_cgroup_rules", .type = &type_strings },
        { .name = "devices", .type = &devices_type, .index = INDEX_DEVICE },
        { .name = "dns",
          .type = &type_string_or_list,
          .merge = MERGE_LIST,
          .index = INDEX_NAME,
          .expand = expand_dns },
        { .name = "dns_opt", .type = &type_strings, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "dns_search", .type = &type_string_or_list, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "domainname", .type = &type_string },
        { .name = "entrypoint", .type = &type_command, .merge = MERGE_REPLACE },
        { .name = "provider",
          .type = TYPE(FORM_MAPPING, "a mapping", .section = &provider_section, .finish = finish_section) },
        { .name = "environment", .type = &type_environment, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "env_file",
          .type = &env_files_type,
          .merge = MERGE_LIST,
          .index = INDEX_ENV_FILE,
          .expand = expand_env_file },
        { .name = "expose", .type = &type_ports_exposed, .index = INDEX_TEXT },
        { .name = "extends", .type = &extends_type },
        { .name = "external_links", .type = &type_strings },
        { .name = "extra_hosts", .type = &type_hosts, .merge = MERGE_HOSTS },
        { .name = "group_add", .type = &type_groups },
        { .name = "gpus", .type = &gpus_type, .expand = expand_gpus },
        { .name = "hostname", .type = &type_string },
        { .name = "healthcheck", .type = &health_type },
        { .name = "image", .type = &type_string },
        { .name = "init", .cast = CAST_BOOL, .type = &type_bool_kept },
        { .name = "ipc", .type = &type_string },
        { .name = "isolation", .type = &type_string },
        { .name = "labels", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "label_file",
          .type = &label_files_type,
          .merge = MERGE_LIST,
          .expand = expand_string_list },
        { .name = "links", .type = &type_strings, .index = INDEX_NAME },
        { .name = "logging", .type = &logging_type, .merge = MERGE_LOGGING },
        { .name = "mem_limit", .type = &type_bytes },
        { .name = "mem_reservation", .type = &type_bytes_int },
        { .name = "memswap_limit", .type = &type_bytes },
        { .name = "mem_swappiness", .type = &type_bytes_int },
        { .name = "mac_address", .type = &type_string },
        { .name = "models",
          .type = TYPE(FORM_SEQUENCE | FORM_MAPPING, "a list or a mapping", .open_names = true,
                       .finish = finish_models) },
        { .name = "network_mode", .type = &type_string },
        { .name = "networks", .type = &attachments_type, .merge = MERGE_NAMES, .expand = expand_names },
        { .name = "oom_kill_disable", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "oom_score_adj",
          .cast = CAST_INT,
          .type = TYPE(FORM_INT | FORM_STRING, "a whole number", .finish = finish_int,
                       .range = RANGE(-1000, 1000)) },
        { .name = "pid", .type = &type_string_or_null },
        { .name = "pids_limit", .cast = CAST_INT, .type = &type_integer },
        { .name = "platform", .type = &type_string },
        { .name = "ports", .type = &ports_type, .index = INDEX_PORT, .expand = expand_ports },
        { .name = "privileged", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "pull_policy",
          .type = TYPE(FORM_STRING, "a string", .finish = finish_text, .check = check_pull_policy) },
        { .name = "read_only", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "restart", .type = &type_string },
        { .name = "runtime", .type = &type_string },
        { .name = "scale", .cast = CAST_INT, .type = &type_int_kept },
        { .name = "secrets",
          .type = TYPE(FORM_SEQUENCE, "a list", .items = &secret_mount_row, .finish = finish_list),
          .index = INDEX_SECRET },
        { .name = "security_opt", .type = &type_strings },
        { .name = "shm_size", .type = &type_bytes },
        { .name = "stdin_open", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "stop_grace_period", .type = &type_duration },
        { .name = "stop_signal", .type = &type_string },
        { .name = "storage_opt", .type = &type_storage },
        { .name = "sysctls", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "tmpfs", .type = &type_string_or_list, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "tty", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "ulimits", .type = &type_ulimits },
        { .name = "use_api_socket", .type = &type_bool_only },
        { .name = "user", .type = &type_string },
        { .name = "userns_mode", .type = &type_string },
        { .name = "uts", .type = &type_string },
        { .name = "volumes", .type = &mounts_type, .index = INDEX_VOLUME },
        { .name = "volumes_from", .type = &type_strings },
        { .name = "working_dir", .type = &type_string },
        { .name = "post_start", .type = &hooks_type },
        { .name = "pre_stop", .type = &hooks_type },
        /* accepted by the specification, and not printed by Compose 2.40 */
        { .name = "pull_refresh_after", .type = TYPE(FORM_STRING, "a duration", .finish = finish_drop) },
};
static const Section service_section = SECTION(service_keys, .extensions = true, .keep_extensions = true);
const Type service_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &service_section, .finish = finish_section
};
