/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "generator/compose/compose.h"
#include "tests/fuzz/fuzz-front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a project consists of beside the file at hand. */
static const struct {
        const char *path, *text;
} files[] = {
        { "/p/.env", "TAG=1\nNAME=two words\nPASSWORD=x$TAG\n" },
        { "/p/a.env", "A=${TAG}\nB='b'\nPASSWORD\n" },
        { "/p/compose.override.yaml",
          "services:\n  a:\n    ports: ['1:1', {target: 2}]\n    environment: [A=2, TAG]\n"
          "    labels: {l: 1}\n    volumes: ['./o:/o']\n    depends_on: [b]\n    command: c\n" },
        { "/p/base.yaml", "services:\n  base:\n    image: x:$TAG\n    volumes: ['./b:/b', 'v:/v']\n"
                          "    environment: {A: 1}\n  more: {extends: base, hostname: h}\n" },
        { "/p/inc/compose.yaml", "include: [../base.yaml]\nservices:\n  i: {image: y, env_file: "
                                 "[{path: x, required: no}]}\n" },
};

typedef struct World {
        const uint8_t *data;
        size_t size;
} World;

static int read_world(void *userdata, Arena *a, const char *path, char **ret_bytes, size_t *ret_length) {
        const World *w = userdata;

        if (str_equal(path, "/p/compose.yaml")) {
                *ret_bytes = arena_strndup(a, (const char *) w->data, w->size);
                *ret_length = w->size;
                return 0;
        }
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
                if (str_equal(files[i].path, path)) {
                        *ret_bytes = arena_strdup(a, files[i].text);
                        *ret_length = strlen(files[i].text);
                        return 0;
                }
        return -ENOENT;
}

/* Whoever comes next may rely on this. */
static void check_model(const Node *model) {
        const Node *services = node_get(model, "services");

        if (!services || services->kind != NODE_MAPPING ||
            !compose_name_is_valid(node_get_text(model, "name")))
                abort();
        for (size_t i = 0; i < services->n; i++) {
                const Node *service = services->pairs[i].value;

                if (service->kind != NODE_MAPPING || node_get(service, "extends") ||
                    node_get(service, "env_file"))
                        abort();
                if (i > 0 && strcmp(services->pairs[i - 1].key->text, services->pairs[i].key->text) >= 0)
                        abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const char *const profiles[] = { "p" };
        const char *found[2];
        World world = { .data = data, .size = size };
        ComposeOptions o = {
                .project_dir = "/p",
                .files = found,
                .profiles = profiles,
                .n_profiles = size % 2,
        };
        Node *model;
        FuzzInput in;

        fuzz_open(&in, data, 0);
        in.sources.read = read_world;
        in.sources.userdata = &world;
        o.n_files = compose_find_files(in.arena, &in.sources, NULL, "/p", found);
        if (size % 3 == 0)
                o.n_files = 1; /* also without the override file */
        model = compose_load(in.arena, &in.sources, &in.diag, &o);
        if (!model && in.diag.n_errors == 0)
                abort();
        if (model) {
                const char *json = compose_to_json(in.arena, model);

                check_model(model);
                if (!str_is_utf8(json, strlen(json)))
                        abort();
        }
        fuzz_close(&in);
        return 0;
}
