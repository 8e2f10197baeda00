/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/quadlet/quadlet.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/facts/root.h"

enum { MESSAGE_MAX = 600 };

void quadlet_run(Arena *a, const char *program, const char *input_dir, const char *output_dir, int timeout_ms,
                 QuadletResult *ret) {
        const char *const argv[] = { program, "-no-kmsg-log", output_dir, NULL };
        const char *const env[] = { arena_printf(a, "QUADLET_UNIT_DIRS=%s", input_dir), NULL };
        const ProgramJob job = {
                .program = program,
                .argv = argv,
                .env = env,
                .timeout_ms = timeout_ms,
                .errors_only = true,
        };

        program_run(a, &job, &ret->run);
        ret->outcome = program_outcome_text(a, &job, &ret->run);
}

/* "quadlet-generator[123]: text" → "text". Only the first line of a message has the prefix. */
static const char *skip_prefix(const char *line) {
        const char *name = "quadlet-generator[", *end;

        if (!str_has_prefix(line, name))
                return line;
        end = strstr(line, "]: ");
        return end ? end + 3 : line;
}

/* The name stands as a word: "a.container" is not named by "/x/ba.container" nor by "a.container.d". */
static bool line_names(const char *line, const char *file) {
        const size_t n = strlen(file);

        for (const char *p = strstr(line, file); p; p = strstr(p + 1, file)) {
                char before = p == line ? ' ' : p[-1], after = p[n];

                if (!isalnum((unsigned char) before) && !strchr("-_.", before) &&
                    !isalnum((unsigned char) after) && after != '.' && after != '-' && after != '_')
                        return true;
        }
        return false;
}

static const char *drop_all(Arena *a, const char *text, const char *word) {
        const size_t n = strlen(word);
        Buf b = BUF(a);

        for (const char *p; n > 0 && (p = strstr(text, word)); text = p + n)
                buf_add_mem(&b, text, (size_t) (p - text));
        buf_add(&b, text);
        return buf_text(&b);
}

const char *quadlet_message(Arena *a, const QuadletResult *r, const char *input_dir, const char *file) {
        char *save = NULL, *words = arena_strdup(a, r->run.said);
        const char *last = NULL;
        Buf named = BUF(a);

        for (char *line = strtok_r(words, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
                const char *text = skip_prefix(line);

                if (line[strspn(line, " \t")] == '\0')
                        continue;
                last = text;
                if (line_names(text, file) && !str_has_prefix(text, "Warning:") && named.len < MESSAGE_MAX)
                        buf_printf(&named, "%s%s", named.len > 0 ? "; " : "", text);
        }
        if (named.len > 0)
                last = buf_text(&named);
        else if (last)
                last = arena_printf(a, "quadlet %s and said: %s", r->outcome, last);
        if (last)
                return str_shorten(a, str_printable(a, drop_all(a, last, arena_printf(a, "%s/", input_dir))),
                                   MESSAGE_MAX);
        return arena_printf(a, "quadlet %s and said nothing about it", r->outcome);
}

const char *quadlet_version(Arena *a, const char *program, int timeout_ms) {
        const char *const argv[] = { program, "-version", NULL };
        const char *const env[] = { NULL };
        const ProgramJob job = { .program = program, .argv = argv, .env = env, .timeout_ms = timeout_ms };
        ProgramResult r;
        size_t n;

        program_run(a, &job, &r);
        n = strspn(r.said, "0123456789.");
        if (r.outcome != PROGRAM_EXITED || r.status != 0 || n == 0)
                return "";
        /* "5.6.0-dev" keeps its tail: it is what the host says. */
        return arena_strndup(a, r.said, strcspn(r.said, " \t\n"));
}

bool quadlet_version_is_old(const char *version) {
        unsigned long have[2] = { 0, 0 }, need[2] = { 0, 0 };
        char *end;

        if (version[0] == '\0')
                return false;
        have[0] = strtoul(version, &end, 10);
        if (*end == '.')
                have[1] = strtoul(end + 1, NULL, 10);
        need[0] = strtoul(QUADLET_VERSION_NEEDED, &end, 10);
        need[1] = strtoul(end + 1, NULL, 10);
        return have[0] < need[0] || (have[0] == need[0] && have[1] < need[1]);
}

const char *quadlet_absence(Arena *a, const char *root) {
        const bool podman = root_is_program(root, "/usr/bin/podman");

        return arena_printf(a,
                            "%s; its quadlet was not found in /usr/libexec/podman, /usr/lib/podman or "
                            "/usr/local/libexec/podman",
                            podman ? "/usr/bin/podman is there, but quadlet came with 4.4"
                                   : "there is no /usr/bin/podman");
}
