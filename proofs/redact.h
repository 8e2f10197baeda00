/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A copy of text, owned by the caller, in which each line of the file stands for itself no more: "***".
 * Without a file it is a plain copy; a file that cannot be read leaves nothing of the text, since nobody
 * knows what is in it. NULL if out of memory. */
char *text_redact(const char *text, const char *file);
