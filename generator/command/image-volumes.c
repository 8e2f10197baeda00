/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/image-volumes.h"

#include <string.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/run.h"
#include "generator/plan/image.h"
#include "generator/quadlet/program.h"

enum { INSPECT_TIMEOUT_MS = 10000 };

/* One line for each image that is there; those that are not are told on standard error. */
#define INSPECT_FORMAT "[{{json .RepoTags}},{{json .RepoDigests}},{{json .Config.Volumes}}]"

static const char *image_of(Session *s, const Service *service) {
        const char *image = node_get_text(service->node, "image"), *slash;

        if (!image || !image_is_reference(image) || node_get(service->node, "build"))
                return NULL;
        image = image_qualify(s->arena, image);
        slash = strrchr(image, '/');
        if (slash && !strpbrk(slash, ":@"))
                image = arena_printf(s->arena, "%s:latest", image);
        return image;
}

static json_t *inspect(Session *s, Compiled *c, const char *podman) {
        const Stack *m = c->model;
        const char **argv = arena_new_array(s->arena, const char *, m->n_services + 7);
        const char *const env[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", NULL };
        const ProgramJob job = {
                .program = podman, .argv = argv, .env = env, .timeout_ms = INSPECT_TIMEOUT_MS
        };
        json_t *images = json_array();
        ProgramResult r;
        size_t n = 0;

        argv[n++] = "podman";
        argv[n++] = "image";
        argv[n++] = "inspect";
        argv[n++] = "--format";
        argv[n++] = INSPECT_FORMAT;
        argv[n++] = "--";
        for (size_t i = 0; i < m->n_services; i++) {
                const char *image = image_of(s, m->services + i);

                if (image)
                        argv[n++] = image;
        }
        if (str_equal(argv[n - 1], "--"))
                return images;
        program_run(s->arena, &job, &r);
        if (r.outcome != PROGRAM_EXITED) {
                diag_note(&c->diag, (Span){ 0 }, "image-volume",
                          "nobody knows what the images keep: podman %s",
                          program_outcome_text(s->arena, &job, &r));
                diag_hint(&c->diag, "see what it says: podman image inspect IMAGE");
        }
        for (const char *p = r.outcome == PROGRAM_EXITED ? r.said : ""; *p;) {
                size_t length = strcspn(p, "\n");
                json_t *line = *p == '[' ? json_loadb(p, length, 0, NULL) : NULL;

                if (json_is_array(line) && json_array_size(line) == 3)
                        (void) json_array_append(images, line);
                json_decref(line);
                p += length + (p[length] == '\n');
        }
        return images;
}

static bool has_name(const json_t *names, const char *name) {
        for (size_t i = 0; i < json_array_size(names); i++)
                if (str_equal(json_string_value(json_array_get(names, i)), name))
                        return true;
        return false;
}

static const json_t *volumes_of(const json_t *images, const char *name) {
        for (size_t i = 0; i < json_array_size(images); i++) {
                const json_t *image = json_array_get(images, i);

                if (has_name(json_array_get(image, 0), name) || has_name(json_array_get(image, 1), name))
                        return json_array_get(image, 2);
        }
        return NULL;
}

/* A mount above it does not count: the engine lays its volume over that. */
static bool is_mounted(Session *s, const Service *service, const char *path) {
        const Node *volumes = node_get(service->node, "volumes"), *tmpfs = node_get(service->node, "tmpfs");

        for (size_t i = 0; volumes && volumes->kind == NODE_SEQUENCE && i < volumes->n; i++) {
                const char *target = node_get_text(volumes->items[i], "target");

                if (target && str_equal(path_join(s->arena, "/", target), path))
                        return true;
        }
        for (size_t i = 0; tmpfs && tmpfs->kind == NODE_SEQUENCE && i < tmpfs->n; i++) {
                const char *text = tmpfs->items[i]->text;

                if (str_equal(path_join(s->arena, "/", arena_strndup(s->arena, text, strcspn(text, ":"))),
                              path))
                        return true;
        }
        return false;
}

static void check_service(Session *s, Compiled *c, const Service *service, const json_t *images) {
        const char *image = image_of(s, service), *path;
        json_t *volumes = image ? (json_t *) volumes_of(images, image) : NULL, *value;

        /* What comes with the volumes of others is theirs to keep. */
        if (!volumes || node_get(service->node, "volumes_from"))
                return;
        json_object_foreach(volumes, path, value) {
                const char *plain = path_normalize(s->arena, path);

                if (is_mounted(s, service, plain))
                        continue;
                diag_warning(
                        &c->diag, node_get(service->node, "image")->span, "image-volume",
                        "the image of '%s' keeps data in %s, where nothing is mounted: they are gone when "
                        "the container stops",
                        service->name, plain);
                diag_hint(&c->diag, "mount a volume there: 'volumes: [\"%s-data:%s\"]'", service->name,
                          plain);
        }
}

void image_volumes_check(Session *s, Compiled *c) {
        const char *podman = geteuid() == 0 && s->root[0] == '\0' ? run_find(s, "podman") : NULL;
        json_t *images;

        if (!podman)
                return;
        images = inspect(s, c, podman);
        for (size_t i = 0; i < c->model->n_services; i++)
                check_service(s, c, c->model->services + i, images);
        json_decref(images);
}
