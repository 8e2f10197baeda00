/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <linux/fib_rules.h>
#include <netlink/msg.h>
#include <string.h>
#include <sys/socket.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/netns-sweep.h"

typedef struct RuleRow {
        uint32_t priority, table;
        struct fib_rule_hdr header;
        int extra; /* one more attribute, 0: none */
        uint32_t value;
        bool is_default;
} RuleRow;

static void test_defaults(void **state) {
        static const RuleRow rows[] = {
                { 0, RT_TABLE_LOCAL, { .action = FR_ACT_TO_TBL }, 0, 0, true },
                { 32766, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, 0, 0, true },
                { 32767, RT_TABLE_DEFAULT, { .action = FR_ACT_TO_TBL }, 0, 0, true },
                { 32766,
                  RT_TABLE_MAIN,
                  { .action = FR_ACT_TO_TBL },
                  FRA_SUPPRESS_PREFIXLEN,
                  UINT32_MAX,
                  true },
                { 32766, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, FRA_SUPPRESS_PREFIXLEN, 0, false },
                { 32766, RT_TABLE_LOCAL, { .action = FR_ACT_TO_TBL }, 0, 0, false },
                { 32765, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, 0, 0, false },
                { 0, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, 0, 0, false },
                { 0, 51820, { .action = FR_ACT_TO_TBL }, 0, 0, false },
                { 0, RT_TABLE_LOCAL, { .action = FR_ACT_PROHIBIT }, 0, 0, false },
                { 0, RT_TABLE_LOCAL, { .action = FR_ACT_TO_TBL, .flags = FIB_RULE_INVERT }, 0, 0, false },
                { 0, RT_TABLE_LOCAL, { .action = FR_ACT_TO_TBL, .tos = 8 }, 0, 0, false },
                { 32766, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL, .dst_len = 8 }, FRA_DST, 10, false },
                { 32766, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, FRA_FWMARK, 7, false },
                { 32766, RT_TABLE_MAIN, { .action = FR_ACT_TO_TBL }, FRA_MAX, 0, false },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                struct nl_msg *message = nlmsg_alloc_simple(RTM_NEWRULE, 0);
                bool is_default;

                assert_non_null(message);
                assert_int_equal(nlmsg_append(message, (void *) &rows[i].header, sizeof(rows[i].header),
                                              NLMSG_ALIGNTO),
                                 0);
                if (rows[i].priority > 0)
                        assert_int_equal(nla_put_u32(message, FRA_PRIORITY, rows[i].priority), 0);
                assert_int_equal(nla_put_u32(message, FRA_TABLE, rows[i].table), 0);
                if (rows[i].extra)
                        assert_int_equal(nla_put_u32(message, rows[i].extra, rows[i].value), 0);
                is_default = sweep_rule_is_default(nlmsg_hdr(message));
                nlmsg_free(message);
                if (is_default != rows[i].is_default)
                        fail_msg("row %zu", i);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_defaults) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
