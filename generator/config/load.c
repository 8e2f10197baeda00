/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/base/unit-name.h"
#include "generator/config/config.h"
#include "generator/facts/root.h"

enum { STACK_NAME_LENGTH_MAX = 64 };

static void load_file(Arena *a, Diag *d, Sources *s, const char *path, Config *c) {
        int file = sources_open(s, path);

        if (file == -ENOENT)
                return;
        if (file < 0) {
                diag_unreadable(d, (Span){ 0 }, "unreadable", path, file, NULL);
                return;
        }
        config_parse(a, d, s, (uint32_t) file, c);
}

void config_load(Arena *a, Diag *d, Sources *s, const char *root, Config *ret) {
        const char **names;
        size_t n;
        int r;

        *ret = (Config){ 0 };
        load_file(a, d, s, CONFIG_DIR "/unitproof.conf", ret);

        r = root_list(a, root, CONFIG_DIR "/unitproof.conf.d", ROOT_FILES, &names, &n);
        if (r == -ENOENT)
                return;
        if (r < 0) {
                diag_unreadable(d, (Span){ 0 }, "unreadable", CONFIG_DIR "/unitproof.conf.d", r, NULL);
                return;
        }
        for (size_t i = 0; i < n; i++)
                if (str_has_suffix(names[i], ".conf"))
                        load_file(a, d, s, arena_printf(a, CONFIG_DIR "/unitproof.conf.d/%s", names[i]), ret);
}

int config_list_stacks(Arena *a, const char *root, const char ***ret_names, size_t *ret_n) {
        const char **names;
        size_t n, kept = 0;
        int r;

        r = root_list(a, root, CONFIG_DIR, ROOT_DIRECTORIES, &names, &n);
        if (r == -ENOENT) {
                names = arena_new_array(a, const char *, 1);
                n = 0;
        } else if (r < 0)
                return r;

        for (size_t i = 0; i < n; i++)
                if (!str_equal(names[i], "unitproof.conf.d"))
                        names[kept++] = names[i];
        names[kept] = NULL;
        *ret_names = names;
        *ret_n = kept;
        return 0;
}

const char *config_stack_name_problem(const char *name) {
        static const char alphanumeric[] = "abcdefghijklmnopqrstuvwxyz0123456789";
        static const char all[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";

        if (name[0] == '\0' || !strchr(alphanumeric, name[0]))
                return "it has to begin with a lower-case letter or a digit";
        if (name[strspn(name, all)] != '\0')
                return "it may hold only lower-case letters, digits, \"-\" and \"_\"";
        if (strlen(name) > STACK_NAME_LENGTH_MAX)
                return "it is longer than 64 characters";
        if (unit_stem_is_reserved(name))
                return "it is the name of one of systemd's own units";
        if (str_equal(name, "unitproof") || str_has_prefix(name, "unitproof-"))
                return "names that begin with \"unitproof\" are kept for units of unitproof itself";
        return NULL;
}
