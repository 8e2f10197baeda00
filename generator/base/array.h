/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Of an array, not of a pointer. */
#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))
