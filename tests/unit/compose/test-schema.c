/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/schema.h"

#include "tests/unit/compose/fixture.h"

static void check_section(const char *where, const Section *s);

static void check_type(const char *where, const Type *t) {
        if (t->forms == FORM_ANY)
                return;
        if (!t->what || t->forms == 0)
                fail_msg("%s does not say what it holds", where);
        if ((t->forms & FORM_MAPPING) && !t->section && !t->values && !t->finish)
                fail_msg("%s takes mappings without a rule for what is in them", where);
        if ((t->forms & FORM_SEQUENCE) && !t->items && !t->values && !t->finish)
                fail_msg("%s takes lists without a rule for what is in them", where);
        if (t->section)
                check_section(where, t->section);
        if (t->values)
                check_type(where, t->values->type);
        if (t->items)
                check_type(where, t->items->type);
}

static void check_section(const char *where, const Section *s) {
        for (size_t i = 0; i < s->n_keys; i++) {
                assert_non_null(s->keys[i].name);
                if (!s->keys[i].type || !s->keys[i].type->finish)
                        fail_msg("%s.%s has no final form", where, s->keys[i].name);
                if (section_find(s, s->keys[i].name) != s->keys + i)
                        fail_msg("%s.%s stands twice", where, s->keys[i].name);
                check_type(s->keys[i].name, s->keys[i].type);
        }
        for (size_t i = 0; i < 3 && s->required[i]; i++)
                assert_non_null(section_find(s, s->required[i]));
}

static void test_tables(void **state) {
        (void) state;
        check_section("file", compose_type.section);
}

int main(void) {
        const struct CMUnitTest tests[] = { TEST(test_tables) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
