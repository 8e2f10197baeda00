/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/value.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/front/scalar.h"

const char *value_float_text(Arena *a, double value, bool single, bool json) {
        char text[64];
        int precision = 0, exponent;

        if (isnan(value))
                return "NaN";
        if (isinf(value))
                return value < 0 ? "-Inf" : "+Inf";
        if (value == 0)
                return signbit(value) ? "-0" : "0";
        do
                (void) snprintf(text, sizeof text, "%.*e", precision, value);
        while ((single ? (double) strtof(text, NULL) != value : strtod(text, NULL) != value) &&
               ++precision < 17);
        exponent = atoi(strchr(text, 'e') + 1);
        if (exponent < (json ? -6 : -4) || exponent >= (json ? 21 : 6)) {
                char *e = strchr(text, 'e') + 2;

                /* JSON has no leading zero in a negative exponent. */
                if (json && e[-1] == '-' && e[0] == '0')
                        memmove(e, e + 1, strlen(e));
                return arena_strdup(a, text);
        }
        return arena_printf(a, "%.*f", precision > exponent ? precision - exponent : 0, value);
}

/* strconv.ParseFloat() of Go: "_" between digits counts for nothing, and a hexadecimal number needs its
 * exponent. */
static bool float_without_underscores(const char *text, char *ret, size_t size) {
        size_t n = 0;

        for (const char *p = text; *p; p++) {
                if (*p == '_') {
                        if (p == text || !(isxdigit((unsigned char) p[-1]) || p[-1] == 'x' || p[-1] == 'X') ||
                            !isxdigit((unsigned char) p[1]))
                                return false;
                        continue;
                }
                if (n + 1 == size)
                        return false;
                ret[n++] = *p;
        }
        ret[n] = '\0';
        return true;
}

bool value_parse_float(const char *text, double *ret) {
        char digits[128], *end;
        double value;

        if (!isdigit((unsigned char) text[0]) && !strchr("+-.", text[0]))
                return false;
        if (!float_without_underscores(text, digits, sizeof digits))
                return false;
        if (strpbrk(digits, "xX") && !strpbrk(digits, "pP"))
                return false;
        value = strtod(digits, &end);
        if (end == digits || *end || !isfinite(value))
                return false;
        *ret = value;
        return true;
}

const char *value_text(Arena *a, const Node *n) {
        double value;

        if (n->kind == NODE_FLOAT && value_parse_float(n->text, &value))
                return value_float_text(a, value, /* single= */ false, /* json= */ false);
        return scalar_canonical(a, n);
}

bool value_parse_bool(const char *text, bool *ret) {
        static const char *const words[][4] = {
                { "false", "n", "no", "off" },
                { "true", "y", "yes", "on" },
        };

        for (int value = 0; value < 2; value++)
                for (size_t i = 0; i < 4; i++)
                        if (strcasecmp(text, words[value][i]) == 0) {
                                *ret = value;
                                return true;
                        }
        return false;
}

bool value_parse_bytes(const char *text, long long *ret_bytes) {
        static const char units[] = "kmgtp";
        size_t length = strlen(text), digits = length;
        char *number, suffix[4] = { 0 };
        double size;
        bool ok;

        while (digits > 0 && !isdigit((unsigned char) text[digits - 1]) && !strchr(". ", text[digits - 1]))
                digits--;
        if (digits == 0 || length - digits >= sizeof suffix || digits > 64)
                return false;
        for (size_t i = digits; i < length; i++)
                suffix[i - digits] = (char) tolower((unsigned char) text[i]);
        number = strndup(text, text[digits - 1] == ' ' ? digits - 1 : digits);
        ok = number && value_parse_float(number, &size);
        free(number);
        if (!ok || size < 0)
                return false;
        if (suffix[0] && suffix[0] != 'b') {
                const char *unit = strchr(units, suffix[0]);

                if (!unit || (suffix[1] && !str_equal(suffix + 1, "b") && !str_equal(suffix + 1, "ib")))
                        return false;
                size = ldexp(size, 10 * (int) (unit - units + 1));
        } else if (suffix[0] && suffix[1])
                return false;
        if (size >= 9223372036854775807.0)
                return false;
        *ret_bytes = (long long) size;
        return true;
}

