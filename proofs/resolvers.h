/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Name servers of a resolv.conf(5) as a process sees it. */

#include "proofs/address.h"
#include "proofs/process.h"

enum { RESOLVERS_MAX = 8 };

/* An empty list is no error: there may be no such file. */
int resolvers_read(const Process *process, Address ret[RESOLVERS_MAX], size_t *ret_n);
