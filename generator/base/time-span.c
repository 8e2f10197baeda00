/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/time-span.h"

#include <ctype.h>
#include <string.h>

#include "generator/base/array.h"

static const struct {
        const char *name;
        unsigned seconds;
} units[] = {
        { "", 1 },      { "s", 1 },       { "sec", 1 },      { "second", 1 },   { "seconds", 1 },
        { "m", 60 },    { "min", 60 },    { "minute", 60 },  { "minutes", 60 }, { "h", 3600 },
        { "hr", 3600 }, { "hour", 3600 }, { "hours", 3600 },
};

static unsigned unit_seconds(const char *name, size_t n) {
        for (size_t i = 0; i < ELEMENTS(units); i++)
                if (strlen(units[i].name) == n && strncmp(units[i].name, name, n) == 0)
                        return units[i].seconds;
        return 0;
}

bool time_span_parse(const char *text, unsigned max, unsigned *ret_seconds) {
        unsigned long long total = 0;

        if (!*text)
                return false;
        for (const char *p = text; *p;) {
                unsigned long long number = 0;
                unsigned unit;
                size_t n = 0;

                if (!isdigit((unsigned char) *p))
                        return false;
                for (; isdigit((unsigned char) *p); p++)
                        number = number > max ? number : number * 10 + (unsigned) (*p - '0');
                p += strspn(p, " ");
                while (isalpha((unsigned char) p[n]))
                        n++;
                unit = unit_seconds(p, n);
                total += number * unit;
                if (unit == 0 || total > max)
                        return false;
                p += n;
                p += strspn(p, " ");
        }
        *ret_seconds = (unsigned) total;
        return true;
}
