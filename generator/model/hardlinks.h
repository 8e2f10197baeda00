/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/model/build.h"

/* From shared directories to hardlink proofs: one for each service that takes over files which another one
 * creates. */

typedef struct MountFact {
        bool data;   /* may be a data root at all */
        bool state;  /* configuration, caches, logs by its name */
        bool shared; /* somebody who is no download client mounts it too, or a part of it */
} MountFact;

/* What the proof of one importer will be. */
typedef struct Link {
        Service *importer, *creator;
        const Mount *source_mount, *link_mount;
        const char *directory;              /* on the host: what both see */
        bool state;                         /* one of the mounts is kept for itself by an application */
        const char *source_dir, *link_from; /* as seen in the creator and in the importer */
        const char **link_to;
        size_t n_link_to;
        const DataRoot *root; /* what the operator wrote, if this comes from there */
} Link;

/* One data mount of one service. */
typedef struct Place {
        Service *service;
        const Mount *mount;
        MountFact *fact;
} Place;

typedef struct Hardlinks {
        Build *build;
        MountFact **facts; /* parallel to the services and their mounts */
        Place *places;     /* sorted so that whatever lies below a directory follows it */
        size_t n_places;
        Link *links; /* parallel to the services: creator is NULL where there is none */
        Link *off;   /* the same, for what "proof: false" of a data root takes away */
} Hardlinks;

/* Where a host path is in a service through this mount; NULL if another mount of the service lies over it. */
const char *mount_view(const Build *b, const Service *s, const Mount *m, const char *path);
/* The data root of the operator that switches proofs off at this path, or NULL. */
const DataRoot *data_root_off(const Build *b, const char *path);
/* Adds where the importer could link to besides the mount of link_from: its other mounts that look like a
 * library; only those within a directory, or all if that is NULL. */
void link_add_libraries(Hardlinks *h, Link *l, const char *within);
void link_add_target(const Build *b, Link *l, const char *target);

/* places.c: fills h->facts and h->places; MountFact.shared; h->links and h->off, but for what data roots
 * settled. */
void places_collect(Hardlinks *h);
void places_share(Hardlinks *h);
void places_pair(Hardlinks *h);
/* data-roots.c: the roots that the operator names. Fills h->links. */
void data_roots_apply(Hardlinks *h);
