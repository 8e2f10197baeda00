/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "generator/base/unit-name.h"
#include "proofs/guard-rules.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/nft.h"
#include "proofs/util.h"

#define GUARD_DIR ".guard"
#define GUARD_TIMEOUT (10 * USEC_PER_SEC)

const char *guard_state_text(GuardState state) {
        static const char *const texts[_GUARD_STATE_MAX] = {
                [GUARD_NEVER] = "was not loaded since this boot",
                [GUARD_ELSEWHERE] = "was loaded in another network namespace",
                [GUARD_GONE] = "is gone: something in the tunnel has removed it",
                [GUARD_CHANGED] = "is not as it was loaded: something in the tunnel has changed it",
        };

        return texts[state];
}

/* "COOKIE", then the two tables. */
static int tables_text(char **ret) {
        CLEANUP(handle_free) char *inet = NULL, *netdev = NULL;
        uint64_t cookie;
        char *text;
        int r;

        r = netns_cookie_here(&cookie);
        if (r >= 0)
                r = nft_list("list table inet " GUARD_TABLE, &inet);
        if (r >= 0)
                r = nft_list("list table netdev " GUARD_TABLE, &netdev);
        if (r < 0)
                return r;
        text = text_format("%" PRIu64 "\n%s%s", cookie, inet, netdev);
        if (!text)
                return -ENOMEM;
        *ret = text;
        return 0;
}

static int directory_open(const char *run_dir, bool make, int *ret_fd) {
        CLEANUP(handle_free) char *path = text_format("%s/%s", run_dir, GUARD_DIR);
        int fd;

        if (!path)
                return -ENOMEM;
        if (make &&
            ((mkdir(run_dir, 0755) < 0 && errno != EEXIST) || (mkdir(path, 0700) < 0 && errno != EEXIST)))
                return -errno;
        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        *ret_fd = fd;
        return 0;
}

int guard_keep(const char *run_dir, const char *tunnel_unit) {
        CLEANUP(handle_free) char *text = NULL;
        CLEANUP(handle_close) int fd = -1;
        int r;

        if (!unit_name_is_valid(tunnel_unit))
                return -EINVAL;
        r = tables_text(&text);
        if (r >= 0)
                r = directory_open(run_dir, /* make= */ true, &fd);
        return r < 0 ? r : file_replace_at(fd, tunnel_unit, text, strlen(text));
}

static int check_work(void *userdata, void *result) {
        CLEANUP(handle_free) char *now = NULL;
        const GuardLook *order = userdata;
        GuardState *state = result;
        uint64_t cookie;
        int r;

        r = netns_enter(order->netns_fd);
        if (r >= 0)
                r = netns_cookie_here(&cookie);
        if (r < 0)
                return r;
        if (strtoull(order->kept, NULL, 10) != cookie && !mutation_is_on("guard-elsewhere")) {
                *state = GUARD_ELSEWHERE;
                return 0;
        }
        r = tables_text(&now);
        if (r < 0 && r != -ENOENT)
                return r;
        if (r == -ENOENT)
                *state = mutation_is_on("guard-gone") ? GUARD_THERE : GUARD_GONE;
        else
                *state = strcmp(now, order->kept) == 0 || mutation_is_on("guard-changed") ? GUARD_THERE
                                                                                          : GUARD_CHANGED;
        return 0;
}

int guard_look_begin(GuardLook *look, int netns_fd, const char *run_dir, const char *tunnel_unit) {
        CLEANUP(handle_close) int fd = -1;
        int r;

        *look = GUARD_LOOK_NONE;
        look->netns_fd = netns_fd;
        if (!unit_name_is_valid(tunnel_unit))
                return -EINVAL;
        r = directory_open(run_dir, /* make= */ false, &fd);
        if (r >= 0)
                r = file_read_at(fd, tunnel_unit, SMALL_FILE_MAX, &look->kept, NULL);
        if (r < 0)
                return r == -ENOENT ? 0 : r;
        return child_start(check_work, look, sizeof(GuardState), &look->child);
}

int guard_look_end(GuardLook *look, GuardState *ret) {
        if (!look->kept) {
                *ret = mutation_is_on("guard-never") ? GUARD_THERE : GUARD_NEVER;
                return 0;
        }
        child_wait(&look->child, 1, time_monotonic_usec() + GUARD_TIMEOUT);
        return child_result(&look->child, sizeof(*ret), ret);
}

void guard_look_done(GuardLook *look) {
        child_done(&look->child);
        free(look->kept);
        look->kept = NULL;
}

int guard_check(int netns_fd, const char *run_dir, const char *tunnel_unit, GuardState *ret) {
        CLEANUP(guard_look_done) GuardLook look = GUARD_LOOK_NONE;
        int r;

        r = guard_look_begin(&look, netns_fd, run_dir, tunnel_unit);
        return r < 0 ? r : guard_look_end(&look, ret);
}
