/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "proofs/bound.h"
#include "proofs/handles.h"

#define HEAD "{\"id\":\"0a\",\"pid\":7,\"annotations\":{"
#define OURS                                                                                                 \
        "\"org.unitproof.stack\":\"s\",\"org.unitproof.subject\":\"c\",\"org.unitproof.tunnel-unit\":\"s-v." \
        "service\""

static void test_good(void **state) {
        const char *text =
                HEAD OURS ",\"io.x\":[1],\"org.unitproof.egress\":\"off\"},\"status\":\"created\"}";
        const char *why = NULL;
        BoundState s;

        (void) state;
        assert_int_equal(bound_state_parse(text, strlen(text), &s, &why), 0);
        assert_string_equal(s.id, "0a");
        assert_int_equal(s.pid, 7);
        assert_string_equal(s.stack, "s");
        assert_string_equal(s.subject, "c");
        assert_string_equal(s.tunnel_unit, "s-v.service");
        assert_string_equal(s.engine, "");
        assert_true(s.without_egress);
}

static void test_bad(void **state) {
        static const char *const bad[] = {
                "",
                "[]",
                "null",
                HEAD OURS "}",
                HEAD "}}",
                "{\"id\":\"0a\",\"pid\":7}",
                "{\"pid\":7,\"annotations\":{" OURS "}}",
                "{\"id\":\"0a\",\"annotations\":{" OURS "}}",
                "{\"id\":\"../x\",\"pid\":7,\"annotations\":{" OURS "}}",
                "{\"id\":\"0a\",\"pid\":-7,\"annotations\":{" OURS "}}",
                "{\"id\":\"0a\",\"pid\":99999999999,\"annotations\":{" OURS "}}",
                "{\"id\":\"0a\",\"pid\":7.5,\"annotations\":{" OURS "}}",
                "{\"id\":\"0a\",\"pid\":7,\"pid\":8,\"annotations\":{" OURS "}}",
                HEAD OURS ",\"org.unitproof.egress\":\"\\u0000off\"}}",
                HEAD OURS ",\"org.unitproof.egress\":false}}",
                HEAD OURS ",\"org.unitproof.engine\":\"none such\"}}",
                HEAD "\"org.unitproof.stack\":\"s/../t\",\"org.unitproof.subject\":\"c\"}}",
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
                const char *why = NULL;
                BoundState s = { .pid = 99 };

                if (bound_state_parse(bad[i], strlen(bad[i]), &s, &why) != -EBADMSG)
                        fail_msg("row %zu is accepted: %s", i, bad[i]);
                assert_non_null(why);
                assert_int_equal(s.pid, 99);
        }
}

static void test_start_time(void **state) {
        CLEANUP(handle_close) int fd = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        uint64_t a = 0, b = 1;

        (void) state;
        assert_int_equal(bound_start_time(fd, &a), 0);
        assert_int_equal(bound_start_time(fd, &b), 0);
        assert_true(a > 0);
        assert_int_equal(a, b);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_good),
                cmocka_unit_test(test_bad),
                cmocka_unit_test(test_start_time),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
