/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Files that change while a stack runs (decision 0014): those that it is made from, which count from the next
 * reload on, and those that a tunnel reads by itself, which count from its next start on. */

enum { CHANGED_TIMEOUT_SEC = 30 };

typedef struct Watch {
        Lower *lower;
        const char *stem; /* of the two units */
        const char *what; /* in words */
        Span span;
        UnitWriter paths, service;
        Deps deps;
        unsigned timeout_sec, n;
} Watch;

static Watch watch(Lower *l, const char *stem, const char *what, Span span) {
        return (Watch){
                .lower = l,
                .stem = stem,
                .what = what,
                .span = span,
                .paths = unit_writer(l->arena, l->diag),
                .service = unit_writer(l->arena, l->diag),
                .timeout_sec = CHANGED_TIMEOUT_SEC,
        };
}

static void watch_path(Watch *w, Span span, const char *path) {
        if (escape_refusal(ESCAPE_PATH, path))
                return;
        w->paths.span = span;
        unit_line(&w->paths, "PathChanged", ESCAPE_PATH, path);
        w->n++;
}

static void watch_write(Watch *w) {
        Lower *l = w->lower;
        UnitWriter unit = unit_writer(l->arena, l->diag);
        const char *note = lower_note(l, w->span, "What happens when %s", w->what);

        deps_write(&w->deps, &unit);

        const TemplateValue values[] = {
                { TOKEN_NOTE, note },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: %s", l->stack->name, w->what) },
                { TOKEN_SOURCE, l->stack->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_TIMEOUT, arena_printf(l->arena, "%u", w->timeout_sec) },
                { TOKEN_LINES, unit_writer_text(&w->paths) },
                { TOKEN_UNIT_LINES, unit_writer_text(&unit) },
                { TOKEN_SERVICE_LINES, unit_writer_text(&w->service) },
        };

        lower_unit(
                l, arena_printf(l->arena, "%s.path", w->stem), w->span,
                template_fill(l->arena, l->diag, w->span, &template_changed_path, values, ELEMENTS(values)));
        lower_unit(l, arena_printf(l->arena, "%s.service", w->stem), w->span,
                   template_fill(l->arena, l->diag, w->span, &template_changed_service, values,
                                 ELEMENTS(values)));
}

/* ---- what the stack is made from ---- */

const char *lower_changed_path(Lower *l) {
        return arena_printf(l->arena, "%s-changed.path", l->stack->name);
}

static void lower_inputs(Lower *l) {
        const Sources *sources = l->diag->sources;
        const char *const words[] = { PROGRAM_GATE, "changed", "--stack", l->stack->name };
        Watch w = watch(l, arena_printf(l->arena, "%s-changed", l->stack->name),
                        "a file that the stack is made from has changed", l->stack->model->span);

        for (size_t i = 0; i < sources->n_files; i++)
                if (sources->files[i].bytes && sources->files[i].path[0] == '/')
                        watch_path(&w, w.span, sources->files[i].path);
        unit_words(&w.service, "ExecStart", ESCAPE_ARGV, words, ELEMENTS(words));
        watch_write(&w);
}

/* ---- what a tunnel reads by itself ---- */

/* The engine, the kernel and the distribution change these, and a tunnel takes no word from them. */
static bool path_is_system(const char *path) {
        static const char *const places[] = { "/dev", "/etc/localtime", "/lib", "/proc",
                                              "/run", "/sys",           "/usr" };

        for (size_t i = 0; i < ELEMENTS(places); i++)
                if (path_is_within(path, places[i]))
                        return true;
        return false;
}

/* What the tunnel cannot write itself, or what is called like a file: a directory that it keeps its state in
 * would be news all the time. */
static bool mount_is_input(const Mount *m) {
        const char *base = strrchr(m->source, '/');

        return !path_is_system(m->source) && (m->read_only || (base && base[1] && strchr(base + 2, '.')));
}

static void watch_files(Watch *w, const Service *tunnel, const char *key) {
        const Lower *l = w->lower;
        const Node *uses = node_get(tunnel->node, key), *definitions = node_get(l->stack->model, key);

        for (size_t i = 0; uses && uses->kind == NODE_SEQUENCE && i < uses->n; i++) {
                const char *name = node_get_text(uses->items[i], "source");
                const char *file = name ? node_get_text(node_get(definitions, name), "file") : NULL;

                if (file && file[0] == '/')
                        watch_path(w, uses->items[i]->span, path_normalize(l->arena, file));
        }
}

static Watch watch_tunnel(Lower *l, const Service *tunnel) {
        Watch w =
                watch(l, arena_printf(l->arena, "%s-changed-%s", l->stack->name, tunnel->name),
                      arena_printf(l->arena, "a file that %s reads has changed", tunnel->name), tunnel->span);

        for (size_t i = 0; i < tunnel->n_mounts; i++)
                if (mount_is_input(tunnel->mounts + i))
                        watch_path(&w, tunnel->mounts[i].span, tunnel->mounts[i].source);
        watch_files(&w, tunnel, "secrets");
        watch_files(&w, tunnel, "configs");
        return w;
}

bool lower_is_watched(Lower *l, const Service *s) {
        return s->is_tunnel && watch_tunnel(l, s).n > 0;
}

const char *lower_changed_tunnel_path(Lower *l, const Service *tunnel) {
        return arena_printf(l->arena, "%s-changed-%s.path", l->stack->name, tunnel->name);
}

static void lower_tunnel(Lower *l, const Service *tunnel) {
        Watch w = watch_tunnel(l, tunnel);
        const char *const words[] = {
                PROGRAM_GATE, "changed", "--stack",    l->stack->name, "--subject",
                tunnel->name, "--unit",  tunnel->unit, "--restart",
        };

        if (w.n == 0)
                return;
        w.service.span = w.span;
        unit_words(&w.service, "ExecStart", ESCAPE_ARGV, words,
                   ELEMENTS(words) - (tunnel->restart_on_change ? 0 : 1));
        /* A restart proves by itself: no client comes back without. */
        for (size_t i = 0; i < l->stack->n_proofs && !tunnel->restart_on_change; i++) {
                const Proof *p = l->stack->proofs + i;

                if (p->kind != PROOF_EGRESS || p->off || p->of != tunnel)
                        continue;
                w.timeout_sec += lower_write_again(l, p, &w.service);
                if (w.deps.kinds[DEP_ON_FAILURE].n == 0)
                        deps_add(l->arena, &w.deps, DEP_ON_FAILURE,
                                 arena_printf(l->arena, "%s-halt.service", l->stack->name));
        }
        watch_write(&w);
}

void lower_changed(Lower *l) {
        lower_inputs(l);
        for (size_t i = 0; i < l->stack->n_services; i++)
                if (l->stack->services[i].is_tunnel)
                        lower_tunnel(l, l->stack->services + i);
}
