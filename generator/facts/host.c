/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <sys/utsname.h>

#include "generator/base/str.h"
#include "generator/facts/facts.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"

/* In the order in which they are looked for: distributions, then the layout of Podman's own "make install".
 * The generator link is last since it says "podman-system-generator" in messages. */
static const char *const quadlet_paths[] = {
        "/usr/libexec/podman/quadlet",
        "/usr/lib/podman/quadlet",
        "/usr/local/libexec/podman/quadlet",
        "/usr/lib/systemd/system-generators/podman-system-generator",
};

/* The value of one os-release(5) assignment: shell words without expansion. */
static const char *unquote_value(Arena *a, const char *value, size_t n) {
        char *out = arena_alloc(a, n + 1);
        size_t used = 0;
        char quote = '\0';

        for (size_t i = 0; i < n; i++) {
                char c = value[i];

                if (quote == '\0' && (c == '"' || c == '\''))
                        quote = c;
                else if (c == quote && quote != '\0')
                        quote = '\0';
                else if (c == '\\' && quote != '\'' && i + 1 < n)
                        out[used++] = value[++i];
                else
                        out[used++] = c;
        }
        return str_has_control(out) ? "" : out;
}

static const char *os_release_get(Arena *a, const char *text, const char *key) {
        const size_t length = strlen(key);

        for (const char *line = text; line && *line;) {
                const char *end = strchr(line, '\n');
                size_t n = end ? (size_t) (end - line) : strlen(line);

                if (n > length && strncmp(line, key, length) == 0 && line[length] == '=')
                        return unquote_value(a, line + length + 1, n - length - 1);
                line = end ? end + 1 : NULL;
        }
        return "";
}

static void read_os_release(Arena *a, const char *root, Facts *f) {
        static const char *const paths[] = { "/etc/os-release", "/usr/lib/os-release" };

        for (size_t i = 0; i < ELEMENTS(paths); i++) {
                char *text;
                size_t n;

                if (source_read_file((void *) (uintptr_t) root, a, paths[i], &text, &n) < 0)
                        continue;
                f->os_id = os_release_get(a, text, "ID");
                f->os_version = os_release_get(a, text, "VERSION_ID");
                return;
        }
}

/* systemd's private libraries carry its version in their names: "libsystemd-shared-257.so",
 * "libsystemd-core-257.3-1.fc42.so". */
static unsigned library_version(const char *name) {
        static const char *const prefixes[] = { "libsystemd-shared-", "libsystemd-core-" };

        for (size_t i = 0; i < ELEMENTS(prefixes); i++)
                if (str_has_prefix(name, prefixes[i]) && strstr(name, ".so")) {
                        unsigned long v = strtoul(name + strlen(prefixes[i]), NULL, 10);

                        return v < 100000 ? (unsigned) v : 0;
                }
        return 0;
}

static unsigned version_in_directory(Arena *a, const char *root, const char *path) {
        const char **names;
        size_t n;
        unsigned version = 0;

        if (root_list(a, root, path, ROOT_FILES, &names, &n) < 0)
                return 0;
        for (size_t i = 0; i < n; i++) {
                unsigned v = library_version(names[i]);

                if (v > version)
                        version = v;
        }
        return version;
}

static unsigned read_systemd_version(Arena *a, const char *root) {
        const char **names;
        size_t n;
        unsigned version;

        version = version_in_directory(a, root, "/usr/lib/systemd");
        if (version > 0)
                return version;
        if (root_list(a, root, "/usr/lib", ROOT_DIRECTORIES, &names, &n) < 0)
                return 0;
        for (size_t i = 0; i < n && version == 0; i++)
                if (strstr(names[i], "-linux-"))
                        version = version_in_directory(a, root,
                                                       arena_printf(a, "/usr/lib/%s/systemd", names[i]));
        return version;
}

void facts_read_host(Arena *a, const char *root, Facts *ret) {
        Facts f = { .os_id = "", .os_version = "", .podman_version = "", .quadlet_path = "", .kernel = "" };
        struct utsname u;

        read_os_release(a, root, &f);
        f.systemd_version = read_systemd_version(a, root);
        for (size_t i = 0; i < ELEMENTS(quadlet_paths) && f.quadlet_path[0] == '\0'; i++)
                if (root_is_program(root, quadlet_paths[i]))
                        f.quadlet_path = quadlet_paths[i];
        if ((!root || root[0] == '\0') && uname(&u) == 0)
                f.kernel = arena_strdup(a, u.release);
        *ret = f;
}
