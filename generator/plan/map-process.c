/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <strings.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* What runs in the container: image, command, health check, user. */

void emit_image(Draft *d, const ServiceKey *key, const Node *value) {
        const char *image = value->text;

        /* What is built here is named by draft_built_image(). */
        if (!node_is_scalar(value) || !image[0] || d->lower->builders[lower_index(d->lower, d->service)])
                return;
        if (image[0] == '-' || strpbrk(image, " \t\n")) {
                draft_refuse(d, value, "'%s' is no name of an image",
                             escape_for_message(d->lower->arena, image, 80));
                return;
        }
        if (str_has_suffix(image, ".build") || str_has_suffix(image, ".image")) {
                draft_refuse(d, value, "quadlet would take the image '%s' for a file of its own", image);
                diag_hint(d->lower->diag, "add a tag: %s:latest", image);
                return;
        }
        if (!image_is_reference(image) && !image_has_transport(image)) {
                diag_warning(d->lower->diag, value->span, "image", "'%s' names no image that could be pulled",
                             escape_for_message(d->lower->arena, image, 80));
                diag_hint(d->lower->diag,
                          "write [HOST/]NAME[:TAG] in lower-case letters; is a variable unset?");
        }
        draft_line(d, &d->container, key->name, key->class, value, image_qualify(d->lower->arena, image));
}

void emit_pull_policy(Draft *d, const ServiceKey *key, const Node *value) {
        static const struct {
                const char *compose, *podman;
        } policies[] = {
                { "always", "always" },
                { "never", "never" },
                { "missing", "missing" },
                { "if_not_present", "missing" },
        };

        if (!node_is_scalar(value) || !value->text[0])
                return;
        if (d->lower->builders[lower_index(d->lower, d->service)]) {
                if (str_equal(value->text, "always"))
                        diag_note(d->lower->diag, value->span, "different",
                                  "the image of '%s' is built here and never pulled", d->service->name);
                return;
        }
        for (size_t i = 0; i < ELEMENTS(policies); i++)
                if (str_equal(value->text, policies[i].compose)) {
                        draft_line(d, &d->container, key->name, key->class, value, policies[i].podman);
                        return;
                }
        if (str_equal(value->text, "build")) {
                draft_refuse(d, value, "pull_policy 'build' of service '%s' says not from what",
                             d->service->name);
                diag_hint(d->lower->diag, "say under 'build' what it is built from");
                return;
        }
        /* daily, weekly, every_…: Podman does not note when it has pulled. */
        diag_note(d->lower->diag, value->span, "different",
                  "the image of '%s' is looked for at each start, and pulled if the registry has a newer one",
                  d->service->name);
        draft_line(d, &d->container, key->name, key->class, value, "newer");
}

void emit_command(Draft *d, const ServiceKey *key, const Node *value) {
        if (value->kind != NODE_SEQUENCE || value->n == 0)
                return;
        d->container.span = value->span;
        unit_begin(&d->container, key->name);
        for (size_t i = 0; i < value->n; i++) {
                if (value->items[i]->secret)
                        draft_warn_visible(d, value->items[i]);
                draft_command_word(d, &d->container, value->items[i], value->items[i]->text);
        }
        unit_end(&d->container);
}

/* A scalar that stands for a list of words: secret if one of them is. */
static Node list_node(const Node *list) {
        Node n = { .kind = NODE_STRING, .span = list->span, .text = "" };

        for (size_t i = 0; i < list->n; i++)
                n.secret |= list->items[i]->secret;
        return n;
}

void emit_entrypoint(Draft *d, const ServiceKey *key, const Node *value) {
        Node whole;

        if (value->kind != NODE_SEQUENCE)
                return;
        whole = list_node(value);
        if (value->n == 0 || (value->n == 1 && !value->items[0]->text[0])) {
                /* Entrypoint= drops an empty value. */
                draft_podman_arg(d, &d->container, "--entrypoint", &whole, "");
                return;
        }
        draft_line(d, &d->container, key->name, key->class, &whole,
                   value_json_array(d->lower->arena, (const Node *const *) value->items, value->n));
}

void emit_user(Draft *d, const ServiceKey *key, const Node *value) {
        const char *colon = strchr(value->text, ':');

        if (!node_is_scalar(value) || !value->text[0])
                return;
        if (str_equal(value->text, ":")) {
                draft_refuse(d, value, "'user' of '%s' names neither a user nor a group", d->service->name);
                diag_hint(d->lower->diag, "give values to the variables, or remove the key");
                return;
        }
        if (!colon || colon == value->text || !colon[1] || value->secret) {
                draft_line(d, &d->container, key->name, key->class, value, value->text);
                return;
        }
        draft_line(d, &d->container, key->name, key->class, value,
                   arena_strndup(d->lower->arena, value->text, (size_t) (colon - value->text)));
        draft_line(d, &d->container, "Group", key->class, value, colon + 1);
}

/* A path that a line of quadlet cannot carry goes by podman's own option, whose words have more ways. */
void emit_working_dir(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && !value->secret && escape_refusal(key->class, value->text))
                draft_podman_arg(d, &d->container, "--workdir", value, value->text);
        else
                emit_scalar(d, key, value);
}

