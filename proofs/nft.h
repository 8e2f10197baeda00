/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The packet filter of the network namespace that the caller is in, in nft(8)'s own language, through
 * libnftables. What is not a constant of ours in a batch must have been checked by who writes it: an address,
 * a number, a name of [A-Za-z0-9_.-]. */

/* Runs all of the batch in one transaction: everything of it takes effect or nothing. -EPROTO: nft or the
 * kernel refused; *ret_error, if not NULL, is then what it said, printable and on one line, owned by the
 * caller (NULL if there is no memory for it). */
int nft_run(const char *batch, char **ret_error);

/* The same for a command that prints: "list table inet x". -ENOENT: there is no such thing. Counters
 * come without values, numbers stay numbers and nothing is resolved by name. The text is owned by the caller.
 */
int nft_list(const char *command, char **ret_text);
