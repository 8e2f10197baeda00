/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/hardlink-pick.h"

static const char status_text[] =
        "Name:\tqbittorrent-nox\nUmask:\t0002\nState:\tS (sleeping)\nUid:\t1\t2\t3\t1000\n"
        "Gid:\t4\t5\t6\t1001\nFDSize:\t64\nGroups:\t10 100 1001 \nNStgid:\t1\n"
        "CapPrm:\t00000000800405fb\nCapEff:\t00000000800405fb\nCapBnd:\t00000000a80425fb\nNoNewPrivs:\t1\n";

static void test_status(void **state) {
        ProcessStatus status;

        (void) state;
        assert_int_equal(process_status_parse(status_text, &status), 0);
        assert_string_equal(status.name, "qbittorrent-nox");
        assert_int_equal(status.uid, 1000);
        assert_int_equal(status.gid, 1001);
        assert_int_equal(status.umask, 0002);
        assert_int_equal(status.n_groups, 3);
        assert_int_equal(status.groups[2], 1001);
        assert_true(status.capabilities == 0x800405fb);
        assert_true(status.permitted == 0x800405fb && status.bounding == 0xa80425fb);
        assert_true(status.no_new_privileges);
}

static void test_status_bad(void **state) {
        static const char *const bad[] = {
                "",
                "Name:\tx\n",
                "Umask:\t0002\nUid:\t1\t2\t3\nGid:\t1\t1\t1\t1\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t0\n",
                "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t0\n",
                "Umask:\t0022\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nCapPrm:\t0\nCapEff:\t0\n",
                "Umask:\t0022\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nCapEff:\t0\nCapBnd:\t0\n",
        };
        ProcessStatus status;

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                assert_int_equal(process_status_parse(bad[i], &status), -EBADMSG);
        assert_int_equal(process_status_parse("Umask:\t0022\nUid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nGroups:\t \n"
                                              "CapPrm:\t0\nCapEff:\t0\nCapBnd:\t0\n",
                                              &status),
                         0);
        assert_int_equal(status.n_groups, 0);
        assert_false(status.no_new_privileges);
}

static void test_uid_map(void **state) {
        static const char map[] = "         0     100000        999\n       999       1000          1\n";

        (void) state;
        assert_int_equal(uid_map_inside("         0          0 4294967295\n", 1000), 1000);
        assert_int_equal(uid_map_inside(map, 100000), 0);
        assert_int_equal(uid_map_inside(map, 100998), 998);
        assert_int_equal(uid_map_inside(map, 1000), 999);
        assert_true(uid_map_inside(map, 0) == UINT32_MAX);
        assert_true(uid_map_inside("", 0) == UINT32_MAX);
        assert_true(uid_map_inside("junk", 0) == UINT32_MAX);
}

static void test_pick(void **state) {
        static const struct {
                uint32_t uids[5];
                size_t n, expected;
        } rows[] = {
                { { 0 }, 1, 0 },
                { { 1000 }, 1, 0 },
                { { 0, 0, 1000 }, 3, 2 },
                { { 0, 0, 0, 1000, 1000 }, 5, 3 },
                { { 0, 33, 1000, 1000 }, 4, 2 },
                { { 0, 33, 1000 }, 3, 1 },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
                assert_int_equal(hardlink_pick_index(rows[i].uids, rows[i].n), rows[i].expected);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_status),
                cmocka_unit_test(test_status_bad),
                cmocka_unit_test(test_uid_map),
                cmocka_unit_test(test_pick),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
