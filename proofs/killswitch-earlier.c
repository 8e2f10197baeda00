/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/killswitch-earlier.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"

enum { EARLIER_SIZE_MAX = 4096 };

static char *earlier_name(const char *subject) {
        return text_format(".passed-killswitch-%s", subject);
}

static bool take(const json_t *object, const char *key, size_t size, char *ret) {
        const char *text = json_string_value(json_object_get(object, key));

        if (!text || strlen(text) >= size)
                return false;
        (void) snprintf(ret, size, "%s", text);
        return true;
}

static int earlier_parse(const char *text, size_t length, KsEarlier *ret) {
        CLEANUP(handle_json) json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
        KsEarlier e = { .cookie = 0 };

        if (!json_is_object(object) || !take(object, "run", sizeof(e.run), e.run) ||
            !take(object, "boot_id", sizeof(e.boot_id), e.boot_id) ||
            !take(object, "invocation_id", sizeof(e.invocation_id), e.invocation_id) ||
            !take(object, "digest", sizeof(e.digest), e.digest) || !id128_is_valid(e.run))
                return -EBADMSG;
        e.cookie = (uint64_t) json_integer_value(json_object_get(object, "cookie"));
        e.realtime_usec = (uint64_t) json_integer_value(json_object_get(object, "realtime_usec"));
        *ret = e;
        return 0;
}

int ks_earlier_read(int dir_fd, const char *subject, KsEarlier *ret) {
        CLEANUP(handle_free) char *name = earlier_name(subject), *text = NULL;
        CLEANUP(handle_close) int fd = -1;
        struct stat st;
        size_t length;
        int r;

        if (!name)
                return -ENOMEM;
        fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0 ||
            st.st_nlink != 1)
                return -EBADMSG;
        r = file_read_fd(fd, EARLIER_SIZE_MAX, &text, &length);
        return r < 0 ? r : earlier_parse(text, length, ret);
}

int ks_earlier_write(int dir_fd, const char *subject, const KsEarlier *earlier) {
        CLEANUP(handle_free) char *name = earlier_name(subject), *text = NULL;
        CLEANUP(handle_json)
        json_t *object =
                json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "run", earlier->run, "boot_id", earlier->boot_id,
                          "invocation_id", earlier->invocation_id, "digest", earlier->digest, "cookie",
                          (json_int_t) earlier->cookie, "realtime_usec", (json_int_t) earlier->realtime_usec);

        text = object ? json_dumps(object, JSON_COMPACT) : NULL;
        return name && text ? file_replace_at(dir_fd, name, text, strlen(text)) : -ENOMEM;
}

void ks_earlier_forget(int dir_fd, const char *subject) {
        CLEANUP(handle_free) char *name = earlier_name(subject);

        if (name)
                (void) unlinkat(dir_fd, name, 0);
}

const char *ks_earlier_differs(const KsEarlier *earlier, const KsOwner *owner, const char *digest) {
        if (strcmp(earlier->boot_id, owner->boot_id) != 0)
                return "it was before the last boot";
        if (strcmp(earlier->invocation_id, owner->invocation_id) != 0)
                return "the tunnel was started anew since";
        if (earlier->cookie != owner->cookie)
                return "the tunnel is in another network namespace now";
        if (strcmp(earlier->digest, digest) != 0 && !mutation_is_on("digest"))
                return "links, addresses, routes or rules have changed since";
        return NULL;
}
