/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdint.h>

#include "generator/compose/rules.h"

/* build, develop, blkio_config and gpus of a service. */

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define TYPE(forms_, what_, ...) (&(const Type){ .forms = (forms_), .what = (what_), __VA_ARGS__ })

static const KeyDef context_row = { .type = TYPE(FORM_STRING, "a string",
                                                 .passing = FORM_NUMBER | FORM_BOOL | FORM_NULL),
                                    .path = PATH_CONTEXT };
static const KeyDef scalar_row = { .type = TYPE(FORM_STRING | FORM_NUMBER | FORM_BOOL | FORM_NULL,
                                                "a string, a number, a boolean or nothing") };
static const KeyDef string_row = { .type = &type_string };

static const KeyDef build_keys[] = {
        { .name = "context", .type = &type_string, .path = PATH_CONTEXT },
        { .name = "dockerfile", .type = &type_string },
        { .name = "dockerfile_inline", .type = &type_string },
        { .name = "entitlements", .type = &type_strings_loose },
        { .name = "args", .type = &type_environment, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "provenance", .type = &type_string_or_bool, .expand = expand_text },
        { .name = "sbom", .type = &type_string_or_bool, .expand = expand_text },
        { .name = "ssh",
          .expand = expand_ssh,
          .type = TYPE(FORM_MAPPING | FORM_SEQUENCE, "a mapping or a list of KEY=PATH", .values = &scalar_row,
                       .items = &string_row, .open_names = true, .named = true, .finish = finish_ssh) },
        { .name = "labels", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "cache_from", .type = &type_strings_loose },
        { .name = "cache_to", .type = &type_strings_loose },
        { .name = "no_cache", .type = &type_bool },
        { .name = "additional_contexts",
          .merge = MERGE_LIST,
          .index = INDEX_NAME,
          .expand = expand_pairs,
          .type = TYPE(FORM_MAPPING | FORM_SEQUENCE, "a mapping or a list of NAME=CONTEXT",
                       .values = &context_row, .items = &string_row, .open_names = true, .named = true,
                       .finish = finish_map) },
        { .name = "pull", .type = &type_bool },
        { .name = "extra_hosts", .type = &type_hosts, .merge = MERGE_HOSTS },
        { .name = "isolation", .type = &type_string },
        { .name = "network", .type = &type_string },
        { .name = "target", .type = &type_string },
        { .name = "secrets", .type = &type_file_mounts },
        { .name = "shm_size", .type = &type_bytes_int },
        { .name = "tags", .type = &type_strings_loose, .index = INDEX_NAME },
        { .name = "ulimits", .type = &type_build_ulimits },
        { .name = "platforms", .type = &type_strings_loose },
        { .name = "privileged", .type = &type_bool },
};
static const Section build_section = SECTION(build_keys, .extensions = true);
const Type build_type = { .forms = FORM_STRING | FORM_MAPPING,
                          .what = "a path or a mapping",
                          .section = &build_section,
                          .finish = finish_section };

static const Type exec_type = { .forms = FORM_MAPPING,
                                .what = "a mapping",
                                .section = &hook_section,
                                .finish = finish_section,
                                .absent = ABSENT_SECTION };
static const KeyDef watch_keys[] = {
        { .name = "path", .type = &type_string, .path = PATH_FILE },
        { .name = "action",
          .type = TYPE(FORM_STRING, "an action", .finish = finish_text,
                       .words = WORDS("rebuild", "sync", "restart", "sync+restart", "sync+exec")) },
        { .name = "target", .type = &type_string },
        { .name = "exec", .type = &exec_type },
        { .name = "include", .type = &type_string_or_list, .expand = expand_string_list },
        { .name = "ignore", .type = &type_string_or_list, .expand = expand_string_list },
        { .name = "initial_sync", .type = &type_bool_only },
};
static const Section watch_section =
        SECTION(watch_keys, .extensions = true, .required = { "path", "action" });
static const KeyDef watch_row = { .type = TYPE(FORM_MAPPING, "a mapping", .section = &watch_section,
                                               .finish = finish_section) };
static const KeyDef develop_keys[] = {
        { .name = "watch",
          .type = TYPE(FORM_SEQUENCE, "a list", .items = &watch_row, .finish = finish_list) },
};
static const Section develop_section = SECTION(develop_keys, .extensions = true);
const Type develop_type = { .forms = FORM_MAPPING | FORM_NULL,
                            .what = "a mapping",
                            .section = &develop_section,
                            .finish = finish_section };

/* The items have no names of their own in Compose's output but those of its program. */
static const Type device_path_type = {
        .forms = FORM_STRING, .what = "a string", .finish = finish_text, .absent = ABSENT_EMPTY
};
static const Type rate_type = { .forms = FORM_INT | FORM_STRING,
                                .what = "a size such as 512m",
                                .finish = finish_bytes,
                                .absent = ABSENT_NO_SIZE };
static const KeyDef limit_keys[] = {
        { .name = "path", .shown = "Path", .type = &device_path_type },
        { .name = "rate", .shown = "Rate", .type = &rate_type },
};

static const Type weight_type = { .forms = FORM_INT,
                                  .passing = FORM_STRING,
                                  .what = "a weight",
                                  .finish = finish_int,
                                  .limits = (const long long[]){ 0, UINT16_MAX } };
static const Type device_weight_type = { .forms = FORM_INT,
                                         .passing = FORM_STRING,
                                         .what = "a weight",
                                         .finish = finish_int,
                                         .limits = (const long long[]){ 0, UINT16_MAX },
                                         .absent = ABSENT_ZERO };
static const KeyDef weight_keys[] = {
        { .name = "path", .shown = "Path", .type = &device_path_type },
        { .name = "weight", .shown = "Weight", .type = &device_weight_type },
};
#define ITEMS(rows) TYPE(FORM_SEQUENCE, "a list", .finish = finish_list, .items = ITEM(rows))
#define ITEM(rows)                                                                                           \
        (&(const KeyDef){ .type = TYPE(FORM_MAPPING, "a mapping", .finish = finish_section,                  \
                                       .section = &(const Section) SECTION(rows)) })
static const KeyDef blkio_keys[] = {
        { .name = "weight", .type = &weight_type },
        { .name = "weight_device", .type = ITEMS(weight_keys) },
        { .name = "device_read_bps", .type = ITEMS(limit_keys) },
        { .name = "device_read_iops", .type = ITEMS(limit_keys) },
        { .name = "device_write_bps", .type = ITEMS(limit_keys) },
        { .name = "device_write_iops", .type = ITEMS(limit_keys) },
};
static const Section blkio_section = SECTION(blkio_keys, .extensions = false);
const Type blkio_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &blkio_section, .finish = finish_section
};
