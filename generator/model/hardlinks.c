/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/hardlinks.h"

/* A host directory that two services mount is a data root: one creates files there, the other takes them over
 * by hard links. A link works within one mount only (linkat(2), EXDEV), whatever the disks below are, so it
 * matters by which mounts the directories are seen in the one that links. */

const char *mount_view(const Build *b, const Service *s, const Mount *m, const char *path) {
        const char *rest = path + (str_equal(m->source, "/") ? 0 : strlen(m->source));
        const char *view = *rest ? path_normalize(b->arena, arena_printf(b->arena, "%s/%s", m->target, rest))
                                 : m->target;

        for (size_t i = 0; i < s->n_mounts; i++)
                if (strlen(s->mounts[i].target) > strlen(m->target) &&
                    path_is_within(view, s->mounts[i].target))
                        return NULL;
        return view;
}

const DataRoot *data_root_off(const Build *b, const char *path) {
        for (size_t i = 0; i < b->options.n_data; i++)
                if (b->options.data[i].off && path_is_within(path, b->options.data[i].path))
                        return &b->options.data[i];
        return NULL;
}

void link_add_target(const Build *b, Link *l, const char *target) {
        const char **longer;

        for (size_t i = 0; i < l->n_link_to; i++)
                if (str_equal(l->link_to[i], target))
                        return;
        longer = arena_new_array(b->arena, const char *, l->n_link_to + 1);
        for (size_t i = 0; i < l->n_link_to; i++)
                longer[i] = l->link_to[i];
        longer[l->n_link_to++] = target;
        l->link_to = longer;
}

/* Whether the importer takes over what the creator downloads: then the library is where it links to. A player
 * that sees the same files, or two that share one kind of finished files, make no links from one mount into
 * another. */
static bool link_is_import(const Build *b, const Link *l) {
        const Extra *creator = extra_of(b, l->creator), *importer = extra_of(b, l->importer);

        if (importer->role != ROLE_PLAIN || mount_says_state(l->link_mount))
                return false;
        if (l->root)
                return true;
        if (path_says_collection(l->link_from) && !path_says_downloads(l->link_from))
                return false;
        return role_downloads(creator->role) || l->creator->tunnel;
}

void link_add_libraries(Hardlinks *h, Link *l, const char *within) {
        const Service *s = l->importer;
        const MountFact *facts = h->facts[service_index(h->build, s)];

        if (!link_is_import(h->build, l))
                return;
        for (size_t i = 0; i < s->n_mounts; i++) {
                const Mount *m = &s->mounts[i];

                if (m == l->link_mount || m->read_only || !facts[i].data || facts[i].state ||
                    path_says_downloads(m->target))
                        continue;
                if (!facts[i].shared && !path_says_library(m->target))
                        continue;
                if ((within && !path_is_within(m->source, within)) || data_root_off(h->build, m->source))
                        continue;
                link_add_target(h->build, l, m->target);
        }
}

/* The nearest directory above both; NULL if it is none that anyone should mount into a container. */
static const char *common_directory(const Build *b, const char *x, const char *y) {
        static const char *const too_much[] = { "/", "/home", "/mnt", "/media", "/srv", "/opt", "/var" };

        while (!path_is_within(y, x))
                x = path_parent(b->arena, x);
        for (size_t i = 0; i < ELEMENTS(too_much); i++)
                if (str_equal(x, too_much[i]))
                        return NULL;
        return b->stack->project_dir && path_is_within(b->stack->project_dir, x) ? NULL : x;
}

/* The mount of the importer that holds this path. */
static const Mount *mount_of(const Service *s, const char *path) {
        const Mount *best = NULL;

        for (size_t i = 0; i < s->n_mounts; i++)
                if (path_is_within(path, s->mounts[i].target) &&
                    (!best || strlen(s->mounts[i].target) > strlen(best->target)))
                        best = &s->mounts[i];
        return best;
}

