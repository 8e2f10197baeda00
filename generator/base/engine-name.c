/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/engine-name.h"

#include <string.h>

bool engine_name_is_valid(const char *name) {
        return name[0] && !strchr("_.-", name[0]) &&
               !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")];
}
