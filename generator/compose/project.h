/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/load.h"

/* Variables and name of a project. False after an error. */
bool project_env_read(Load *l);
/* From COMPOSE_PROJECT_NAME, the name in a file (NULL if none), the options or the directory; sets
 * l->name and the variable. */
bool project_name_find(Load *l, const Node *name);
