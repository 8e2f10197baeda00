/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/plan/lower.h"

static void test_references(void **state) {
        static const char *const good[] = {
                "x",
                "nginx:1",
                "lscr.io/linuxserver/sonarr:4",
                "docker.io/a/b/c",
                "localhost/x:y",
                "a.b:5000/c/d:e",
                "registry.example:5000/x",
                "a__b/c-d--e/f.g_h:V1.2-x_",
                "qmcgaw/gluetun",
                "x@sha256:0000000000000000000000000000000000000000000000000000000000000000",
                "x:1@sha256:00",
                "[::1]:5000/x",
                "Host.example/x",
        };
        static const char *const bad[] = {
                "",      "foo:",     "Foo/bar",   "foo/Bar", "http://x/y", "docker.io/", "x::1",
                "x:1:2", "/x",       "x/",        "a//b",    "-x",         "x-",         "x:-1",
                "x@",    "x@sha256", "x@sha256:", "a...b",   "a b",        "x:ä",        ":tag",
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTS(good); i++)
                if (!image_is_reference(good[i]))
                        fail_msg("\"%s\" was refused", good[i]);
        for (size_t i = 0; i < ELEMENTS(bad); i++)
                if (image_is_reference(bad[i]))
                        fail_msg("\"%s\" was taken", bad[i]);
}

static void test_transports(void **state) {
        (void) state;
        assert_true(image_has_transport("docker://x/y"));
        assert_true(image_has_transport("oci-archive:/srv/x.tar"));
        assert_false(image_has_transport("docker:dind"));
        assert_false(image_has_transport("http://x/y"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_references),
                cmocka_unit_test(test_transports),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
