/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/interpolate.h"

#include "generator/base/buf.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/front/interpolate-internal.h"
#include "generator/front/scalar.h"

#define REQUIRED_TEXT_MAX 500

typedef struct Interpolation {
        Arena *arena;
        Diag *diag;
        const InterpolateOptions *options;
        const char *text; /* the whole value; what is worked on is always a part of it */
        Buf out;
        bool secret, changed;
} Interpolation;

typedef enum Operator {
        OPERATOR_NONE,        /* ${V} */
        OPERATOR_DEFAULT,     /* ${V-text} */
        OPERATOR_REQUIRED,    /* ${V?text} */
        OPERATOR_ALTERNATIVE, /* ${V+text} */
} Operator;

/* One "$V" or "${V…}". */
typedef struct Reference {
        const char *start, *end; /* from the "$" to behind the last character */
        const char *name;
        Operator operator;
        bool or_empty;               /* with ":": an empty variable counts as unset */
        const char *word, *word_end; /* behind the operator */
} Reference;

static bool expand(Interpolation *i, const char *p, const char *end, size_t depth);

static Span position_of(const Interpolation *i, const char *p) {
        /* Once nothing more is kept, looking for the position is lost work. */
        if (!i->options->locate || i->diag->n_entries >= LIMIT_DIAGNOSTICS)
                return i->options->span;
        return interpolate_position(i->diag->sources, i->options->span, i->text, (size_t) (p - i->text));
}

static void finish_diagnostic(const Interpolation *i) {
        if (i->options->owner)
                diag_hide_source(i->diag);
}

static bool refuse(Interpolation *i, const char *p, const char *what) {
        diag_error(i->diag, position_of(i, p), "interpolation", "invalid interpolation format: %s", what);
        diag_hint(i->diag, "write '$$' if a '$' is meant");
        finish_diagnostic(i);
        return false;
}

/* A variable that many values use is reported where it is used first. */
static bool was_said(const Interpolation *i, const char *code, const char *text) {
        for (size_t k = 0; k < i->diag->n_entries; k++)
                if (str_equal(i->diag->entries[k].code, code) && str_equal(i->diag->entries[k].text, text))
                        return true;
        return false;
}

static void warn_unset(Interpolation *i, const Reference *r) {
        const char *owner = i->options->owner, *text;

        if (owner)
                text = arena_printf(i->arena,
                                    "in the value of '%s', a '$' names a variable that "
                                    "is not set; an empty text takes its place",
                                    owner);
        else
                text = arena_printf(i->arena,
                                    "the variable '%s' is not set, an empty text takes "
                                    "its place",
                                    r->name);
        if (was_said(i, "unset-variable", text))
                return;
        diag_warning(i->diag, position_of(i, r->start), "unset-variable", "%s", text);
        if (owner)
                diag_hint(i->diag, "put the value in single quotes if the '$' belongs to it");
        else
                diag_hint(i->diag,
                          "set it in .env, give a default as in ${%s:-text}, or write "
                          "'$$' if a '$' is meant",
                          r->name);
        finish_diagnostic(i);
}

static const EnvVar *lookup(const Interpolation *i, const char *name) {
        const EnvVar *var = i->options->first ? env_lookup(i->options->first, name) : NULL;

        return var || !i->options->env ? var : env_lookup(i->options->env, name);
}

static bool add_text(Interpolation *i, const char *p, const char *text, size_t n) {
        buf_add_mem(&i->out, text, n);
        if (i->out.len <= LIMIT_INTERPOLATED_BYTES)
                return true;
        diag_error(i->diag, position_of(i, p), "value-too-long",
                   "with its variables the value has more than %d bytes", LIMIT_INTERPOLATED_BYTES);
        finish_diagnostic(i);
        return false;
}

