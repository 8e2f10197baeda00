/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* post_start and pre_stop: commands that run in the container beside its own. */

static void hook_word(Draft *d, UnitWriter *w, const Node *n, const char *value) {
        const char *name;

        if (!n->secret) {
                unit_word(w, ESCAPE_ARGV, value);
                return;
        }
        name = draft_word(d, n->span, value);
        if (name)
                unit_word_from_environment(w, name);
}

static void hook_option(Draft *d, UnitWriter *w, const char *flag, const Node *n) {
        if (node_is_scalar(n) && n->text[0])
                hook_word(d, w, n, arena_printf(d->lower->arena, "%s=%s", flag, n->text));
}

/* By a file that only root reads, as for the service itself. */
static void hook_environment(Draft *d, UnitWriter *w, const ServiceKey *key, const Node *environment,
                             size_t number) {
        Lower *l = d->lower;
        const char *name = arena_printf(l->arena, "%s.%s-%zu.env", d->service->name, key->key, number);
        Buf file = BUF(l->arena);

        for (size_t i = 0; environment && environment->kind == NODE_MAPPING && i < environment->n; i++) {
                const NodePair *p = environment->pairs + i;

                if (!node_is_scalar(p->value))
                        continue;
                if (env_file_fits(p->key->text, p->value->text))
                        buf_printf(&file, "%s=%s\n", p->key->text, p->value->text);
                else
                        draft_refuse(d, p->value,
                                     "the variable '%s' of a hook cannot be passed on: it has several lines",
                                     escape_for_message(l->arena, p->key->text, 80));
        }
        if (file.len == 0)
                return;
        lower_private(l, name, environment->span, 0600, buf_text(&file));
        unit_word(w, ESCAPE_ARGV, arena_printf(l->arena, "--env-file=%s/%s", l->private_path, name));
}

static void emit_hook(Draft *d, const ServiceKey *key, const Node *hook, size_t number) {
        const Node *command = node_get(hook, "command"), *privileged = node_get(hook, "privileged");
        UnitWriter *w = &d->commands;
        /* A stop goes on whatever its hook came to. */
        bool stop = str_equal(key->name, "ExecStop");

        if (!command || command->kind != NODE_SEQUENCE || command->n == 0) {
                draft_refuse(d, hook, "a hook under '%s' of '%s' has no command", key->key, d->service->name);
                return;
        }
        w->span = hook->span;
        unit_begin(w, key->name);
        unit_word(w, ESCAPE_ARGV, stop ? "-" PROGRAM_PODMAN : PROGRAM_PODMAN);
        unit_word(w, ESCAPE_ARGV, "exec");
        if (node_is_scalar(privileged) && value_is_true(privileged))
                unit_word(w, ESCAPE_ARGV, "--privileged");
        hook_option(d, w, "--user", node_get(hook, "user"));
        hook_option(d, w, "--workdir", node_get(hook, "working_dir"));
        hook_environment(d, w, key, node_get(hook, "environment"), number);
        unit_word(w, ESCAPE_ARGV, "--");
        unit_word(w, ESCAPE_ARGV, d->service->container);
        for (size_t i = 0; i < command->n; i++) {
                if (command->items[i]->secret)
                        draft_warn_visible(d, command->items[i]);
                hook_word(d, w, command->items[i], command->items[i]->text);
        }
        unit_end(w);
}

void emit_hooks(Draft *d, const ServiceKey *key, const Node *value) {
        if (value->kind != NODE_SEQUENCE || value->n == 0)
                return;
        if (d->service->completes) {
                draft_refuse(d, value, "'%s' of '%s' would come when it has ended: others wait for its end",
                             key->key, d->service->name);
                diag_hint(d->lower->diag, "make it a part of the command");
                return;
        }
        for (size_t i = 0; i < value->n; i++)
                emit_hook(d, key, value->items[i], i + 1);
}
