/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How a proof speaks: one structured journal entry for each run, and one line for a human being where
 * stderr is not the journal already. */

#include <jansson.h>

#include "proofs/record.h"

/* Sends the entry: MESSAGE_ID, PRIORITY and UNITPROOF_* fields. extra is an object of strings (or NULL);
 * each becomes UNITPROOF_<KEY>. Returns 0 or a negative errno; a host without journald is no error. */
int journal_send(const Record *record, const json_t *extra);

/* Prints "unitproof: egress of torrent: passed: ..." to stderr, in colour on a terminal, unless stderr is
 * connected to the journal (JOURNAL_STREAM, systemd.exec(5)): the entry is there already. */
void journal_print_line(const Record *record);
