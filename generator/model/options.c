/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/options.h"

#include <ctype.h>

#include "generator/base/time-span.h"
#include "generator/model/build.h"

/* x-unitproof: one row a key, with where it may stand and who reads it. Compose tools ignore the whole key,
 * so nobody else tells an operator about a misspelt word in it: unknown ones are errors. */

enum {
        REPROVE_SEC = 15 * 60,
        REPROVE_SEC_MIN = 60,
};

bool option_is_true(const Node *n, bool *ret_value) {
        static const struct {
                const char *word;
                bool value;
        } words[] = {
                { "true", true },   { "on", true },   { "yes", true },
                { "false", false }, { "off", false }, { "no", false },
        };

        if (!node_is_scalar(n))
                return false;
        for (size_t i = 0; i < ELEMENTS(words); i++)
                if (str_equal(n->text, words[i].word)) {
                        *ret_value = words[i].value;
                        return true;
                }
        return false;
}

void option_unknown(Build *b, const Node *key, const char *where, const char *const *known, size_t n_known) {
        const char *near = str_nearest(key->text, known, n_known);

        diag_error(b->diag, key->span, "unknown-key", "%s has no key '%s'", where, key->text);
        if (near)
                diag_hint(b->diag, "did you mean '%s'?", near);
}

size_t option_strings(Build *b, const Node *n, const char *what, const char ***ret_strings,
                      Span **ret_spans) {
        size_t n_items = n->kind == NODE_SEQUENCE ? n->n : 1, n_strings = 0;
        const char **strings;
        Span *spans;

        if (n->kind != NODE_SEQUENCE && !node_is_scalar(n)) {
                diag_error(b->diag, n->span, "wrong-type", "%s has to be a list of strings, not %s", what,
                           node_kind_name(n->kind));
                return 0;
        }
        strings = arena_new_array(b->arena, const char *, n_items + 1);
        spans = arena_new_array(b->arena, Span, n_items + 1);
        for (size_t i = 0; i < n_items; i++) {
                const Node *item = n->kind == NODE_SEQUENCE ? n->items[i] : n;

                if (!node_is_scalar(item) || item->text[0] == '\0' || str_has_control(item->text)) {
                        diag_error(b->diag, item->span, "wrong-type",
                                   "each entry of %s has to be a string with some text", what);
                        continue;
                }
                strings[n_strings] = item->text;
                spans[n_strings++] = item->span;
        }
        *ret_strings = strings;
        if (ret_spans)
                *ret_spans = spans;
        return n_strings;
}

bool option_seconds(Build *b, const Node *n, const char *what, unsigned least, unsigned *ret_seconds) {
        unsigned seconds;

        if (!node_is_scalar(n) || !time_span_parse(n->text, 24 * 3600, &seconds) || seconds < least) {
                diag_error(b->diag, n->span, "wrong-value", "%s has to be a time from %s to 24h, such as %s",
                           what, least < 60 ? "1s" : "1m", least < 60 ? "90s or 2m30s" : "15m");
                return false;
        }
        *ret_seconds = seconds;
        return true;
}

static void read_mode(Build *b, const Node *value, Service *service) {
        static const char *const modes[] = { "compatible", "native", "unit" };
        const char *mode = node_is_scalar(value) ? value->text : "";
        const char *near;

        (void) service;
        if (str_equal(mode, "unit"))
                return;
        if (str_equal(mode, "compatible") || str_equal(mode, "native")) {
                diag_error(b->diag, value->span, "not-supported",
                           "mode '%s' comes with an engine that this version does not have; it compiles to "
                           "quadlets only",
                           mode);
                diag_hint(b->diag, "leave 'mode' out, or write 'mode: unit'");
                return;
        }
        diag_error(b->diag, value->span, "wrong-value", "'mode' has to be unit, compatible or native");
        near = str_nearest(mode, modes, ELEMENTS(modes));
        if (near)
                diag_hint(b->diag, "did you mean '%s'?", near);
}

