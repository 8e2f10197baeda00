/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/load.h"

/* What the Compose Specification says about its keys, as tables: one row a key. The walkers (check,
 * merge, unique, expand, finish) know no key by name; they follow these rows down a tree. The rows
 * of a section stand in the order in which `docker compose config` prints them. Facts:
 * compose-spec.json of the specification and the behaviour of Docker Compose 2.40. */
typedef struct Type Type;
typedef struct KeyDef KeyDef;
typedef struct Section Section;

#define FORM(kind) (1u << (kind))
enum {
        FORM_NULL = FORM(NODE_NULL),
        FORM_BOOL = FORM(NODE_BOOL),
        FORM_INT = FORM(NODE_INT),
        FORM_NUMBER = FORM(NODE_INT) | FORM(NODE_FLOAT),
        FORM_STRING = FORM(NODE_STRING),
        FORM_SEQUENCE = FORM(NODE_SEQUENCE),
        FORM_MAPPING = FORM(NODE_MAPPING),
        FORM_ANY = (1u << _NODE_KIND_MAX) - 1,
};

/* How an override file, or a service that extends, combines with what is there ("13-merge"). */
typedef enum MergeRule {
        MERGE_PLAIN,   /* mappings key by key, sequences appended, everything else replaced */
        MERGE_REPLACE, /* the later one counts alone */
        MERGE_LIST,    /* list, mapping or string: appended as a list of KEY=VALUE */
        MERGE_NAMES,   /* list of names or mapping: one mapping, a name alone has null */
        MERGE_DEPENDS, /* the same, a name alone waits for service_started */
        MERGE_HOSTS,   /* as MERGE_LIST, without what is there already */
        MERGE_BUILD,   /* a string is the context */
        MERGE_LOGGING, /* options combine if the driver is the same */
        MERGE_POOLS,   /* address pools with the same subnet combine */
} MergeRule;

/* A text that is converted in its own file, before the files are merged (cast.c). */
typedef enum CastRule {
        CAST_NONE,
        CAST_BOOL,
        CAST_INT,
        CAST_FLOAT,
} CastRule;

/* What makes two entries of a list the same entry, of which the later one takes the place of the
 * earlier. */
typedef enum IndexRule {
        INDEX_NONE,
        INDEX_NAME, /* KEY of KEY=VALUE, or the text */
        INDEX_TEXT,
        INDEX_PORT,     /* host address, published, target and protocol */
        INDEX_VOLUME,   /* target */
        INDEX_DEVICE,   /* target */
        INDEX_SECRET,   /* target below /run/secrets */
        INDEX_CONFIG,   /* target */
        INDEX_ENV_FILE, /* path */
} IndexRule;

/* What a section shows when the key is absent. */
typedef enum Absent {
        ABSENT_OMIT,
        ABSENT_NULL,
        ABSENT_SECTION, /* the section with its own absent keys */
        ABSENT_EMPTY,   /* "" */
        ABSENT_ZERO,    /* 0 */
        ABSENT_NO_SIZE, /* "0", as sizes are printed */
} Absent;

/* Relative to the directory of the model that the value came from. */
typedef enum PathRule {
        PATH_NONE,
        PATH_FILE,    /* a path, "~" expanded */
        PATH_CONTEXT, /* a path, or a URL or service: reference that stays */
        PATH_MOUNT,   /* the source of a bind mount */
        PATH_DRIVER,  /* the device of a local volume that is a bind mount */
} PathRule;

struct KeyDef {
        const char *name;
        const char *shown; /* in the model, if it is another name there */
        const Type *type;
        CastRule cast;
        MergeRule merge;
        IndexRule index;
        PathRule path;
        /* Short form to long form; called on the whole value. NULL: nothing to do. */
        Node *(*expand)(Load *l, Node *n);
        /* Given after all files are merged; NULL: none. */
        void (*defaults)(Load *l, Node *n);
};

struct Type {
        unsigned forms;           /* what may be written */
        unsigned passing;         /* … and what may not stand any more when all files are merged */
        const char *what;         /* the same in words */
        const Section *section;   /* a mapping with fixed keys */
        const KeyDef *values;     /* a mapping with free keys */
        const KeyDef *items;      /* a sequence */
        const char *const *words; /* the only strings, NULL-terminated */
        bool exact;               /* 2.0 is no whole number */
        bool unique;              /* no two equal items */
        bool open_names;          /* free keys are not held to [a-zA-Z0-9._-]+ */
        bool closed_names;        /* … they are, and others are errors */
        bool named;               /* an empty free key is an error */
        const long long *range;   /* [2] of a number */
        const long long *limits;  /* [2], when all files are merged */
        void (*check)(Load *l, const char *where, const Node *n);
        /* The final form; NULL means that the key is left out. */
        Node *(*finish)(Load *l, const Type *t, Node *n);
        Absent absent;
};

struct Section {
        const KeyDef *keys;
        size_t n_keys;
        bool extensions;      /* x- keys are allowed */
        bool keep_extensions; /* … and stay in the model */
        bool open;            /* other keys are ignored */
        const char *required[3];
};

#define SECTION(rows, ...)                                                                                   \
        { .keys = (rows), .n_keys = sizeof(rows) / sizeof *(rows), __VA_ARGS__ }

const KeyDef *section_find(const Section *s, const char *name);
/* The row of a child, or NULL if the tables say nothing about it. */
const KeyDef *type_child(const Type *t, const char *name);

extern const Type compose_type; /* a whole file */
extern const Type service_type, network_type, volume_type, secret_type, config_type;
extern const Type build_type, deploy_type, develop_type, blkio_type, gpus_type, hooks_type;

/* Shapes that several keys share. */
extern const Type type_any, type_string, type_string_or_null, type_bool, type_bool_kept, type_bool_strict,
        type_bool_only, type_int, type_int_kept, type_count, type_integer, type_number, type_float,
        type_bytes, type_bytes_int, type_duration, type_strings, type_strings_loose, type_string_or_list,
        type_ports_exposed, type_groups, type_command, type_map, type_environment, type_options, type_hosts,
        type_ulimits, type_file_mounts, type_file_mode, type_string_or_bool, type_storage, type_options_plain,
        type_build_ulimits;
extern const Section hook_section, file_mount_section;
