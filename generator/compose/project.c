/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/project.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/value.h"
#include "generator/front/interpolate.h"

/* Which files make a project, what it is called and what its variables are. */

static bool name_char(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool compose_name_is_valid(const char *name) {
        if (!*name || *name == '-' || *name == '_')
                return false;
        for (; *name; name++)
                if (!name_char(*name))
                        return false;
        return true;
}

const char *compose_name_normalize(Arena *a, const char *name) {
        char *normal = arena_strdup(a, name), *end = normal;

        for (; *name; name++) {
                char c = (char) tolower((unsigned char) *name);

                if (name_char(c) && (end > normal || (c != '-' && c != '_')))
                        *end++ = c;
        }
        *end = '\0';
        return normal;
}

static bool is_there(Arena *a, const Sources *s, const char *path) {
        char *bytes;
        size_t length;
        int r = s->read(s->userdata, a, path, &bytes, &length);

        return r != -ENOENT && r != -ENOTDIR;
}

/* What else would have been taken is not read into the sources: it is no part of the stack. */
static void warn_of_others(Arena *a, const Sources *s, Diag *d, const char *dir, int file,
                           const char *const *names, size_t n) {
        for (size_t i = 1; d && i < n; i++) {
                const Span whole = { .file = file > 0 ? (uint32_t) file : 0 };

                if (!is_there(a, s, path_join(a, dir, names[i])))
                        continue;
                diag_warning(d, whole, "file-ignored", "'%s' is ignored, since '%s' is there", names[i],
                             names[0]);
                diag_hint(d, "remove or rename the one that is not meant");
        }
}

static const char *find_first(Arena *a, Sources *s, Diag *d, const char *dir, const char *const *names,
                              size_t n) {
        for (size_t i = 0; i < n; i++) {
                const char *path = path_join(a, dir, names[i]);
                int file = sources_open(s, path);

                /* One that is there and cannot be read is found: what is wrong with it is said when
                 * it is used. */
                if (file == -ENOENT || file == -ENOTDIR)
                        continue;
                warn_of_others(a, s, d, dir, file, names + i, n - i);
                return path;
        }
        return NULL;
}

size_t compose_find_files(Arena *a, Sources *s, Diag *d, const char *dir, const char **ret_files) {
        static const char *const names[] = {
                "compose.yaml",
                "compose.yml",
                "docker-compose.yml",
                "docker-compose.yaml",
        };
        static const char *const overrides[] = {
                "compose.override.yml",
                "compose.override.yaml",
                "docker-compose.override.yml",
                "docker-compose.override.yaml",
        };
        const char *file = find_first(a, s, d, dir, names, ELEMENTS(names)), *override;

        if (!file)
                return 0;
        override = find_first(a, s, d, dir, overrides, ELEMENTS(overrides));
        ret_files[0] = file;
        if (override)
                ret_files[1] = override;
        return override ? 2 : 1;
}

static void set_variable(Load *l, const char *name, const char *value) {
        env_set(l->arena, l->env, (EnvVar){ .name = name, .value = value });
}

/* There is no caller whose home it could be, so .env may say it: of HOME and of "~". */
static void find_home(Load *l) {
        const EnvVar *home = env_lookup(l->env, "HOME");

        if (!home || home->assumed || home->value[0] != '/')
                return;
        l->home = home->value;
        l->assumed_home = false;
}

bool project_env_read(Load *l) {
        const char *dir = l->options->project_dir, *path = path_join(l->arena, dir, ".env");
        int file = sources_open(l->sources, path);
        const EnvVar *files;
        EnvTable *caller;

        /* The one variable that Compose itself adds to those of its caller. It counts more than
         * .env, within it too. */
        caller = arena_new_object(l->arena, EnvTable);
        env_set(l->arena, caller, (EnvVar){ .name = "PWD", .value = dir });
        l->env->parent = caller;
        set_variable(l, "PWD", dir);
        env_set(l->arena, l->env, (EnvVar){ .name = "HOME", .value = l->home, .assumed = l->assumed_home });
        if (file == -ENOENT)
                return true;
        if (file < 0) {
                diag_unreadable(l->diag, (Span){ 0 }, "unreadable", path, file,
                                "make the file readable for root, or remove it");
                return false;
        }
        env_parse(l->arena, l->diag, l->env, l->sources, (uint32_t) file);
        set_variable(l, "PWD", dir);
        find_home(l);
        files = env_lookup(l->env, "COMPOSE_FILE");
        if (files) {
                diag_warning(l->diag, files->span, "ignored", "COMPOSE_FILE has no effect here");
                diag_hint(l->diag, "list the other files under 'include:'");
        }
        return !load_failed(l);
}

static void report_name(Load *l, Span span, const char *name) {
        diag_error(l->diag, span, "bad-name", "'%s' is no name for a project", name);
        diag_hint(l->diag, "use lower-case letters, digits, '-' and '_', first a letter or digit");
}

bool project_name_find(Load *l, const Node *name) {
        const EnvVar *variable = env_lookup(l->env, "COMPOSE_PROJECT_NAME");
        const char *text, *slash;

        if (variable && variable->value && *variable->value) {
                l->name = variable->value;
                if (!compose_name_is_valid(l->name)) {
                        report_name(l, variable->span, l->name);
                        return false;
                }
        } else if (name) {
                text = interpolate_string(l->arena, l->diag, l->env, name->span, name->text, NULL, NULL);
                if (!text)
                        return false;
                l->name = compose_name_normalize(l->arena, text);
                if (!*l->name) {
                        report_name(l, name->span, text);
                        return false;
                }
        } else {
                slash = strrchr(l->options->project_dir, '/');
                text = l->options->name ? l->options->name : slash ? slash + 1 : l->options->project_dir;
                l->name = compose_name_normalize(l->arena, text);
                if (!*l->name) {
                        report_name(l, (Span){ 0 }, text);
                        return false;
                }
        }
        set_variable(l, "COMPOSE_PROJECT_NAME", l->name);
        return true;
}
