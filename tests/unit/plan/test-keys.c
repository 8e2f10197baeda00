/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/compose/schema.h"
#include "generator/plan/lower.h"

static void test_sorted(void **state) {
        (void) state;
        for (size_t i = 1; i < n_service_keys; i++)
                assert_true(strcmp(service_keys[i - 1].key, service_keys[i].key) < 0);
}

static void check_verdict(const char *where, const char *key, const Verdict *v) {
        if (v->support <= SUPPORT_MISSING || v->support >= _SUPPORT_MAX)
                fail_msg("%s.%s: a cell is empty", where, key);
        if (v->support != SUPPORT_MAPPED && (!v->text || strlen(v->text) < 10))
                fail_msg("%s.%s is not simply mapped, and no reason is given", where, key);
}

static void check_verdicts(const char *where, const char *key, const Verdicts *v) {
        check_verdict(where, key, &v->unit);
        check_verdict(where, key, &v->compatible);
        check_verdict(where, key, &v->native);
}

/* No key of the specification is without a row, no cell is empty, and what the verdict refuses is not
 * written. */
static void test_services(void **state) {
        const Section *s = service_type.section;

        (void) state;
        assert_int_equal(s->n_keys, 92);
        for (size_t i = 0; i < s->n_keys; i++)
                if (!service_key_find(s->keys[i].name))
                        fail_msg("'%s' has no row", s->keys[i].name);
        for (size_t i = 0; i < n_service_keys; i++) {
                const ServiceKey *row = service_keys + i;

                if (!section_find(s, row->key))
                        fail_msg("'%s' is in no specification", row->key);
                if ((row->verdicts.unit.support == SUPPORT_REFUSED) != (row->emit == emit_refused))
                        fail_msg("'%s' is refused in words or in deed, but not in both", row->key);
                check_verdicts("services", row->key, &row->verdicts);
        }
}

/* The section of the schema that a path such as "services.*.build" leads to. */
static const Section *section_at(const char *path) {
        const Type *t = &compose_type;
        char word[64];

        while (*path) {
                size_t n = strcspn(path, ".");
                const KeyDef *next;

                assert_true(n < sizeof(word));
                memcpy(word, path, n);
                word[n] = '\0';
                next = str_equal(word, "*") ? (t->values ?: t->items) : type_child(t, word);
                if (!next)
                        return NULL;
                t = next->type;
                path += n + (path[n] == '.');
        }
        return t->section;
}

static void test_sections(void **state) {
        (void) state;
        for (size_t i = 0; i < n_support_sections; i++) {
                const SupportSection *sup = support_sections + i;
                const Section *s = section_at(sup->path);

                if (!s)
                        fail_msg("there is no '%s'", sup->path);
                if (s->n_keys != sup->n_rows)
                        fail_msg("'%s' has %zu keys, and %zu verdicts", sup->path, s->n_keys, sup->n_rows);
                for (size_t j = 0; j < sup->n_rows; j++) {
                        if (j > 0)
                                assert_true(strcmp(sup->rows[j - 1].key, sup->rows[j].key) < 0);
                        if (!section_find(s, sup->rows[j].key))
                                fail_msg("%s.%s is in no specification", sup->path, sup->rows[j].key);
                        check_verdicts(sup->path, sup->rows[j].key, &sup->rows[j].verdicts);
                }
        }
}

/* Keys that quadlet 5.4.2 does not know make it drop the whole unit. */
static void test_baseline(void **state) {
        static const char *const younger[] = {
                "AppArmor",  "BuildArg",     "HttpProxy", "Memory",     "NetworkDeleteOnStop",
                "ReloadCmd", "ReloadSignal", "Retry",     "RetryDelay",
        };

        (void) state;
        for (size_t i = 0; i < n_service_keys; i++)
                for (size_t j = 0; j < sizeof(younger) / sizeof(younger[0]); j++)
                        assert_false(str_equal(service_keys[i].name, younger[j]));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_sorted),
                cmocka_unit_test(test_services),
                cmocka_unit_test(test_sections),
                cmocka_unit_test(test_baseline),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
