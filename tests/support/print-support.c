/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>

#include "generator/plan/lower.h"

/* The tables of docs/compose-support.md, in Markdown on standard output. */

static void print_text(const char *text) {
        for (; *text; text++)
                printf("%s%c", *text == '|' ? "\\" : "", *text);
}

static void print_verdict(const Verdict *v) {
        static const char *const words[_SUPPORT_MAX] = {
                [SUPPORT_MISSING] = "?",         [SUPPORT_MAPPED] = "yes",
                [SUPPORT_DIFFERENT] = "differs", [SUPPORT_HARMLESS] = "left out",
                [SUPPORT_REFUSED] = "refused",
        };

        printf(" %s", words[v->support]);
        if (v->text) {
                printf(": ");
                print_text(v->text);
        }
        printf(" |");
}

static void print_head(const char *title) {
        printf("\n## %s\n\n| Key | Unit mode | Compatible mode | Native mode |\n|---|---|---|---|\n", title);
}

static void print_row(const char *key, const Verdicts *v) {
        printf("| `%s` |", key);
        print_verdict(&v->unit);
        print_verdict(&v->compatible);
        print_verdict(&v->native);
        printf("\n");
}

static void count(size_t n[_SUPPORT_MAX], const Verdict *v) {
        n[v->support]++;
}

int main(void) {
        size_t unit[_SUPPORT_MAX] = { 0 };

        for (size_t i = 0; i < n_service_keys; i++)
                count(unit, &service_keys[i].verdicts.unit);
        printf("Of the %zu keys of a service, unit mode maps %zu, maps %zu with a difference, leaves %zu out "
               "without loss and "
               "refuses %zu.\n",
               n_service_keys, unit[SUPPORT_MAPPED], unit[SUPPORT_DIFFERENT], unit[SUPPORT_HARMLESS],
               unit[SUPPORT_REFUSED]);
        print_head("`services.*`");
        for (size_t i = 0; i < n_service_keys; i++)
                print_row(service_keys[i].key, &service_keys[i].verdicts);
        for (size_t i = 0; i < n_support_sections; i++) {
                const SupportSection *s = support_sections + i;
                char title[128];

                (void) snprintf(title, sizeof(title), "`%s`", s->path);
                print_head(s->path[0] ? title : "Top level");
                for (size_t j = 0; j < s->n_rows; j++)
                        print_row(s->rows[j].key, &s->rows[j].verdicts);
        }
        return 0;
}
