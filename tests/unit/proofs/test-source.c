/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/source.h"

typedef struct Row {
        const char *text, *host; /* host NULL: refused */
        uint16_t port;
} Row;

static void check_rows(const Row *rows, size_t n, int (*parse)(const char *, Source *)) {
        for (size_t i = 0; i < n; i++) {
                Source source;
                int r = parse(rows[i].text, &source);

                if (!rows[i].host) {
                        if (r != -EINVAL)
                                fail_msg("\"%s\" was taken", rows[i].text);
                        continue;
                }
                assert_int_equal(r, 0);
                assert_string_equal(source.host, rows[i].host);
                assert_int_equal(source.port, rows[i].port);
                assert_string_equal(source.text, rows[i].text);
        }
}

static void test_echo(void **state) {
        static const Row rows[] = {
                { "http://echo.example/", "echo.example", 80 },
                { "https://echo.example/ip?x=1", "echo.example", 443 },
                { "http://192.0.2.1:8080", "192.0.2.1", 8080 },
                { "http://[2001:db8::1]:81/", "2001:db8::1", 81 },
                { "ftp://echo.example/", NULL, 0 },
                { "file:///etc/passwd", NULL, 0 },
                { "echo.example", NULL, 0 },
                { "http://", NULL, 0 },
                { "http://user@echo.example/", NULL, 0 },
                { "http://user:secret@echo.example/", NULL, 0 },
                { "http://echo.example:0/", NULL, 0 },
                { "http://echo.example:99999/", NULL, 0 },
                { "", NULL, 0 },
        };

        (void) state;
        check_rows(rows, ARRAY_LENGTH(rows), source_parse_echo);
}

static void test_stun(void **state) {
        static const Row rows[] = {
                { "stun.example", "stun.example", 3478 },
                { "stun.example:19302", "stun.example", 19302 },
                { "stun:stun.example:1", "stun.example", 1 },
                { "192.0.2.1:3479", "192.0.2.1", 3479 },
                { "[2001:db8::1]:3479", "2001:db8::1", 3479 },
                { "[2001:db8::1]", "2001:db8::1", 3478 },
                { "2001:db8::1", "2001:db8::1", 3478 },
                { "", NULL, 0 },
                { ":3478", NULL, 0 },
                { "stun.example:", NULL, 0 },
                { "stun.example:x", NULL, 0 },
                { "stun.example:0", NULL, 0 },
                { "stun.example:65536", NULL, 0 },
                { "stun.example:+1", NULL, 0 },
                { "[2001:db8::1", NULL, 0 },
                { "[2001:db8::1]3478", NULL, 0 },
                { "a/b:1", NULL, 0 },
                { "user@stun.example", NULL, 0 },
        };

        (void) state;
        check_rows(rows, ARRAY_LENGTH(rows), source_parse_stun);
}

static void test_too_long(void **state) {
        char text[2 * SOURCE_TEXT_MAX];
        Source source;

        (void) state;
        memset(text, 'a', sizeof(text));
        text[sizeof(text) - 1] = '\0';
        assert_int_equal(source_parse_stun(text, &source), -EINVAL);
        memcpy(text, "http://", 7);
        assert_int_equal(source_parse_echo(text, &source), -EINVAL);
        text[SOURCE_HOST_MAX + 10] = '\0';
        assert_int_equal(source_parse_echo(text, &source), -EINVAL);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_echo),
                cmocka_unit_test(test_stun),
                cmocka_unit_test(test_too_long),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