static void read_profiles(Build *b, const Node *value, Service *service) {
        (void) service;
        b->options.n_profiles =
                option_strings(b, value, "'profiles'", &b->options.profiles, /* ret_spans= */ NULL);
}

/* A scheme that the HTTP probe speaks, then a host; the rest is for the server. */
static bool url_is_valid(const char *url) {
        const char *host = str_has_prefix(url, "https://")  ? url + 8
                           : str_has_prefix(url, "http://") ? url + 7
                                                            : NULL;

        if (!host || strcspn(host, "/?#:") == 0)
                return false;
        for (const char *p = url; *p; p++)
                if ((unsigned char) *p <= ' ' || (unsigned char) *p >= 0x7f || strchr("\"<>\\^`{|}", *p))
                        return false;
        return true;
}

static bool host_port_is_valid(const char *text) {
        const char *colon = strrchr(text, ':');
        unsigned long port = 0;

        if (!colon || colon == text || strlen(colon + 1) > 5 || !colon[1])
                return false;
        for (const char *p = colon + 1; *p; p++) {
                if (!isdigit((unsigned char) *p))
                        return false;
                port = port * 10 + (unsigned long) (*p - '0');
        }
        if (text[0] == '[')
                return colon[-1] == ']' &&
                       strspn(text + 1, "0123456789abcdefABCDEF:.") + 2 == (size_t) (colon - text) &&
                       port > 0 && port <= 65535;
        for (const char *p = text; p < colon; p++)
                if (!isalnum((unsigned char) *p) && *p != '.' && *p != '-')
                        return false;
        return port > 0 && port <= 65535;
}

/* A list whose entries all pass a test. */
static void read_addresses(Build *b, const Node *value, const char *what, bool (*is_valid)(const char *text),
                           const char *form, const char ***ret_addresses, size_t *ret_n) {
        const char **strings = NULL;
        Span *spans;
        size_t n = option_strings(b, value, what, &strings, &spans);

        for (size_t i = 0; i < n; i++)
                if (echo_url_problem(strings[i])) {
                        diag_error(b->diag, spans[i], "secret-visible", "an entry of %s cannot be used: %s",
                                   what, echo_url_problem(strings[i]));
                        diag_hide_source(b->diag);
                        diag_hint(b->diag, "use a server that answers without one");
                } else if (!is_valid(strings[i]))
                        diag_error(b->diag, spans[i], "wrong-value", "an entry of %s has to be %s", what,
                                   form);
        *ret_addresses = strings;
        *ret_n = n;
}

static void read_echo(Build *b, const Node *value, Service *service) {
        (void) service;
        b->options.has_echo = true;
        read_addresses(b, value, "'echo'", url_is_valid,
                       "an http:// or https:// URL that answers with the caller's address", &b->options.echo,
                       &b->options.n_echo);
}

static void read_stun(Build *b, const Node *value, Service *service) {
        (void) service;
        b->options.has_stun = true;
        read_addresses(b, value, "'stun'", host_port_is_valid, "HOST:PORT, such as stun.example.net:3478",
                       &b->options.stun, &b->options.n_stun);
}

/* "15m", "off", or "on" for the default. Echo servers are other people's: not more often than once a minute.
 */
static void read_reprove(Build *b, const Node *value, Service *service) {
        unsigned seconds;
        bool on;

        (void) service;
        if (option_is_true(value, &on)) {
                b->options.reprove_sec = on ? REPROVE_SEC : 0;
                return;
        }
        if (option_seconds(b, value, "'reprove'", REPROVE_SEC_MIN, &seconds))
                b->options.reprove_sec = seconds;
        else
                diag_hint(b->diag, "or write off");
}

static void read_tunnel(Build *b, const Node *value, Service *service) {
        ServiceOptions *o = &b->options.services[service_index(b, service)];
        bool yes;

        if (!option_is_true(value, &yes)) {
                diag_error(b->diag, value->span, "wrong-type", "'tunnel' has to be true or false");
                return;
        }
        o->tunnel = yes ? TUNNEL_YES : TUNNEL_NO;
        o->tunnel_span = value->span;
}

