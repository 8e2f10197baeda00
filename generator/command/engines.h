/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "engines/engine.h"

/* The first engine of the table that runs containers and is installed, with its program; NULL if there is
 * none. */
const EngineRow *engines_with_containers(const char **ret_binary);
