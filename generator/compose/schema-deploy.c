/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>

#include "generator/compose/rules.h"

/* deploy and gpus of a service. */

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define TYPE(forms_, what_, ...) (&(const Type){ .forms = (forms_), .what = (what_), __VA_ARGS__ })
#define MAPPING(rows, ...)                                                                                   \
        TYPE(FORM_MAPPING, "a mapping", .finish = finish_section,                                            \
             .section = &(const Section) SECTION(rows, .extensions = true), __VA_ARGS__)
#define LIST(row) TYPE(FORM_SEQUENCE, "a list", .items = (row), .finish = finish_list)

static const Type count_type = { .forms = FORM_STRING | FORM_INT,
                                 .what = "all or a number",
                                 .finish = finish_count };
static const KeyDef request_keys[] = {
        { .name = "capabilities", .type = &type_strings }, { .name = "driver", .type = &type_string },
        { .name = "count", .type = &count_type },          { .name = "device_ids", .type = &type_strings },
        { .name = "options", .type = &type_map },
};
static const Section request_section =
        SECTION(request_keys, .extensions = true, .required = { "capabilities" });
static const Section gpu_section = SECTION(request_keys, .extensions = true, .open = true);
static const KeyDef request_row = { .defaults = defaults_device_request,
                                    .type = TYPE(FORM_MAPPING, "a mapping", .section = &request_section,
                                                 .finish = finish_section) };
static const KeyDef gpu_row = { .defaults = defaults_device_request,
                                .type = TYPE(FORM_MAPPING, "a mapping", .section = &gpu_section,
                                             .finish = finish_section) };
const Type gpus_type = { .forms = FORM_STRING | FORM_SEQUENCE,
                         .what = "all or a list of devices",
                         .items = &gpu_row,
                         .words = WORDS("all"),
                         .finish = finish_list };

static const KeyDef discrete_keys[] = {
        { .name = "kind",
          .type = TYPE(FORM_STRING, "a string", .finish = finish_text, .absent = ABSENT_EMPTY) },
        { .name = "value",
          .type = TYPE(FORM_NUMBER | FORM_STRING, "a number", .finish = finish_int, .absent = ABSENT_ZERO) },
};
static const KeyDef generic_keys[] = {
        { .name = "discrete_resource_spec", .type = MAPPING(discrete_keys) },
};
static const KeyDef generic_row = { .type = MAPPING(generic_keys) };

static const KeyDef limit_keys[] = {
        { .name = "cpus", .type = &type_float },
        { .name = "memory", .type = TYPE(FORM_STRING, "a size such as 512m", .finish = finish_bytes) },
        { .name = "pids", .type = &type_int },
};
static const KeyDef reservation_keys[] = {
        { .name = "cpus", .type = &type_float },
        { .name = "memory", .type = TYPE(FORM_STRING, "a size such as 512m", .finish = finish_bytes) },
        { .name = "devices", .type = LIST(&request_row) },
        { .name = "generic_resources", .type = LIST(&generic_row) },
};
static const KeyDef resource_keys[] = {
        { .name = "limits", .type = MAPPING(limit_keys) },
        { .name = "reservations", .type = MAPPING(reservation_keys) },
};

static const Type order_type = { .forms = FORM_STRING,
                                 .what = "an order",
                                 .words = WORDS("start-first", "stop-first"),
                                 .finish = finish_text };
static const Type delay_type = { .forms = FORM_STRING,
                                 .what = "a duration such as 1m30s",
                                 .finish = finish_duration };
static const KeyDef update_keys[] = {
        { .name = "parallelism", .cast = CAST_INT, .type = &type_count },
        { .name = "delay", .type = &delay_type },
        { .name = "failure_action", .type = &type_string },
        { .name = "monitor", .type = &delay_type },
        { .name = "max_failure_ratio", .cast = CAST_FLOAT, .type = &type_float },
        { .name = "order", .type = &order_type },
};
static const KeyDef restart_keys[] = {
        { .name = "condition", .type = &type_string },
        { .name = "delay", .type = &type_duration },
        { .name = "max_attempts", .cast = CAST_INT, .type = &type_count },
        { .name = "window", .type = &type_duration },
};
static const KeyDef preference_keys[] = {
        { .name = "spread", .type = &type_string },
};
static const KeyDef preference_row = { .type = MAPPING(preference_keys) };
static const KeyDef placement_keys[] = {
        { .name = "constraints", .type = &type_strings_loose },
        { .name = "preferences", .type = LIST(&preference_row) },
        { .name = "max_replicas_per_node",
          .cast = CAST_INT,
          .type = TYPE(FORM_INT | FORM_STRING, "a whole number", .finish = finish_int,
                       .limits = (const long long[]){ 0, LLONG_MAX }) },
};

static const KeyDef deploy_keys[] = {
        { .name = "mode", .type = &type_string },
        { .name = "replicas", .cast = CAST_INT, .type = &type_int_kept },
        { .name = "labels", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "update_config", .type = MAPPING(update_keys) },
        { .name = "rollback_config", .type = MAPPING(update_keys) },
        { .name = "resources", .type = MAPPING(resource_keys, .absent = ABSENT_SECTION) },
        { .name = "restart_policy", .type = MAPPING(restart_keys) },
        { .name = "placement", .type = MAPPING(placement_keys, .absent = ABSENT_SECTION) },
        { .name = "endpoint_mode", .type = &type_string },
};
static const Section deploy_section = SECTION(deploy_keys, .extensions = true);
const Type deploy_type = { .forms = FORM_MAPPING | FORM_NULL,
                           .what = "a mapping",
                           .section = &deploy_section,
                           .finish = finish_section };
