/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/compose/compose.h"
#include "generator/config/config.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"
#include "generator/quadlet/quadlet.h"

enum { VERSION_TIMEOUT_MS = 5000 };

static Sources sources_of(Session *s, const char *root) {
        return (Sources){ .arena = s->arena,
                          .read = source_read_file,
                          .userdata = (void *) (uintptr_t) root,
                          .root = root };
}

struct SessionHost {
        Neighbours neighbours;
        int facts_status, config_status; /* STATUS_GOOD, or that --facts was refused, or that unitproof.conf
                                            has mistakes, which has been said */
        Config config;
        Facts facts;
        Sources facts_sources, streams; /* streams: what can be read only once, by its path */
        uint32_t facts_file;            /* of --facts, or 0 */
        bool facts_checked;
};

static int read_facts(Session *s, SessionHost *host) {
        const char *path = s->options.text[OPTION_FACTS];
        Diag d = { .arena = s->arena, .sources = &host->facts_sources };
        int file, r;

        host->facts_sources = sources_of(s, "");
        if (!path) {
                facts_read_host(s->arena, s->root, &host->facts);
                return STATUS_GOOD;
        }
        file = sources_open(&host->facts_sources, path);
        if (file < 0)
                diag_unreadable(&d, (Span){ 0 }, "unreadable", path, file,
                                "'unitproof facts' prints such a file");
        r = file < 0 ? file : facts_parse(s->arena, &d, &host->facts_sources, (uint32_t) file, &host->facts);
        host->facts_file = file > 0 ? (uint32_t) file : 0;
        output_diag(s, &d);
        return r < 0 ? STATUS_BAD_INPUT : STATUS_GOOD;
}

/* Only a command asks quadlet for its version: a program of another root, or of --facts, is not run. */
static void ask_podman(Session *s, Facts *f) {
        if (f->quadlet_path[0] != '\0' && s->root[0] == '\0' && !s->options.given[OPTION_FACTS])
                f->podman_version = quadlet_version(s->arena, f->quadlet_path, VERSION_TIMEOUT_MS);
}

static void note_fixed_pauses(Diag *d, Span span, const Facts *f) {
        if (f->systemd_version < SYSTEMD_VERSION_NEEDED || f->systemd_version >= SYSTEMD_VERSION_STEPS)
                return;
        diag_note(d, span, "old-systemd",
                  "systemd %u does everything that is needed, but for pauses before a new start that grow",
                  f->systemd_version);
        diag_hint(d, "they have one length; %d or newer makes them grow", SYSTEMD_VERSION_STEPS);
}

/* What the host is too old for is no stack's mistake: it is said once, and the units are made all the same.
 */
static void check_facts(Session *s, SessionHost *host) {
        const Span span = { .file = host->facts_file };
        Diag d = { .arena = s->arena, .sources = &host->facts_sources };

        if (host->facts_checked || host->facts_status != STATUS_GOOD)
                return;
        host->facts_checked = true;
        ask_podman(s, &host->facts);
        if (quadlet_version_is_old(host->facts.podman_version)) {
                diag_warning(&d, span, "old-podman", "Podman %s is too old: its quadlet refuses what is new",
                             host->facts.podman_version);
                diag_hint(&d, QUADLET_VERSION_NEEDED " or newer is needed");
        }
        facts_check_systemd(&d, span, &host->facts);
        note_fixed_pauses(&d, span, &host->facts);
        output_diag(s, &d);
}

/* unitproof.conf has its own errors, which are nobody's stack's: they are printed here, once. What else it
 * says counts all the same, as at boot. */
static int read_config(Session *s, Config *ret) {
        Sources sources = sources_of(s, s->root);
        Diag d = { .arena = s->arena, .sources = &sources };

        config_load(s->arena, &d, &sources, s->root, ret);
        output_diag(s, &d);
        return d.n_errors > 0 ? STATUS_BAD_INPUT : STATUS_GOOD;
}

