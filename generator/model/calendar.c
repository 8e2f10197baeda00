/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <strings.h>

#include "generator/base/str.h"
#include "generator/model/build.h"

/* Calendar events of systemd.time(7), as far as a schedule needs them: "weekly", "Sun 04:00", "Mon..Fri
 * 03:30",
 * "*-*-01 04:00:00 UTC". systemd itself would drop a timer that it cannot read, and nobody would see it
 * missing.
 */

static const char *const shorthands[] = {
        "hourly", "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly", "annually",
};

static const char *const weekdays[] = {
        "Mon",    "Tue",     "Wed",       "Thu",      "Fri",    "Sat",      "Sun",
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
};

static bool word_is_in(const char *const *words, size_t n, const char *text, size_t length) {
        for (size_t i = 0; i < n; i++)
                if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0)
                        return true;
        return false;
}

/* "Mon", "Mon,Thu", "Mon..Fri" and combinations of them. */
static bool weekdays_are_valid(const char *text) {
        while (*text) {
                size_t length = strcspn(text, ",.");

                if (!word_is_in(weekdays, ELEMENTS(weekdays), text, length))
                        return false;
                text += length;
                if (!*text)
                        return true;
                text += *text == ',' ? 1 : strncmp(text, "..", 2) == 0 ? 2 : strlen(text);
        }
        return false;
}

/* Two digits up to a limit; what follows them, or NULL. */
static const char *two_digits(const char *text, int from, int to) {
        int value;

        if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
                return NULL;
        value = 10 * (text[0] - '0') + text[1] - '0';
        return value >= from && value <= to ? text + 2 : NULL;
}

/* Each year; each month or one of them; each day or one that there is: "*-*-*", "*-*-01", "*-03-15". */
static bool date_is_valid(const char *text) {
        static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
        const char *rest;
        int last = 31;

        if (strncmp(text, "*-", 2) != 0)
                return false;
        text += 2;
        rest = *text == '*' ? text + 1 : two_digits(text, 1, 12);
        if (!rest || *rest != '-')
                return false;
        if (*text != '*')
                last = days[10 * (text[0] - '0') + text[1] - '0' - 1];
        rest = rest[1] == '*' ? rest + 2 : two_digits(rest + 1, 1, last);
        return rest && !*rest;
}

static bool time_is_valid(const char *text) {
        const char *rest = two_digits(text, 0, 23);

        if (!rest && text[0] >= '0' && text[0] <= '9' && text[1] == ':')
                rest = text + 1;
        rest = rest && *rest == ':' ? two_digits(rest + 1, 0, 59) : NULL;
        if (rest && *rest == ':')
                rest = two_digits(rest + 1, 0, 59);
        return rest && !*rest;
}

/* Other zones have to be installed, which is not known here. */
static bool is_utc(const char *text) {
        return strcmp(text, "UTC") == 0;
}

/* In this order, each at most once. */
bool calendar_is_valid(const char *text) {
        static bool (*const parts[])(const char *) = { weekdays_are_valid, date_is_valid, time_is_valid,
                                                       is_utc };
        char part[64];
        size_t at = 0;

        if (word_is_in(shorthands, ELEMENTS(shorthands), text, strlen(text)))
                return true;
        if (!*text || is_utc(text))
                return false;
        for (;;) {
                size_t length = strcspn(text, " ");

                if (length >= sizeof part)
                        return false;
                memcpy(part, text, length);
                part[length] = '\0';
                while (at < ELEMENTS(parts) && !parts[at](part))
                        at++;
                if (at++ == ELEMENTS(parts))
                        return false;
                if (!text[length])
                        return true;
                text += length + 1;
        }
}
