/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/config/config.h"
#include "generator/plan/commit.h"

/* compile ROOT STACK FACTS OUT [FILE]: the stack below ROOT is compiled as the generator would for
 * /run/systemd/generator, and the plan is written to OUT (that of a failed stack if it did not compile).
 * Diagnostics go to standard error. Nothing is run. Exit status: 0, 1 for a stack that did not compile, 2 for
 * everything else. */

static int write_plan(const Plan *p, const char *out) {
        const PlanItem *failed = NULL;
        int fd = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

        if (fd < 0)
                return -errno;
        r = plan_commit(p, fd, PLAN_QUADLET, PLAN_ACTIVATE, /* replace= */ false, &failed);
        if (r < 0)
                fprintf(stderr, "cannot write %s: %s\n", failed ? failed->path : out, strerror(-r));
        return r;
}

static Facts read_facts(Arena *a, Diag *d, Sources *s, const char *path) {
        Sources host = { .arena = a, .read = source_read_file };
        Facts f = { .podman_version = "", .quadlet_path = "", .os_id = "", .os_version = "", .kernel = "" };
        int file = sources_open(&host, path);

        (void) s;
        if (file > 0)
                (void) facts_parse(a, d, &host, (uint32_t) file, &f);
        return f;
}

int main(int argc, char **argv) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        Sources s = { .arena = a, .read = source_read_file, .userdata = argc > 1 ? argv[1] : NULL };
        Diag d = { .arena = a, .sources = &s };
        Config config = { 0 };
        Facts facts;
        Plan *p;

        if (argc < 5 || argc > 6) {
                fprintf(stderr, "usage: compile ROOT STACK FACTS OUT [FILE]\n");
                return 2;
        }
        facts = read_facts(a, &d, &s, argv[3]);
        config_load(a, &d, &s, argv[1], &config);

        const CompileInput in = {
                .stack = argv[2],
                .dir = arena_printf(a, "/etc/unitproof/%s", argv[2]),
                .file = argc == 6 ? argv[5] : NULL,
                .output_dir = "/run/systemd/generator",
                .config = &config,
        };

        p = compile_stack(a, &s, &d, &in, &facts, NULL, NULL);
        diag_sort(&d);
        diag_print(&d, stderr, DIAG_TEXT);
        if (write_plan(p ?: plan_failed(a, argv[2], in.dir, &d), argv[4]) < 0)
                return 2;
        return p ? 0 : 1;
}
