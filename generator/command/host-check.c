/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/host-check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "generator/base/str.h"
#include "generator/command/image-volumes.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"

typedef struct Search {
        Session *session;
        Compiled *compiled;
} Search;

/* ---- what is missing ---- */

static bool appears_at_boot(const char *path) {
        static const char *const places[] = { "/dev", "/proc", "/run", "/sys", "/var/run" };

        for (size_t i = 0; i < ELEMENTS(places); i++)
                if (path_is_within(path, places[i]))
                        return true;
        return false;
}

/* What we may not see is not missing. */
static bool is_missing(const Search *s, const char *path) {
        _cleanup_close_ int fd = -1;

        if (path[0] != '/' || (s->session->root[0] != '\0' && appears_at_boot(path)))
                return false;
        fd = root_open(s->session->root, path, O_PATH);
        return fd == -ENOENT || fd == -ENOTDIR;
}

static void look(const Search *s, Span span, const char *path, const char *what, const char *hint) {
        Diag *d = &s->compiled->diag;

        if (!path || !is_missing(s, path))
                return;
        diag_warning(d, span, "missing-file", "%s does not exist: %s", path, what);
        diag_hint(d, "%s", hint);
}

/* "secrets" and "configs", which only a service's use has left in the model. */
static void look_for_files(const Search *s, const char *section, const char *what) {
        const Node *all = node_get(s->compiled->model->model, section);

        for (size_t i = 0; all && i < all->n; i++) {
                const Node *file = node_get(all->pairs[i].value, "file");

                if (node_is_scalar(file))
                        look(s, file->span, file->text,
                             arena_printf(s->session->arena, "the %s '%s' is read from it", what,
                                          all->pairs[i].key->text),
                             "write it before the start, or correct the path");
        }
}

static void look_for_build(const Search *s, const Service *service) {
        const Node *build = node_get(service->node, "build"), *context = node_get(build, "context");
        const Node *file = node_get(build, "dockerfile");
        const char *what = arena_printf(s->session->arena, "'%s' is built from it", service->name);

        if (!node_is_scalar(context) || context->text[0] != '/')
                return;
        if (is_missing(s, context->text) || !node_is_scalar(file) || node_get(build, "dockerfile_inline"))
                look(s, context->span, context->text, what, "put there what is to be built");
        else
                look(s, file->span, path_join(s->session->arena, context->text, file->text), what,
                     "write it, or name another with 'dockerfile'");
}

static void look_for_mounts(const Search *s, const Service *service) {
        for (size_t i = 0; i < service->n_mounts; i++) {
                const Mount *m = service->mounts + i;

                if (!m->create_host_path || !plan_creates(s->compiled->model, m->source))
                        look(s, m->span, m->source,
                             arena_printf(s->session->arena, "'%s' mounts it, and does not start without",
                                          service->name),
                             "make it before the start: only directories are made by themselves, and none "
                             "that looks like a file or like the system's");
        }
}

static void look_for_devices(const Search *s, const Service *service) {
        const Node *devices = node_get(service->node, "devices");

        for (size_t i = 0; devices && devices->kind == NODE_SEQUENCE && i < devices->n; i++)
                look(s, devices->items[i]->span, node_get_text(devices->items[i], "source"),
                     arena_printf(s->session->arena, "'%s' is given it, and does not start without",
                                  service->name),
                     "load its driver or plug it in, or leave the line out on this host");
}

/* ---- secrets ---- */

static bool others_may(const Search *s, const char *path, mode_t how) {
        _cleanup_close_ int fd = root_open(s->session->root, path, O_PATH);
        struct stat st;

        return fd >= 0 && fstat(fd, &st) == 0 && (st.st_mode & how) == how;
}

static bool everybody_reads(const Search *s, const char *path) {
        if (path[0] != '/' || !others_may(s, path, S_IROTH))
                return false;
        for (const char *dir = path_parent(s->session->arena, path); !str_equal(dir, "/");
             dir = path_parent(s->session->arena, dir))
                if (!others_may(s, dir, S_IXOTH))
                        return false;
        return true;
}

/* Once for each file, with the first variable that it gives. */
static void look_for_readable(const Search *s) {
        Diag *d = &s->compiled->diag;

        for (size_t i = 0; i < d->n_secrets; i++) {
                const DiagSecret *secret = d->secrets + i;
                const SourceFile *file = sources_get(d->sources, secret->file);
                bool first = true;

                for (size_t j = 0; j < i; j++)
                        first &= d->secrets[j].file != secret->file;
                if (!first || !file || !everybody_reads(s, file->path))
                        continue;
                diag_warning(d, (Span){ .file = secret->file }, "secret-readable",
                             "everybody on this host may read it, and with it the value of %s", secret->name);
                diag_hint(d, "chmod o-r %s", sources_shown(d->sources, d->arena, file->path));
        }
}

void host_check(Session *s, Compiled *c) {
        const Search search = { .session = s, .compiled = c };

        /* A file given by its path is this host's, whatever root is looked at. */
        if (!c->plan || s->options.given[OPTION_FACTS] || !str_equal(c->root, s->root))
                return;
        look_for_files(&search, "secrets", "secret");
        look_for_files(&search, "configs", "config");
        for (size_t i = 0; i < c->model->n_services; i++) {
                look_for_build(&search, c->model->services + i);
                look_for_mounts(&search, c->model->services + i);
                look_for_devices(&search, c->model->services + i);
        }
        look_for_readable(&search);
        image_volumes_check(s, c);
}
