/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/config/config.h"

#include <errno.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/base/time-span.h"
#include "generator/facts/handles.h"
#include "generator/facts/ini.h"

typedef enum ConfigKeyIndex {
        KEY_ECHO_URL,
        KEY_ECHO_STUN,
        KEY_PROOFS_TIMEOUT,
        _KEY_MAX,
} ConfigKeyIndex;

const ConfigKey config_keys[] = {
        [KEY_ECHO_URL] = { "echo", "url",
                           "http:// or https:// address that answers with the address it was asked from; one "
                           "or more, apart by blanks" },
        [KEY_ECHO_STUN] = { "echo", "stun", "host:port of a STUN server; one or more, apart by blanks" },
        [KEY_PROOFS_TIMEOUT] = { "proofs", "timeout",
                                 "seconds that a proof may take before it counts as unproven" },
};
const size_t config_n_keys = ELEMENTS(config_keys);
_Static_assert(ELEMENTS(config_keys) == _KEY_MAX, "a row for each key");

enum { CONFIG_WORDS_MAX = 64 };

typedef struct ConfigState {
        Arena *arena;
        Diag *diag;
        Config *config;
        const char *unknown; /* section that was named last */
} ConfigState;

/* ---- values ---- */

static const char *url_problem(const char *word) {
        const char *rest = str_has_prefix(word, "https://")  ? word + 8
                           : str_has_prefix(word, "http://") ? word + 7
                                                             : NULL;

        if (!rest)
                return "an echo address begins with http:// or https://";
        return *rest == '\0' || *rest == '/' || *rest == ':' ? "the host is missing" : NULL;
}

static const char *stun_problem(const char *word) {
        const char *colon = strrchr(word, ':');
        unsigned long port;
        char *end;

        if (!colon || colon == word || (word[0] == '[' && colon[-1] != ']'))
                return "a STUN server is written host:port, an IPv6 address in [ ]";
        if (word[0] != '[' && memchr(word, ':', (size_t) (colon - word)))
                return "an IPv6 address needs [ ]";
        port = strtoul(colon + 1, &end, 10);
        if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || port == 0 || port > 65535)
                return "the port has to be 1 to 65535";
        return NULL;
}

static void append_words(ConfigState *st, const char *value, Span span, const char *(*problem)(const char *),
                         const char ***list, size_t *n) {
        char *save = NULL, *copy = arena_strdup(st->arena, value);
        size_t capacity = *n;

        if (value[0] == '\0') {
                *n = 0;
                return;
        }
        for (char *word = strtok_r(copy, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
                const char *wrong = problem(word);

                if (echo_url_problem(word)) {
                        diag_error(st->diag, span, "secret-visible", "an address cannot be used: %s",
                                   echo_url_problem(word));
                        diag_hide_source(st->diag);
                        diag_hint(st->diag, "use a server that answers without one");
                        continue;
                }
                if (!wrong && *n == CONFIG_WORDS_MAX)
                        wrong = "there are too many of them";
                if (wrong) {
                        diag_error(st->diag, span, "bad-value", "'%s': %s", word, wrong);
                        continue;
                }
                *list = arena_grow(st->arena, *list, sizeof(**list), &capacity, *n + 1);
                (*list)[(*n)++] = word;
        }
}

static void set_seconds(ConfigState *st, const char *value, Span span, unsigned *ret) {
        unsigned seconds;

        if (time_span_parse(value, 24 * 3600, &seconds) && seconds > 0) {
                *ret = seconds;
                return;
        }
        diag_error(st->diag, span, "bad-value", "'%s' is no time that a proof may take", value);
        diag_hint(st->diag, "write 90, 90s or 2m30s; at most 24h");
}

/* ---- files ---- */

/* `key` is NULL for the head of a section. An unknown one is named once, not at each key. */
static void report_unknown(ConfigState *st, const char *section, const char *key, Span span) {
        const char *names[_KEY_MAX], *near;
        size_t n = 0;

        for (size_t i = 0; i < _KEY_MAX; i++)
                if (str_equal(config_keys[i].section, section))
                        names[n++] = config_keys[i].name;
        if (n == 0) {
                if (str_equal(st->unknown, section))
                        return;
                st->unknown = section;
                diag_error(st->diag, span, "unknown-section", "unknown section [%s]", section);
                diag_hint(st->diag, "the sections are [echo] and [proofs]");
                return;
        }
        if (!key)
                return;
        near = str_nearest(key, names, n);
        diag_error(st->diag, span, "unknown-key", "unknown key '%s' in [%s]", key, section);
        if (near)
                diag_hint(st->diag, "did you mean '%s'?", near);
}

static void handle_key(void *userdata, const char *section, const char *key, const char *value, Span span) {
        ConfigState *st = userdata;
        Config *c = st->config;
        ConfigKeyIndex k = 0;

        while (k < _KEY_MAX &&
               !(key && str_equal(section, config_keys[k].section) && str_equal(key, config_keys[k].name)))
                k++;

        switch (k) {
        case KEY_ECHO_URL:
                append_words(st, value, span, url_problem, &c->echo, &c->n_echo);
                break;
        case KEY_ECHO_STUN:
                append_words(st, value, span, stun_problem, &c->stun, &c->n_stun);
                break;
        case KEY_PROOFS_TIMEOUT:
                set_seconds(st, value, span, &c->proof_timeout_sec);
                break;
        case _KEY_MAX:
                report_unknown(st, section, key, span);
                break;
        }
}

void config_parse(Arena *a, Diag *d, const Sources *s, uint32_t file, Config *c) {
        ConfigState st = { .arena = a, .diag = d, .config = c };

        ini_read(a, d, s, file, handle_key, &st);
}
