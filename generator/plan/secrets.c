/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/front/dotenv.h"
#include "generator/plan/lower.h"

/* What a service holds that nobody is to read in a record: a health check may print it. One value a line, for
 * root alone; the proof takes them out of what it repeats. */

/* Something shorter may well be a word of any sentence. */
enum { REDACT_BYTES_MIN = 6 };

static void add_lines(Buf *out, const char *value) {
        for (const char *p = value; *p;) {
                size_t n = strcspn(p, "\r\n");

                if (n >= REDACT_BYTES_MIN)
                        buf_printf(out, "%.*s\n", (int) n, p);
                p += n + (p[n] != '\0');
        }
}

/* The whole value by the name of its variable, and those parts of it that came from a secret of an
 * environment file, such as the password in a URL. */
static void add_variable(Lower *l, Buf *out, const char *name, const Node *value) {
        if (env_name_is_secret(name))
                add_lines(out, value->text);
        for (size_t i = 0; value->secret && i < l->diag->n_secrets; i++)
                if (l->diag->secrets[i].value[0] && strstr(value->text, l->diag->secrets[i].value))
                        add_lines(out, l->diag->secrets[i].value);
}

const char *lower_secrets(Lower *l, const Service *s) {
        const Node *environment = node_get(s->node, "environment");
        Buf out = BUF(l->arena);

        for (size_t i = 0; environment && environment->kind == NODE_MAPPING && i < environment->n; i++)
                if (node_is_scalar(environment->pairs[i].value))
                        add_variable(l, &out, environment->pairs[i].key->text, environment->pairs[i].value);
        return buf_text(&out);
}

const char *lower_secrets_name(Lower *l, const Service *s) {
        return arena_printf(l->arena, "%s.redact", s->name);
}
