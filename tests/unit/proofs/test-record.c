/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/record-read.h"

typedef struct Place {
        char run_dir[64];
        int dir_fd;
} Place;

static void record_make(Record *ret) {
        *ret = (Record){
                .stack = "media",
                .proof = "egress",
                .subject = "torrent",
                .engine = "native",
                .verdict = VERDICT_PASSED,
                .reason = strdup("a \"quoted\" reason"),
                .remedy = strdup(""),
                .unit = "media-vpn.service",
                .netns_cookie = 4711,
                .monotonic_usec = 1,
                .realtime_usec = 2,
                .duration_ms = 3,
                .evidence = json_pack("{s:[i,i]}", "list", 1, 2),
        };
        assert_int_equal(id128_random(ret->id), 0);
        assert_int_equal(id128_random(ret->boot_id), 0);
        assert_int_equal(id128_random(ret->invocation_id), 0);
}

static int set_up(void **state) {
        static Place place;

        place = (Place){ .run_dir = "/tmp/unitproof-test-XXXXXX", .dir_fd = -1 };
        *state = &place;
        if (!mkdtemp(place.run_dir))
                return -1;
        return record_dir_create(place.run_dir, "media", &place.dir_fd);
}

static int tear_down(void **state) {
        Place *place = *state;
        CLEANUP(handle_free) char *stack = text_format("%s/media", place->run_dir);

        (void) unlinkat(place->dir_fd, "egress-torrent.json", 0);
        (void) unlinkat(place->dir_fd, "other", 0);
        handle_close(&place->dir_fd);
        (void) rmdir(stack);
        return rmdir(place->run_dir);
}

static RecordFault read_back(const Place *place, Record *ret) {
        return record_read(place->dir_fd, geteuid(), "media", "egress", "torrent", ret);
}

