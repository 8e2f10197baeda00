/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* How a value of a service reaches a line, and what becomes of those that must not stand there. */

const char *draft_word(Draft *d, Span span, const char *value) {
        const char *name;

        if (str_equal(value, "")) {
                d->has_empty = true;
                return "UNITPROOF_EMPTY";
        }
        if (str_equal(value, ";")) {
                d->has_semicolon = true;
                return "UNITPROOF_SEMICOLON";
        }
        name = arena_printf(d->lower->arena, "UNITPROOF_WORD_%zu", ++d->n_words);
        if (escape_add_assignment(&d->words, name, value) < 0) {
                diag_error(d->lower->diag, span, "cannot-express",
                           "this value cannot be passed on a command line: %s",
                           escape_refusal(ESCAPE_ENV, arena_printf(d->lower->arena, "A=%s", value)) ?: "");
                return NULL;
        }
        return name;
}

void draft_write_words(Draft *d) {
        Lower *l = d->lower;

        if (d->words.len > 0) {
                lower_private(l, d->words_name, d->service->span, 0600, buf_text(&d->words));
                unit_line(&d->lines, "EnvironmentFile", ESCAPE_PATH,
                          arena_printf(l->arena, "%s/%s", l->private_path, d->words_name));
        }
        if (d->has_empty)
                unit_line(&d->lines, "Environment", ESCAPE_ENV, "UNITPROOF_EMPTY=");
        if (d->has_semicolon)
                unit_line(&d->lines, "Environment", ESCAPE_ENV, "UNITPROOF_SEMICOLON=;");
}

void draft_warn_visible(Draft *d, const Node *n) {
        diag_warning(d->lower->diag, n->span, "secret-visible",
                     "'%s' of service '%s' holds a secret, and everybody on the host can read command lines",
                     d->key, d->service->name);
        diag_hint(d->lower->diag, "hand secrets to a service with 'environment' or 'secrets'");
}

/* A pod has no service of ours that could set variables for it. */
static bool refuse_in_pod(Draft *d, const UnitWriter *w, const Node *n) {
        if (w == &d->container)
                return false;
        draft_refuse(
                d, n,
                "a secret cannot stand here: '%s' shares its network, and this setting belongs to the pod",
                d->service->name);
        return true;
}

void draft_line(Draft *d, UnitWriter *w, const char *key, EscapeClass class, const Node *n,
                const char *value) {
        const char *name;

        w->span = n->span;
        if (!n->secret) {
                unit_line(w, key, class, value);
                return;
        }
        if (refuse_in_pod(d, w, n))
                return;
        draft_warn_visible(d, n);
        name = draft_word(d, n->span, value);
        if (!name)
                return;
        unit_begin(w, key);
        unit_word_from_environment(w, name);
        unit_end(w);
}

void draft_command_word(Draft *d, UnitWriter *w, const Node *n, const char *value) {
        const char *name;

        if (!n->secret && !escape_refusal(ESCAPE_QUADLET_ARGV, value)) {
                unit_word(w, ESCAPE_QUADLET_ARGV, value);
                return;
        }
        name = draft_word(d, n->span, value);
        if (name)
                unit_word_from_environment(w, name);
}

void draft_podman_arg(Draft *d, UnitWriter *w, const char *flag, const Node *n, const char *value) {
        const char *word = arena_printf(d->lower->arena, "%s=%s", flag, value);

        w->span = n->span;
        if (n->secret && !n->interpolated) /* it stands there as it is */ {
                if (refuse_in_pod(d, w, n))
                        return;
                draft_warn_visible(d, n);
        }
        unit_begin(w, "PodmanArgs");
        draft_command_word(d, w, n, word);
        unit_end(w);
}

void draft_refuse(Draft *d, const Node *n, const char *format, ...) {
        const char *text;
        va_list ap;

        va_start(ap, format);
        text = lower_format(d->lower->arena, format, ap);
        va_end(ap);
        diag_error(d->lower->diag, n->span, "cannot-express", "%s", text);
        if (n->secret && !n->interpolated) /* it stands there as it is */
                diag_hide_source(d->lower->diag);
}
