/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/redact.h"

#include <fcntl.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/util.h"

enum { REDACT_FILE_MAX = 1024 * 1024 };

#define STARS "***"

/* All of one secret. The result is never longer by more than the stars for a secret of one or two bytes. */
static char *redact_one(const char *text, const char *secret, size_t length) {
        char *out = malloc(strlen(text) * sizeof(STARS) + 1), *to = out;

        if (!out)
                return NULL;
        while (*text) {
                if (strncmp(text, secret, length) == 0) {
                        to = stpcpy(to, STARS);
                        text += length;
                } else
                        *to++ = *text++;
        }
        *to = '\0';
        return out;
}

char *text_redact(const char *text, const char *file) {
        CLEANUP(handle_free) char *secrets = NULL, *out = strdup(text ?: "");

        if (!file || !out)
                return handle_take(out);
        if (file_read_at(AT_FDCWD, file, REDACT_FILE_MAX, &secrets, NULL) < 0)
                return strdup("(not repeated: its secrets are not known)");
        for (const char *p = secrets; *p;) {
                size_t n = strcspn(p, "\n");
                char *next = n > 0 ? redact_one(out, p, n) : NULL;

                if (n > 0) {
                        if (!next)
                                return NULL;
                        free(out);
                        out = next;
                }
                p += n + (p[n] != '\0');
        }
        return handle_take(out);
}