static void test_round_trip(void **state) {
        CLEANUP(record_done) Record written = { 0 }, read = { 0 };
        const Place *place = *state;
        struct stat st;

        record_make(&written);
        assert_int_equal(record_write(place->dir_fd, &written), 0);
        assert_int_equal(fstatat(place->dir_fd, "egress-torrent.json", &st, 0), 0);
        assert_int_equal(st.st_mode & 07777, 0644);
        assert_int_equal(fstat(place->dir_fd, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0755);
        assert_int_equal(read_back(place, &read), RECORD_FAULT_NONE);
        assert_string_equal(read.id, written.id);
        assert_string_equal(read.stack, "media");
        assert_string_equal(read.proof, "egress");
        assert_string_equal(read.subject, "torrent");
        assert_string_equal(read.engine, "native");
        assert_int_equal(read.verdict, VERDICT_PASSED);
        assert_string_equal(read.reason, written.reason);
        assert_string_equal(read.boot_id, written.boot_id);
        assert_string_equal(read.unit, written.unit);
        assert_string_equal(read.invocation_id, written.invocation_id);
        assert_int_equal(read.netns_cookie, 4711);
        assert_int_equal(read.duration_ms, 3);
        assert_true(json_equal(read.evidence, written.evidence));
}

static RecordFault parse_changed(const char *key, json_t *value, Record *ret) {
        CLEANUP(record_done) Record record = { 0 };
        CLEANUP(handle_free) char *text = NULL, *changed = NULL;
        CLEANUP(handle_json) json_t *object = NULL;

        record_make(&record);
        text = record_format(&record);
        object = json_loads(text, 0, NULL);
        if (value)
                assert_int_equal(json_object_set_new(object, key, value), 0);
        else
                assert_int_equal(json_object_del(object, key), 0);
        changed = json_dumps(object, 0);
        return record_parse(changed, strlen(changed), ret);
}

static void test_every_key_is_needed(void **state) {
        static const char *const keys[] = {
                "version",       "id",
                "stack",         "proof",
                "subject",       "engine",
                "verdict",       "pending",
                "leak",          "reason",
                "remedy",        "boot_id",
                "unit",          "invocation_id",
                "netns_cookie",  "monotonic_usec",
                "realtime_usec", "duration_ms",
                "evidence",
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
                Record record = { 0 };

                assert_int_equal(parse_changed(keys[i], NULL, &record), RECORD_FAULT_MALFORMED);
                assert_int_equal(parse_changed(keys[i], json_null(), &record), RECORD_FAULT_MALFORMED);
                assert_int_equal(parse_changed(keys[i], json_real(1.5), &record), RECORD_FAULT_MALFORMED);
                assert_null(record.evidence);
        }
}

static void test_values(void **state) {
        char long_text[RECORD_TEXT_MAX + 100];
        const struct {
                const char *key;
                json_t *value;
                RecordFault fault;
        } rows[] = {
                { "version", json_integer(2), RECORD_FAULT_VERSION },
                { "version", json_integer(0), RECORD_FAULT_VERSION },
                { "version", json_string("1"), RECORD_FAULT_MALFORMED },
                { "unknown", json_true(), RECORD_FAULT_MALFORMED },
                { "verdict", json_string("Passed"), RECORD_FAULT_MALFORMED },
                { "verdict", json_integer(0), RECORD_FAULT_MALFORMED },
                { "leak", json_true(), RECORD_FAULT_MALFORMED },    /* with "passed" */
                { "pending", json_true(), RECORD_FAULT_MALFORMED }, /* with "passed" */
                { "leak", json_integer(1), RECORD_FAULT_MALFORMED },
                { "id", json_string("123"), RECORD_FAULT_MALFORMED },
                { "boot_id", json_string("0123456789ABCDEF0123456789ABCDEF"), RECORD_FAULT_MALFORMED },
                { "invocation_id", json_string(""), RECORD_FAULT_NONE },
                { "invocation_id", json_string("x"), RECORD_FAULT_MALFORMED },
                { "unit", json_string(""), RECORD_FAULT_NONE },
                { "unit", json_string("../x.service"), RECORD_FAULT_MALFORMED },
                { "engine", json_string(""), RECORD_FAULT_NONE },
                { "stack", json_string("../media"), RECORD_FAULT_MALFORMED },
                { "netns_cookie", json_integer(-1), RECORD_FAULT_MALFORMED },
                { "netns_cookie", json_string("1"), RECORD_FAULT_MALFORMED },
                { "evidence", json_array(), RECORD_FAULT_MALFORMED },
                { "reason", json_stringn(memset(long_text, 'a', sizeof(long_text)), sizeof(long_text)),
                  RECORD_FAULT_MALFORMED },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                Record record = { 0 };
                RecordFault fault = parse_changed(rows[i].key, rows[i].value, &record);

                if (fault != rows[i].fault)
                        fail_msg("row %zu (%s): fault %d instead of %d", i, rows[i].key, fault,
                                 rows[i].fault);
                record_done(&record);
        }
}

static void test_not_a_record(void **state) {
        static const char *const texts[] = {
                "",
                " ",
                "{",
                "{}",
                "[]",
                "null",
                "1",
                "\"passed\"",
                "{\"version\":1}",
                "{\"version\":1,\"version\":1}",
                "\xff\xfe",
                "{\"version\":1} trailing",
                "{\"version\":99999999999999999999}",
        };
        CLEANUP(handle_free) char *big = calloc(1, RECORD_SIZE_MAX + 2);
        Record record = { 0 };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
                assert_int_equal(record_parse(texts[i], strlen(texts[i]), &record), RECORD_FAULT_MALFORMED);
        assert_int_equal(record_parse(big, RECORD_SIZE_MAX + 1, &record), RECORD_FAULT_TOO_BIG);
        /* Deep nesting is refused by the parser, not by the stack's end. */
        memset(big, '[', RECORD_SIZE_MAX);
        assert_int_equal(record_parse(big, RECORD_SIZE_MAX, &record), RECORD_FAULT_MALFORMED);
}

static void write_honest(const Place *place) {
        CLEANUP(record_done) Record record = { 0 };

        record_make(&record);
        assert_int_equal(record_write(place->dir_fd, &record), 0);
}

static void assert_fault(const Place *place, RecordFault expected) {
        Record record = { 0 };

        assert_int_equal(read_back(place, &record), expected);
        assert_null(record.evidence);
}

static void test_files(void **state) {
        const Place *place = *state;
        Record record = { 0 };

        assert_fault(place, RECORD_FAULT_MISSING);
        write_honest(place);
        assert_int_equal(record_read(place->dir_fd, geteuid() + 1, "media", "egress", "torrent", &record),
                         RECORD_FAULT_FOREIGN);
        assert_int_equal(record_read(place->dir_fd, geteuid(), "other", "egress", "torrent", &record),
                         RECORD_FAULT_MISNAMED);
        assert_int_equal(record_read(place->dir_fd, geteuid(), "media", "../egress", "torrent", &record),
                         RECORD_FAULT_MISNAMED);
        assert_int_equal(fchmodat(place->dir_fd, "egress-torrent.json", 0664, 0), 0);
        assert_fault(place, RECORD_FAULT_FOREIGN);
        write_honest(place);
        assert_int_equal(linkat(place->dir_fd, "egress-torrent.json", place->dir_fd, "other", 0), 0);
        assert_fault(place, RECORD_FAULT_NOT_A_FILE);
        assert_int_equal(unlinkat(place->dir_fd, "egress-torrent.json", 0), 0);
        assert_int_equal(symlinkat("other", place->dir_fd, "egress-torrent.json"), 0);
        assert_fault(place, RECORD_FAULT_NOT_A_FILE);
        assert_int_equal(unlinkat(place->dir_fd, "egress-torrent.json", 0), 0);
        assert_int_equal(mkfifoat(place->dir_fd, "egress-torrent.json", 0644), 0);
        assert_fault(place, RECORD_FAULT_NOT_A_FILE);
        /* A new record takes the place of whatever was there. */
        write_honest(place);
        assert_int_equal(read_back(place, &record), RECORD_FAULT_NONE);
        record_done(&record);
}

static void test_directories(void **state) {
        const Place *place = *state;
        int fd = -1;

        assert_int_equal(record_dir_open(place->run_dir, "media", geteuid(), &fd), RECORD_FAULT_NONE);
        handle_close(&fd);
        assert_int_equal(record_dir_open(place->run_dir, "media", geteuid() + 1, &fd), RECORD_FAULT_FOREIGN);
        assert_int_equal(record_dir_open(place->run_dir, "other", geteuid(), &fd), RECORD_FAULT_MISSING);
        assert_int_equal(record_dir_open(place->run_dir, "../x", geteuid(), &fd), RECORD_FAULT_MISNAMED);
        assert_int_equal(fchmod(place->dir_fd, 0775), 0);
        assert_int_equal(record_dir_open(place->run_dir, "media", geteuid(), &fd), RECORD_FAULT_FOREIGN);
        assert_int_equal(fd, -1);
}

static void count_visit(const char *file_name, const Record *record, RecordFault fault, void *userdata) {
        unsigned *counts = userdata;

        assert_true((fault == RECORD_FAULT_NONE) == (record != NULL));
        assert_non_null(strstr(file_name, ".json"));
        counts[record ? 0 : 1]++;
}

static void test_each(void **state) {
        const Place *place = *state;
        unsigned counts[2] = { 0, 0 };

        write_honest(place);
        assert_int_equal(file_replace_at(place->dir_fd, "binding-torrent.json", "{}", 2), 0);
        assert_int_equal(file_replace_at(place->dir_fd, "held-torrent", "-", 1), 0);
        /* Well-formed, but under another name than its own. */
        assert_int_equal(linkat(place->dir_fd, "egress-torrent.json", place->dir_fd, "egress-x.json", 0), 0);
        assert_int_equal(record_each(place->dir_fd, geteuid(), "media", count_visit, counts), 0);
        assert_int_equal(counts[0], 0);
        assert_int_equal(counts[1], 3);
        assert_int_equal(unlinkat(place->dir_fd, "egress-x.json", 0), 0);
        assert_int_equal(record_each(place->dir_fd, geteuid(), "media", count_visit, counts), 0);
        assert_int_equal(counts[0], 1);
        assert_int_equal(unlinkat(place->dir_fd, "binding-torrent.json", 0), 0);
        assert_int_equal(unlinkat(place->dir_fd, "held-torrent", 0), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
                cmocka_unit_test(test_every_key_is_needed),
                cmocka_unit_test(test_values),
                cmocka_unit_test(test_not_a_record),
                cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_directories, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_each, set_up, tear_down),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
