/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/dotenv.h"
#include "tests/fuzz/fuzz-front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const EnvTable *t) {
        for (size_t i = 0; i < t->n; i++) {
                const EnvVar *var = t->vars + i;

                if (!var->name || var->name[0] == '\0' || !var->value)
                        abort();
                if (!str_is_utf8(var->value, strlen(var->value)) || var->span.line == 0)
                        abort();
                if (!var->no_value && env_lookup(t, var->name) != var)
                        abort();
                if (!var->no_value && env_name_is_secret(var->name) && !var->secret)
                        abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        EnvTable parent = { 0 }, t = { .parent = &parent }, raw = { .parent = &parent };
        FuzzInput in;

        fuzz_open(&in, data, size);
        env_set(in.arena, &parent, (EnvVar){ .name = "P", .value = "parent" });
        env_parse(in.arena, &in.diag, &t, &in.sources, in.file);
        check_table(&t);
        env_parse_raw(in.arena, &in.diag, &raw, &in.sources, in.file);
        check_table(&raw);
        for (size_t i = 0; i < in.diag.n_entries; i++)
                if (!in.diag.entries[i].hide_source)
                        abort();
        fuzz_close(&in);
        return 0;
}
