/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"

#include <ctype.h>
#include <string.h>

#include "generator/base/buf.h"

#define NEAREST_WORD_MAX 64

bool str_has_suffix(const char *s, const char *suffix) {
        size_t n = strlen(s), m = strlen(suffix);

        return n >= m && memcmp(s + n - m, suffix, m) == 0;
}

size_t str_decode_char(const char *s, size_t n, uint32_t *ret_char) {
        const unsigned char *p = (const unsigned char *) s;
        size_t length;
        uint32_t c, least;

        if (n == 0)
                return 0;
        if (p[0] < 0x80) {
                *ret_char = p[0];
                return 1;
        }
        if (p[0] >= 0xc2 && p[0] < 0xe0)
                length = 2, c = p[0] & 0x1fu, least = 0x80;
        else if (p[0] >= 0xe0 && p[0] < 0xf0)
                length = 3, c = p[0] & 0x0fu, least = 0x800;
        else if (p[0] >= 0xf0 && p[0] < 0xf5)
                length = 4, c = p[0] & 0x07u, least = 0x10000;
        else
                return 0;
        if (n < length)
                return 0;
        for (size_t i = 1; i < length; i++) {
                if ((p[i] & 0xc0) != 0x80)
                        return 0;
                c = c << 6 | (p[i] & 0x3fu);
        }
        if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
                return 0;
        *ret_char = c;
        return length;
}

#define ASCII_MASK UINT64_C(0x8080808080808080)

bool str_is_utf8(const char *s, size_t n) {
        uint32_t c;

        for (size_t i = 0, length; i < n; i += length) {
                uint64_t eight;

                /* Most of all text is ASCII. */
                length = sizeof eight;
                if (n - i >= sizeof eight && (memcpy(&eight, s + i, sizeof eight), (eight & ASCII_MASK) == 0))
                        continue;
                length = 1;
                if ((unsigned char) s[i] < 0x80)
                        continue;
                length = str_decode_char(s + i, n - i, &c);
                if (length == 0)
                        return false;
        }
        return true;
}

bool str_has_control(const char *s) {
        for (; *s; s++)
                if ((unsigned char) *s < 0x20 || *s == 0x7f)
                        return true;
        return false;
}

bool char_is_hostile(uint32_t c) {
        return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
               (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static void buf_add_escape(Buf *b, uint32_t c) {
        switch (c) {
        case '\n':
                buf_add(b, "\\n");
                break;
        case '\r':
                buf_add(b, "\\r");
                break;
        case '\t':
                buf_add(b, "\\t");
                break;
        default:
                buf_printf(b, c < 0x100 ? "\\x%02x" : "\\u%04x", (unsigned) c);
        }
}

const char *str_printable(Arena *a, const char *s) {
        size_t n = strlen(s);
        Buf b = BUF(a);
        uint32_t c = 0;

        for (size_t i = 0; i < n;) {
                size_t length = 0;

                while (i + length < n && s[i + length] >= 0x20 && s[i + length] < 0x7f)
                        length++;
                if (length > 0) {
                        buf_add_mem(&b, s + i, length);
                        i += length;
                        continue;
                }
                length = str_decode_char(s + i, n - i, &c);
                if (length == 0) {
                        buf_add_escape(&b, (unsigned char) s[i]);
                        length = 1;
                } else if (char_is_hostile(c))
                        buf_add_escape(&b, c);
                else
                        buf_add_mem(&b, s + i, length);
                i += length;
        }
        return buf_text(&b);
}

const char *str_shorten(Arena *a, const char *s, size_t n) {
        static const char ellipsis[] = "…";
        size_t end;

        if (strnlen(s, n + 1) <= n)
                return s;
        end = n < sizeof ellipsis ? 0 : n - (sizeof ellipsis - 1);
        while (end > 0 && ((unsigned char) s[end] & 0xc0) == 0x80)
                end--;
        return arena_printf(a, "%.*s%s", (int) end, s, ellipsis);
}

static bool is_same_letter(char a, char b) {
        return tolower((unsigned char) a) == tolower((unsigned char) b);
}

/* Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
        size_t rows[3][NEAREST_WORD_MAX + 1];

        for (size_t j = 0; j <= m; j++)
                rows[0][j] = j;
        for (size_t i = 1; i <= n; i++) {
                const size_t *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
                size_t *row = rows[i % 3];

                row[0] = i;
                for (size_t j = 1; j <= m; j++) {
                        size_t best = above[j - 1] + (is_same_letter(a[i - 1], b[j - 1]) ? 0 : 1);

                        if (above[j] + 1 < best)
                                best = above[j] + 1;
                        if (row[j - 1] + 1 < best)
                                best = row[j - 1] + 1;
                        if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
                            is_same_letter(a[i - 2], b[j - 1]) && above2[j - 2] + 1 < best)
                                best = above2[j - 2] + 1;
                        row[j] = best;
                }
        }
        return rows[n % 3][m];
}

const char *str_nearest(const char *word, const char *const *candidates, size_t n) {
        size_t length = strnlen(word, NEAREST_WORD_MAX + 1);
        size_t best_distance = length <= 3 ? 2 : length / 3 + 1; /* the first that is too far */
        const char *best = NULL;

        if (length == 0 || length > NEAREST_WORD_MAX)
                return NULL;
        for (size_t i = 0; i < n; i++) {
                size_t m = strlen(candidates[i]), distance;

                if (m == 0 || m > NEAREST_WORD_MAX)
                        continue;
                distance = edit_distance(word, length, candidates[i], m);
                if (distance < best_distance && distance < m) {
                        best_distance = distance;
                        best = candidates[i];
                }
        }
        return best;
}
