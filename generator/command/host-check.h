/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/session.h"

/* What the host says about a compiled stack, as warnings into its diagnostics: files that it reads when it
 * starts, that nobody makes and that are not there ("missing-file"), files with secrets that everybody may
 * read
 * ("secret-readable"), and what image-volumes.h says. A compile does not look at that, so that what it makes
 * depends on the text of its files alone; this is for the person who asks. Of another host (--facts) nothing
 * is known, and of one below --root not what appears at its boot. */
void host_check(Session *s, Compiled *c);
