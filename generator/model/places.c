/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/model/hardlinks.h"

/* Which mounts of which services are of one directory, or of one within the other, and which two of all these
 * tell most about who takes over files from whom. */

/* "/" sorts before all else, so that whatever lies below a directory follows it without a gap. */
static int compare_paths(const char *x, const char *y) {
        while (*x && *x == *y) {
                x++;
                y++;
        }
        if (*x == *y)
                return 0;
        if (!*x || !*y)
                return *x ? 1 : -1;
        if (*x == '/' || *y == '/')
                return *x == '/' ? -1 : 1;
        return (unsigned char) *x < (unsigned char) *y ? -1 : 1;
}

static int compare_places(const void *a, const void *b) {
        const Place *x = a, *y = b;
        int r = compare_paths(x->mount->source, y->mount->source);

        if (r != 0)
                return r;
        if (x->service != y->service)
                return x->service < y->service ? -1 : 1;
        return strcmp(x->mount->target, y->mount->target);
}

void places_collect(Hardlinks *h) {
        Build *b = h->build;
        size_t capacity = 0;

        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];

                h->facts[i] = arena_new_array(b->arena, MountFact, s->n_mounts);
                for (size_t j = 0; j < s->n_mounts; j++) {
                        h->facts[i][j].data = mount_is_data(b, &s->mounts[j]);
                        h->facts[i][j].state = mount_says_state(&s->mounts[j]);
                        if (!h->facts[i][j].data)
                                continue;
                        h->places =
                                arena_grow(b->arena, h->places, sizeof(Place), &capacity, h->n_places + 1);
                        h->places[h->n_places++] = (Place){ s, &s->mounts[j], &h->facts[i][j] };
                }
        }
        if (h->n_places > 0)
                qsort(h->places, h->n_places, sizeof(Place), compare_places);
}

static unsigned path_depth(const char *path) {
        unsigned depth = 0;

        for (const char *p = path; *p; p++)
                depth += *p == '/';
        return depth;
}

/* Whether a link tells more about what the two services do with each other than the best so far: data before
 * configuration; then the creator; then a place that both call by one name, which is how such programs hand
 * paths to each other, above all if that is a name for downloads; then the wider view. The first of equals
 * stays. */
static bool link_is_better(const Build *b, const Link *l, const Link *best) {
        unsigned score = extra_of(b, l->creator)->score, had = extra_of(b, best->creator)->score;
        bool same = str_equal(l->source_dir, l->link_from),
             had_same = str_equal(best->source_dir, best->link_from);
        bool downloads, had_downloads;

        if (l->state != best->state)
                return best->state;
        if (score != had)
                return score > had;
        if (l->creator != best->creator)
                return l->creator->rank < best->creator->rank;
        if (same != had_same)
                return same;
        downloads = path_says_downloads(l->link_from);
        had_downloads = path_says_downloads(best->link_from);
        if (downloads != had_downloads)
                return downloads;
        return path_depth(l->directory) < path_depth(best->directory);
}

/* What `creator` puts into `directory`, which both mount, taken over by `importer`. */
static void pair_consider(Hardlinks *h, const Place *creator, const Place *importer, const char *directory) {
        Build *b = h->build;
        size_t i = service_index(b, importer->service);
        Link *best = data_root_off(b, directory) ? &h->off[i] : &h->links[i];
        Link l = {
                .importer = importer->service,
                .creator = creator->service,
                .source_mount = creator->mount,
                .link_mount = importer->mount,
                .directory = directory,
                .state = creator->fact->state || importer->fact->state,
        };

        /* A job that has ended neither creates nor links. */
        if (l.creator->completes || l.importer->completes)
                return;
        if (l.creator->rank >= l.importer->rank || importer->mount->read_only || h->links[i].root)
                return;
        /* Most pairs end here, before any path is made. */
        if (best->creator && best->creator != l.creator && !link_is_better(b, &l, best))
                return;
        l.source_dir = mount_view(b, l.creator, l.source_mount, directory);
        l.link_from = mount_view(b, l.importer, l.link_mount, directory);
        if (l.source_dir && l.link_from && (!best->creator || link_is_better(b, &l, best)))
                *best = l;
}

