/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/dotenv.h"

#include <stdlib.h>

#include "tests/unit/front/fixture.h"

/* "A=x;B=y;" in the order of the table; "A;" for a name without value. */
static const char *parse_into(Fixture *f, EnvTable *t, const char *text) {
        uint32_t file = fixture_file(f, text);
        Buf b = BUF(f->arena);

        env_parse(f->arena, &f->diag, t, &f->sources, file);
        for (size_t i = 0; i < t->n; i++)
                if (t->vars[i].no_value)
                        buf_printf(&b, "%s;", t->vars[i].name);
                else
                        buf_printf(&b, "%s=%s;", t->vars[i].name, t->vars[i].value);
        return buf_text(&b);
}

/* As Docker Compose 2.40 reads them. */
static void test_grammar(void **state) {
        static const char *const cases[][2] = {
                { "", "" },
                { "\n\n  \n# c\n", "" },
                { "A=1\nB=2\n", "A=1;B=2;" },
                { "A=1", "A=1;" },
                { "\xef\xbb\xbf"
                  "A=1\n",
                  "A=1;" },
                { "A=1\r\nB=2\r\n", "A=1;B=2;" },
                { "  \t A=1\n", "A=1;" },
                { "export A=1\nexport\tB=2\n", "A=1;B=2;" },
                { "exportA=1\nexport=2\n", "exportA=1;export=2;" },
                { "A = 1\nB: 2\nC:3\nD\t=4\n", "A=1;B=2;C=3;D=4;" },
                { "A=1 # c\nB=2# c\nC=#c\nD= # c\nE=x #\n", "A=1;B=2# c;C=#c;D=# c;E=x;" },
                { "A=\nB=  \nC=x\n", "A=;B=;C=x;" },
                { "A= a  b  \n", "A=a  b;" },
                { "A=a=b=c\nB=a:b\nC=http://x/#y\n", "A=a=b=c;B=a:b;C=http://x/#y;" },
                { "A.B=1\nA-B=2\nA[0]=3\n1A=4\n\xc3\x84=5\n", "A.B=1;A-B=2;A[0]=3;1A=4;\xc3\x84=5;" },
                { "A='x y'\nB=\"x y\"\nC='  x '\n", "A=x y;B=x y;C=  x ;" },
                { "A=''\nB=\"\"\n", "A=;B=;" },
                { "A='x' # c\nB=\"x\"#c\n", "A=x;B=x;" },
                { "A='it\\'s'\nB=\"q\\\"q\"\n", "A=it's;B=q\"q;" },
                { "A='l1\nl2'\nB=\"l1\nl2\"\nC=3\n", "A=l1\nl2;B=l1\nl2;C=3;" },
                { "A='a\\nb'\nB=\"a\\nb\"\nC=a\\nb\n", "A=a\\nb;B=a\nb;C=a\\nb;" },
                { "A='a\\\\b'\nB=\"a\\\\b\"\n", "A=a\\\\b;B=a\\b;" },
                { "A=\"\\0101\\x41\\c\\t|\"\n", "A=A\\x41\\c\t|;" },
                { "A=\"\\012x\\0777x\\0351\"\n", "A=\\12x\\777x\xc3\xa9;" },
                { "A=x'y\nB=x\"y\"\n", "A=x'y;B=x\"y\";" },
                { "A=x\nA=y\nB=$A\n", "A=y;B=y;" },
                { "B=q\nA=$B-${B}-${U:-d}\n", "B=q;A=q-q-d;" },
                { "B=q\nA=\"$B-${B}-${U:-d}\"\n", "B=q;A=q-q-d;" },
                { "B=q\nA='$B ${B}'\n", "B=q;A=$B ${B};" },
                { "A=pa$$w\nB=\"\\$A\"\n", "A=pa$w;B=$A;" },
                { "A\nB=1\nC", "A;B=1;C;" },
                { "A=1\nA\n", "A=1;" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                EnvTable t = { 0 };
                const char *text = parse_into(f, &t, cases[i][0]);

                assert_clean(f, cases[i][0]);
                assert_string_equal(text, cases[i][1]);
        }
}

static void test_errors(void **state) {
        static const struct {
                const char *text;
                uint32_t line, column;
                const char *code;
        } cases[] = {
                { "A=1\nB C=2\n", 2, 1, "dotenv" },
                { "A B\n", 1, 1, "dotenv" },
                { "A!=1\n", 1, 2, "dotenv" },
                { "A=1\n  =2\n", 2, 3, "dotenv" },
                { "export =1\n", 1, 8, "dotenv" },
                { "A=1\nB='x\ny\n", 2, 3, "dotenv" },
                { "A=1\nB=\"x\n", 2, 3, "dotenv" },
                { "A=${\n", 1, 3, "interpolation" },
                { "A=\"l1\nl2\"\nB=${A:x}\n", 3, 3, "interpolation" },
                { "A=${U?must be set}\n", 1, 3, "required-variable" },
                { "\xc3\xa9=1\n\xc3\xa9\xc3\xa9!=1\n", 2, 3, "dotenv" },
                { "A=\"\\0000\"\n", 1, 3, "control-character" },
                { "A=1\nB=\x01\n", 2, 3, "control-character" },
                { "A=\xff\n", 1, 3, "encoding" },
                { "\xff\xfe"
                  "A",
                  0, 0, "encoding" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                EnvTable t = { 0 };

                (void) parse_into(f, &t, cases[i].text);
                assert_error(f, cases[i].text, cases[i].line, cases[i].column, cases[i].code);
        }
}

static void test_diagnostics_show_no_value(void **state) {
        static const char *const texts[] = {
                "A_TOKEN=hunter2 ${\n",
                "A_TOKEN='hunter2\n",
                "A_TOKEN=\"hunter2\\0000\"\n",
                "A_TOKEN=hunter2\nB=${U?$A_TOKEN}\n",
                "A_TOKEN=hunter2 $U\n",
                "A=\"x\" hunter2=\n",
                "A=hunter2\xff\n",
                "A_TOKEN=pa$hunter2\n",
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
                EnvTable t = { 0 };
                char *printed;
                size_t size;
                FILE *out;

                (void) parse_into(f, &t, texts[i]);
                assert_true(f->diag.n_entries > 0);
                out = open_memstream(&printed, &size);
                diag_print(&f->diag, out, DIAG_TEXT);
                assert_int_equal(fclose(out), 0);
                assert_null(strstr(printed, "hunter2"));
                free(printed);
        }
}

static void test_positions_and_secrets(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };

        (void) parse_into(f, &t,
                          "# c\nA=1\n  export DB_PASSWORD='x\ny'\nURL=p:$DB_PASSWORD@h\n"
                          "PLAIN=$A\n");
        assert_clean(f, "positions");
        assert_int_equal(t.n, 4);
        assert_memory_equal(&t.vars[0].span, (&(Span){ 1, 2, 1, 1 }), sizeof(Span));
        assert_memory_equal(&t.vars[1].span, (&(Span){ 1, 3, 10, 11 }), sizeof(Span));
        assert_memory_equal(&t.vars[2].span, (&(Span){ 1, 5, 1, 3 }), sizeof(Span));
        assert_false(t.vars[0].secret);
        assert_true(t.vars[1].secret);
        assert_true(t.vars[2].secret);
        assert_false(t.vars[3].secret);
}

static void test_text_behind_quotes_is_a_statement_with_a_warning(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };

        assert_string_equal(parse_into(f, &t, "A=\"x\"B=2\nC='x' y\n"), "A=x;B=2;C=x;y;");
        assert_int_equal(f->diag.n_entries, 2);
        assert_int_equal(f->diag.entries[0].level, DIAG_WARNING);
        assert_int_equal(f->diag.entries[0].span.column, 6);
        assert_int_equal(f->diag.entries[1].span.column, 7);
}