void emit_scale(Draft *d, const ServiceKey *key, const Node *value) {
        if (!node_is_scalar(value) || str_equal(value->text, "1"))
                return;
        draft_refuse(d, value, "'%s: %s' of service '%s': one unit is one container", key->key, value->text,
                     d->service->name);
        diag_hint(d->lower->diag, HINT_ONE_CONTAINER);
}

void emit_read_only(Draft *d, const ServiceKey *key, const Node *value) {
        if (!node_is_scalar(value) || !value_is_true(value))
                return;
        draft_line(d, &d->container, key->name, ESCAPE_WORD, value, "true");
        /* Podman would lay writable memory over /tmp, /run and /var/tmp; Compose does not. */
        draft_line(d, &d->container, "ReadOnlyTmpfs", ESCAPE_WORD, value, "false");
}

/* ---- health check ---- */

static bool is_keyword(const char *word) {
        return strcasecmp(word, "CMD") == 0 || strcasecmp(word, "CMD-SHELL") == 0 ||
               strcasecmp(word, "NONE") == 0;
}

/* MakeHealthCheckFromCli() of Podman 5.4: an array whose first word is CMD is split at blanks, with its
 * brackets; an array of two words or more becomes CMD; an array of one word becomes CMD-SHELL; "CMD word" is
 * split at blanks. */
static const char *health_command(Draft *d, const Node *test) {
        const Node *const *words = (const Node *const *) test->items;
        Arena *a = d->lower->arena;

        if (str_equal(words[0]->text, "CMD-SHELL"))
                return value_json_array(a, words, test->n);
        if (test->n > 2 && !is_keyword(words[1]->text))
                return value_json_array(a, words + 1, test->n - 1);
        if (test->n == 2 && !strpbrk(words[1]->text, " \t\n") && words[1]->text[0])
                return arena_printf(a, "CMD %s", words[1]->text);
        draft_refuse(d, test, "Podman cannot run this health check of '%s' without a shell",
                     d->service->name);
        diag_hint(d->lower->diag, "write it as one string, which a shell in the container runs");
        return NULL;
}

/* Podman runs each check as a transient unit, and systemd's start limit is 5 in 10 s
 * (systemd-system.conf(5)). */
#define HEALTH_INTERVAL_MIN_SEC 3

static void warn_interval(Draft *d, const Node *interval) {
        unsigned seconds;

        if (!node_is_scalar(interval) || !value_seconds(interval->text, &seconds) || seconds == 0 ||
            seconds >= HEALTH_INTERVAL_MIN_SEC)
                return;
        diag_warning(
                d->lower->diag, interval->span, "health-interval",
                "the health of '%s' is checked more often than systemd starts a unit, so that checks will "
                "be missed",
                d->service->name);
        diag_hint(d->lower->diag, "use an interval of %u seconds or more", HEALTH_INTERVAL_MIN_SEC);
}

static void emit_health_times(Draft *d, const Node *value) {
        static const struct {
                const char *compose, *quadlet;
        } times[] = {
                { "interval", "HealthInterval" },
                { "retries", "HealthRetries" },
                { "start_period", "HealthStartPeriod" },
                { "timeout", "HealthTimeout" },
        };
        const Node *start_interval = node_get(value, "start_interval");

        warn_interval(d, node_get(value, "interval"));
        for (size_t i = 0; i < ELEMENTS(times); i++) {
                const Node *n = node_get(value, times[i].compose);

                /* To Compose 0 is the default. */
                if (node_is_scalar(n) && !str_equal(n->text, "0") && !str_equal(n->text, "0s"))
                        draft_line(d, &d->container, times[i].quadlet, ESCAPE_WORD, n, n->text);
        }
        if (node_is_scalar(start_interval) && !str_equal(start_interval->text, "0s"))
                diag_note(d->lower->diag, start_interval->span, "different",
                          "Podman has no start_interval: the health of '%s' is checked every 'interval' from "
                          "the start on",
                          d->service->name);
}

void emit_healthcheck(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *test = node_get(value, "test");
        const char *command;
        Node whole;

        (void) key;
        if (d->service->healthcheck_disabled) {
                draft_line(d, &d->container, "HealthCmd", ESCAPE_WORD, value, "none");
                return;
        }
        if (!test || test->kind != NODE_SEQUENCE || test->n < 2) {
                if (value->n > 0) {
                        diag_warning(d->lower->diag, value->span, "different",
                                     "the health check of '%s' has no test of its own, and Podman changes "
                                     "times only together with a test: "
                                     "those of the image stay",
                                     d->service->name);
                        diag_hint(d->lower->diag, "repeat the image's test under 'test'");
                }
                return;
        }
        command = health_command(d, test);
        if (!command)
                return;
        whole = list_node(test);
        draft_line(d, &d->container, "HealthCmd", ESCAPE_QUADLET_SCALAR, &whole, command);
        emit_health_times(d, value);
}
