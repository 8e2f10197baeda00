/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/plan/plan.h"
#include "generator/write/escape.h"

/* Bytes to plan, with no disk: the input is compose.yaml, and what stands before a line "---env" is its .env.
 * A plan that comes out has to pass its own check; one that does not come out has to leave a plan for a
 * failed unit that does. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Files {
        const char *compose, *env;
} Files;

static int read_memory(void *userdata, Arena *a, const char *path, char **ret_bytes, size_t *ret_length) {
        const Files *f = userdata;
        const char *bytes = NULL;

        if (str_equal(path, "/etc/unitproof/s/compose.yaml"))
                bytes = f->compose;
        else if (str_equal(path, "/etc/unitproof/s/.env"))
                bytes = f->env;
        if (!bytes)
                return -ENOENT;
        *ret_length = strlen(bytes);
        *ret_bytes = arena_strndup(a, bytes, *ret_length);
        return 0;
}

static void check_plan(Arena *a, const Sources *s, const Plan *p) {
        Diag d = { .arena = a, .sources = s };

        if (!p)
                abort();
        plan_check(p, &d);
        if (d.n_errors > 0 || p->items[p->n_items - 1].phase != PLAN_ACTIVATE)
                abort();
        for (size_t i = 0; i < p->n_items; i++) {
                const PlanItem *item = p->items + i;

                /* A carriage return ends a line for systemd, and nothing that is written has one. */
                if (item->phase != PLAN_PRIVATE && item->text && strchr(item->text, '\r'))
                        abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const Facts facts = { .os_id = "debian",
                                     .os_version = "13",
                                     .systemd_version = 257,
                                     .podman_version = "5.4.2",
                                     .quadlet_path = "/usr/libexec/podman/quadlet",
                                     .kernel = "6.12.0" };
        static const Config config = { 0 };
        static const char separator[] = "\n---env\n";

        if (size > 64 * 1024)
                return 0;

        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        char *text = arena_strndup(a, (const char *) data, size), *cut = strstr(text, separator);
        Files files = { .compose = cut ? cut + strlen(separator) : text, .env = cut ? text : NULL };
        Sources s = { .arena = a, .read = read_memory, .userdata = &files };
        Diag d = { .arena = a, .sources = &s };
        const CompileInput in = {
                .stack = "s",
                .dir = "/etc/unitproof/s",
                .output_dir = "/run/systemd/generator",
                .config = &config,
        };
        Plan *p;

        if (cut)
                *cut = '\0';
        p = compile_stack(a, &s, &d, &in, &facts, NULL, NULL);
        if (!p && d.n_errors == 0)
                abort();
        check_plan(a, &s, p ?: plan_failed(a, "s", in.dir, &d));
        return 0;
}
