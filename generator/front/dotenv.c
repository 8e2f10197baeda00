/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/dotenv.h"

#include <ctype.h>
#include <stdint.h>
#include <strings.h>

#include "generator/base/str.h"

/* The position plus 1, 0 if the name is not in this table itself. */
static size_t find(const EnvTable *t, const char *name) {
        if (t->index.n == t->n)
                return (size_t) (uintptr_t) map_get(&t->index, name);
        for (size_t i = t->n; i > 0; i--) /* somebody filled vars by hand */
                if (str_equal(t->vars[i - 1].name, name))
                        return i;
        return 0;
}

const EnvVar *env_lookup(const EnvTable *t, const char *name) {
        for (; t; t = t->parent) {
                size_t i = find(t, name);

                if (i > 0 && !t->vars[i - 1].no_value)
                        return t->vars + i - 1;
        }
        return NULL;
}

void env_set(Arena *a, EnvTable *t, EnvVar var) {
        size_t i = find(t, var.name);

        if (i == 0) {
                t->vars = arena_grow(a, t->vars, sizeof *t->vars, &t->capacity, t->n + 1);
                i = ++t->n;
                map_set(a, &t->index, var.name, (void *) (uintptr_t) i);
        }
        t->vars[i - 1] = var;
}

void env_warn_assumed(Diag *d, Span span, const char *home) {
        for (size_t i = 0; i < d->n_entries; i++)
                if (str_equal(d->entries[i].code, "home-assumed"))
                        return;
        diag_warning(d, span, "home-assumed",
                     "the home directory is taken for %s, since the services of the system are root's", home);
        diag_hint(d, "write the path in full, or set HOME in .env");
}

static bool word_is_one_of(const char *word, size_t n, const char *const *list, bool as_end) {
        for (; *list; list++) {
                size_t m = strlen(*list);

                if (as_end ? n >= m && strncasecmp(word + n - m, *list, m) == 0
                           : n == m && strncasecmp(word, *list, m) == 0)
                        return true;
        }
        return false;
}

bool env_name_is_secret(const char *name) {
        static const char *const words[] = {
                "pass",        "pw",      "pwd",    "key",   "keys",   "auth",    "creds",
                "cred",        "psk",     "jwt",    "otp",   "tokens", "secrets", "passwords",
                "credentials", "dsn",     "salt",   "claim", "cookie", "cookies", "webhook",
                "preshared",   "private", "pgpass", "pin",   "hash",   "license", NULL,
        };
        /* Also at the end of a word: "rootpassword", "accessToken". */
        static const char *const ends[] = {
                "password", "passwd",    "passphrase", "passcode",   "passwort",
                "secret",   "token",     "apikey",     "authkey",    "privatekey",
                "privkey",  "secretkey", "accesskey",  "credential", NULL,
        };
        static const char *const places[] = { "file", "path", NULL };
        static const char *const keys[] = { "key", "keys", NULL };
        bool secret = false, last_is_place = false, last_is_public = false;

        if (strcasecmp(name, "PWD") == 0)
                return false;
        while (*name) {
                size_t n = 0;

                while (isalpha((unsigned char) name[n]))
                        n++;
                if (n > 0) {
                        bool open = last_is_public && word_is_one_of(name, n, keys, /* as_end= */ false);

                        secret = secret || (!open && word_is_one_of(name, n, words, /* as_end= */ false)) ||
                                 word_is_one_of(name, n, ends, /* as_end= */ true);
                        last_is_public = n == strlen("public") && strncasecmp(name, "public", n) == 0;
                        last_is_place = word_is_one_of(name, n, places, /* as_end= */ false);
                }
                name += n > 0 ? n : 1;
        }
        return secret && !last_is_place;
}
