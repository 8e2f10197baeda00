/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* data-roots.c and options-data.c: data roots in the operator's words. */

#define BIND(source, target) "{type: bind, source: " source ", target: " target "}"
/* Lines 2 to 5. */
#define SERVICES                                                                                             \
        "services:\n"                                                                                        \
        "  fetch: {volumes: [" BIND("/srv/data", "/data") "]}\n"                                             \
                                                          "  keep: {volumes: [" BIND(                        \
                                                                  "/srv/data",                               \
                                                                  "/d") "]}\n"                               \
                                                                        "  show: {volumes: [" BIND(          \
                                                                                "/srv/data/films",           \
                                                                                "/films") "]}\n"             \
                                                                                          "  other: {}\n"

static const Case cases[] = {
        {
                .name = "a path alone",
                .yaml = SERVICES "x-unitproof: {data: [/srv/data]}\n",
                .has = { "proof hardlink keep of fetch: /data, /d -> /d",
                         "proof hardlink show of fetch: /data/films, /films -> /films" },
        },
        {
                .name = "downloads, library, downloader and importers",
                .yaml = SERVICES "x-unitproof:\n  data:\n    - {path: /srv/data, downloads: in, library: "
                                 "[films, /srv/data/tv],\n"
                                 "       downloader: keep, importers: fetch}\n",
                .has = { "proof hardlink fetch of keep: /d/in, /data/in -> /data/films /data/tv",
                         "fetch: after keep" },
        },
        {
                .name = "a relative path starts at the stack",
                .yaml = "services:\n  a: {volumes: [" BIND(
                        "/etc/unitproof/media/x",
                        "/x") "]}\n"
                              "  b: {volumes: [" BIND("/etc/unitproof/media/x",
                                                      "/y") "]}\nx-unitproof: {data: ./x}\n",
                .has = { "proof hardlink b of a: /x, /y -> /y" },
        },
        {
                .name = "what the inference would leave out",
                .yaml = "services:\n  a: {volumes: [" BIND(
                        "/var/lib/docker/x",
                        "/x") "]}\n"
                              "  b: {volumes: [" BIND("/var/lib/docker/x",
                                                      "/y") "]}\nx-unitproof: {data: [/var/lib/docker/x]}\n",
                .has = { "proof hardlink b of a: /x, /y -> /y" },
        },
        {
                .name = "the downloader sees only a part",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, downloader: show}]}\n",
                .has = { "proof hardlink fetch of show: /films, /data/films -> /data",
                         "proof hardlink keep of show: /films, /d/films -> /d" },
        },
        {
                .name = "excluded, and reported so",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, proof: false}]}\n",
                .has = { "proof hardlink keep of fetch: /data, /d -> /d, off at 6:47",
                         "proof hardlink show of fetch: /data/films, /films -> /films, off at 6:47" },
                .lacks = { "keep: after" },
        },
        {
                .name = "one of two roots excluded",
                .yaml = "services:\n  a: {volumes: [" BIND("/srv/cfg", "/c") ", " BIND(
                        "/srv/data",
                        "/data") "]}\n"
                                 "  b: {volumes: [" BIND("/srv/cfg", "/c") ", " BIND(
                                         "/srv/data",
                                         "/data") "]}\n"
                                                  "x-unitproof: {data: [{path: /srv/cfg, proof: off}]}\n",
                .has = { "proof hardlink b of a: /data, /data -> /data" },
        },
        {
                .name = "outside of the root",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, downloads: /srv/in}]}\n",
                .has = { "error wrong-value 6:51" },
        },
        {
                .name = "no path",
                .yaml = SERVICES "x-unitproof: {data: [{downloads: in}]}\n",
                .has = { "error missing-key 6:22" },
        },
        {
                .name = "a misspelt key",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, libary: films}]}\n",
                .has = { "error unknown-key 6:40" },
        },
        {
                .name = "an importer that is no service",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, importers: [kep]}]}\n",
                .has = { "error unknown-service 6:52" },
        },
        {
                .name = "an importer that does not mount it",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, importers: [other]}]}\n",
                .has = { "error data-root 6:52" },
        },
        {
                .name = "an importer that does not mount the library",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, downloads: films, library: tv, "
                                 "importers: [show]}]}\n",
                .has = { "error data-root 6:67" },
        },
        {
                .name = "nobody mounts it",
                .yaml = SERVICES "x-unitproof: {data: [/srv/none]}\n",
                .has = { "error data-root 6:22" },
        },
        {
                .name = "an importer that the downloader waits for",
                .yaml = "services:\n  a: {depends_on: [b], volumes: [" BIND(
                        "/srv/d",
                        "/d") "]}\n  b: {volumes: [" BIND("/srv/d",
                                                          "/d") "]}\n"
                                                                "x-unitproof: {data: [{path: /srv/d, "
                                                                "downloader: a, importers: [b]}]}\n",
                .has = { "error data-root 4:64" },
        },
        {
                .name = "an importer of two roots",
                .yaml = SERVICES "x-unitproof: {data: [{path: /srv/data, importers: [keep]}, {path: "
                                 "/srv/data/films, importers: [keep]}]}\n",
                .has = { "error data-root 6:96" },
        },
};

CASES_MAIN(cases)
