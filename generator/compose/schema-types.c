/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <limits.h>

#include "generator/compose/rules.h"

/* Shapes that several keys share. */

static const KeyDef string_row = { .type = &type_string };
static const KeyDef string_or_int_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_INT,
                                                                 .what = "a string or a whole number",
                                                                 .exact = true } };
static const KeyDef group_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_INT,
                                                         .passing = FORM_NUMBER,
                                                         .what = "a string or a whole number",
                                                         .exact = true } };
static const KeyDef scalar_row = { .type = &(const Type){
                                           .forms = FORM_STRING | FORM_NUMBER | FORM_BOOL | FORM_NULL,
                                           .what = "a string, a number, a boolean or nothing" } };
static const KeyDef option_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_NUMBER,
                                                          .what = "a string or a number" } };

const Type type_any = { .forms = FORM_ANY };
const Type type_string = { .forms = FORM_STRING, .what = "a string", .finish = finish_text };
const Type type_string_or_null = { .forms = FORM_STRING | FORM_NULL,
                                   .what = "a string",
                                   .finish = finish_text };
const Type type_string_or_bool = { .forms = FORM_STRING | FORM_BOOL,
                                   .what = "a string or a boolean",
                                   .finish = finish_text };

const Type type_bool = { .forms = FORM_BOOL | FORM_STRING, .what = "a boolean", .finish = finish_bool };
const Type type_bool_kept = { .forms = FORM_BOOL | FORM_STRING,
                              .what = "a boolean",
                              .finish = finish_bool_kept };
const Type type_bool_strict = { .forms = FORM_BOOL, .what = "a boolean", .finish = finish_bool_kept };
const Type type_bool_only = { .forms = FORM_BOOL, .what = "a boolean", .finish = finish_bool };

const Type type_int = { .forms = FORM_INT | FORM_STRING, .what = "a whole number", .finish = finish_int };
const Type type_int_kept = { .forms = FORM_INT | FORM_STRING,
                             .what = "a whole number",
                             .finish = finish_int_kept };
const Type type_count = { .forms = FORM_INT | FORM_STRING,
                          .what = "a whole number from 0 on",
                          .finish = finish_int_kept,
                          .limits = (const long long[]){ 0, LLONG_MAX } };
const Type type_integer = { .forms = FORM_NUMBER | FORM_STRING, .what = "a number", .finish = finish_int };
const Type type_number = { .forms = FORM_NUMBER, .what = "a number", .finish = finish_int };
const Type type_float = { .forms = FORM_NUMBER | FORM_STRING, .what = "a number", .finish = finish_float };

const Type type_bytes = { .forms = FORM_NUMBER | FORM_STRING,
                          .what = "a size such as 512m",
                          .finish = finish_bytes };
const Type type_bytes_int = { .forms = FORM_INT | FORM_STRING,
                              .what = "a size such as 512m",
                              .finish = finish_bytes };
const Type type_duration = { .forms = FORM_STRING,
                             .what = "a duration such as 1m30s",
                             .finish = finish_duration_kept };

const Type type_strings = { .forms = FORM_SEQUENCE,
                            .what = "a list of strings",
                            .items = &string_row,
                            .unique = true,
                            .finish = finish_strings };
const Type type_strings_loose = {
        .forms = FORM_SEQUENCE, .what = "a list of strings", .items = &string_row, .finish = finish_strings
};
const Type type_string_or_list = { .forms = FORM_STRING | FORM_SEQUENCE,
                                   .what = "a string or a list of strings",
                                   .items = &string_row,
                                   .unique = true,
                                   .finish = finish_strings };
const Type type_ports_exposed = { .forms = FORM_SEQUENCE,
                                  .what = "a list of strings and numbers",
                                  .items = &string_or_int_row,
                                  .unique = true,
                                  .finish = finish_strings };
const Type type_groups = { .forms = FORM_SEQUENCE,
                           .what = "a list of strings and numbers",
                           .items = &group_row,
                           .unique = true,
                           .finish = finish_strings };
const Type type_command = { .forms = FORM_STRING | FORM_SEQUENCE | FORM_NULL,
                            .what = "a string or a list of strings",
                            .items = &string_row,
                            .finish = finish_command,
                            .absent = ABSENT_NULL };

const Type type_map = { .forms = FORM_MAPPING | FORM_SEQUENCE,
                        .what = "a mapping or a list of KEY=VALUE",
                        .values = &scalar_row,
                        .items = &string_row,
                        .unique = true,
                        .open_names = true,
                        .named = true,
                        .finish = finish_map };
const Type type_environment = { .forms = FORM_MAPPING | FORM_SEQUENCE,
                                .what = "a mapping or a list of KEY=VALUE",
                                .values = &scalar_row,
                                .items = &string_row,
                                .unique = true,
                                .open_names = true,
                                .named = true,
                                .finish = finish_environment };
const Type type_options = { .forms = FORM_MAPPING,
                            .what = "a mapping",
                            .values = &option_row,
                            .open_names = true,
                            .finish = finish_map };