static const SessionHost *session_host(Session *s) {
        if (!s->host) {
                s->host = arena_new_object(s->arena, SessionHost);
                s->host->facts_status = read_facts(s, s->host);
                s->host->config_status = read_config(s, &s->host->config);
                s->host->streams = sources_of(s, "");
                s->host->neighbours = (Neighbours){
                        .arena = s->arena,
                        .root = s->root,
                        .read = source_read_file,
                        .userdata = (void *) (uintptr_t) s->root,
                };
        }
        return s->host;
}

int session_facts(Session *s, Facts *ret) {
        const SessionHost *host = session_host(s);

        if (host->facts_status == STATUS_GOOD) {
                *ret = host->facts;
                ask_podman(s, ret);
        }
        return host->facts_status;
}

int session_config_status(Session *s) {
        return session_host(s)->config_status;
}

int session_stacks(Session *s, StackList *ret) {
        const char **all;
        StackList list = { 0 };
        size_t n;
        int r;

        r = config_list_stacks(s->arena, s->root, &all, &n);
        if (r < 0)
                return command_fail(s, STATUS_FAILED, "unreadable", "cannot list %s" CONFIG_DIR ": %s",
                                    s->root, root_list_error(r));
        list.names = arena_new_array(s->arena, const char *, n + 1);
        list.strays = arena_new_array(s->arena, const char *, n + 1);
        for (size_t i = 0; i < n; i++)
                if (config_stack_name_problem(all[i]))
                        list.strays[list.n_strays++] = all[i];
                else
                        list.names[list.n++] = all[i];
        *ret = list;
        return STATUS_GOOD;
}

int session_say_strays(Session *s, const StackList *list) {
        for (size_t i = 0; i < list->n_strays; i++)
                (void) command_fail(s, STATUS_BAD_INPUT, "stack-name",
                                    "%s" CONFIG_DIR "/%s cannot be a stack: %s; rename the directory, one "
                                    "that is no stack may begin with a dot",
                                    s->root, list->strays[i], config_stack_name_problem(list->strays[i]));
        return list->n_strays > 0 ? STATUS_BAD_INPUT : STATUS_GOOD;
}

/* ---- finding ---- */

static bool is_directory(const char *path) {
        struct stat st;

        return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_stack(Session *s, const char *name) {
        _cleanup_close_ int fd = -1;

        if (config_stack_name_problem(name))
                return false;
        fd = root_open(s->root, arena_printf(s->arena, CONFIG_DIR "/%s", name), O_PATH | O_DIRECTORY);
        return fd >= 0;
}

/* Whether the host lists it: a link that leads nowhere as well. */
static bool is_listed(Session *s, const char *name) {
        const char **names;
        size_t n;

        if (config_list_stacks(s->arena, s->root, &names, &n) < 0)
                return false;
        for (size_t i = 0; i < n; i++)
                if (str_equal(names[i], name))
                        return true;
        return false;
}

/* The descriptor that a name stands for, as the shell gives it: "-", "/dev/stdin", "/dev/fd/63" of
 * <(command). -1: none, or a file that has a path of its own. A pipe that only has a name is not waited for.
 */
static int find_descriptor(const char *what) {
        static const char *const before[] = { "/dev/fd/", "/proc/self/fd/" };
        struct stat st;
        int fd = -1;

        if (str_equal(what, "-"))
                return STDIN_FILENO;
        if (str_equal(what, "/dev/stdin"))
                fd = STDIN_FILENO;
        for (size_t i = 0; i < ELEMENTS(before); i++) {
                const char *number = what + strlen(before[i]);

                if (str_has_prefix(what, before[i]) && strlen(number) < 8 && number[0] &&
                    number[strspn(number, "0123456789")] == '\0')
                        fd = atoi(number);
        }
        return fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) ? fd : -1;
}