/* The one thing that is certain before anything runs: another mount is another mount. */
static void warn_split(const Build *b, const Link *l) {
        const char *importer = l->importer->name, *creator = l->creator->name,
                   *common = l->link_mount->source;
        const Mount *first = NULL;

        for (size_t i = 0; i < l->n_link_to; i++) {
                const Mount *m = mount_of(l->importer, l->link_to[i]);

                if (!m || m == l->link_mount)
                        continue;
                first = first ?: m;
                common = common ? common_directory(b, common, m->source) : NULL;
        }
        if (!first)
                return;
        diag_warning(
                b->diag, first->span, "hardlink-split",
                "'%s' sees %s and %s as two mounts, and no hard link can go from one into the other: "
                "what '%s' downloads could only be copied, so the hardlink proof of '%s' is going to fail",
                importer, l->link_from, first->target, creator, importer);
        if (common)
                diag_hint(b->diag,
                          "mount %s once, at the same place in '%s' and '%s' (such as %s:/data); or write "
                          "'x-unitproof: {proofs: {hardlink: off}}' on '%s'",
                          common, creator, importer, common, importer);
        else
                diag_hint(b->diag,
                          "keep downloads and library in one directory and mount that once in '%s' and '%s'; "
                          "or write 'x-unitproof: {proofs: {hardlink: off}}' on '%s'",
                          creator, importer, importer);
}

static const char *creator_reason(const Build *b, const Link *l) {
        const Service *c = l->creator;

        if (l->root && l->root->downloader == c)
                return "x-unitproof names it as the downloader";
        if (role_downloads(extra_of(b, c)->role))
                return "it is a download client by its name";
        if (c->tunnel)
                return arena_printf(b->arena, "it is a client of the tunnel %s", c->tunnel->name);
        return "it starts first";
}

static const char *link_why(const Build *b, const Link *l) {
        const char *more = "";

        for (size_t i = 0; i < l->n_link_to; i++)
                if (!path_is_within(l->link_to[i], l->link_mount->target))
                        more = arena_printf(b->arena, "%s%s%s", more, more[0] ? ", " : "", l->link_to[i]);
        return arena_printf(b->arena,
                            "%s and %s both mount %s read-write (%s and %s)%s; files are taken to come from "
                            "%s, as %s%s%s%s",
                            l->creator->name, l->importer->name, l->directory, l->source_dir, l->link_from,
                            l->root ? ", a data root by x-unitproof" : "", l->creator->name,
                            creator_reason(b, l), more[0] ? ", and to be linked into " : "", more,
                            more[0] ? " as well" : "");
}

static void order_after(Build *b, Service *s, Service *after) {
        Service **longer;

        for (size_t i = 0; i < s->n_depends; i++)
                if (s->depends[i].service == after)
                        return;
        longer = arena_new_array(b->arena, Service *, s->n_order_after + 1);
        for (size_t i = 0; i < s->n_order_after; i++)
                longer[i] = s->order_after[i];
        longer[s->n_order_after++] = after;
        s->order_after = longer;
}

static void link_prove(Hardlinks *h, Link *l, const DataRoot *off) {
        Build *b = h->build;
        Proof *p;

        if (!l->link_to) {
                link_add_target(b, l, l->link_mount->target);
                link_add_libraries(h, l, /* within= */ NULL);
        }
        p = proof_add(b, PROOF_HARDLINK, l->importer);
        p->of = l->creator;
        p->why = link_why(b, l);
        p->span = l->link_mount->span;
        p->source_dir = l->source_dir;
        p->link_from = l->link_from;
        p->link_to = l->link_to;
        p->n_link_to = l->n_link_to;
        if (off) {
                p->off = true;
                p->off_span = off->off_span;
        }
        if (p->off)
                return;
        warn_split(b, l);
        order_after(b, l->importer, l->creator);
}

void hardlinks_infer(Build *b) {
        size_t n_services = b->stack->n_services;
        Hardlinks h = {
                .build = b,
                .facts = arena_new_array(b->arena, MountFact *, n_services),
                .links = arena_new_array(b->arena, Link, n_services),
                .off = arena_new_array(b->arena, Link, n_services),
        };

        places_collect(&h);
        places_share(&h);
        data_roots_apply(&h);
        places_pair(&h);
        for (size_t i = 0; i < n_services; i++)
                if (h.links[i].creator)
                        link_prove(&h, &h.links[i], /* off= */ NULL);
                else if (h.off[i].creator)
                        link_prove(&h, &h.off[i], data_root_off(b, h.off[i].directory));
}
