/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/node.h"

#include "tests/unit/front/fixture.h"

static void test_access(void **state) {
        const Fixture *f = *state;
        Node *m = node_new(f->arena, NODE_MAPPING, (Span){ 0 });
        Node *list = node_new(f->arena, NODE_SEQUENCE, (Span){ 0 });

        node_set(f->arena, m, "a", (Span){ 1, 2, 3, 1 }, node_new_string(f->arena, m->span, "x"));
        node_set(f->arena, m, "n", (Span){ 0 }, node_new_int(f->arena, m->span, -5));
        node_set(f->arena, m, "b", (Span){ 0 }, node_new_bool(f->arena, m->span, true));
        node_set(f->arena, m, "l", (Span){ 0 }, list);
        node_set(f->arena, m, "0", (Span){ 0 }, node_new(f->arena, NODE_NULL, m->span));
        assert_string_equal(node_get_text(m, "a"), "x");
        assert_string_equal(node_get_text(m, "n"), "-5");
        assert_true(node_get_bool(m, "b", false));
        assert_true(node_get_bool(m, "a", true)); /* not a boolean */
        assert_false(node_get_bool(m, "missing", false));
        assert_null(node_get_text(m, "l"));
        assert_null(node_get_text(m, "0"));
        assert_null(node_get(m, "missing"));
        assert_null(node_get(list, "a"));
        assert_null(node_get(NULL, "a"));
        assert_int_equal(node_get_pair(m, "a")->key->span.line, 2);
        assert_true(node_is_null(node_get(m, "0")));
        assert_true(node_is_null(NULL));
        assert_false(node_is_scalar(NULL));
        assert_false(node_is_scalar(list));
        assert_true(node_is_scalar(node_get(m, "b")));
}

static void test_set_keeps_the_place_and_remove_closes_the_gap(void **state) {
        const Fixture *f = *state;
        Node *m = node_new(f->arena, NODE_MAPPING, (Span){ 0 });
        Buf b = BUF(f->arena);

        for (int i = 0; i < 20; i++)
                node_set(f->arena, m, arena_printf(f->arena, "k%d", i), m->span,
                         node_new_int(f->arena, m->span, i));
        node_set(f->arena, m, "k1", m->span, node_new_bool(f->arena, m->span, false));
        for (int i = 3; i < 20; i++)
                assert_true(node_remove(m, arena_printf(f->arena, "k%d", i)));
        assert_false(node_remove(m, "k3"));
        fixture_dump(&b, m);
        assert_string_equal(buf_text(&b), "{k0: 0, k1: false, k2: 2}");
        assert_true(node_remove(m, "k0"));
        assert_string_equal(m->pairs[0].key->text, "k1");
}

static void test_copy_is_deep(void **state) {
        const Fixture *f = *state;
        Node *m = node_new(f->arena, NODE_MAPPING, (Span){ 0 }), *copy;
        Node *list = node_new(f->arena, NODE_SEQUENCE, (Span){ 1, 7, 8, 9 });

        node_append(f->arena, list, node_new_int(f->arena, m->span, 1));
        node_set(f->arena, m, "l", m->span, list);
        list->tag = NODE_TAG_OVERRIDE;
        copy = node_copy(f->arena, m);
        assert_true(node_equal(m, copy));
        assert_int_equal(node_get(copy, "l")->span.line, 7);
        assert_int_equal(node_get(copy, "l")->tag, NODE_TAG_OVERRIDE);
        node_append(f->arena, node_get(copy, "l"), node_new_int(f->arena, m->span, 2));
        node_set(f->arena, copy, "more", m->span, list);
        assert_int_equal(list->n, 1);
        assert_int_equal(m->n, 1);
        assert_false(node_equal(m, copy));
}

static void test_equal(void **state) {
        const Fixture *f = *state;
        Span s = { 0 };
        Node *one = node_new_int(f->arena, s, 1);
        Node *a = node_new(f->arena, NODE_MAPPING, s), *b = node_new(f->arena, NODE_MAPPING, s);

        assert_true(node_equal(one, node_new_int(f->arena, (Span){ 1, 1, 1, 1 }, 1)));
        assert_false(node_equal(one, node_new_string(f->arena, s, "1")));
        assert_false(node_equal(one, NULL));
        assert_true(node_equal(NULL, NULL));
        node_set(f->arena, a, "x", s, one);
        node_set(f->arena, a, "y", s, one);
        node_set(f->arena, b, "y", s, one);
        node_set(f->arena, b, "x", s, one);
        assert_true(node_equal(a, b)); /* mappings have no order */
        node_set(f->arena, b, "z", s, one);
        assert_false(node_equal(a, b));
        assert_true(node_remove(b, "x"));
        assert_false(node_equal(a, b));
}

static void test_kind_names(void **state) {
        (void) state;
        for (NodeKind k = 0; k < _NODE_KIND_MAX; k++)
                assert_non_null(node_kind_name(k));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_access),       TEST(test_set_keeps_the_place_and_remove_closes_the_gap),
                TEST(test_copy_is_deep), TEST(test_equal),
                TEST(test_kind_names),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