/* It is read once, however often it is compiled. */
static int open_stream(Session *s, int fd, const char *path, const SourceFile **ret) {
        Sources *streams = &s->host->streams;
        size_t length = 0;
        char *bytes = NULL;
        int r = 0;

        for (size_t i = 0; i < streams->n_files; i++)
                if (str_equal(streams->files[i].path, path)) {
                        *ret = streams->files + i;
                        return 0;
                }
        r = source_read_fd(fd, s->arena, &bytes, &length);
        if (r < 0)
                return r;
        *ret = sources_get(streams, (uint32_t) sources_add(streams, path, bytes, length));
        return 0;
}

static int find_stream(Session *s, int fd, const char *what, Compiled *ret) {
        const char *path = fd == STDIN_FILENO ? "/dev/stdin" : what;
        _cleanup_free_ char *dir = realpath(".", NULL);
        int r;

        if (!dir)
                return command_fail(s, STATUS_BAD_INPUT, "no-file", "cannot find the working directory: %m");
        (void) session_host(s);
        r = open_stream(s, fd, path, &ret->stream);
        if (r < 0)
                return command_fail(s, STATUS_BAD_INPUT, "unreadable", "cannot read %s: %s", path,
                                    r == -EFBIG ? "there is more of it than a file may have" : strerror(-r));
        ret->root = "";
        ret->file = path;
        ret->dir = arena_strdup(s->arena, dir);
        return STATUS_GOOD;
}

int session_need_place(Session *s, const char *what) {
        if (find_descriptor(what) < 0)
                return STATUS_GOOD;
        return command_fail(s, STATUS_BAD_INPUT, "usage",
                            "%s has no place that units could name as their source: put it into a file",
                            str_equal(what, "-") ? "standard input" : what);
}

/* Called like the directory, or as the operator says. */
static int name_stack(Session *s, Compiled *c) {
        const char *name = s->options.text[OPTION_NAME], *problem;

        c->stack = name ? name : compose_name_normalize(s->arena, strrchr(c->dir, '/') + 1);
        problem = config_stack_name_problem(c->stack);
        if (!problem)
                return STATUS_GOOD;
        return command_fail(s, STATUS_BAD_INPUT, "stack-name", "'%s' cannot be the name of a stack: %s%s",
                            c->stack, problem, name ? "" : "; give it one with --name");
}

static int find_path(Session *s, const char *what, Compiled *ret) {
        _cleanup_free_ char *absolute = realpath(what, NULL);
        struct stat st;

        if (!absolute) {
                const int error = errno;

                if (error == ENOENT && lstat(what, &st) == 0 && S_ISLNK(st.st_mode))
                        return command_fail(s, STATUS_BAD_INPUT, "no-file",
                                            "%s is a link that leads to nothing", what);
                return command_fail(s, STATUS_BAD_INPUT, "no-file", "cannot find %s: %s", what,
                                    strerror(error));
        }
        ret->root = "";
        if (is_directory(absolute))
                ret->dir = arena_strdup(s->arena, absolute);
        else {
                ret->file = arena_strdup(s->arena, absolute);
                ret->dir = path_parent(s->arena, ret->file);
        }
        return STATUS_GOOD;
}