static const struct {
        const char *name;
        long long ns;
} duration_units[] = {
        { "ns", 1 },
        { "us", 1000 },
        { "µs", 1000 },
        { "μs", 1000 },
        { "ms", 1000000 },
        { "s", 1000000000LL },
        { "m", 60000000000LL },
        { "h", 3600000000000LL },
        { "d", 86400000000000LL },
        { "w", 604800000000000LL },
};

static bool duration_unit(const char *text, size_t length, long long *ret_ns) {
        for (size_t i = 0; i < ELEMENTS(duration_units); i++)
                if (strlen(duration_units[i].name) == length &&
                    memcmp(duration_units[i].name, text, length) == 0) {
                        *ret_ns = duration_units[i].ns;
                        return true;
                }
        return false;
}

bool value_parse_duration(const char *text, long long *ret_ns) {
        bool negative = *text == '-';
        long long total = 0;

        if (*text == '-' || *text == '+')
                text++;
        if (str_equal(text, "0")) {
                *ret_ns = 0;
                return true;
        }
        if (!*text)
                return false;
        while (*text) {
                long long whole = 0, unit;
                double fraction = 0, scale = 1;
                size_t digits = strspn(text, "0123456789"), places = 0, length;

                for (size_t i = 0; i < digits; i++)
                        if (__builtin_mul_overflow(whole, 10, &whole) ||
                            __builtin_add_overflow(whole, text[i] - '0', &whole))
                                return false;
                text += digits;
                if (*text == '.') {
                        places = strspn(++text, "0123456789");
                        for (size_t i = 0; i < places && i < 18; i++) {
                                fraction = fraction * 10 + (text[i] - '0');
                                scale *= 10;
                        }
                        text += places;
                }
                length = strcspn(text, ".0123456789");
                if (digits + places == 0 || !duration_unit(text, length, &unit) ||
                    __builtin_mul_overflow(whole, unit, &whole) ||
                    __builtin_add_overflow(whole, (long long) (fraction * ((double) unit / scale)), &whole) ||
                    __builtin_add_overflow(total, whole, &total))
                        return false;
                text += length;
        }
        *ret_ns = negative ? -total : total;
        return true;
}

/* N units of 10^-places, without trailing zeros. */
static const char *decimal(Arena *a, unsigned long long value, unsigned long long one, int places) {
        char *text = arena_printf(a, "%llu.%0*llu", value / one, places, value % one);
        size_t n = strlen(text);

        while (text[n - 1] == '0')
                text[--n] = '\0';
        if (text[n - 1] == '.')
                text[n - 1] = '\0';
        return text;
}

const char *value_duration_text(Arena *a, long long ns) {
        unsigned long long u = ns < 0 ? 0ULL - (unsigned long long) ns : (unsigned long long) ns, minutes;
        const char *sign = ns < 0 ? "-" : "", *seconds;

        if (u == 0)
                return "0s";
        if (u < 1000)
                return arena_printf(a, "%s%lluns", sign, u);
        if (u < 1000000)
                return arena_printf(a, "%s%sµs", sign, decimal(a, u, 1000, 3));
        if (u < 1000000000)
                return arena_printf(a, "%s%sms", sign, decimal(a, u, 1000000, 6));
        minutes = u / 60000000000ULL;
        seconds = decimal(a, u % 60000000000ULL, 1000000000ULL, 9);
        if (minutes == 0)
                return arena_printf(a, "%s%ss", sign, seconds);
        if (minutes < 60)
                return arena_printf(a, "%s%llum%ss", sign, minutes, seconds);
        return arena_printf(a, "%s%lluh%llum%ss", sign, minutes / 60, minutes % 60, seconds);
}

Node *value_refuse(Load *l, const Node *n, const char *what, const char *hint) {
        diag_error(l->diag, n->span, "bad-value", "'%s' is not %s", n->text, what);
        if (hint)
                diag_hint(l->diag, "%s", hint);
        return NULL;
}
