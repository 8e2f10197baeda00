/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times the parts of a compile inside one process, each as the median over the repetitions, in microseconds:
 *     compile   bytes to checked plan, reading the files each time
 *     write     only writing the plan's files and links, as a program that does nothing else would
 * and prints "compile=US write=US files=N bytes=N memory=KIB", the last being the most that the process ever
 * had. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "generator/base/limits.h"
#include "generator/plan/commit.h"
#include "generator/plan/plan.h"

#define REPETITIONS_MAX 1000

static long now_us(void) {
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static int compare_long(const void *a, const void *b) {
        long x = *(const long *) a, y = *(const long *) b;

        return (x > y) - (x < y);
}

static long median(long *values, size_t n) {
        qsort(values, n, sizeof *values, compare_long);
        return values[n / 2];
}

static Plan *compile_once(Arena *a, const char *dir) {
        Sources sources = { .arena = a, .read = source_read_file };
        Diag diag = { .arena = a, .sources = &sources };
        Facts facts = { .systemd_version = 257,
                        .podman_version = "5.4.2",
                        .quadlet_path = "",
                        .kernel = "",
                        .os_id = "debian",
                        .os_version = "13" };
        Config config = { 0 };
        CompileInput in = {
                .stack = "bench", .dir = dir, .output_dir = "/run/systemd/generator", .config = &config
        };
        Plan *p = compile_stack(a, &sources, &diag, &in, &facts, NULL, NULL);

        if (!p)
                diag_print(&diag, stderr, DIAG_TEXT);
        return p;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        (void) st, (void) type, (void) ftw;
        return remove(path);
}

static int write_once(const Plan *p, const char *dir) {
        const PlanItem *failed = NULL;
        int fd, r;

        if (mkdir(dir, 0755) < 0)
                return -errno;
        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        r = plan_commit(p, fd, PLAN_QUADLET, PLAN_ACTIVATE, /* replace= */ false, &failed);
        close(fd);
        return r;
}

int main(int argc, char **argv) {
        long compile[REPETITIONS_MAX], write[REPETITIONS_MAX];
        struct rusage usage;
        size_t n = argc == 4 ? (size_t) atoi(argv[3]) : 0, bytes = 0, n_files = 0;

        if (n < 1 || n > REPETITIONS_MAX) {
                fprintf(stderr, "usage: %s STACK_DIR SCRATCH_DIR REPETITIONS\n", argv[0]);
                return 2;
        }
        for (size_t i = 0; i < n; i++) {
                Arena *a = arena_new(LIMIT_ARENA_BYTES);
                long start = now_us();
                Plan *p = compile_once(a, argv[1]);

                compile[i] = now_us() - start;
                if (!p)
                        return 1;
                start = now_us();
                if (write_once(p, argv[2]) < 0) {
                        fprintf(stderr, "cannot write to %s\n", argv[2]);
                        return 1;
                }
                write[i] = now_us() - start;
                bytes = 0;
                n_files = p->n_items;
                for (size_t k = 0; k < p->n_items; k++)
                        bytes += p->items[k].text ? strlen(p->items[k].text) : 0;
                (void) nftw(argv[2], remove_entry, 16, FTW_DEPTH | FTW_PHYS);
                a = arena_free(a);
        }
        (void) getrusage(RUSAGE_SELF, &usage);
        printf("compile=%ld write=%ld files=%zu bytes=%zu memory=%ld\n", median(compile, n), median(write, n),
               n_files, bytes, usage.ru_maxrss);
        return 0;
}
