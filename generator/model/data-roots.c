/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/hardlinks.h"

/* Data roots that the operator names under x-unitproof. What is said there stands before every inference;
 * what is left out is inferred, among the services that mount the directory. */

/* The mount by which a service sees a host path for writing, the nearest above it. */
static const Mount *find_view(const Build *b, const Service *s, const char *path, const char **ret_view) {
        const Mount *best = NULL;

        for (size_t i = 0; i < s->n_mounts; i++) {
                const Mount *m = &s->mounts[i];
                const char *view;

                if (m->read_only || !path_is_within(path, m->source) ||
                    (best && strlen(m->source) <= strlen(best->source)))
                        continue;
                view = mount_view(b, s, m, path);
                if (!view)
                        continue;
                best = m;
                *ret_view = view;
        }
        return best;
}

/* The directory of the root that a downloader writes to: "downloads" itself, or what it mounts below. */
static const char *find_directory(const Build *b, const Service *s, const DataRoot *root,
                                  const Mount **ret_mount, const char **ret_view) {
        *ret_mount = find_view(b, s, root->downloads, ret_view);
        if (*ret_mount)
                return root->downloads;
        for (size_t i = 0; i < s->n_mounts; i++)
                if (!s->mounts[i].read_only && path_is_within(s->mounts[i].source, root->downloads)) {
                        *ret_mount = find_view(b, s, s->mounts[i].source, ret_view);
                        if (*ret_mount)
                                return s->mounts[i].source;
                }
        return NULL;
}

static bool is_listed(const DataRoot *root, const Service *s) {
        for (size_t i = 0; i < root->n_importers; i++)
                if (root->importers[i] == s)
                        return true;
        return false;
}

static Service *find_downloader(Build *b, const DataRoot *root) {
        Service *best = NULL;
        const Mount *mount;
        const char *view;

        if (root->downloader)
                return root->downloader;
        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];
                unsigned score = extra_of(b, s)->score, had = best ? extra_of(b, best)->score : 0;

                if (is_listed(root, s) || !find_directory(b, s, root, &mount, &view))
                        continue;
                if (!best || score > had || (score == had && s->rank < best->rank))
                        best = s;
        }
        return best;
}

static bool add_library(Hardlinks *h, const DataRoot *root, Link *l, bool listed) {
        bool complete = true;

        for (size_t i = 0; i < root->n_library; i++) {
                const char *view;

                if (find_view(h->build, l->importer, root->library[i], &view))
                        link_add_target(h->build, l, view);
                else if (listed) {
                        diag_error(h->build->diag, root->library_spans[i], "data-root",
                                   "'%s' does not mount %s read-write", l->importer->name, root->library[i]);
                        complete = false;
                }
        }
        return complete;
}

/* One importer of a root. `span` is where it is listed, or NULL for one that is an importer because it mounts
 * the root. */
static bool add_importer(Hardlinks *h, const DataRoot *root, const Link *from, Service *importer,
                         const Span *span) {
        Build *b = h->build;
        Link l = *from, *slot = &h->links[service_index(b, importer)];

        l.importer = importer;
        l.link_mount = find_view(b, importer, l.directory, &l.link_from);
        if (!l.link_mount && !span)
                return false;
        if (!l.link_mount) {
                diag_error(b->diag, *span, "data-root", "importer '%s' does not mount %s read-write",
                           importer->name, l.directory);
                return false;
        }
        if (importer->rank < l.creator->rank) {
                if (span)
                        diag_error(b->diag, *span, "data-root",
                                   "'%s' cannot import from '%s', which waits for it", importer->name,
                                   l.creator->name);
                return false;
        }
        if (slot->root) {
                if (span)
                        diag_error(b->diag, *span, "data-root",
                                   "'%s' is already an importer of the data root %s%s", importer->name,
                                   slot->root->path, other_position(b, slot->root->span));
                return false;
        }
        if (!add_library(h, root, &l, span != NULL))
                return false;
        if (!l.link_to) {
                link_add_target(b, &l, l.link_mount->target);
                link_add_libraries(h, &l, root->path);
        }
        *slot = l;
        return true;
}

static void root_apply(Hardlinks *h, const DataRoot *root) {
        Build *b = h->build;
        Link from = { .root = root, .creator = find_downloader(b, root) };
        size_t n = 0, n_errors = b->diag->n_errors;

        if (from.creator)
                from.directory = find_directory(b, from.creator, root, &from.source_mount, &from.source_dir);
        /* The word about the mount is enough for an entry. */
        if (!from.directory && root->is_mount)
                return;
        if (!from.directory) {
                diag_error(b->diag, root->span, "data-root", "%s%s%s mounts %s read-write",
                           from.creator ? "the downloader '" : "no service",
                           from.creator ? from.creator->name : "", from.creator ? "' never" : "",
                           root->downloads);
                return;
        }
        for (size_t i = 0; i < root->n_importers; i++)
                n += add_importer(h, root, &from, root->importers[i], &root->importer_spans[i]);
        for (size_t i = 0; root->n_importers == 0 && i < b->stack->n_services; i++)
                if (&b->stack->services[i] != from.creator)
                        n += add_importer(h, root, &from, &b->stack->services[i], /* span= */ NULL);
        if (n > 0 || b->diag->n_errors > n_errors || root->is_mount)
                return;
        diag_error(b->diag, root->span, "data-root",
                   "besides '%s' no service mounts %s read-write, so there is nothing to link",
                   from.creator->name, from.directory);
        diag_hint(b->diag, "take the entry away, or mount the directory in the service that imports");
}

void data_roots_apply(Hardlinks *h) {
        const Options *o = &h->build->options;

        for (size_t i = 0; i < o->n_data; i++)
                if (!o->data[i].off)
                        root_apply(h, &o->data[i]);
}
