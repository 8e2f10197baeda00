/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/facts/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/facts/handles.h"
#include "generator/facts/ini.h"

void facts_rows(Facts *f, FactRow ret_rows[FACTS_N_ROWS]) {
        const FactRow rows[FACTS_N_ROWS] = {
                { "os_id", "operating system, ID of os-release(5)", &f->os_id, NULL },
                { "os_version", "its version, VERSION_ID of os-release(5)", &f->os_version, NULL },
                { "systemd_version", "systemd", NULL, &f->systemd_version },
                { "podman_version", "Podman, as its quadlet says", &f->podman_version, NULL },
                { "quadlet_path", "Podman's quadlet", &f->quadlet_path, NULL },
                { "kernel", "Linux", &f->kernel, NULL },
        };

        for (size_t i = 0; i < FACTS_N_ROWS; i++)
                ret_rows[i] = rows[i];
}

void facts_check_systemd(Diag *d, Span span, const Facts *f) {
        if (f->systemd_version == 0 || f->systemd_version >= SYSTEMD_VERSION_NEEDED)
                return;
        diag_warning(
                d, span, "old-systemd",
                "systemd %u is too old: it does not start what a tunnel or a mount took along when that is "
                "back",
                f->systemd_version);
        diag_hint(d, "%d or newer is needed", SYSTEMD_VERSION_NEEDED);
}

typedef struct FactsState {
        Diag *diag;
        FactRow rows[FACTS_N_ROWS];
        const char *unknown; /* section that was named last */
} FactsState;

static void report_unknown(FactsState *st, const char *key, Span span) {
        const char *names[FACTS_N_ROWS], *near;

        for (size_t i = 0; i < FACTS_N_ROWS; i++)
                names[i] = st->rows[i].name;
        near = str_nearest(key, names, FACTS_N_ROWS);
        diag_error(st->diag, span, "unknown-key", "unknown fact '%s'", key);
        if (near)
                diag_hint(st->diag, "did you mean '%s'?", near);
}

/* "5.4.2", "5.6.0-dev", or nothing where it is not known. */
static bool is_version(const char *value) {
        const char *p = value;

        while (*p >= '0' && *p <= '9') {
                p += strspn(p, "0123456789");
                if (*p == '.' && p[1] >= '0' && p[1] <= '9')
                        p++;
        }
        return *p == '\0' || (p > value && strchr("-+~", *p));
}

static void set_fact(FactsState *st, const FactRow *row, const char *value, Span span) {
        unsigned long number;
        char *end;

        if (str_equal(row->name, "podman_version") && !is_version(value)) {
                diag_error(st->diag, span, "not-a-version",
                           "'%s' has to be a version such as 5.4.2, '%s' is none", row->name, value);
                return;
        }
        if (row->text) {
                *row->text = value;
                return;
        }
        errno = 0;
        number = strtoul(value, &end, 10);
        if (errno != 0 || end == value || *end != '\0' || number > 100000) {
                diag_error(st->diag, span, "not-a-number", "'%s' has to be a number, '%s' is none", row->name,
                           value);
                return;
        }
        *row->number = (unsigned) number;
}

static void handle_fact(void *userdata, const char *section, const char *key, const char *value, Span span) {
        FactsState *st = userdata;

        if (!str_equal(section, "facts")) {
                if (!str_equal(st->unknown, section))
                        diag_error(st->diag, span, "unknown-section",
                                   "facts stand in the section [facts], not in [%s]", section);
                st->unknown = section;
                return;
        }
        if (!key)
                return;
        for (size_t i = 0; i < FACTS_N_ROWS; i++)
                if (str_equal(key, st->rows[i].name)) {
                        set_fact(st, &st->rows[i], value, span);
                        return;
                }
        report_unknown(st, key, span);
}

int facts_parse(Arena *a, Diag *d, const Sources *s, uint32_t file, Facts *ret) {
        Facts f = { .os_id = "", .os_version = "", .podman_version = "", .quadlet_path = "", .kernel = "" };
        FactsState st = { .diag = d };
        size_t before = d->n_errors;

        facts_rows(&f, st.rows);
        ini_read(a, d, s, file, handle_fact, &st);
        if (d->n_errors > before)
                return -EINVAL;
        *ret = f;
        return 0;
}

const char *facts_print(Arena *a, const Facts *f) {
        Facts copy = *f;
        FactRow rows[FACTS_N_ROWS];
        Buf b = BUF(a);

        facts_rows(&copy, rows);
        buf_add(&b, "[facts]\n");
        for (size_t i = 0; i < FACTS_N_ROWS; i++)
                if (rows[i].text)
                        buf_printf(&b, "%s = %s\n", rows[i].name, *rows[i].text);
                else
                        buf_printf(&b, "%s = %u\n", rows[i].name, *rows[i].number);
        return buf_text(&b);
}
