/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/own.h"
#include "generator/config/config.h"
#include "generator/facts/handles.h"
#include "generator/quadlet/apply.h"

enum { QUADLET_TIMEOUT_MS = 30 * 1000 };

static int open_output(Session *s, const char **ret) {
        const char *dir = s->options.text[OPTION_OUTPUT];
        _cleanup_free_ char *absolute = NULL;

        if (!dir)
                return command_fail(s, STATUS_BAD_INPUT, "usage", "say where to write with --output DIR");
        if (mkdir(dir, 0755) < 0 && errno != EEXIST)
                return command_fail(s, STATUS_FAILED, "write", "cannot make %s: %m", dir);
        absolute = realpath(dir, NULL);
        if (!absolute)
                return command_fail(s, STATUS_FAILED, "write", "cannot open %s: %m", dir);
        *ret = arena_strdup(s->arena, absolute);
        return STATUS_GOOD;
}

static bool is_listed(const char *const *paths, size_t n, const char *path) {
        for (size_t i = 0; i < n; i++)
                if (str_equal(paths[i], path))
                        return true;
        return false;
}

/* Units of somebody else under the names of ours stay: the directory may be a system's own. */
static int check_foreign(Session *s, Compiled *c, const char *dir, const char *const *own, size_t n_own) {
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        Diag d = { .arena = s->arena, .sources = &c->sources };
        struct stat st;

        for (size_t i = 0; i < c->plan->n_items + c->plan->n_expected; i++) {
                const bool item = i < c->plan->n_items;
                const size_t at = item ? i : i - c->plan->n_items;
                const char *path = item ? c->plan->items[at].path : c->plan->expected[at].unit;

                if (fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0 || is_listed(own, n_own, path) ||
                    own_is_made_here(s->arena, dir_fd, path, c->stack))
                        continue;
                diag_error(&d, item ? c->plan->items[at].origin : c->plan->expected[at].origin, "name-taken",
                           "%s/%s is there already, and unitproof did not make it", dir, path);
                diag_hint(&d, "remove it, or write to another directory");
        }
        output_diag(s, &d);
        return d.n_errors > 0 ? STATUS_FAILED : STATUS_GOOD;
}

/* What an earlier run left and this one does not make: a directory with both would start services that are
 * gone from the file. */
static int make_room(Session *s, Compiled *c, const char *dir) {
        const char **paths;
        size_t n;
        int r;

        r = own_list(s, c, dir, &paths, &n);
        if (r < 0)
                return command_fail(s, STATUS_FAILED, "unreadable", "cannot read %s: %s", dir, strerror(-r));
        if (check_foreign(s, c, dir, paths, n) != STATUS_GOOD)
                return STATUS_FAILED;
        for (size_t i = 0; i < n; i++) {
                const char *path = arena_printf(s->arena, "%s/%s", dir, paths[i]);

                if (!own_is_planned(c->plan, paths[i]) && unlink(path) < 0)
                        return command_fail(s, STATUS_FAILED, "write", "cannot remove %s: %m", path);
        }
        return STATUS_GOOD;
}

/* What was done, and what was not, with the reason. */
static void report(Session *s, const Compiled *c, const ApplyJob *job, ApplyOutcome outcome, json_t *list) {
        const size_t from_quadlet = c->plan->n_expected;
        size_t files = 0, links = 0;

        for (size_t i = 0; i < c->plan->n_items; i++)
                *(c->plan->items[i].text ? &files : &links) += 1;
        if (s->json) {
                json_t *o = json_object();

                json_put(o, "stack", json_text(s, c->stack));
                json_put(o, "directory", json_text(s, job->dir));
                json_put(o, "files", json_integer((json_int_t) files));
                json_put(o, "links", json_integer((json_int_t) links));
                json_put(o, "units_from_quadlet",
                         json_integer(job->without_quadlet ? 0 : (json_int_t) c->plan->n_expected));
                json_put(o, "quadlet", job->without_quadlet ? json_null() : json_text(s, job->quadlet));
                json_put(o, "complete",
                         json_boolean(outcome == APPLY_DONE &&
                                      (!job->without_quadlet || c->plan->n_expected == 0)));
                (void) json_array_append_new(list, o);
                return;
        }
        printf("%s: wrote %zu file%s and %zu link%s to %s\n", c->stack, files, files == 1 ? "" : "s", links,
               links == 1 ? "" : "s", job->dir);
        if (from_quadlet == 0)
                return;
        if (!job->without_quadlet)
                printf("%s: %s made %zu unit%s from unitproof-%s.quadlets\n", c->stack, job->quadlet,
                       from_quadlet, from_quadlet == 1 ? "" : "s", c->stack);
        else
                printf("%s: quadlet was not run, since this host has none: %zu unit%s missing%s %s\n",
                       c->stack, from_quadlet, from_quadlet == 1 ? " is" : "s are",
                       from_quadlet == 1 ? ":" : ", among them", c->plan->expected[0].unit);
}

static int generate_one(Session *s, const char *what, const char *dir, json_t *list) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        ApplyOutcome outcome;
        Facts host;
        int r;

        r = session_need_place(s, what);
        if (r == STATUS_GOOD)
                r = session_compile_report(s, what, dir, c);
        if (r == STATUS_GOOD)
                r = make_room(s, c, dir);
        if (r != STATUS_GOOD)
                return r;

        /* Quadlet is run where we are, whatever host the files are for: it is only a converter. */
        facts_read_host(s->arena, "", &host);
        const ApplyJob job = {
                .plan = c->plan,
                .dir = dir,
                .root = "",
                .quadlet = host.quadlet_path,
                .timeout_ms = QUADLET_TIMEOUT_MS,
                .replace = true,
                .without_quadlet = host.quadlet_path[0] == '\0',
        };
        Diag d = { .arena = s->arena, .sources = &c->sources };

        outcome = plan_apply(s->arena, &d, &job);
        output_diag(s, &d);
        if (outcome == APPLY_REFUSED)
                return STATUS_FAILED;
        report(s, c, &job, outcome, list);
        return outcome == APPLY_DONE ? STATUS_GOOD : STATUS_FAILED;
}

int command_generate(Session *s, int argc, char **argv) {
        json_t *list = json_array();
        const char *dir = NULL;
        StackList stacks;
        int status, r;

        json_put(s->answer, "stacks", list);
        r = open_output(s, &dir);
        if (r != STATUS_GOOD)
                return r;
        status = session_config_status(s);
        for (int i = 0; i < argc; i++) {
                r = generate_one(s, argv[i], dir, list);
                status = r > status ? r : status;
        }
        if (argc > 0)
                return status;

        r = session_stacks(s, &stacks);
        if (r != STATUS_GOOD)
                return r;
        r = session_say_strays(s, &stacks);
        status = r > status ? r : status;
        for (size_t i = 0; i < stacks.n; i++) {
                r = generate_one(s, stacks.names[i], dir, list);
                status = r > status ? r : status;
        }
        if (stacks.n + stacks.n_strays == 0)
                return command_fail(s, STATUS_BAD_INPUT, "no-stack", "no stacks in %s" CONFIG_DIR, s->root);
        return status;
}
