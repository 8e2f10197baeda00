/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/write/template.h"
#include "generator/write/tokens.h"
#include "templates/templates.h"

static const TemplatePiece pieces[] = {
        { .text = "Description=" }, { .token = TOKEN_DESCRIPTION },
        { .text = "\n" },           { .token = TOKEN_LINES },
        { .text = "end\n" },
};
static const Template example = { .name = "example", .pieces = pieces, .n_pieces = 5 };

static void test_fill(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Sources s = { .arena = a };
        Diag d = { .arena = a, .sources = &s };
        const TemplateValue values[] = { { TOKEN_DESCRIPTION, "5% of it" }, { TOKEN_LINES, "A=%%\n" } };

        (void) state;
        assert_string_equal(template_fill(a, &d, (Span){ 0 }, &example, values, 2),
                            "Description=5%% of it\nA=%%\nend\n");
        assert_int_equal(d.n_errors, 0);
}

static void test_refused(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Sources s = { .arena = a };
        Diag d = { .arena = a, .sources = &s };
        const TemplateValue values[] = { { TOKEN_DESCRIPTION, "a\n[Service]" }, { TOKEN_LINES, "" } };

        (void) state;
        assert_null(strstr(template_fill(a, &d, (Span){ 0 }, &example, values, 2), "[Service]"));
        assert_int_equal(d.n_errors, 1);
}

/* Every embedded template has its sections, and no "@" is left over. */
static void test_embedded(void **state) {
        static const Template *const all[] = {
                &template_container,
                &template_failed_service,
                &template_halt_service,
                &template_network,
                &template_pod,
                &template_proof_service,
                &template_return_service,
                &template_stack_target,
                &template_volume,
        };

        (void) state;
        for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
                bool unit = false;

                for (size_t j = 0; j < all[i]->n_pieces; j++) {
                        const char *text = all[i]->pieces[j].text;

                        if (!text)
                                continue;
                        unit |= strstr(text, "[Unit]\n") != NULL;
                        assert_null(strchr(text, '@'));
                }
                assert_true(unit);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_fill),
                cmocka_unit_test(test_refused),
                cmocka_unit_test(test_embedded),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
