/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/rules.h"

/* The sections of a file: networks, volumes, secrets, configs. */

#define TYPE(forms_, what_, ...) (&(const Type){ .forms = (forms_), .what = (what_), __VA_ARGS__ })
#define MAPPING(rows, ...)                                                                                   \
        TYPE(FORM_MAPPING, "a mapping", .finish = finish_section,                                            \
             .section = &(const Section) SECTION(rows, .extensions = true), __VA_ARGS__)

static const KeyDef string_row = { .type = &type_string };

static const KeyDef external_keys[] = {
        { .name = "name", .type = &type_string },
};
static const Section external_section = SECTION(external_keys, .extensions = true);
static const Type external_type = { .forms = FORM_BOOL | FORM_STRING | FORM_MAPPING,
                                    .what = "a boolean",
                                    .section = &external_section,
                                    .finish = finish_bool };

static const KeyDef pool_keys[] = {
        { .name = "subnet", .type = &type_string },
        { .name = "gateway", .type = &type_string },
        { .name = "ip_range", .type = &type_string },
        { .name = "aux_addresses",
          .type = TYPE(FORM_MAPPING, "a mapping", .values = &string_row, .open_names = true, .named = true,
                       .finish = finish_map) },
};
static const KeyDef pool_row = { .type = MAPPING(pool_keys) };
static const KeyDef ipam_keys[] = {
        { .name = "driver", .type = &type_string },
        { .name = "config",
          .merge = MERGE_POOLS,
          .type = TYPE(FORM_SEQUENCE, "a list of address pools", .items = &pool_row, .finish = finish_list) },
        /* accepted by the specification, and not printed by Compose 2.40 */
        { .name = "options",
          .type = TYPE(FORM_MAPPING, "a mapping", .values = &string_row, .open_names = true, .named = true,
                       .finish = finish_ipam_options) },
};

static const KeyDef network_keys[] = {
        { .name = "name", .type = &type_string },
        { .name = "driver", .type = &type_string },
        { .name = "driver_opts", .type = &type_options },
        { .name = "ipam", .type = MAPPING(ipam_keys, .absent = ABSENT_SECTION) },
        { .name = "external", .cast = CAST_BOOL, .type = &external_type },
        { .name = "internal", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "attachable", .cast = CAST_BOOL, .type = &type_bool },
        { .name = "labels", .type = &type_map, .merge = MERGE_LIST, .index = INDEX_NAME },
        { .name = "enable_ipv4", .cast = CAST_BOOL, .type = &type_bool_kept },
        { .name = "enable_ipv6", .cast = CAST_BOOL, .type = &type_bool_kept },
};
static const Section network_section = SECTION(network_keys, .extensions = true);
const Type network_type = { .forms = FORM_MAPPING | FORM_NULL,
                            .what = "a mapping",
                            .section = &network_section,
                            .finish = finish_section };

static const KeyDef volume_keys[] = {
        { .name = "name", .type = &type_string },
        { .name = "driver", .type = &type_string },
        { .name = "driver_opts", .type = &type_options },
        { .name = "external", .cast = CAST_BOOL, .type = &external_type },
        { .name = "labels", .type = &type_map, .merge = MERGE_LIST },
};
static const Section volume_section = SECTION(volume_keys, .extensions = true);
const Type volume_type = { .forms = FORM_MAPPING | FORM_NULL,
                           .what = "a mapping",
                           .section = &volume_section,
                           .finish = finish_section };

static const KeyDef secret_keys[] = {
        { .name = "name", .type = &type_string },
        { .name = "file", .type = &type_string, .path = PATH_FILE },
        { .name = "environment", .type = &type_string },
        { .name = "external", .cast = CAST_BOOL, .type = &external_type },
        { .name = "labels", .type = &type_map },
        { .name = "driver", .type = &type_string },
        { .name = "driver_opts", .type = &type_options_plain },
        { .name = "template_driver", .type = &type_string },
};
static const Section secret_section = SECTION(secret_keys, .extensions = true);
const Type secret_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &secret_section, .finish = finish_section
};

static const KeyDef config_keys[] = {
        { .name = "name", .type = &type_string },
        { .name = "file", .type = &type_string, .path = PATH_FILE },
        { .name = "environment", .type = &type_string },
        { .name = "content", .type = &type_string },
        { .name = "external", .cast = CAST_BOOL, .type = &external_type },
        { .name = "labels", .type = &type_map },
        { .name = "template_driver", .type = &type_string },
};
static const Section config_section = SECTION(config_keys, .extensions = true);
const Type config_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &config_section, .finish = finish_section
};

static const KeyDef service_row = { .type = &service_type };
static const KeyDef network_row = { .type = &network_type, .expand = expand_external };
static const KeyDef volume_row = { .type = &volume_type, .expand = expand_external, .path = PATH_DRIVER };
static const KeyDef secret_row = { .type = &secret_type, .expand = expand_external };
static const KeyDef config_row = { .type = &config_type, .expand = expand_external };

#define NAMED(row, ...) TYPE(FORM_MAPPING, "a mapping", .values = (row), .finish = finish_named, __VA_ARGS__)
static const KeyDef file_keys[] = {
        { .name = "version", .type = &type_string },
        { .name = "name", .type = &type_string },
        { .name = "configs", .type = NAMED(&config_row, .closed_names = true) },
        { .name = "networks", .type = NAMED(&network_row) },
        { .name = "secrets", .type = NAMED(&secret_row, .closed_names = true) },
        { .name = "services", .type = NAMED(&service_row, .closed_names = true) },
        { .name = "volumes", .type = NAMED(&volume_row, .closed_names = true) },
};
static const Section file_section = SECTION(file_keys, .extensions = true, .keep_extensions = true);
const Type compose_type = {
        .forms = FORM_MAPPING, .what = "a mapping", .section = &file_section, .finish = finish_section
};
