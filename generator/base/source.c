/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/source.h"

#include <errno.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"

int sources_add(Sources *s, const char *path, const char *bytes, size_t length) {
        s->files = arena_grow(s->arena, s->files, sizeof *s->files, &s->capacity, s->n_files + 1);
        s->files[s->n_files++] = (SourceFile){
                .path = arena_strdup(s->arena, path),
                .bytes = bytes,
                .length = length,
        };
        return (int) s->n_files;
}

int sources_open(Sources *s, const char *path) {
        char *bytes;
        size_t length;
        int r;

        for (size_t i = 0; i < s->n_files; i++)
                if (s->files[i].bytes && str_equal(s->files[i].path, path))
                        return (int) i + 1;
        if (s->n_files >= LIMIT_FILES)
                return -E2BIG;
        r = s->read(s->userdata, s->arena, path, &bytes, &length);
        if (r < 0)
                return r;
        return sources_add(s, path, bytes, length);
}

const char *sources_shown(const Sources *s, Arena *a, const char *path) {
        return s && s->root && s->root[0] && path[0] == '/' ? arena_printf(a, "%s%s", s->root, path) : path;
}

const char *source_text(const SourceFile *f) {
        static const char mark[] = "\xef\xbb\xbf";
        size_t n = sizeof mark - 1;

        return f->bytes + (f->length >= n && memcmp(f->bytes, mark, n) == 0 ? n : 0);
}

const SourceFile *sources_get(const Sources *s, uint32_t file) {
        return s && file > 0 && file <= s->n_files ? s->files + file - 1 : NULL;
}
