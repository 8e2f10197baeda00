/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/front/doc.h"
#include "generator/model/stack.h"

/* A case: a resolved model as YAML, and lines that the stack made from it must have or must not have. See
 * describe() for the lines. Diagnostics are lines as well: "error CODE LINE:COLUMN", "warning …", "note …".
 */
typedef struct Case {
        const char *name, *yaml;
        const char *has[12], *lacks[6];
} Case;

#define CASE_PROJECT_DIR "/etc/unitproof/media"

static inline void describe_diag(Buf *out, const Diag *d) {
        for (size_t i = 0; i < d->n_entries; i++)
                buf_printf(out, "%s %s %u:%u\n", diag_level_name(d->entries[i].level), d->entries[i].code,
                           d->entries[i].span.line, d->entries[i].span.column);
}

static inline void describe_service(Buf *out, const Service *s) {
        static const char *const networks[] = { "own", "host", "none", "join", "foreign" };
        static const char *const conditions[] = { "started", "healthy", "completed" };

        buf_printf(out, "%s: network %s%s%s%s%s%s%s\n", s->name, networks[s->network], s->owner ? " of " : s->foreign ? " " : "",
                   s->owner ? s->owner->name : s->foreign ?: "", s->is_owner ? ", owner" : "",
                   s->is_tunnel ? ", tunnel" : "", s->tunnel ? ", client" : "",
                   s->completes ? ", completes" : "");
        buf_printf(out, "%s: unit %s, container %s, pod %s\n", s->name, s->unit, s->container, s->pod ?: "-");
        buf_printf(out, "%s: rank %zu\n", s->name, s->rank);
        if (s->restart_on_change)
                buf_printf(out, "%s: restarts on change\n", s->name);
        if (s->hooked)
                buf_printf(out, "%s: hooked\n", s->name);
        for (size_t i = 0; i < s->n_depends; i++)
                buf_printf(out, "%s: needs %s %s%s%s\n", s->name, s->depends[i].service->name,
                           conditions[s->depends[i].condition], s->depends[i].required ? "" : ", optional",
                           s->depends[i].restart ? ", restart" : "");
        for (size_t i = 0; i < s->n_order_after; i++)
                buf_printf(out, "%s: after %s\n", s->name, s->order_after[i]->name);
        for (size_t i = 0; i < s->n_mounts; i++)
                buf_printf(out, "%s: mount %s at %s%s%s\n", s->name, s->mounts[i].source, s->mounts[i].target,
                           s->mounts[i].read_only ? ", read-only" : "",
                           s->mounts[i].create_host_path ? ", created" : "");
}

static inline void describe_guard(Buf *out, const Service *s) {
        if (!s->guard)
                return;
        buf_printf(out, "guard %s: %s %u:%u\n", s->name, s->guard->off ? "off" : "on", s->guard->span.line,
                   s->guard->span.column);
        for (size_t i = 0; i < s->guard->n_allow; i++)
                buf_printf(out, "guard %s: allow %s, %s %u:%u\n", s->name, s->guard->allow[i].subnet,
                           s->guard->allow[i].why, s->guard->allow[i].span.line,
                           s->guard->allow[i].span.column);
        for (size_t i = 0; i < s->guard->n_interfaces; i++)
                buf_printf(out, "guard %s: interface %s\n", s->name, s->guard->interfaces[i]);
}

static inline void describe_proof(Buf *out, const Proof *p) {
        buf_printf(out, "proof %s %s", proof_kind_name(p->kind), p->subject);
        if (p->of)
                buf_printf(out, " of %s", p->of->name);
        if (p->source_dir)
                buf_printf(out, ": %s, %s ->", p->source_dir, p->link_from);
        for (size_t i = 0; i < p->n_link_to; i++)
                buf_printf(out, " %s", p->link_to[i]);
        if (p->timeout_sec > 0)
                buf_printf(out, ", timeout %u", p->timeout_sec);
        if (p->interface)
                buf_printf(out, ", interface %s", p->interface);
        if (p->off)
                buf_printf(out, ", off at %u:%u", p->off_span.line, p->off_span.column);
        buf_printf(out, "\nwhy %s %s: %s\nspan %s %s: %u:%u\n", proof_kind_name(p->kind), p->subject, p->why,
                   proof_kind_name(p->kind), p->subject, p->span.line, p->span.column);
}

static inline const char *describe(Arena *a, const Diag *d, const Stack *s) {
        Buf out = BUF(a);

        buf_add(&out, "\n");
        describe_diag(&out, d);
        if (!s)
                buf_add(&out, "no stack\n");
        for (size_t i = 0; s && i < s->n_services; i++)
                describe_service(&out, &s->services[i]);
        for (size_t i = 0; s && i < s->n_services; i++)
                describe_guard(&out, &s->services[i]);
        for (size_t i = 0; s && i < s->n_proofs; i++)
                describe_proof(&out, &s->proofs[i]);
        for (size_t i = 0; s && i < s->n_echo; i++)
                buf_printf(&out, "echo %s\n", s->echo[i]);
        for (size_t i = 0; s && i < s->n_stun; i++)
                buf_printf(&out, "stun %s\n", s->stun[i]);
        if (s)
                buf_printf(&out, "reprove %u\n", s->reprove_sec);
        return buf_text(&out);
}

static inline Stack *case_build(Arena *a, Diag *d, Sources *sources, const char *stack, const char *yaml) {
        static const char *echo[] = { "https://echo.example.net/" };
        const Config config = { .echo = echo, .n_echo = 1 };
        int file = sources_add(sources, "compose.yaml", yaml, strlen(yaml));
        Node *model;

        assert_true(file > 0);
        model = doc_parse(a, d, sources, (uint32_t) file);
        assert_non_null(model);
        return stack_build(a, d, model, stack, CASE_PROJECT_DIR "/compose.yaml", CASE_PROJECT_DIR, &config);
}

static inline void case_run(void **state) {
        const Case *c = *state;
        _cleanup_arena_ Arena *a = arena_new(64 * 1024 * 1024);
        Sources sources = { .arena = a };
        Diag d = { .arena = a, .sources = &sources };
        Stack *s = case_build(a, &d, &sources, "media", c->yaml);
        const char *text;

        assert_true((s == NULL) == (d.n_errors > 0));
        text = describe(a, &d, s);
        for (size_t i = 0; i < sizeof(c->has) / sizeof(c->has[0]) && c->has[i]; i++)
                if (!strstr(text, arena_printf(a, "\n%s\n", c->has[i])))
                        fail_msg("%s: no line \"%s\" in:%s", c->name, c->has[i], text);
        for (size_t i = 0; i < sizeof(c->lacks) / sizeof(c->lacks[0]) && c->lacks[i]; i++)
                if (strstr(text, arena_printf(a, "\n%s", c->lacks[i])))
                        fail_msg("%s: a line begins with \"%s\" in:%s", c->name, c->lacks[i], text);
}

static inline int cases_run(const Case *cases, size_t n) {
        struct CMUnitTest *tests = calloc(n, sizeof(*tests));
        int r;

        if (!tests)
                return 1;
        for (size_t i = 0; i < n; i++)
                tests[i] = (struct CMUnitTest){
                        .name = cases[i].name,
                        .test_func = case_run,
                        .initial_state = (void *) &cases[i],
                };
        r = _cmocka_run_group_tests("cases", tests, n, /* group_setup= */ NULL, /* group_teardown= */ NULL);
        free(tests);
        return r;
}

#define CASES_MAIN(cases)                                                                                    \
        int main(void) {                                                                                     \
                return cases_run((cases), sizeof(cases) / sizeof((cases)[0]));                               \
        }
