/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <errno.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "tests/unit/front/fixture.h"

/* A project in memory: "PATH" and its text in turn, NULL at the end. Paths are below /p. A text of
 * UNREADABLE cannot be read. */
#define UNREADABLE "\001"

static inline int project_read(void *userdata, Arena *a, const char *path, char **ret_bytes,
                               size_t *ret_length) {
        for (const char *const *file = userdata; file[0]; file += 2) {
                if (strcmp(path_join(a, "/p", file[0]), path) != 0)
                        continue;
                if (strcmp(file[1], UNREADABLE) == 0)
                        return -EACCES;
                *ret_bytes = arena_strdup(a, file[1]);
                *ret_length = strlen(file[1]);
                return 0;
        }
        return -ENOENT;
}

/* Forgets what an earlier project of the same test left. */
static inline Node *project_load_with(Fixture *f, const char *const *files, ComposeOptions o) {
        const char *found[2];

        f->sources = (Sources){ .arena = f->arena, .read = project_read, .userdata = (void *) files };
        f->diag = (Diag){ .arena = f->arena, .sources = &f->sources };
        o.project_dir = "/p";
        if (!o.files) {
                o.n_files = compose_find_files(f->arena, &f->sources, &f->diag, "/p", found);
                o.files = found;
        }
        return compose_load(f->arena, &f->sources, &f->diag, &o);
}

static inline Node *project_load(Fixture *f, const char *const *files) {
        return project_load_with(f, files, (ComposeOptions){ 0 });
}

#define PROJECT(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define FILE_ONLY(text) PROJECT("compose.yaml", (text))

/* The value at a path of keys, in one line. */
static inline const char *project_show(Fixture *f, const Node *n, const char *path) {
        Buf b = BUF(f->arena);

        while (n && *path) {
                size_t length = strcspn(path, "/");

                n = node_get(n, arena_strndup(f->arena, path, length));
                path += length + (path[length] == '/' ? 1 : 0);
        }
        if (!n)
                return "(absent)";
        fixture_dump(&b, n);
        return buf_text(&b);
}

static inline void assert_shows(Fixture *f, const Node *model, const char *path, const char *wanted) {
        if (!model)
                fixture_print(f, path);
        assert_non_null(model);
        assert_string_equal(project_show(f, model, path), wanted);
}
