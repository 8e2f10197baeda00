/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/scalar.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS_MAX 512 /* the longest double written in full has about 310 */

static const struct {
        const char *text;
        NodeKind kind;
} words[] = {
        { "", NODE_NULL },       { "~", NODE_NULL },      { "null", NODE_NULL },   { "Null", NODE_NULL },
        { "NULL", NODE_NULL },   { "true", NODE_BOOL },   { "True", NODE_BOOL },   { "TRUE", NODE_BOOL },
        { "false", NODE_BOOL },  { "False", NODE_BOOL },  { "FALSE", NODE_BOOL },  { ".nan", NODE_FLOAT },
        { ".NaN", NODE_FLOAT },  { ".NAN", NODE_FLOAT },  { ".inf", NODE_FLOAT },  { ".Inf", NODE_FLOAT },
        { ".INF", NODE_FLOAT },  { "+.inf", NODE_FLOAT }, { "+.Inf", NODE_FLOAT }, { "+.INF", NODE_FLOAT },
        { "-.inf", NODE_FLOAT }, { "-.Inf", NODE_FLOAT }, { "-.INF", NODE_FLOAT },
};

static bool strip_underscores(const char *text, char *ret_plain) {
        size_t n = 0;

        for (; *text; text++) {
                if (*text == '_')
                        continue;
                if (n == DIGITS_MAX)
                        return false;
                ret_plain[n++] = *text;
        }
        ret_plain[n] = '\0';
        return n > 0;
}

static unsigned number_base(const char **digits) {
        static const struct {
                char letter;
                unsigned base;
        } prefixes[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };

        if ((*digits)[0] != '0' || (*digits)[1] == '\0')
                return 10;
        for (size_t i = 0; i < ELEMENTS(prefixes); i++)
                if (tolower((unsigned char) (*digits)[1]) == prefixes[i].letter) {
                        *digits += 2;
                        return prefixes[i].base;
                }
        *digits += 1;
        return 8;
}

static unsigned digit_value(char c) {
        if (isdigit((unsigned char) c))
                return (unsigned) (c - '0');
        if (isxdigit((unsigned char) c))
                return (unsigned) (tolower((unsigned char) c) - 'a') + 10;
        return UINT32_MAX;
}

/* From -2^63 to 2^64-1: what the library takes for an integer. */
static bool parse_integer(const char *plain, bool *ret_negative, uint64_t *ret_magnitude) {
        bool negative = plain[0] == '-';
        const char *digits = plain + (plain[0] == '-' || plain[0] == '+' ? 1 : 0);
        unsigned base = number_base(&digits);
        uint64_t value = 0;

        if (*digits == '\0')
                return false;
        for (; *digits; digits++) {
                unsigned digit = digit_value(*digits);

                if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
                    __builtin_add_overflow(value, digit, &value))
                        return false;
        }
        if (value > (uint64_t) INT64_MAX && (plain[0] == '+' || negative) &&
            !(negative && value == (uint64_t) INT64_MAX + 1))
                return false;
        *ret_negative = negative;
        *ret_magnitude = value;
        return true;
}

/* [-+]? ( "." digits | digits ( "." digits? )? ) ( [eE] [-+]? digits )? and within the range of a
 * double */
static bool is_float(const char *plain) {
        const char *p = plain + (plain[0] == '-' || plain[0] == '+' ? 1 : 0);
        size_t whole = strspn(p, "0123456789"), fraction = 0;

        p += whole;
        if (*p == '.') {
                fraction = strspn(p + 1, "0123456789");
                p += 1 + fraction;
        }
        if (whole + fraction == 0)
                return false;
        if (*p == 'e' || *p == 'E') {
                size_t exponent;

                p += p[1] == '-' || p[1] == '+' ? 2 : 1;
                exponent = strspn(p, "0123456789");
                if (exponent == 0)
                        return false;
                p += exponent;
        }
        return *p == '\0' && isfinite(strtod(plain, NULL));
}

NodeKind scalar_kind(const char *text) {
        char plain[DIGITS_MAX + 1];
        uint64_t magnitude;
        bool negative, may_be_word = strchr("~nNtTfF.+-", text[0]); /* also "" */

        for (size_t i = 0; may_be_word && i < ELEMENTS(words); i++)
                if (strcmp(words[i].text, text) == 0)
                        return words[i].kind;
        if (!isdigit((unsigned char) text[0]) && !strchr("+-.", text[0]))
                return NODE_STRING;
        if (text[0] == '.')
                return is_float(text) ? NODE_FLOAT : NODE_STRING;
        if (!strip_underscores(text, plain))
                return NODE_STRING;
        if (parse_integer(plain, &negative, &magnitude))
                return NODE_INT;
        return is_float(plain) ? NODE_FLOAT : NODE_STRING;
}

bool scalar_parse_int(const char *text, long long *ret_value) {
        char plain[DIGITS_MAX + 1];
        uint64_t magnitude;
        bool negative;

        if (!isdigit((unsigned char) text[0]) && text[0] != '-' && text[0] != '+')
                return false;
        if (!strip_underscores(text, plain) || !parse_integer(plain, &negative, &magnitude))
                return false;
        if (magnitude > (uint64_t) INT64_MAX + (negative ? 1 : 0))
                return false;
        *ret_value = (long long) (negative ? 0 - magnitude : magnitude);
        return true;
}

static const char *canonical_int(Arena *a, const char *text) {
        char plain[DIGITS_MAX + 1];
        uint64_t magnitude;
        bool negative;

        if (!strip_underscores(text, plain) || !parse_integer(plain, &negative, &magnitude))
                return text;
        return arena_printf(a, "%s%llu", negative && magnitude > 0 ? "-" : "",
                            (unsigned long long) magnitude);
}

/* The fewest digits that still give the same number; an exponent below 1e-4 and from 1e6 on. */
static const char *canonical_float(Arena *a, const char *text) {
        char plain[DIGITS_MAX + 1], digits[64];
        const char *exponent_text;
        double value;
        int exponent, precision = 0;

        if (strcasecmp(text, ".nan") == 0)
                return "NaN";
        if (strcasecmp(text + strspn(text, "+-"), ".inf") == 0)
                return text[0] == '-' ? "-Inf" : "+Inf";
        if (!strip_underscores(text, plain))
                return text;
        value = strtod(plain, NULL);
        do
                (void) snprintf(digits, sizeof digits, "%.*e", precision, value);
        while (strtod(digits, NULL) != value && ++precision < 17);
        exponent_text = strchr(digits, 'e');
        exponent = exponent_text ? atoi(exponent_text + 1) : 0;
        if (exponent < -4 || exponent >= 6)
                return arena_strdup(a, digits);
        return arena_printf(a, "%.*f", precision > exponent ? precision - exponent : 0, value);
}

const char *scalar_canonical(Arena *a, const Node *n) {
        if (n->interpolated) /* Compose substitutes in strings, after the library has typed them */
                return n->text;
        switch (n->kind) {
        case NODE_BOOL:
                return n->text[0] == 't' || n->text[0] == 'T' ? "true" : "false";
        case NODE_INT:
                return canonical_int(a, n->text);
        case NODE_FLOAT:
                return canonical_float(a, n->text);
        case NODE_NULL:
        case NODE_STRING:
        case NODE_SEQUENCE:
        case NODE_MAPPING:
        case _NODE_KIND_MAX:
                break;
        }
        return n->text ? n->text : "";
}