static void read_on_change(Build *b, const Node *value, Service *service) {
        ServiceOptions *o = &b->options.services[service_index(b, service)];
        const char *word = node_is_scalar(value) ? value->text : "";

        if (!str_equal(word, "restart") && !str_equal(word, "report")) {
                diag_error(b->diag, value->span, "wrong-value", "'on-change' has to be report or restart");
                return;
        }
        o->restart_on_change = str_equal(word, "restart");
        o->on_change_span = value->span;
}

static void refuse_native(Build *b, Span span, const char *key) {
        diag_error(b->diag, span, "not-supported",
                   "'%s' comes with native mode, which this version does not have", key);
        diag_hint(b->diag, "run it as a container for now");
}

static void read_exec(Build *b, const Node *value, Service *service) {
        const char **argv;

        (void) service;
        if (value->kind != NODE_SEQUENCE || value->n == 0)
                diag_error(b->diag, value->span, "wrong-type",
                           "'exec' has to be a list: the program and its arguments");
        else if (option_strings(b, value, "'exec'", &argv, /* ret_spans= */ NULL) == value->n)
                refuse_native(b, value->span, "exec");
}

static void read_tunnels(Build *b, const Node *value, Service *service) {
        static const char *const keys[] = { "wireguard" };

        (void) service;
        if (value->kind != NODE_MAPPING || value->n == 0) {
                diag_error(b->diag, value->span, "wrong-type",
                           "'tunnels' has to be a mapping of names to tunnels");
                return;
        }
        for (size_t i = 0; i < value->n; i++) {
                const Node *tunnel = value->pairs[i].value;
                const char *file = node_get_text(tunnel, "wireguard");

                for (size_t j = 0; tunnel->kind == NODE_MAPPING && j < tunnel->n; j++)
                        if (!str_equal(tunnel->pairs[j].key->text, "wireguard"))
                                option_unknown(b, tunnel->pairs[j].key, "a tunnel of x-unitproof", keys,
                                               ELEMENTS(keys));
                if (!file || file[0] != '/')
                        diag_error(b->diag, tunnel->span, "wrong-value",
                                   "tunnel '%s' has to say 'wireguard:' and the absolute path of its file",
                                   value->pairs[i].key->text);
        }
        refuse_native(b, value->span, "tunnels");
}

const OptionRow option_rows[] = {
        { "data", SCOPE_STACK, options_read_data },
        { "echo", SCOPE_STACK, read_echo },
        { "exec", SCOPE_SERVICE, read_exec },
        { "guard", SCOPE_SERVICE, options_read_guard },
        { "mode", SCOPE_STACK | SCOPE_SERVICE, read_mode },
        { "on-change", SCOPE_SERVICE, read_on_change },
        { "profiles", SCOPE_STACK, read_profiles },
        { "proofs", SCOPE_STACK | SCOPE_SERVICE, options_read_proofs },
        { "reprove", SCOPE_STACK, read_reprove },
        { "stun", SCOPE_STACK, read_stun },
        { "tunnel", SCOPE_SERVICE, read_tunnel },
        { "tunnels", SCOPE_STACK, read_tunnels },
};
const size_t n_option_rows = ELEMENTS(option_rows);

static const OptionRow *option_find(const char *key) {
        for (size_t i = 0; i < n_option_rows; i++)
                if (str_equal(option_rows[i].key, key))
                        return &option_rows[i];
        return NULL;
}

static void unknown_option(Build *b, const Node *key, OptionScope scope) {
        const char *known[ELEMENTS(option_rows)];
        size_t n_known = 0;

        for (size_t i = 0; i < n_option_rows; i++)
                if (option_rows[i].scopes & scope)
                        known[n_known++] = option_rows[i].key;
        option_unknown(b, key, scope == SCOPE_STACK ? "x-unitproof" : "x-unitproof of a service", known,
                       n_known);
}

