/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* mounts.c, roles.c and hardlinks.c: from shared directories to hardlink proofs. */

#define BIND(source, target)                                                                                 \
        "{type: bind, source: " source ", target: " target ", bind: {create_host_path: true}}"
#define BIND_RO(source, target) "{type: bind, source: " source ", target: " target ", read_only: true}"

static const Case cases[] = {
        {
                .name = "one data root as it should be",
                .yaml = "services:\n"
                        "  bazarr: {image: 'x/bazarr', volumes: [" BIND("/srv/data/media", "/data/media") "]}\n"
                        "  qbittorrent:\n"
                        "    image: lscr.io/linuxserver/qbittorrent:latest\n"
                        "    volumes: [" BIND("/srv/app/qb/config", "/config") ", " BIND("/srv/data", "/data") "]\n"
                        "  sonarr:\n"
                        "    image: lscr.io/linuxserver/sonarr:latest\n"
                        "    volumes: [" BIND("/srv/app/sonarr", "/config") ", " BIND("/srv/data", "/data") "]\n",
                .has = {
                        "proof hardlink sonarr of qbittorrent: /data, /data -> /data",
                        "proof hardlink bazarr of qbittorrent: /data/media, /data/media -> /data/media",
                        "sonarr: after qbittorrent",
                        "qbittorrent: rank 0",
                        "sonarr: mount /srv/data at /data, created",
                        "why hardlink sonarr: qbittorrent and sonarr both mount /srv/data read-write (/data and /data); files are "
                        "taken to come from qbittorrent, as it is a download client by its name",
                },
                .lacks = { "proof hardlink qbittorrent", "warning", "note" },
        },
        {
                .name = "downloads and library mounted apart",
                .yaml = "services:\n"
                        "  jellyfin: {image: jellyfin/jellyfin, volumes: [" BIND_RO("/srv/media/tv", "/tv") "]}\n"
                        "  qbittorrent: {image: q/qbittorrent, volumes: [" BIND("/srv/media/downloads", "/downloads") "]}\n"
                        "  sonarr: {image: s/sonarr, volumes: [" BIND("/srv/media/downloads", "/downloads") ",\n"
                        "      " BIND("/srv/media/tv", "/tv") "]}\n",
                .has = {
                        "proof hardlink sonarr of qbittorrent: /downloads, /downloads -> /downloads /tv",
                        "warning hardlink-split 5:7",
                },
                .lacks = { "proof hardlink jellyfin" },
        },
        {
                .name = "a library that nobody else mounts is one by its name",
                .yaml = "services:\n"
                        "  qb: {image: q/qbittorrent, volumes: [" BIND("/d/downloads", "/downloads") "]}\n"
                        "  radarr: {image: r, volumes: [" BIND("/d/downloads", "/downloads") ", " BIND("/m/x", "/movies") ", "
                        BIND("/m/y", "/other") "]}\n",
                .has = { "proof hardlink radarr of qb: /downloads, /downloads -> /downloads /movies" },
        },
        {
                .name = "two libraries and no downloads: no links go between them",
                .yaml = "services:\n"
                        "  a: {image: x, volumes: [" BIND("/m/tv", "/tv") ", " BIND("/m/movies", "/movies") "]}\n"
                        "  b: {image: y, volumes: [" BIND("/m/tv", "/tv") ", " BIND("/m/movies", "/movies") "]}\n",
                .has = { "proof hardlink b of a: /movies, /movies -> /movies" },
                .lacks = { "warning" },
        },
        {
                .name = "a second downloader's own directory is no library",
                .yaml = "services:\n"
                        "  qb: {image: q/qbittorrent, volumes: [" BIND("/srv/data", "/data") "]}\n"
                        "  radarr: {image: r, volumes: [" BIND("/srv/data", "/data") ", " BIND("/fast/usenet", "/usenet") "]}\n"
                        "  sab: {image: x/sabnzbd, volumes: [" BIND("/fast/usenet", "/usenet") "]}\n",
                .has = { "proof hardlink radarr of qb: /data, /data -> /data" },
                .lacks = { "warning" },
        },
        {
                .name = "a backup that sees everything makes no library of a config directory",
                .yaml = "services:\n"
                        "  duplicati: {image: duplicati, volumes: [" BIND("/srv", "/source") "]}\n"
                        "  qb: {image: q/qbittorrent, volumes: [" BIND("/srv/data", "/data") ", " BIND("/srv/qb", "/config") "]}\n"
                        "  radarr: {image: r, volumes: [" BIND("/srv/data", "/data") ", " BIND("/srv/radarr", "/config") "]}\n",
                .has = { "proof hardlink radarr of qb: /data, /data -> /data",
                         "proof hardlink duplicati of qb: /data, /source/data -> /source" },
                .lacks = { "warning" },
        },
        {
                .name = "the client of a tunnel is taken for the downloader",
                .yaml = "services:\n"
                        "  a-importer: {volumes: [" BIND("/srv/data", "/data") "]}\n"
                        "  client: {network_mode: 'service:vpn', volumes: [" BIND("/srv/data/in", "/in") "]}\n"
                        "  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = {
                        "proof hardlink a-importer of client: /in, /data/in -> /data",
                        "a-importer: after client",
                        "vpn: rank 0", "client: rank 1", "a-importer: rank 2",
                },
        },
        {
                .name = "roles swap if the downloader waits for the importer",
                .yaml = "services:\n"
                        "  app: {volumes: [" BIND("/srv/data", "/data") "]}\n"
                        "  qb: {image: q/qbittorrent, depends_on: {app: {condition: service_started}},\n"
                        "       volumes: [" BIND("/srv/data", "/data") "]}\n",
                .has = { "proof hardlink qb of app: /data, /data -> /data", "qb: needs app started" },
                .lacks = { "proof hardlink app", "qb: after app" },
        },
        {
                .name = "a directory below, under another path",
                .yaml = "services:\n"
                        "  qb: {image: q/qbittorrent, volumes: [" BIND("/srv/data/torrents/", "/downloads") "]}\n"
                        "  sonarr: {image: s, volumes: [" BIND("/srv/data", "/data") "]}\n",
                .has = { "proof hardlink sonarr of qb: /downloads, /data/torrents -> /data" },
        },
        {
                .name = "the same place in both is what they talk about",
                .yaml = "services:\n"
                        "  qb: {image: q/qbittorrent, volumes: [" BIND("/m/downloads", "/downloads") ", " BIND("/m", "/media") "]}\n"
                        "  radarr: {image: r, volumes: [" BIND("/m/downloads", "/downloads") ", " BIND("/m", "/media") "]}\n"
                        "  seerr: {image: seerr, volumes: [" BIND_RO("/m", "/media") "]}\n",
                .has = { "proof hardlink radarr of qb: /downloads, /downloads -> /downloads /media", "warning hardlink-split 3:120" },
        },
        {
                .name = "a mount that lies over the shared directory hides it",
                .yaml = "services:\n"
                        "  a: {volumes: [" BIND("/srv/data/x", "/x") "]}\n"
                        "  b: {volumes: [" BIND("/srv/data", "/data") ", " BIND("/else", "/data/x") "]}\n",
                .lacks = { "proof hardlink" },
        },
        {
                .name = "what is no data",
                .yaml = "services:\n"
                        "  a: &a\n"
                        "    volumes:\n"
                        "      - " BIND("/etc/localtime", "/etc/localtime") "\n"
                        "      - " BIND("/etc/ssl", "/etc/ssl") "\n"
                        "      - " BIND("/dev/shm", "/ram") "\n"
                        "      - " BIND("/run/dbus", "/run/dbus") "\n"
                        "      - " BIND("/var/run/docker.sock", "/var/run/docker.sock") "\n"
                        "      - " BIND("/srv/app/settings.yml", "/settings.yml") "\n"
                        "      - " BIND("/", "/host") "\n"
                        "      - " BIND("/etc/unitproof/media", "/workspace") "\n"
                        "  b: *a\n",
                .has = { "note engine-socket 8:9" },
                .lacks = { "proof hardlink" },
        },
        {
                .name = "relative paths of the stack are its own, not the system's",
                .yaml = "services:\n"
                        "  a: {volumes: [" BIND("/etc/unitproof/media/data", "/data") "]}\n"
                        "  b: {volumes: [" BIND("/etc/unitproof/media/data", "/data") "]}\n",
                .has = { "proof hardlink b of a: /data, /data -> /data" },
        },
        {
                .name = "read-only mounts make no links",
                .yaml = "services:\n  a: {volumes: [" BIND("/srv/d", "/d") "]}\n  b: {volumes: [" BIND_RO("/srv/d", "/d") "]}\n",
                .lacks = { "proof hardlink" },
        },
        {
                .name = "names alike are not directories within each other",
                .yaml = "services:\n  a: {volumes: [" BIND("/srv/d", "/d") "]}\n  b: {volumes: [" BIND("/srv/d2", "/d") "]}\n"
                        "  c: {volumes: [" BIND("/srv/d-x/y", "/d") "]}\n  e: {volumes: [" BIND("/srv/d/y", "/d") "]}\n",
                .has = { "proof hardlink e of a: /d/y, /d -> /d" },
                .lacks = { "proof hardlink b", "proof hardlink c" },
        },
        {
                .name = "a named volume that is a directory of the host",
                .yaml = "services:\n  a: {volumes: [{type: volume, source: d, target: /d}]}\n"
                        "  b: {volumes: [" BIND("/srv/d/x", "/x") ", {type: volume, source: plain, target: /p}]}\n"
                        "  c: {volumes: [{type: volume, source: plain, target: /p}]}\n"
                        "volumes: {d: {driver_opts: {type: none, o: 'rw,bind', device: /srv/d}}, plain: {}}\n",
                .has = { "a: mount /srv/d at /d", "proof hardlink b of a: /d/x, /x -> /x" },
                .lacks = { "proof hardlink c", "b: mount /p" },
        },
        {
                .name = "switched off, and reported so",
                .yaml = "services:\n  a: {volumes: [" BIND("/srv/d", "/d") "]}\n"
                        "  b: {volumes: [" BIND("/srv/d", "/d") "], x-unitproof: {proofs: {hardlink: off}}}\n",
                .has = { "proof hardlink b of a: /d, /d -> /d, off at 3:125" },
                .lacks = { "b: after" },
        },
};

CASES_MAIN(cases)