static void test_parents(void **state) {
        Fixture *f = *state;
        EnvTable parent = { 0 }, t = { .parent = &parent };

        (void) parse_into(f, &parent, "P=parent\nS_TOKEN=x\nBOTH=parent\n");
        assert_string_equal(parse_into(f, &t, "BOTH=own\nA=$P $BOTH\nP\nS_TOKEN\nNONE\n"),
                            "BOTH=own;A=parent parent;P=parent;S_TOKEN=x;NONE;");
        assert_string_equal(env_lookup(&t, "BOTH")->value, "own");
        assert_null(env_lookup(&t, "NONE"));
        assert_null(env_lookup(&t, "OTHER"));
        assert_true(env_lookup(&t, "S_TOKEN")->secret);
}

static void test_unset_is_a_warning(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };

        assert_string_equal(parse_into(f, &t, "A=x$U\nB=$U\n"), "A=x;B=;");
        assert_int_equal(f->diag.n_entries, 2);
        assert_string_equal(f->diag.entries[0].code, "unset-variable");
        assert_non_null(strstr(f->diag.entries[1].text, "'B'"));
        assert_true(f->diag.entries[0].hide_source);
}

static void test_raw(void **state) {
        Fixture *f = *state;
        EnvTable parent = { 0 }, t = { .parent = &parent };
        uint32_t file;

        env_set(f->arena, &parent, (EnvVar){ .name = "P", .value = "parent" });
        file = fixture_file(f, "# c\n\n  A= \"x\" # $B \r\nB='1\nP\nNONE\nA_KEY==\n");
        env_parse_raw(f->arena, &f->diag, &t, &f->sources, file);
        assert_clean(f, "raw");
        assert_int_equal(t.n, 5);
        assert_string_equal(env_lookup(&t, "A")->value, " \"x\" # $B ");
        assert_string_equal(env_lookup(&t, "B")->value, "'1");
        assert_string_equal(env_lookup(&t, "P")->value, "parent");
        assert_null(env_lookup(&t, "NONE"));
        assert_string_equal(env_lookup(&t, "A_KEY")->value, "=");
        assert_true(env_lookup(&t, "A_KEY")->secret);
        file = fixture_file(f, "A=1\nB C=2\n");
        env_parse_raw(f->arena, &f->diag, &t, &f->sources, file);
        assert_error(f, "raw", 2, 1, "dotenv");
        file = fixture_file(f, "=1\n");
        env_parse_raw(f->arena, &f->diag, &t, &f->sources, file);
        assert_error(f, "raw", 1, 1, "dotenv");
        file = fixture_file(f, "P \n");
        env_parse_raw(f->arena, &f->diag, &t, &f->sources, file);
        assert_error(f, "raw", 1, 1, "dotenv");
        file = fixture_file(f, "\u2003\u3000W=1\nN\u00a0=2\n");
        env_parse_raw(f->arena, &f->diag, &t, &f->sources, file);
        assert_clean(f, "raw");
        assert_string_equal(env_lookup(&t, "W")->value, "1");
        assert_string_equal(env_lookup(&t, "N\u00a0")->value, "2");
}

