/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/dotenv.h"
#include "generator/model/build.h"

/* Addresses of echo servers stand in unit text, command lines and records, which everybody on the host may
 * read: none may carry what lets somebody in. */

static bool word_is_secret(const char *name, size_t n) {
        static const char *const more[] = { "sig", "signature", "sid", "session", "code" };
        char word[64];

        if (n == 0 || n >= sizeof(word))
                return n > 0;
        memcpy(word, name, n);
        word[n] = '\0';
        for (size_t i = 0; i < ELEMENTS(more); i++)
                if (strcasecmp(word, more[i]) == 0)
                        return true;
        return env_name_is_secret(word);
}

static bool query_holds_secret(const char *query) {
        for (const char *p = query; *p;) {
                size_t n = strcspn(p, "&;#"), name = strcspn(p, "=&;#");

                if (word_is_secret(p, name))
                        return true;
                p += n + (p[n] != '\0');
        }
        return false;
}

const char *echo_url_problem(const char *url) {
        const char *host = strstr(url, "://"), *query = strchr(url, '?');

        if (host && memchr(host + 3, '@', strcspn(host + 3, "/?#")))
                return "it holds a user or a password, and everybody on the host can read it";
        if (query && query_holds_secret(query + 1))
                return "its query holds what looks like a key, and everybody on the host can read it";
        return NULL;
}
