/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <fcntl.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/message-ids.h"
#include "proofs/util.h"

static const char *catalog_path;

static void test_each_id_is_explained_once(void **state) {
        static const char *const ids[] = {
                MESSAGE_ID_PROOF_PASSED,
                MESSAGE_ID_PROOF_FAILED,
                MESSAGE_ID_PROOF_UNPROVEN,
                MESSAGE_ID_PROOF_LEAK,
        };
        CLEANUP(handle_free) char *text = NULL;
        size_t n = 0;

        (void) state;
        assert_int_equal(file_read_at(AT_FDCWD, catalog_path, SMALL_FILE_MAX, &text, NULL), 0);
        for (size_t i = 0; i < ARRAY_LENGTH(ids); i++) {
                CLEANUP(handle_free) char *line = text_format("\n-- %s\nSubject: ", ids[i]);
                const char *found = strstr(text, line);

                assert_true(id128_is_valid(ids[i]));
                assert_non_null(found);
                assert_null(strstr(found + 1, line));
        }
        for (const char *p = text; (p = strstr(p, "\n-- ")); p++)
                n++;
        assert_int_equal(n, ARRAY_LENGTH(ids));
}

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_each_id_is_explained_once) };

        catalog_path = argc == 2 ? argv[1] : "proofs/unitproof.catalog";
        return cmocka_run_group_tests(tests, NULL, NULL);
}