static void read_keys(Build *b, const Node *mapping, OptionScope scope, Service *service) {
        if (node_is_null(mapping))
                return;
        if (mapping->kind != NODE_MAPPING) {
                diag_error(b->diag, mapping->span, "wrong-type", "x-unitproof has to be a mapping, not %s",
                           node_kind_name(mapping->kind));
                return;
        }
        for (size_t i = 0; i < mapping->n; i++) {
                const Node *key = mapping->pairs[i].key, *value = mapping->pairs[i].value;
                const OptionRow *row = option_find(key->text);

                if (!row)
                        unknown_option(b, key, scope);
                else if (!(row->scopes & scope)) {
                        diag_error(b->diag, key->span, "unknown-key", "'%s' is an option of %s", key->text,
                                   scope == SCOPE_STACK ? "a service, not of the stack"
                                                        : "the stack, not of a service");
                        diag_hint(b->diag,
                                  scope == SCOPE_STACK
                                          ? "move it to the x-unitproof of the service that it is about"
                                          : "move it to x-unitproof on the top level of the file");
                } else if (!node_is_null(value))
                        row->read(b, value, service);
        }
}

/* Keys that begin with x- may be anybody's; one that is nearly ours is most likely meant for us. */
static void warn_near(Build *b, const Node *mapping) {
        static const char *const own[] = { "x-unitproof" };

        for (size_t i = 0; mapping && mapping->kind == NODE_MAPPING && i < mapping->n; i++) {
                const Node *key = mapping->pairs[i].key;

                if (strncmp(key->text, "x-", 2) != 0 || str_equal(key->text, own[0]) ||
                    !str_nearest(key->text, own, 1))
                        continue;
                diag_warning(b->diag, key->span, "unused-option", "'%s' means nothing here", key->text);
                diag_hint(b->diag, "did you mean '%s'?", own[0]);
        }
}

void options_read(Build *b) {
        Stack *s = b->stack;

        warn_near(b, s->model);
        for (size_t i = 0; i < s->n_services; i++)
                warn_near(b, s->services[i].node);

        b->options.services = arena_new_array(b->arena, ServiceOptions, s->n_services);
        b->options.reprove_sec = REPROVE_SEC;
        read_keys(b, node_get(s->model, "x-unitproof"), SCOPE_STACK, /* service= */ NULL);
        for (size_t i = 0; i < s->n_services; i++)
                read_keys(b, node_get(s->services[i].node, "x-unitproof"), SCOPE_SERVICE, &s->services[i]);

        s->reprove_sec = b->options.reprove_sec;
        s->echo = b->options.has_echo || !b->config ? b->options.echo : b->config->echo;
        s->n_echo = b->options.has_echo || !b->config ? b->options.n_echo : b->config->n_echo;
        s->stun = b->options.has_stun || !b->config ? b->options.stun : b->config->stun;
        s->n_stun = b->options.has_stun || !b->config ? b->options.n_stun : b->config->n_stun;
}

size_t x_unitproof_profiles(Arena *a, const Node *root, const char *const **ret_profiles,
                            const Span **ret_spans) {
        const Node *list = node_get(node_get(root, "x-unitproof"), "profiles");
        size_t n_items = list && list->kind == NODE_SEQUENCE ? list->n : node_is_scalar(list) ? 1 : 0, n = 0;
        const char **profiles = arena_new_array(a, const char *, n_items + 1);
        Span *spans = arena_new_array(a, Span, n_items + 1);

        for (size_t i = 0; i < n_items; i++) {
                const Node *item = list->kind == NODE_SEQUENCE ? list->items[i] : list;

                if (!node_is_scalar(item))
                        continue;
                profiles[n] = item->text;
                spans[n++] = item->span;
        }
        *ret_profiles = profiles;
        *ret_spans = spans;
        return n;
}
