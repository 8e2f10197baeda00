/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/verdict.h"

#include <stddef.h>
#include <string.h>

static const struct VerdictRow {
        const char *name;
        int exit_status;
        int weakness;
} verdicts[_VERDICT_MAX] = {
        [VERDICT_PASSED] = { "passed", 0, 0 },
        [VERDICT_FAILED] = { "failed", 1, 2 },
        [VERDICT_UNPROVEN] = { "unproven", 3, 1 },
};

static bool verdict_is_valid(Verdict verdict) {
        return verdict >= 0 && verdict < _VERDICT_MAX;
}

const char *verdict_name(Verdict verdict) {
        return verdicts[verdict_is_valid(verdict) ? verdict : VERDICT_UNPROVEN].name;
}

Verdict verdict_from_name(const char *name) {
        for (Verdict v = 0; name && v < _VERDICT_MAX; v++)
                if (strcmp(name, verdicts[v].name) == 0)
                        return v;
        return _VERDICT_INVALID;
}

int verdict_exit_status(Verdict verdict) {
        return verdicts[verdict_is_valid(verdict) ? verdict : VERDICT_UNPROVEN].exit_status;
}

Verdict verdict_from_exit_status(int status) {
        for (Verdict v = 0; v < _VERDICT_MAX; v++)
                if (verdicts[v].exit_status == status)
                        return v;
        return VERDICT_UNPROVEN;
}

Verdict verdict_weaker(Verdict a, Verdict b) {
        if (!verdict_is_valid(a) || !verdict_is_valid(b))
                return VERDICT_UNPROVEN;
        return verdicts[a].weakness >= verdicts[b].weakness ? a : b;
}
