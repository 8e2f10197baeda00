/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"

#include <string.h>

#include "generator/base/buf.h"

/* Removes the last component of the text so far; at the root there is nothing to remove, and a
 * relative path that has only ".." left goes one further up. */
static void path_step_up(Buf *b, bool absolute, size_t *n_up) {
        if (b->len > *n_up * 3 + (absolute ? 1 : 0)) {
                while (b->len > 0 && b->data[b->len - 1] != '/')
                        b->len--;
                if (b->len > 1 || (b->len == 1 && !absolute))
                        b->len--;
                b->data[b->len] = '\0';
        } else if (!absolute) {
                buf_add(b, b->len > 0 ? "/.." : "..");
                (*n_up)++;
        }
}

const char *path_normalize(Arena *a, const char *path) {
        bool absolute = path[0] == '/';
        Buf b = BUF(a);
        size_t n_up = 0;

        buf_add(&b, absolute ? "/" : "");
        for (const char *p = path; *p;) {
                size_t n;

                p += strspn(p, "/");
                n = strcspn(p, "/");
                if (n == 2 && memcmp(p, "..", 2) == 0)
                        path_step_up(&b, absolute, &n_up);
                else if (n > 0 && !(n == 1 && p[0] == '.')) {
                        if (b.len > 0 && b.data[b.len - 1] != '/')
                                buf_add_char(&b, '/');
                        buf_add_mem(&b, p, n);
                }
                p += n;
        }
        return b.len > 0 ? buf_text(&b) : ".";
}

const char *path_join(Arena *a, const char *dir, const char *path) {
        if (path[0] == '/' || dir[0] == '\0')
                return path_normalize(a, path);
        return path_normalize(a, arena_printf(a, "%s/%s", dir, path));
}

const char *path_parent(Arena *a, const char *path) {
        return path_join(a, path, "..");
}

bool path_is_within(const char *path, const char *dir) {
        size_t n = strlen(dir);

        if (str_equal(dir, "/"))
                return path[0] == '/';
        return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}
