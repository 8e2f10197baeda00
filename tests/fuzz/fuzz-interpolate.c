/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/interpolate.h"
#include "tests/fuzz/fuzz-front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void set(FuzzInput *in, EnvTable *t, const char *name, const char *value) {
        env_set(in->arena, t, (EnvVar){ .name = name, .value = value });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const char secret[] = "\x01secret"; /* its first byte cannot come from the input */
        bool is_secret = false, changed = false;
        EnvTable t = { 0 };
        FuzzInput in;
        const char *text, *result;

        fuzz_open(&in, data, size);
        text = sources_get(&in.sources, in.file)->bytes;
        if (strchr(text, secret[0]) || !str_is_utf8(text, strlen(text))) {
                in.arena = arena_free(in.arena);
                return 0;
        }
        set(&in, &t, "A", "value");
        set(&in, &t, "E", "");
        set(&in, &t, "D", "$A ${A} $$");
        set(&in, &t, "A_TOKEN", secret);
        result = interpolate_string(in.arena, &in.diag, &t, (Span){ .file = in.file, .line = 1, .column = 1 },
                                    text, &is_secret, &changed);
        if ((result == NULL) != (in.diag.n_errors > 0))
                abort();
        if (result && strlen(result) > LIMIT_INTERPOLATED_BYTES && strlen(text) <= LIMIT_INTERPOLATED_BYTES)
                abort();
        if (result && !changed && strcmp(result, text) != 0)
                abort();
        if (result && strstr(result, secret) && !is_secret)
                abort();
        for (size_t i = 0; i < in.diag.n_entries; i++)
                if (strstr(in.diag.entries[i].text, secret))
                        abort();
        fuzz_close(&in);
        return 0;
}
