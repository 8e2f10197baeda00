/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/text-check.h"

#include "generator/base/str.h"

#define BOM 0xfeff

static bool char_is_refused(uint32_t c) {
        if (c == '\t' || c == '\n' || c == '\r')
                return false;
        return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == BOM || c == 0xfffe ||
               c == 0xffff;
}

/* Most of a file: one byte, one column, nothing to look at. */
static inline bool byte_is_plain(char byte) {
        return byte >= 0x20 && byte < 0x7f;
}

static void report_char(Diag *d, Span span, uint32_t c) {
        static const struct {
                uint32_t c;
                const char *name;
        } names[] = {
                { 0x00, "a NUL byte" },
                { 0x1b, "an escape character" },
                { 0x85, "a Unicode line break (U+0085)" },
                { 0x2028, "a Unicode line separator (U+2028)" },
                { 0x2029, "a Unicode paragraph separator (U+2029)" },
                { BOM, "a byte order mark inside of the text" },
        };

        for (size_t i = 0; i < ELEMENTS(names); i++)
                if (names[i].c == c) {
                        diag_error(d, span, "control-character", "%s is not allowed", names[i].name);
                        diag_hint(d, "remove it");
                        return;
                }
        diag_error(d, span, "control-character", "the control character U+%04X is not allowed", (unsigned) c);
        diag_hint(d, "remove it");
}

static bool encoding_check(Diag *d, const SourceFile *f, uint32_t file) {
        static const struct {
                const char *mark;
                size_t length;
                const char *name;
        } marks[] = {
                { "\xff\xfe", 2, "UTF-16" },
                { "\xfe\xff", 2, "UTF-16" },
                { "\0\0\xfe\xff", 4, "UTF-32" },
        };

        for (size_t i = 0; i < ELEMENTS(marks); i++)
                if (f->length >= marks[i].length && memcmp(f->bytes, marks[i].mark, marks[i].length) == 0) {
                        diag_error(d, (Span){ .file = file }, "encoding", "the file is %s, not UTF-8",
                                   marks[i].name);
                        diag_hint(d, "save it as UTF-8");
                        return false;
                }
        return true;
}

bool text_check(Diag *d, const Sources *s, uint32_t file) {
        const SourceFile *f = sources_get(s, file);
        Span at = { .file = file, .line = 1, .column = 1, .length = 1 };
        uint32_t c = 0;

        if (!f || !f->bytes) {
                diag_error(d, (Span){ .file = file }, "unreadable", "the file was not read");
                return false;
        }
        if (!encoding_check(d, f, file))
                return false;
        for (size_t i = 0, length; i < f->length; i += length) {
                if (byte_is_plain(f->bytes[i])) {
                        length = 1;
                        at.column++;
                        continue;
                }
                length = str_decode_char(f->bytes + i, f->length - i, &c);
                if (length == 0) {
                        diag_error(d, at, "encoding", "the byte 0x%02x is not UTF-8 here",
                                   (unsigned char) f->bytes[i]);
                        diag_hint(d, "save the file as UTF-8");
                        return false;
                }
                if (i == 0 && c == BOM)
                        continue;
                if (char_is_refused(c)) {
                        report_char(d, at, c);
                        return false;
                }
                if (c == '\n' || (c == '\r' && f->bytes[i + 1] != '\n')) {
                        at.line++;
                        at.column = 1;
                } else
                        at.column++;
        }
        return true;
}

bool text_check_value(Diag *d, Span span, const char *text, size_t length) {
        for (size_t i = 0; i < length; i++)
                if (!text[i]) {
                        report_char(d, span, 0);
                        return false;
                }
        if (str_is_utf8(text, length))
                return true;
        diag_error(d, span, "encoding", "the value is not UTF-8");
        return false;
}