static int fail_unknown(Session *s, const char *what) {
        const char **names, *near, *problem = config_stack_name_problem(what);
        size_t n;

        if (problem)
                return command_fail(s, STATUS_BAD_INPUT, "stack-name",
                                    "'%s' cannot be the name of a stack: %s", what, problem);
        if (is_listed(s, what))
                return command_fail(s, STATUS_BAD_INPUT, "no-stack",
                                    "%s" CONFIG_DIR "/%s is a link that leads nowhere; mount what it leads "
                                    "to, or remove it",
                                    s->root, what);
        if (config_list_stacks(s->arena, s->root, &names, &n) < 0)
                n = 0;
        near = n > 0 ? str_nearest(what, names, n) : NULL;
        return command_fail(s, STATUS_BAD_INPUT, "no-stack",
                            "there is no stack '%s' in %s" CONFIG_DIR "%s%s%s", what, s->root,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int session_find_loaded(Session *s, const char *stack) {
        _cleanup_close_ int fd = -1;

        if (is_stack(s, stack))
                return STATUS_GOOD;
        if (!config_stack_name_problem(stack))
                fd = root_open(s->root, arena_printf(s->arena, LOADED_DIR "/%s.target", stack), O_PATH);
        return fd >= 0 ? STATUS_GOOD : fail_unknown(s, stack);
}

int session_find(Session *s, const char *what, Compiled *ret) {
        const int fd = find_descriptor(what);
        Compiled c = { 0 };
        int r;

        if (is_stack(s, what)) {
                c.stack = what;
                c.dir = arena_printf(s->arena, CONFIG_DIR "/%s", what);
                c.root = s->root;
        } else if (fd >= 0) {
                r = find_stream(s, fd, what, &c);
                if (r == STATUS_GOOD)
                        r = name_stack(s, &c);
                if (r != STATUS_GOOD)
                        return r;
        } else if (strchr(what, '/') || str_has_suffix(what, ".yaml") || str_has_suffix(what, ".yml") ||
                   (is_directory(what) && !is_listed(s, what))) {
                r = find_path(s, what, &c);
                if (r == STATUS_GOOD)
                        r = name_stack(s, &c);
                if (r != STATUS_GOOD)
                        return r;
        } else
                return fail_unknown(s, what);
        *ret = c;
        return STATUS_GOOD;
}

/* ---- compiling ---- */

int session_compile(Session *s, const char *what, const char *output_dir, Compiled *ret) {
        const SessionHost *host = session_host(s);
        int r;

        r = host->facts_status;
        if (r == STATUS_GOOD)
                r = session_find(s, what, ret);
        ret->sources = sources_of(s, ret->root);
        if (ret->stream)
                (void) sources_add(&ret->sources, ret->stream->path, ret->stream->bytes, ret->stream->length);
        ret->diag = (Diag){ .arena = s->arena, .sources = &ret->sources };
        if (r != STATUS_GOOD)
                return r;

        Config config = host->config;

        s->host->neighbours.own = ret->stack;
        config.unit_of_container = neighbours_unit_of_container;
        /* A copy elsewhere, to be looked at, takes no name. */
        if (str_equal(ret->dir, arena_printf(s->arena, CONFIG_DIR "/%s", ret->stack)))
                config.find_name = neighbours_find_name;
        config.userdata = &s->host->neighbours;

        CompileInput input = {
                .stack = ret->stack,
                .dir = ret->dir,
                .file = ret->file,
                .output_dir = output_dir,
                .config = &config,
                .profiles = s->options.profiles,
                .n_profiles = s->options.n_profiles,
        };
        ret->plan = compile_stack(s->arena, &ret->sources, &ret->diag, &input, &host->facts, &ret->model,
                                  &ret->node);
        if (ret->diag.n_errors > 0)
                ret->plan = NULL;
        return ret->plan ? STATUS_GOOD : STATUS_BAD_INPUT;
}

void session_report(Session *s, Compiled *c) {
        check_facts(s, s->host);
        c->diag.sources = &c->sources;
        output_diag(s, &c->diag);
}

int session_compile_report(Session *s, const char *what, const char *output_dir, Compiled *ret) {
        int r;

        *ret = (Compiled){ 0 };
        r = session_compile(s, what, output_dir, ret);
        session_report(s, ret);
        return r;
}

int session_compile_quietly(Session *s, const char *what, Compiled *ret) {
        int r;

        *ret = (Compiled){ 0 };
        r = session_compile(s, what, LOADED_DIR, ret);
        ret->diag.sources = &ret->sources;
        if (r != STATUS_GOOD)
                output_diag(s, &ret->diag);
        return r;
}