/* A directory and all below it that is mounted: places[first] to places[end - 1], of which those before
 * `below` are mounts of the directory itself. */
typedef struct Subtree {
        const Place *places;
        size_t first, below, end;
} Subtree;

static void subtrees_each(Hardlinks *h, void (*call)(Hardlinks *h, const Subtree *t)) {
        const Place *places = h->places;
        size_t n = h->n_places;

        for (size_t i = 0; i < n;) {
                const char *directory = places[i].mount->source;
                Subtree t = { .places = places, .first = i, .below = i + 1 };

                while (t.below < n && str_equal(places[t.below].mount->source, directory))
                        t.below++;
                for (t.end = t.below; t.end < n && path_is_within(places[t.end].mount->source, directory);)
                        t.end++;
                if (t.end - t.first > 1)
                        call(h, &t);
                i = t.below;
        }
}

/* Two services are enough to answer "is there another one" for any service. */
typedef struct Others {
        const Service *services[2];
        size_t n;
} Others;

static Others others_find(const Hardlinks *h, const Place *places, size_t first, size_t end) {
        Others o = { 0 };

        for (size_t i = first; i < end && o.n < 2; i++)
                if (!role_downloads(extra_of(h->build, places[i].service)->role) &&
                    places[i].service != o.services[0])
                        o.services[o.n++] = places[i].service;
        return o;
}

static bool others_hold(const Others *o, const Service *s) {
        return o->n == 2 || (o->n == 1 && o->services[0] != s);
}

static void subtree_share(Hardlinks *h, const Subtree *t) {
        Others all = others_find(h, t->places, t->first, t->end),
               own = others_find(h, t->places, t->first, t->below);

        for (size_t i = t->first; i < t->end; i++)
                if (others_hold(i < t->below ? &all : &own, t->places[i].service))
                        t->places[i].fact->shared = true;
}

/* The likeliest creators among some places. A real stack has fewer than fit; for one of thousands of services
 * this keeps the work in proportion. The last is the first to start: it can be a creator for everybody. */
typedef struct Likely {
        const Place *places[17];
        size_t n;
} Likely;

static bool place_is_likelier(const Hardlinks *h, const Place *x, const Place *y) {
        unsigned xs = extra_of(h->build, x->service)->score, ys = extra_of(h->build, y->service)->score;

        if (x->fact->state != y->fact->state)
                return y->fact->state;
        return xs != ys ? xs > ys : x->service->rank < y->service->rank;
}

static Likely likely_find(const Hardlinks *h, const Place *places, size_t first, size_t end) {
        const size_t most = ELEMENTS(((Likely *) NULL)->places) - 1;
        const Place *earliest = NULL;
        Likely l = { 0 };

        for (size_t i = first; i < end; i++) {
                const Place *p = &places[i];
                size_t at = l.n;

                if (p->mount->read_only)
                        continue;
                if (!earliest || p->service->rank < earliest->service->rank)
                        earliest = p;
                while (at > 0 && place_is_likelier(h, p, l.places[at - 1]))
                        at--;
                if (at == most)
                        continue;
                l.n += l.n < most;
                for (size_t j = l.n - 1; j > at; j--)
                        l.places[j] = l.places[j - 1];
                l.places[at] = p;
        }
        if (earliest)
                l.places[l.n++] = earliest;
        return l;
}

static void subtree_consider(Hardlinks *h, const Subtree *t) {
        Likely all = likely_find(h, t->places, t->first, t->end),
               own = likely_find(h, t->places, t->first, t->below);

        for (size_t i = t->first; i < t->end; i++) {
                const Place *p = &t->places[i];
                const Likely *creators = i < t->below ? &all : &own;

                for (size_t j = 0; j < creators->n; j++)
                        pair_consider(h, creators->places[j], p,
                                      i < t->below ? creators->places[j]->mount->source : p->mount->source);
        }
}

void places_share(Hardlinks *h) {
        subtrees_each(h, subtree_share);
}

void places_pair(Hardlinks *h) {
        subtrees_each(h, subtree_consider);
}
