/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <getopt.h>

#include "generator/base/limits.h"
#include "generator/base/source-file.h"
#include "generator/base/str.h"
#include "generator/compose/compose.h"

/* Prints the resolved model of a Compose file as `docker compose config --format json` does.
 *
 *     print-model [--home DIR] [--name NAME] [--profile NAME]... [--quiet] [-f FILE]... DIR
 *
 * Exit status: 0 resolved; 1 refused, with the diagnostics on standard error; 2 usage. */

enum { OPTIONS_MAX = 64 };

int main(int argc, char **argv) {
        static const struct option options[] = {
                { "home", required_argument, NULL, 'h' },
                { "name", required_argument, NULL, 'n' },
                { "profile", required_argument, NULL, 'p' },
                { "quiet", no_argument, NULL, 'q' },
                { 0 },
        };
        Arena *a = arena_new(LIMIT_ARENA_BYTES);
        Sources s = { .arena = a, .read = source_read_file };
        Diag d = { .arena = a, .sources = &s };
        const char *profiles[OPTIONS_MAX], *files[OPTIONS_MAX];
        ComposeOptions o = { .profiles = profiles, .files = files };
        bool quiet = false;
        Node *model;
        char *dir;
        int c;

        while ((c = getopt_long(argc, argv, "f:", options, NULL)) != -1)
                switch (c) {
                case 'h':
                        o.home = optarg;
                        break;
                case 'n':
                        o.name = optarg;
                        break;
                case 'p':
                        if (o.n_profiles < OPTIONS_MAX)
                                profiles[o.n_profiles++] = optarg;
                        break;
                case 'f':
                        if (o.n_files < OPTIONS_MAX)
                                files[o.n_files++] = optarg;
                        break;
                case 'q':
                        quiet = true;
                        break;
                default:
                        return 2;
                }
        if (optind + 1 != argc)
                return 2;
        dir = realpath(argv[optind], NULL);
        if (!dir)
                return 2;
        o.project_dir = dir;
        if (o.n_files == 0)
                o.n_files = compose_find_files(a, &s, NULL, dir, files);
        if (o.n_files == 0) {
                (void) fprintf(stderr, "%s: no Compose file\n", dir);
                return 2;
        }
        model = compose_load(a, &s, &d, &o);
        diag_sort(&d);
        if (!quiet || !model)
                diag_print(&d, stderr, DIAG_TEXT);
        if (model)
                (void) fputs(compose_to_json(a, model), stdout);
        free(dir);
        a = arena_free(a);
        return model ? 0 : 1;
}
