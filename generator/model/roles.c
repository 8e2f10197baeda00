/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>

#include "generator/model/build.h"

/* What names tell. Compose has no word for "this one downloads" or "this one only plays", yet people's images
 * and directories are called by very few names. A wrong guess costs little: it decides who of two services
 * that share a directory creates the file of the proof, and x-unitproof overrides it. */

typedef struct RoleRow {
        const char *word; /* part of the last component of the image's name, or of the service's name */
        Role role;
} RoleRow;

/* The first row that fits counts: companions of a download client, which carry its name, come before it. */
static const RoleRow role_rows[] = {
        { "exporter", ROLE_READER },    { "natmap", ROLE_READER },         { "port-manager", ROLE_READER },
        { "port-update", ROLE_READER },

        { "deluge", ROLE_SEEDER },      { "qbittorrent", ROLE_SEEDER },    { "rtorrent", ROLE_SEEDER },
        { "rutorrent", ROLE_SEEDER },   { "transmission", ROLE_SEEDER },

        { "aria2", ROLE_DOWNLOADER },   { "deemix", ROLE_DOWNLOADER },     { "jdownloader", ROLE_DOWNLOADER },
        { "metube", ROLE_DOWNLOADER },  { "nicotine", ROLE_DOWNLOADER },   { "nzbget", ROLE_DOWNLOADER },
        { "pyload", ROLE_DOWNLOADER },  { "rdtclient", ROLE_DOWNLOADER },  { "sabnzbd", ROLE_DOWNLOADER },
        { "slskd", ROLE_DOWNLOADER },

        { "airsonic", ROLE_READER },    { "audiobookshelf", ROLE_READER }, { "bazarr", ROLE_READER },
        { "borg", ROLE_READER },        { "calibre", ROLE_READER },        { "duplicati", ROLE_READER },
        { "emby", ROLE_READER },        { "filebrowser", ROLE_READER },    { "fileflows", ROLE_READER },
        { "handbrake", ROLE_READER },   { "homarr", ROLE_READER },         { "homepage", ROLE_READER },
        { "immich", ROLE_READER },      { "jellyfin", ROLE_READER },       { "jellyseerr", ROLE_READER },
        { "kavita", ROLE_READER },      { "kometa", ROLE_READER },         { "komga", ROLE_READER },
        { "kopia", ROLE_READER },       { "maintainerr", ROLE_READER },    { "navidrome", ROLE_READER },
        { "nextcloud", ROLE_READER },   { "overseerr", ROLE_READER },      { "photoprism", ROLE_READER },
        { "plex", ROLE_READER },        { "pms-docker", ROLE_READER },     { "restic", ROLE_READER },
        { "samba", ROLE_READER },       { "seerr", ROLE_READER },          { "syncthing", ROLE_READER },
        { "tautulli", ROLE_READER },    { "tdarr", ROLE_READER },          { "unmanic", ROLE_READER },

        { "gerbil", ROLE_OVERLAY },     { "netbird", ROLE_OVERLAY },       { "newt", ROLE_OVERLAY },
        { "tailscale", ROLE_OVERLAY },  { "zerotier", ROLE_OVERLAY },
};

/* Beginnings of words in a path. */
/* clang-format off */
static const char *const download_words[] = {
        "blackhole", "complete", "download", "incoming", "incomplete", "nzb", "scratch", "torrent",
        "usenet", "watch",
};
/* clang-format on */

/* clang-format off */
static const char *const collection_words[] = {
        "anime", "audiobook", "book", "cartoon", "comic", "ebook", "film", "manga", "movie",
        "music", "podcast", "serie", "show", "tv",
};
/* clang-format on */

static const char *const library_words[] = { "librar", "media", "video" };

/* What an application keeps for itself: words of a host path, and further ones of a path in the container. */
/* clang-format off */
static const char *const state_words[] = {
        "appdata", "backup", "backups", "cache", "conf", "config", "configs", "log", "logs",
};
/* clang-format on */

/* clang-format off */
static const char *const state_target_words[] = {
        "app", "custom", "database", "db", "init", "letsencrypt", "plugin", "plugins", "state",
        "temp", "tmp", "transcode", "var",
};
/* clang-format on */

static Role role_of_word(const char *word) {
        char lower[256];
        size_t n = 0;

        for (; word[n] && n < sizeof lower - 1; n++)
                lower[n] = (char) tolower((unsigned char) word[n]);
        lower[n] = '\0';
        for (size_t i = 0; i < ELEMENTS(role_rows); i++)
                if (strstr(lower, role_rows[i].word))
                        return role_rows[i].role;
        return ROLE_PLAIN;
}

/* The image knows best; a name that the operator gave is the next best. */
Role role_of_service(const Service *s) {
        const char *image = node_get_text(s->node, "image"), *slash = image ? strrchr(image, '/') : NULL;
        Role role = image ? role_of_word(slash ? slash + 1 : image) : ROLE_PLAIN;

        return role != ROLE_PLAIN ? role : role_of_word(s->name);
}

/* A tunnel by its name, whatever it can do. */
bool name_says_vpn(const Service *s) {
        static const char *const words[] = { "vpn",     "gluetun",  "wireguard",
                                             "mullvad", "nordlynx", "protonwire" };
        const char *image = node_get_text(s->node, "image");

        for (size_t i = 0; i < ELEMENTS(words); i++)
                if (strcasestr(s->name, words[i]) || (image && strcasestr(image, words[i])))
                        return true;
        return false;
}

static bool word_begins(const char *word, const char *const *words, size_t n_words, bool whole) {
        for (size_t i = 0; i < n_words; i++) {
                size_t n = strlen(words[i]);

                if (tolower((unsigned char) word[0]) == words[i][0] && strncasecmp(word, words[i], n) == 0 &&
                    (!whole || !isalpha((unsigned char) word[n])))
                        return true;
        }
        return false;
}

/* Whether a word of the path is one of these, or begins with one. */
static bool path_has_word(const char *path, const char *const *words, size_t n_words, bool whole) {
        for (const char *p = path; *p; p++)
                if (isalpha((unsigned char) *p) && (p == path || !isalpha((unsigned char) p[-1])) &&
                    word_begins(p, words, n_words, whole))
                        return true;
        return false;
}

bool path_says_downloads(const char *path) {
        return path_has_word(path, download_words, ELEMENTS(download_words), /* whole= */ false);
}

bool path_says_library(const char *path) {
        return path_has_word(path, library_words, ELEMENTS(library_words), /* whole= */ false) ||
               path_says_collection(path);
}

bool path_says_collection(const char *path) {
        return path_has_word(path, collection_words, ELEMENTS(collection_words), /* whole= */ false);
}

bool mount_says_state(const Mount *m) {
        return path_has_word(m->source, state_words, ELEMENTS(state_words), /* whole= */ true) ||
               path_has_word(m->target, state_words, ELEMENTS(state_words), /* whole= */ true) ||
               path_has_word(m->target, state_target_words, ELEMENTS(state_target_words), /* whole= */ true);
}
