/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/front/node.h"

/* YAML (1.2 core schema for plain scalars, as Compose reads it) through libyaml's event interface:
 * the document loader is quadratic on nesting and loses positions.
 *
 * Anchors, aliases and "<<" (a mapping, an alias, or a list of them; keys of the mapping itself
 * win, earlier of a list win) are resolved here, under a budget of LIMIT_NODES and LIMIT_DEPTH. A
 * resolved alias is a copy whose nodes keep the span of where they were written. Errors, each with
 * position: not YAML, bad UTF-8 or another encoding, NUL or other control characters in a value
 * (tab and newline are fine), a second document, duplicate keys, unknown or recursive anchors, keys
 * that are not scalars, a scalar beyond LIMIT_SCALAR_BYTES, unknown tags (the core tags, !reset and
 * !override are known). An empty document gives a NODE_NULL.
 *
 * Returns NULL after an error; what is wrong is in diag. */
Node *doc_parse(Arena *a, Diag *d, const Sources *s, uint32_t file);
