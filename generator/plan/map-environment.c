/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <strings.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Variables and labels. All variables go by a file that only root reads: which of them are secrets is known
 * to their names at best. */

/* What podman and what it starts take from their own environment: such a variable must not be set for the
 * podman process. A "*" stands for the rest of a name. */
static const char *const engine_names[] = {
        "BUILDAH_*",   "CONTAINER*",  "DBUS_*",     "DOCKER_*",      "GODEBUG",   "GOGC",
        "GOMAXPROCS",  "GOTRACEBACK", "HOME",       "INVOCATION_ID", "LC_*",      "LD_*",
        "LISTEN_*",    "MALLOC_*",    "NETAVARK_*", "NOTIFY_SOCKET", "PATH",      "PODMAN_*",
        "REGISTRY_*",  "SHELL",       "SSL_*",      "STORAGE_*",     "SYSTEMD_*", "TMPDIR",
        "UNITPROOF_*", "USER",        "XDG_*",
};

static bool name_reaches_engine(const char *name) {
        for (size_t i = 0; i < ELEMENTS(engine_names); i++) {
                size_t n = strcspn(engine_names[i], "*");

                if (strncasecmp(name, engine_names[i], n) == 0 &&
                    (engine_names[i][n] == '*' || name[n] == '\0'))
                        return true;
        }
        return strcasestr(name, "_PROXY") != NULL;
}

/* ParseFile() of Podman: lines of up to 64 KiB, blanks before a name dropped, "#" a comment, one "\r" before
 * the line's end dropped. */
static bool fits_env_file(const char *name, const char *value) {
        size_t n = strlen(value);

        return !strchr(value, '\n') && (n == 0 || value[n - 1] != '\r') && strlen(name) + n + 2 < 64 * 1024;
}

static bool name_is_possible(const char *name) {
        return name[0] && !strchr(" \t#", name[0]) && !strpbrk(name, "=\n") && !str_has_control(name);
}

bool env_file_fits(const char *name, const char *value) {
        return name_is_possible(name) && fits_env_file(name, value);
}

/* A value that no env file holds: systemd sets it for podman, and podman passes it on by name. */
static void add_by_name(Draft *d, const char *name, const Node *value) {
        UnitWriter *w = &d->container;
        Arena *a = d->lower->arena;

        w->span = value->span;
        if (strstr(value->text, "\r\n")) {
                /* Neither a variable of a unit nor an option of podman keeps it. */
                draft_refuse(d, value,
                             "the variable '%s' of '%s' has a carriage return before a line break, which is "
                             "lost on "
                             "the way into a container",
                             name, d->service->name);
                diag_hint(d->lower->diag, "hand the text over as a file, with 'configs' or 'secrets'");
                return;
        }
        if (!name_reaches_engine(name) && escape_add_assignment(&d->words, name, value->text) == 0) {
                unit_line(w, "PodmanArgs", ESCAPE_QUADLET_ARGV, arena_printf(a, "--env=%s", name));
                return;
        }
        if (value->secret) {
                draft_refuse(d, value,
                             name_reaches_engine(name)
                                     ? "the variable '%s' of '%s' has several lines and a name that the "
                                       "engine would take for itself"
                                     : "the variable '%s' of '%s' has several lines and a name that a unit "
                                       "cannot hand on",
                             name, d->service->name);
                diag_hint(d->lower->diag,
                          "give it a name of letters, digits and '_', or hand the text over as a "
                          "file, with 'secrets'");
                return;
        }
        unit_line(w, "PodmanArgs", ESCAPE_QUADLET_ARGV, arena_printf(a, "--env=%s=%s", name, value->text));
}

/* On the line of the name its value may stand. */
static void refuse_name(Draft *d, const NodePair *p) {
        draft_refuse(d, p->key, "'%s' is no name of a variable",
                     escape_for_message(d->lower->arena, p->key->text, 80));
        if (p->value->secret)
                diag_hide_source(d->lower->diag);
}

void emit_environment(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const NodePair *p = value->pairs + i;

                /* Without a value and not in .env: Compose leaves it unset as well. */
                if (!node_is_scalar(p->value))
                        continue;
                if (!name_is_possible(p->key->text))
                        refuse_name(d, p);
                else if (fits_env_file(p->key->text, p->value->text))
                        buf_printf(&d->environment, "%s=%s\n", p->key->text, p->value->text);
                else
                        add_by_name(d, p->key->text, p->value);
        }
}

/* podman refuses a file in which the name of a label has blanks. */
static bool label_file_fits(const char *name, const char *value) {
        return env_file_fits(name, value) && !strpbrk(name, " \t\v\f\r");
}

/* What a line of quadlet cannot carry goes by a file of podman's, or by an option, whose words have more
 * ways. */
static void write_label(Draft *d, const ServiceKey *key, const NodePair *p, const char *label,
                        const char *text) {
        if (p->value->secret || !p->key->text[0] || !escape_refusal(key->class, label))
                draft_line(d, &d->container, key->name, key->class, p->value, label);
        else if (label_file_fits(p->key->text, text))
                buf_printf(&d->labels, "%s\n", label);
        else
                draft_podman_arg(d, &d->container, "--label", p->value, label);
}

void emit_labels(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const NodePair *p = value->pairs + i;
                const char *text = node_is_scalar(p->value) ? p->value->text : "";

                if (p->value->secret) {
                        diag_warning(d->lower->diag, p->value->span, "secret-visible",
                                     "the label '%s' of service '%s' holds a secret, and Podman writes "
                                     "labels to the "
                                     "journal",
                                     p->key->text, d->service->name);
                        diag_hint(d->lower->diag,
                                  "hand secrets to a service with 'environment' or 'secrets'");
                }
                if (p->value->secret && label_file_fits(p->key->text, text))
                        buf_printf(&d->labels, "%s=%s\n", p->key->text, text);
                else
                        write_label(d, key, p, arena_printf(d->lower->arena, "%s=%s", p->key->text, text),
                                    text);
        }
}
