/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/write/unit-writer.h"

/* Writes random hostile values through the writer: emit DIR SEED COUNT makes DIR/units/o-N.service,
 * DIR/quadlets/q-N.container and, beside each, N.expect with the values in hex. run.py asks systemd and
 * quadlet what they read. A value that the class refuses is left out and counted; both numbers are printed.
 */

static const char *const pieces[] = {
        "$",
        "%",
        "$$",
        "%%",
        "${A}",
        "$HOME",
        "%n",
        "%h",
        "%%n",
        "\\",
        "\"",
        "'",
        ";",
        "#",
        "=",
        ":",
        ",",
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "\x01",
        "\x1f",
        "\x7f",
        "\\x41",
        "\\n",
        "\\\\",
        "\"\"",
        "; ",
        " ;",
        "é",
        "☃",
        "\xc2\x80",
        "\xc2\x85",
        "\xc2\xa0",
        "\xe2\x80\xa8",
        "\xe3\x80\x80",
        "\xf0\x9f\x98\x80",
        "a",
        "b",
        "Z",
        "0",
        "9",
        "-",
        "--",
        "+",
        "@",
        "!",
        "~",
        "|",
        "&",
        "<",
        ">",
        "*",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "`",
        "^",
        "?",
        "/",
        ".",
        "..",
        "[Service]",
        "ExecStart=",
        "%%%%",
        "\\;",
        "\\\"",
        "$(id)",
        "a=b",
};

static uint64_t state;

static uint32_t random_below(uint32_t n) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (uint32_t) ((state >> 11) % n);
}

static const char *random_text(Arena *a, const char *prefix, uint32_t max_pieces) {
        Buf b = BUF(a);

        buf_add(&b, prefix);
        for (uint32_t n = random_below(max_pieces + 1); n > 0; n--)
                buf_add(&b, pieces[random_below(sizeof(pieces) / sizeof(pieces[0]))]);
        return buf_text(&b);
}

typedef struct Key {
        const char *section, *key, *prefix;
        EscapeClass class;
        unsigned n; /* values a file; each on its own line but for argv */
} Key;

static const Key unit_keys[] = {
        { "Unit", "Description", "", ESCAPE_TEXT, 1 },
        { "Unit", "SourcePath", "/", ESCAPE_PATH, 1 },
        { "Unit", "RequiresMountsFor", "/m/", ESCAPE_PATH_LIST, 20 },
        { "Service", "ExecStart", "", ESCAPE_ARGV, 60 },
        { "Service", "Environment", "", ESCAPE_ENV, 20 },
        { NULL, NULL, NULL, 0, 0 },
};

static const Key quadlet_keys[] = {
        { "Container", "HostName", "", ESCAPE_QUADLET_SCALAR, 1 },
        { "Container", "WorkingDir", "", ESCAPE_QUADLET_SCALAR, 1 },
        { "Container", "HealthCmd", "[", ESCAPE_QUADLET_SCALAR, 1 },
        { "Container", "Tmpfs", "", ESCAPE_QUADLET_LINE, 15 },
        { "Container", "AddHost", "", ESCAPE_QUADLET_LINE, 15 },
        { "Container", "Sysctl", "", ESCAPE_QUADLET_STRV, 15 },
        { "Container", "LogOpt", "", ESCAPE_QUADLET_STRV, 15 },
        { "Container", "PodmanArgs", "--pa=", ESCAPE_QUADLET_ARGV, 20 },
        { "Container", "Label", "", ESCAPE_QUADLET_KEYVAL, 15 },
        { "Container", "Environment", "", ESCAPE_QUADLET_KEYVAL, 15 },
        { "Container", "Exec", "", ESCAPE_QUADLET_ARGV, 60 },
        { NULL, NULL, NULL, 0, 0 },
};

static void expect(FILE *f, const char *key, const char *value) {
        fprintf(f, "%s ", key);
        for (const char *p = value; *p; p++)
                fprintf(f, "%02x", (unsigned char) *p);
        fputc('\n', f);
}

static const char *random_value(Arena *a, const Key *key, unsigned i) {
        const char *prefix = key->prefix;

        if (key->class == ESCAPE_ENV || key->class == ESCAPE_QUADLET_KEYVAL)
                prefix = arena_printf(a, "V%u=", i);
        return random_text(a, prefix, 7);
}

static void emit_file(Arena *a, Diag *d, const char *path, const char *expect_path, const Key *keys,
                      unsigned long *counts) {
        UnitWriter w = unit_writer(a, d);
        const char *section = NULL;
        FILE *f = fopen(expect_path, "we"), *out;

        if (!f)
                abort();
        for (const Key *key = keys; key->key; key++) {
                const bool one_line = str_equal(key->key, "ExecStart") || str_equal(key->key, "Exec");

                if (!str_equal(section, key->section)) {
                        section = key->section;
                        unit_section(&w, section);
                        if (str_equal(section, "Service"))
                                unit_line(&w, "Type", ESCAPE_WORD, "oneshot");
                        if (str_equal(section, "Container"))
                                unit_line(&w, "Image", ESCAPE_QUADLET_SCALAR, "localhost/image:1");
                }
                if (one_line) {
                        unit_begin(&w, key->key);
                        if (key->class == ESCAPE_ARGV)
                                unit_word(&w, ESCAPE_ARGV, "/bin/echo");
                }
                for (unsigned i = 0; i < key->n; i++) {
                        const char *value = random_value(a, key, i);

                        if (escape_refusal(key->class, value)) {
                                counts[1]++;
                                continue;
                        }
                        counts[0]++;
                        expect(f, key->key, value);
                        if (one_line)
                                unit_word(&w, key->class, value);
                        else
                                unit_line(&w, key->key, key->class, value);
                }
                if (one_line)
                        unit_end(&w);
        }
        fclose(f);
        out = fopen(path, "we");
        if (!out || fputs(unit_writer_text(&w), out) < 0 || fclose(out) != 0 || d->n_errors > 0)
                abort();
}

int main(int argc, char **argv) {
        unsigned long units[2] = { 0 }, quadlets[2] = { 0 };

        if (argc != 4) {
                fprintf(stderr, "usage: emit DIR SEED COUNT\n");
                return 2;
        }
        state = strtoull(argv[2], NULL, 0) * 0x9e3779b97f4a7c15u + 1;
        for (unsigned long i = 0; i < strtoul(argv[3], NULL, 0); i++) {
                _cleanup_arena_ Arena *a = arena_new(/* limit= */ 16 << 20);
                Sources s = { .arena = a };
                Diag d = { .arena = a, .sources = &s };

                emit_file(a, &d, arena_printf(a, "%s/units/o-%lu.service", argv[1], i),
                          arena_printf(a, "%s/units/o-%lu.expect", argv[1], i), unit_keys, units);
                emit_file(a, &d, arena_printf(a, "%s/quadlets/q-%lu.container", argv[1], i),
                          arena_printf(a, "%s/q-%lu.expect", argv[1], i), quadlet_keys, quadlets);
        }
        printf("%lu %lu %lu %lu\n", units[0], units[1], quadlets[0], quadlets[1]);
        return 0;
}
