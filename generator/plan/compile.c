/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/front/doc.h"
#include "generator/model/options.h"
#include "generator/plan/plan.h"

/* The profiles that the file itself chooses under x-unitproof: which services there are depends on them, so
 * they are read ahead, and only if the text can hold them. What is wrong with the file is told by the load
 * that follows. */
static size_t own_profiles(Arena *a, Sources *s, const char *file, const char *const **ret_profiles,
                           const Span **ret_spans) {
        int number = sources_open(s, file);
        const SourceFile *f = number > 0 ? sources_get(s, (uint32_t) number) : NULL;
        Diag quiet = { .arena = a, .sources = s };

        if (!f || !strstr(f->bytes, "x-unitproof") || !strstr(f->bytes, "profiles"))
                return 0;
        return x_unitproof_profiles(a, doc_parse(a, &quiet, s, (uint32_t) number), ret_profiles, ret_spans);
}

static Node *load(Arena *a, Sources *s, Diag *d, const CompileInput *in, const char *const *files,
                  size_t n_files) {
        ComposeOptions o = {
                .project_dir = in->dir,
                .files = files,
                .n_files = n_files,
                .profiles = in->profiles,
                .n_profiles = in->n_profiles,
        };

        if (o.n_profiles == 0)
                o.n_profiles = own_profiles(a, s, files[0], &o.profiles, &o.profile_spans);
        return compose_load(a, s, d, &o);
}

static size_t find_files(Arena *a, Sources *s, Diag *d, const CompileInput *in, const char **ret_files) {
        size_t n;

        if (in->file) {
                ret_files[0] = in->file;
                return 1;
        }
        n = compose_find_files(a, s, d, in->dir, ret_files);
        /* A disk that is not mounted yet, and not an empty directory. */
        if (n == 0 && sources_open(s, in->dir) == -ENOLINK)
                diag_unreadable(d, (Span){ 0 }, "unreadable", in->dir, -ENOLINK, NULL);
        else if (n == 0) {
                diag_error(d, (Span){ 0 }, "no-file", "there is no Compose file in %s",
                           sources_shown(s, a, in->dir));
                diag_hint(d, "put a compose.yaml there");
        }
        return n;
}

Node *compile_model(Arena *a, Sources *s, Diag *d, const CompileInput *in) {
        const size_t before = d->n_errors;
        const char *files[2];
        size_t n_files = find_files(a, s, d, in, files);
        Node *model = n_files > 0 ? load(a, s, d, in, files, n_files) : NULL;

        return d->n_errors > before ? NULL : model;
}

Plan *compile_stack(Arena *a, Sources *s, Diag *d, const CompileInput *in, const Facts *f, Stack **ret_stack,
                    Node **ret_model) {
        const size_t before = d->n_errors;
        const char *files[2];
        size_t n_files = find_files(a, s, d, in, files);
        Node *model = n_files > 0 ? load(a, s, d, in, files, n_files) : NULL;
        Stack *stack;
        Plan *plan;

        if (!model || d->n_errors > before)
                return NULL;
        if (ret_model)
                *ret_model = model;
        stack = stack_build(a, d, model, in->stack, files[0], in->dir, in->config);
        if (!stack || d->n_errors > before)
                return NULL;
        plan = plan_lower(a, d, stack, f, in->output_dir);
        if (!plan)
                return NULL;
        plan_check(plan, d);
        if (d->n_errors > before)
                return NULL;
        if (ret_stack)
                *ret_stack = stack;
        return plan;
}
