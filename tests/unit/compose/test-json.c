/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/unit/compose/fixture.h"

static void test_escapes(void **state) {
        Fixture *f = *state;
        Node *m = node_new(f->arena, NODE_MAPPING, (Span){ 0 });

        node_set(f->arena, m, "k\"", (Span){ 0 },
                 node_new_string(f->arena, m->span,
                                 "\"\\/\b\f\n\r\t\x01<>&$ü\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa"));
        assert_string_equal(compose_to_json(f->arena, m),
                            "{\n  \"k\\\"\": \"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u003c\\u003e\\u0026$$ü"
                            "\\u2028\\u2029\xe2\x80\xaa\"\n}");
}

static void test_shapes(void **state) {
        Fixture *f = *state;
        Node *m = project_load(f, FILE_ONLY("x-top: {b: [], a: {}, n: 1.50, o: 010, t: True, z: ~}\n"
                                            "services:\n  a: {image: x, x-own: 1, labels: {x-l: v}}\n"));

        assert_non_null(m);
        assert_string_equal(compose_to_json(f->arena, m),
                            "{\n"
                            "  \"name\": \"p\",\n"
                            "  \"networks\": {\n    \"default\": {\n      \"name\": \"p_default\",\n"
                            "      \"ipam\": {}\n    }\n  },\n"
                            "  \"services\": {\n    \"a\": {\n      \"command\": null,\n"
                            "      \"entrypoint\": null,\n      \"image\": \"x\",\n      \"labels\": {\n"
                            "        \"x-l\": \"v\"\n      },\n      \"networks\": {\n"
                            "        \"default\": null\n      }\n    }\n  },\n"
                            "  \"x-top\": {\n    \"a\": {},\n    \"b\": [],\n    \"n\": 1.5,\n    \"o\": 8,\n"
                            "    \"t\": true,\n    \"z\": null\n  }\n}");
}

int main(void) {
        const struct CMUnitTest tests[] = { TEST(test_escapes), TEST(test_shapes) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
