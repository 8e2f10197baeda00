/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* libcurl, loaded when the first probe by HTTP is about to be made: with the fifty libraries that it needs it
 * takes longer to load than most proofs take. */

#include <curl/curl.h>

#define CURL_FUNCTIONS(F)                                                                                    \
        F(easy_cleanup)                                                                                      \
        F(easy_getinfo)                                                                                      \
        F(easy_init)                                                                                         \
        F(easy_setopt)                                                                                       \
        F(easy_strerror)                                                                                     \
        F(free)                                                                                              \
        F(global_init)                                                                                       \
        F(multi_add_handle)                                                                                  \
        F(multi_cleanup)                                                                                     \
        F(multi_info_read)                                                                                   \
        F(multi_init)                                                                                        \
        F(multi_perform)                                                                                     \
        F(multi_poll)                                                                                        \
        F(multi_remove_handle)                                                                               \
        F(slist_append)                                                                                      \
        F(slist_free_all)                                                                                    \
        F(url)                                                                                               \
        F(url_cleanup)                                                                                       \
        F(url_get)                                                                                           \
        F(url_set)

typedef struct CurlLibrary {
#define F(name) __typeof__(curl_##name) *name;
        CURL_FUNCTIONS(F)
#undef F
} CurlLibrary;

/* Its functions without "curl_". NULL until curl_open() has succeeded. */
extern const CurlLibrary *curl;

/* May be called any number of times. -ELIBACC: it is not on this host, or not as it was built against. */
int curl_open(void);
