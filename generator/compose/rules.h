/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/schema.h"

/* What the rows of the tables point to. */

/* A text as what it stands for; NULL after an error (cast.c). */
Node *cast_bool(Load *l, const Type *t, const Node *n);
Node *cast_int(Load *l, const Type *t, const Node *n);
Node *cast_float(Load *l, const Type *t, const Node *n);

/* Short forms to long forms (expand*.c). */
Node *expand_string_list(Load *l, Node *n);
Node *expand_names(Load *l, Node *n);
Node *expand_pairs(Load *l, Node *n);
Node *expand_depends(Load *l, Node *n);
Node *expand_env_file(Load *l, Node *n);
Node *expand_gpus(Load *l, Node *n);
Node *expand_build(Load *l, Node *n);
Node *expand_ssh(Load *l, Node *n);
Node *expand_text(Load *l, Node *n);
Node *expand_device(Load *l, Node *n);
Node *expand_mount(Load *l, Node *n);
Node *expand_file_mount(Load *l, Node *n);
Node *expand_ports(Load *l, Node *n);
Node *expand_external(Load *l, Node *n);
Node *expand_dns(Load *l, Node *n);

/* Defaults (defaults.c). */
void defaults_build(Load *l, Node *n);
void defaults_secret(Load *l, Node *n);
void defaults_port(Load *l, Node *n);
void defaults_device_request(Load *l, Node *n);

/* Final forms (finish*.c). */
Node *finish_text(Load *l, const Type *t, Node *n);
Node *finish_bool(Load *l, const Type *t, Node *n);
Node *finish_bool_kept(Load *l, const Type *t, Node *n);
Node *finish_int(Load *l, const Type *t, Node *n);
Node *finish_int_kept(Load *l, const Type *t, Node *n);
Node *finish_float(Load *l, const Type *t, Node *n);
Node *finish_bytes(Load *l, const Type *t, Node *n);
Node *finish_duration(Load *l, const Type *t, Node *n);
Node *finish_duration_kept(Load *l, const Type *t, Node *n);
Node *finish_strings(Load *l, const Type *t, Node *n);
Node *finish_command(Load *l, const Type *t, Node *n);
Node *finish_test(Load *l, const Type *t, Node *n);
Node *finish_mode(Load *l, const Type *t, Node *n);
Node *finish_published(Load *l, const Type *t, Node *n);
Node *finish_count(Load *l, const Type *t, Node *n);
Node *finish_map(Load *l, const Type *t, Node *n);
Node *finish_environment(Load *l, const Type *t, Node *n);
Node *finish_hosts(Load *l, const Type *t, Node *n);
Node *finish_option_lists(Load *l, const Type *t, Node *n);
Node *finish_section(Load *l, const Type *t, Node *n);
Node *finish_list(Load *l, const Type *t, Node *n);
Node *finish_named(Load *l, const Type *t, Node *n);
Node *finish_ulimit(Load *l, const Type *t, Node *n);
Node *finish_ssh(Load *l, const Type *t, Node *n);
Node *finish_drop(Load *l, const Type *t, Node *n);
Node *finish_models(Load *l, const Type *t, Node *n);
Node *finish_ipam_options(Load *l, const Type *t, Node *n);

/* Rules on single values beyond their type (check-value.c). */
void check_container_name(Load *l, const char *where, const Node *n);
void check_pull_policy(Load *l, const char *where, const Node *n);