static size_t name_length(const char *p, const char *end) {
        size_t n = 0;

        while (p + n < end && (p[n] == '_' || (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') ||
                               (n > 0 && p[n] >= '0' && p[n] <= '9')))
                n++;
        return n;
}

/* The "}" that closes the "{" at p: the first at which all braces are closed, where the character
 * behind an opening brace does not count; if there is none, the last one. As in Compose, on the
 * same line. */
static const char *find_close(const char *p, const char *end) {
        const char *last = NULL;
        size_t n_open = 0;

        for (; p < end && *p != '\n'; p++) {
                if (*p == '}') {
                        last = p;
                        if (n_open > 0 && --n_open == 0)
                                return p;
                } else if (*p == '{') {
                        n_open++;
                        if (p + 1 < end && p[1] != '\n')
                                p++;
                        if (*p == '}')
                                last = p;
                }
        }
        return last;
}

static bool parse_braced(Interpolation *i, const char *p, const char *end, Reference *ret) {
        static const struct {
                char letter;
                Operator operator;
        } operators[] = {
                { '-', OPERATOR_DEFAULT },
                { '?', OPERATOR_REQUIRED },
                { '+', OPERATOR_ALTERNATIVE },
        };
        const char *name = p + 2, *q, *close;
        size_t n = name_length(name, end);

        if (n == 0)
                return refuse(i, p, "no variable name behind '${'");
        q = name + n;
        *ret = (Reference){ .start = p, .name = arena_strndup(i->arena, name, n) };
        if (q < end && *q == '}') {
                ret->end = q + 1;
                return true;
        }
        ret->or_empty = q < end && *q == ':';
        if (ret->or_empty)
                q++;
        for (size_t k = 0; q < end && k < ELEMENTS(operators); k++)
                if (*q == operators[k].letter)
                        ret->operator= operators[k].operator;
        if (q == end)
                return refuse(i, p, "'${' is not closed by '}'");
        if (ret->operator== OPERATOR_NONE)
                return refuse(i, p, "a name is followed by '}' or one of :- - :? ? :+ +");
        close = find_close(p + 1, end);
        if (!close || close <= q)
                return refuse(i, p, "'${' is not closed by '}' on its line");
        ret->word = q + 1;
        ret->word_end = close;
        ret->end = close + 1;
        return true;
}

static bool report_required(Interpolation *i, const Reference *r, size_t depth) {
        Interpolation message = *i;
        const char *text;

        message.out = BUF(i->arena);
        if (!expand(&message, r->word, r->word_end, depth + 1))
                return false;
        if (message.secret)
                message.out.len = 0;
        text = str_shorten(i->arena,
                           arena_printf(i->arena, "required variable %s is missing a value%s%.*s", r->name,
                                        message.out.len > 0 ? ": " : "", (int) message.out.len,
                                        buf_text(&message.out)),
                           REQUIRED_TEXT_MAX);
        if (was_said(i, "required-variable", text))
                return false;
        diag_error(i->diag, position_of(i, r->start), "required-variable", "%s", text);
        diag_hint(i->diag, "set %s in .env", r->name);
        finish_diagnostic(i);
        return false;
}

static bool substitute(Interpolation *i, const Reference *r, size_t depth) {
        const EnvVar *var = lookup(i, r->name);
        bool is_set = var && !(r->or_empty && var->value[0] == '\0');
        bool secret = env_name_is_secret(r->name) || (var && var->secret);

        switch (r->operator) {
        case OPERATOR_ALTERNATIVE:
                return !is_set || expand(i, r->word, r->word_end, depth + 1);
        case OPERATOR_DEFAULT:
                if (is_set)
                        break;
                i->secret = i->secret || (secret && r->word < r->word_end);
                return expand(i, r->word, r->word_end, depth + 1);
        case OPERATOR_REQUIRED:
                if (is_set)
                        break;
                return report_required(i, r, depth);
        case OPERATOR_NONE:
                if (is_set)
                        break;
                warn_unset(i, r);
                return true;
        }
        if (var->assumed)
                env_warn_assumed(i->diag, position_of(i, r->start), var->value);
        i->secret = i->secret || (secret && var->value[0] != '\0');
        return add_text(i, r->start, var->value, strlen(var->value));
}

/* Appends the part of the text with its references replaced. A "$" before anything but "$", "{" and
 * a name is text. */
static bool expand(Interpolation *i, const char *p, const char *end, size_t depth) {
        if (depth > LIMIT_INTERPOLATION_DEPTH)
                return refuse(i, p, "defaults are nested too deep");
        while (p < end) {
                const char *dollar = memchr(p, '$', (size_t) (end - p));
                Reference r = { 0 };
                size_t n;

                if (!dollar)
                        dollar = end;
                if (!add_text(i, p, p, (size_t) (dollar - p)))
                        return false;
                if (dollar == end)
                        break;
                n = name_length(dollar + 1, end);
                if (dollar + 1 < end && dollar[1] == '{') {
                        if (!parse_braced(i, dollar, end, &r))
                                return false;
                } else if (n > 0) {
                        r.start = dollar;
                        r.name = arena_strndup(i->arena, dollar + 1, n);
                        r.end = dollar + 1 + n;
                } else {
                        bool escape = dollar + 1 < end && dollar[1] == '$';

                        i->changed = i->changed || escape;
                        p = dollar + (escape ? 2 : 1);
                        if (!add_text(i, dollar, "$", 1))
                                return false;
                        continue;
                }
                i->changed = true;
                if (!substitute(i, &r, depth))
                        return false;
                p = r.end;
        }
        return true;
}

bool interpolate_text(Arena *a, Diag *d, const InterpolateOptions *o, const char *text,
                      InterpolateResult *ret_result) {
        Interpolation i = { .arena = a, .diag = d, .options = o, .text = text, .out = BUF(a) };

        if (!strchr(text, '$')) {
                *ret_result = (InterpolateResult){ .text = text };
                return true;
        }
        if (!expand(&i, text, text + strlen(text), 0))
                return false;
        *ret_result = (InterpolateResult){ buf_text(&i.out), i.secret, i.changed };
        return true;
}

const char *interpolate_string(Arena *a, Diag *d, const EnvTable *env, Span span, const char *text,
                               bool *ret_secret, bool *ret_changed) {
        InterpolateOptions o = { .env = env, .span = span, .locate = true };
        InterpolateResult result;

        if (!interpolate_text(a, d, &o, text, &result))
                return NULL;
        if (ret_secret)
                *ret_secret = result.secret;
        if (ret_changed)
                *ret_changed = result.changed;
        return result.text;
}

static void interpolate_scalar(Arena *a, Diag *d, const EnvTable *env, Node *n) {
        bool secret = false, changed = false;
        const char *text = interpolate_string(a, d, env, n->span, n->text, &secret, &changed);

        if (!text || !changed)
                return;
        n->text = text;
        n->secret = n->secret || secret;
        n->interpolated = true;
        if (n->quoted)
                return;
        n->kind = scalar_kind(text);
        if (n->kind == NODE_NULL)
                n->kind = NODE_STRING;
}

void interpolate_tree(Arena *a, Diag *d, const EnvTable *env, Node *n) {
        switch (n->kind) {
        case NODE_STRING:
                interpolate_scalar(a, d, env, n);
                break;
        case NODE_SEQUENCE:
                for (size_t i = 0; i < n->n; i++)
                        interpolate_tree(a, d, env, n->items[i]);
                break;
        case NODE_MAPPING:
                for (size_t i = 0; i < n->n; i++)
                        interpolate_tree(a, d, env, n->pairs[i].value);
                break;
        case NODE_NULL:
        case NODE_BOOL:
        case NODE_INT:
        case NODE_FLOAT:
        case _NODE_KIND_MAX:
                break;
        }
}