static const KeyDef addresses_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_SEQUENCE,
                                                             .what = "an address or a list of addresses",
                                                             .items = &string_row } };
const Type type_hosts = { .forms = FORM_MAPPING | FORM_SEQUENCE,
                          .what = "a mapping or a list of HOST=ADDRESS",
                          .values = &addresses_row,
                          .items = &string_row,
                          .unique = true,
                          .open_names = true,
                          .named = true,
                          .finish = finish_hosts };

static const Type limit_type = { .forms = FORM_INT | FORM_STRING,
                                 .what = "a whole number",
                                 .finish = finish_int };
static const KeyDef ulimit_keys[] = {
        { .name = "soft", .cast = CAST_INT, .type = &limit_type },
        { .name = "hard", .cast = CAST_INT, .type = &limit_type },
};
static const Section ulimit_section =
        SECTION(ulimit_keys, .extensions = true, .required = { "soft", "hard" });
static const Type ulimit_type = { .exact = true,
                                  .forms = FORM_INT | FORM_STRING | FORM_MAPPING,
                                  .what = "a number, or soft and hard",
                                  .section = &ulimit_section,
                                  .finish = finish_ulimit };
static const KeyDef ulimit_row = { .type = &ulimit_type, .cast = CAST_INT, .merge = MERGE_REPLACE };
const Type type_ulimits = { .forms = FORM_MAPPING,
                            .what = "a mapping of limits",
                            .values = &ulimit_row,
                            .open_names = true,
                            .finish = finish_named };

const Type type_file_mode = { .forms = FORM_NUMBER | FORM_STRING,
                              .what = "an octal file mode",
                              .finish = finish_mode };
static const KeyDef file_mount_keys[] = {
        { .name = "source", .type = &type_string },  { .name = "target", .type = &type_string },
        { .name = "uid", .type = &type_string },     { .name = "gid", .type = &type_string },
        { .name = "mode", .type = &type_file_mode },
};
const Section file_mount_section = SECTION(file_mount_keys, .extensions = true);
static const Type file_mount_type = { .forms = FORM_STRING | FORM_MAPPING,
                                      .what = "a name or a mapping",
                                      .section = &file_mount_section,
                                      .finish = finish_section };
static const KeyDef file_mount_row = { .type = &file_mount_type, .expand = expand_file_mount };
const Type type_file_mounts = {
        .forms = FORM_SEQUENCE, .what = "a list", .items = &file_mount_row, .finish = finish_list
};

static const KeyDef hook_keys[] = {
        { .name = "command", .type = &type_command },         { .name = "user", .type = &type_string },
        { .name = "privileged", .type = &type_bool },         { .name = "working_dir", .type = &type_string },
        { .name = "environment", .type = &type_environment },
};
const Section hook_section = SECTION(hook_keys, .extensions = true, .required = { "command" });
static const Type hook_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &hook_section, .finish = finish_section
};
static const KeyDef hook_row = { .type = &hook_type };
const Type hooks_type = {
        .forms = FORM_SEQUENCE, .what = "a list of hooks", .items = &hook_row, .finish = finish_list
};

/* Where Docker Compose has no conversion of its own: a number with a point, a boolean or a list fails a step
 * after its schema. */
static const KeyDef plain_option_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_INT,
                                                                .passing = FORM_NUMBER,
                                                                .exact = true,
                                                                .what = "a string or a whole number" } };
const Type type_options_plain = { .forms = FORM_MAPPING,
                                  .what = "a mapping",
                                  .values = &plain_option_row,
                                  .open_names = true,
                                  .finish = finish_map };
static const KeyDef storage_row = { .type = &(const Type){ .forms = FORM_STRING | FORM_INT | FORM_NULL,
                                                           .passing = FORM_ANY,
                                                           .exact = true,
                                                           .what = "a string or a whole number" } };
const Type type_storage = { .forms = FORM_MAPPING,
                            .what = "a mapping",
                            .values = &storage_row,
                            .open_names = true,
                            .finish = finish_map };

/* The limits of a build are not interpolated into numbers. */
static const Type build_limit_type = {
        .forms = FORM_INT, .passing = FORM_STRING, .what = "a whole number", .finish = finish_int
};
static const KeyDef build_ulimit_keys[] = {
        { .name = "soft", .type = &build_limit_type },
        { .name = "hard", .type = &build_limit_type },
};
static const Section build_ulimit_section =
        SECTION(build_ulimit_keys, .extensions = true, .required = { "soft", "hard" });
static const KeyDef build_ulimit_row = { .type = &(const Type){ .forms = FORM_INT | FORM_MAPPING,
                                                                .exact = true,
                                                                .what = "a number, or soft and hard",
                                                                .section = &build_ulimit_section,
                                                                .finish = finish_ulimit } };
const Type type_build_ulimits = { .forms = FORM_MAPPING,
                                  .what = "a mapping of limits",
                                  .values = &build_ulimit_row,
                                  .open_names = true,
                                  .finish = finish_named };
