/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* Directories of the host inside services: bind mounts, and named volumes that the local driver makes of a
 * directory. */

/* Not data: what the system keeps for itself. */
/* clang-format off */
static const char *const system_paths[] = {
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr",
        "/var/lib/containers", "/var/lib/docker", "/var/run",
};
/* clang-format on */

/* Endings of single files. Only the disk could tell for sure, and a compile does not look at it. */
/* clang-format off */
static const char *const file_endings[] = {
        ".cfg", ".conf", ".crt", ".css", ".csv", ".db", ".env", ".html", ".ini", ".js", ".json",
        ".key", ".lock", ".log", ".md", ".pem", ".php", ".pid", ".py", ".sh", ".sock", ".sqlite",
        ".sqlite3", ".toml", ".txt", ".xml", ".yaml", ".yml",
};
/* clang-format on */

/* clang-format off */
static const char *const file_names[] = {
        ".env", "Caddyfile", "Dockerfile", "crontab", "group", "hostname", "hosts", "localtime",
        "machine-id", "passwd", "timezone",
};
/* clang-format on */

static bool is_one_of(const char *word, const char *const *words, size_t n_words) {
        for (size_t i = 0; i < n_words; i++)
                if (word[0] == words[i][0] && str_equal(word, words[i]))
                        return true;
        return false;
}

static bool path_is_file(const char *path) {
        const char *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : path;
        const char *ending = strrchr(name, '.');

        return is_one_of(name, file_names, ELEMENTS(file_names)) ||
               (ending && is_one_of(ending, file_endings, ELEMENTS(file_endings)));
}

/* A stack lives below /etc/unitproof by default, and its relative paths with it; they are its own, not the
 * system's. The project directory as a whole is mounted by those that manage the stack. */
bool mount_is_data(const Build *b, const Mount *m) {
        const char *project_dir = b->stack->project_dir ?: "";

        if (str_equal(m->source, "/") || str_equal(m->source, project_dir) || path_is_file(m->source) ||
            path_is_file(m->target))
                return false;
        if (project_dir[0] == '/' && path_is_within(m->source, project_dir))
                return true;
        for (size_t i = 0; i < ELEMENTS(system_paths); i++)
                if (path_is_within(m->source, system_paths[i]))
                        return false;
        return true;
}

/* The directory behind a named volume with driver_opts "o: bind" and "device: /path"; NULL for every other
 * volume. */
static const char *volume_device(const Build *b, const char *name) {
        const Node *volume = node_get(node_get(b->stack->model, "volumes"), name),
                   *options = node_get(volume, "driver_opts");
        const char *device = node_get_text(options, "device"), *flags = node_get_text(options, "o");
        const char *type = node_get_text(options, "type") ?: "none";

        if (!device || device[0] != '/' || !flags || (!str_equal(type, "none") && !str_equal(type, "bind")))
                return NULL;
        for (const char *p = flags; *p; p += strcspn(p, ","), p += *p == ',')
                if (strcspn(p, ",") >= 4 && (strncmp(p, "bind", 4) == 0 || strncmp(p, "rbind", 5) == 0))
                        return device;
        return NULL;
}

/* Docker makes the directory if there are no options at all, or if they say so; Compose gives its short form
 * the option. */
bool bind_makes_source(const Node *mount) {
        const Node *bind = node_get(mount, "bind");

        return !bind || node_get_bool(bind, "create_host_path", /* fallback= */ false);
}

static bool mount_read(const Build *b, const Node *volume, Mount *ret_mount) {
        const char *type = node_get_text(volume, "type"), *source = node_get_text(volume, "source");
        const char *target = node_get_text(volume, "target");
        bool bind = str_equal(type, "bind");

        if (!source || !target)
                return false;
        if (str_equal(type, "volume")) {
                const char *subpath = node_get_text(node_get(volume, "volume"), "subpath");

                source = volume_device(b, source);
                if (source && subpath)
                        source = path_join(b->arena, source, subpath);
        } else if (!bind)
                return false;
        if (!source || source[0] != '/')
                return false;
        *ret_mount = (Mount){
                .source = path_normalize(b->arena, source),
                .target = path_join(b->arena, "/", target),
                .read_only = node_get_bool(volume, "read_only", /* fallback= */ false),
                .create_host_path = bind && bind_makes_source(volume),
                .span = volume->span,
        };
        return true;
}

static bool is_engine_socket(const Mount *m) {
        const char *slash = strrchr(m->source, '/');

        return str_equal(slash, "/docker.sock") || str_equal(slash, "/podman.sock");
}

static void service_mounts(Build *b, Service *s) {
        const Node *volumes = node_get(s->node, "volumes");
        size_t n = volumes && volumes->kind == NODE_SEQUENCE ? volumes->n : 0;

        s->mounts = arena_new_array(b->arena, Mount, n);
        for (size_t i = 0; i < n; i++) {
                Mount *m = &s->mounts[s->n_mounts];

                if (!mount_read(b, volumes->items[i], m))
                        continue;
                s->n_mounts++;
                if (!is_engine_socket(m))
                        continue;
                diag_note(b->diag, m->span, "engine-socket",
                          "'%s' is given the socket of a container engine, and with it the host; what it "
                          "starts or stops through it is unknown to systemd and proved by nobody",
                          s->name);
        }
}

/* Mounts that "volumes_from" takes over, as they are at the other one: those that it takes over itself come
 * with the engine's copy as well, but from where they were written is beyond what proofs are made from. */
static void service_mounts_from(Build *b, Service *s, const size_t *n_own) {
        const Node *list = node_get(s->node, "volumes_from");

        for (size_t i = 0; list && list->kind == NODE_SEQUENCE && i < list->n; i++) {
                const char *text = list->items[i]->text, *mode = strchr(text, ':');
                const Service *from = map_get(
                        &b->by_name, mode ? arena_strndup(b->arena, text, (size_t) (mode - text)) : text);
                size_t n = from ? n_own[service_index(b, from)] : 0;
                Mount *mounts = arena_new_array(b->arena, Mount, s->n_mounts + n);

                if (n == 0)
                        continue;
                for (size_t j = 0; j < s->n_mounts; j++)
                        mounts[j] = s->mounts[j];
                for (size_t j = 0; j < n; j++) {
                        mounts[s->n_mounts + j] = from->mounts[j];
                        mounts[s->n_mounts + j].read_only |= str_equal(mode, ":ro");
                        mounts[s->n_mounts + j].span = list->items[i]->span;
                }
                s->mounts = mounts;
                s->n_mounts += n;
        }
}

void mounts_read(Build *b) {
        size_t *n_own = arena_new_array(b->arena, size_t, b->stack->n_services);

        for (size_t i = 0; i < b->stack->n_services; i++) {
                service_mounts(b, &b->stack->services[i]);
                n_own[i] = b->stack->services[i].n_mounts;
        }
        for (size_t i = 0; i < b->stack->n_services; i++)
                service_mounts_from(b, &b->stack->services[i], n_own);
}
