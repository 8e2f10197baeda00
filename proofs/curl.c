/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/curl.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#define CURL_LIBRARY "libcurl.so.4" /* the only ABI since 2006 */

const CurlLibrary *curl;

int curl_open(void) {
        static CurlLibrary library;
        static const struct {
                const char *name;
                size_t offset;
        } rows[] = {
#define F(name) { "curl_" #name, offsetof(CurlLibrary, name) },
                CURL_FUNCTIONS(F)
#undef F
        };
        void *handle;

        if (curl)
                return 0;
        /* For good: it leaves things behind that must not be unloaded (OpenSSL's exit handlers). */
        handle = dlopen(CURL_LIBRARY, RTLD_LAZY | RTLD_NODELETE);
        if (!handle)
                return -ELIBACC;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                void *symbol = dlsym(handle, rows[i].name);

                if (!symbol)
                        return -ELIBACC;
                *(void **) ((char *) &library + rows[i].offset) = symbol;
        }
        if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
                return -ELIBACC;
        curl = &library;
        return 0;
}
