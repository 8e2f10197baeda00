/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* AddressSanitizer reserves terabytes of address space: a program that is built with it cannot live under a
 * limit on that. gcc says so by a macro, clang by a feature. */
#if defined(__SANITIZE_ADDRESS__)
#define BUILT_WITH_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUILT_WITH_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef BUILT_WITH_ADDRESS_SANITIZER
#define BUILT_WITH_ADDRESS_SANITIZER 0
#endif