static void test_secret_names(void **state) {
        static const char *const secret[] = {
                "PASSWORD",     "DB_PASSWORD",    "MYSQL_ROOT_PASSWORD", "db-password",
                "rootpassword", "PASS",           "SMTP_PASS",           "PASSWD",
                "API_KEY",      "APIKEY",         "SONARR_APIKEY",       "WIREGUARD_PRIVATE_KEY",
                "SECRET",       "JWT_SECRET",     "SECRET_KEY_BASE",     "TOKEN",
                "accessToken",  "CF_API_TOKEN",   "AWS_CREDENTIALS",     "BASIC_AUTH",
                "TS_AUTHKEY",   "ACCESSKEY",      "PLEX_CLAIM",          "SENTRY_DSN",
                "MYSQL_PWD",    "WG_PSK",         "PASSWORD2",           "KEY",
                "PUBLIC_PW",    "PUBLIC_API_KEY",
        };
        static const char *const plain[] = {
                "",
                "PUID",
                "TZ",
                "PATH",
                "PWD",
                "PASSENGER_PORT",
                "KEYBOARD",
                "MONKEY",
                "TOKENIZER",
                "AUTHOR",
                "COMPASS",
                "POSTGRES_PASSWORD_FILE",
                "SSL_KEY_PATH",
                "SECRETARY",
                "BYPASSED",
                "WIREGUARD_PUBLIC_KEY",
                "public_key",
        };

        (void) state;
        for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
                if (!env_name_is_secret(secret[i]))
                        fail_msg("%s is a secret", secret[i]);
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
                if (env_name_is_secret(plain[i]))
                        fail_msg("%s is no secret", plain[i]);
}

static void test_a_table_filled_by_hand(void **state) {
        EnvVar vars[] = { { .name = "A", .value = "1" }, { .name = "A", .value = "2" } };
        EnvTable t = { .vars = vars, .n = 2 };

        (void) state;
        assert_string_equal(env_lookup(&t, "A")->value, "2");
        assert_null(env_lookup(&t, "B"));
        assert_null(env_lookup(NULL, "A"));
}

static void test_doubling_is_bounded(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };
        Buf b = BUF(f->arena);

        buf_add(&b, "A=x\n");
        for (int i = 0; i < 40; i++)
                buf_add(&b, "A=$A$A\n");
        (void) parse_into(f, &t, buf_text(&b));
        assert_error(f, "doubling", 20, 3, "value-too-long");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_grammar),
                TEST(test_errors),
                TEST(test_diagnostics_show_no_value),
                TEST(test_positions_and_secrets),
                TEST(test_text_behind_quotes_is_a_statement_with_a_warning),
                TEST(test_parents),
                TEST(test_unset_is_a_warning),
                TEST(test_raw),
                TEST(test_secret_names),
                TEST(test_a_table_filled_by_hand),
                TEST(test_doubling_is_bounded),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
