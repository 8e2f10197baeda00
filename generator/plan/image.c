/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/plan/image.h"

/* What a registry can be asked for, by the grammar of the distribution project (reference/regexp.go):
 *     [DOMAIN[:PORT]/]COMPONENT[/COMPONENT]...[:TAG][@ALGORITHM:DIGEST] */

static const char lower_or_digit[] = "abcdefghijklmnopqrstuvwxyz0123456789";

/* [a-z0-9]+, again after one of ".", "_", "__" or "-"+; where it ends. NULL: none. */
static const char *component_skip(const char *p) {
        for (;;) {
                size_t n = strspn(p, lower_or_digit), separator;

                if (n == 0)
                        return NULL;
                p += n;
                separator = *p == '-'                  ? strspn(p, "-")
                            : *p == '.'                ? 1
                            : strncmp(p, "__", 2) == 0 ? 2
                                                       : *p == '_';
                if (separator == 0)
                        return p;
                p += separator;
        }
}

/* As containers/image takes it: the first part is a host if it has a "." or ":", or is "localhost". */
static const char *domain_skip(const char *p) {
        size_t n = strcspn(p, "/");

        if (p[n] != '/' ||
            !(memchr(p, '.', n) || memchr(p, ':', n) || (n == 9 && strncmp(p, "localhost", 9) == 0)))
                return p;
        for (size_t i = 0; i < n; i++)
                if (!isalnum((unsigned char) p[i]) && !strchr(".-:[]", p[i]))
                        return NULL;
        return n > 0 ? p + n + 1 : NULL;
}

static bool tag_is_valid(const char *tag, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (!isalnum((unsigned char) tag[i]) && tag[i] != '_' && (i == 0 || !strchr(".-", tag[i])))
                        return false;
        return n > 0 && n <= 128;
}

bool image_is_reference(const char *image) {
        const char *p = domain_skip(image), *digest = strchr(image, '@');

        while (p && (p = component_skip(p)) && *p == '/')
                p++;
        if (!p)
                return false;
        if (*p == ':') {
                size_t n = strcspn(++p, "@");

                if (!tag_is_valid(p, n))
                        return false;
                p += n;
        }
        return !*p || (p == digest && strchr(digest, ':') && strchr(digest, ':')[1]);
}

/* containers-transports(5): no registry is asked. */
bool image_has_transport(const char *image) {
        static const char *const transports[] = {
                "containers-storage:", "dir:", "docker:",      "docker-archive:",
                "docker-daemon:",      "oci:", "oci-archive:", "sif:",
        };

        for (size_t i = 0; i < ELEMENTS(transports); i++)
                if (str_has_prefix(image, transports[i]) && (i != 2 || str_has_prefix(image, "docker://")))
                        return true;
        return false;
}

/* Docker's rule for names without a registry (distribution/reference, normalize.go): Podman would ask its
 * list of registries, which is empty on Debian. */
const char *image_qualify(Arena *a, const char *image) {
        size_t n = strcspn(image, "/");
        bool registry = image[n] == '/' && (memchr(image, '.', n) || memchr(image, ':', n) ||
                                            (n == strlen("localhost") && str_has_prefix(image, "localhost")));

        if (registry || strchr(image, ':') == image || strstr(image, "://"))
                return image;
        return arena_printf(a, "docker.io/%s%s", image[n] == '/' ? "" : "library/", image);
}
