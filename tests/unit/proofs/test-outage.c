/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An outage and a measurement never meet. That a measurement waits for the unit of the kill-switch proof is
 * seen in the lab, where there is a systemd. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "case.h"
#include "engines/run.h"
#include "proofs/handles.h"
#include "proofs/killswitch-earlier.h"
#include "proofs/outage.h"

typedef struct World {
        char path[64];
        int dir_fd;
} World;

static int set_up(void **state) {
        static World world;

        (void) snprintf(world.path, sizeof(world.path), "/tmp/unitproof-test-XXXXXX");
        if (!mkdtemp(world.path))
                return -1;
        world.dir_fd = open(world.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        *state = &world;
        return world.dir_fd < 0 ? -1 : 0;
}

static int tear_down(void **state) {
        World *world = *state;
        const char *const argv[] = { "/bin/rm", "-rf", "--", world->path, NULL };
        CLEANUP(spawned_done) Spawned removal = { .status = -1 };

        handle_close(&world->dir_fd);
        return spawn_run(argv, time_monotonic_usec() + 5 * USEC_PER_SEC, &removal);
}

static int lock(const World *world, OutageSide side, int *ret_fd) {
        return outage_lock(world->dir_fd, "vpn", side, time_monotonic_usec() + 50 * USEC_PER_MSEC, ret_fd);
}

static void test_lock(void **state) {
        const World *world = *state;
        int one = -1, two = -1, three = -1;

        assert_int_equal(lock(world, OUTAGE_MEASURE, &one), 0);
        assert_int_equal(lock(world, OUTAGE_MEASURE, &two), 0);
        assert_int_equal(lock(world, OUTAGE_MAKE, &three), -EBUSY);
        assert_int_equal(three, -1);
        handle_close(&one);
        assert_int_equal(lock(world, OUTAGE_MAKE, &three), -EBUSY);
        handle_close(&two);
        assert_int_equal(lock(world, OUTAGE_MAKE, &three), 0);
        assert_int_equal(lock(world, OUTAGE_MEASURE, &one), -EBUSY);
        assert_int_equal(lock(world, OUTAGE_MAKE, &one), -EBUSY);
        /* Another tunnel's outage is none of its business. */
        assert_int_equal(outage_lock(world->dir_fd, "other", OUTAGE_MEASURE, 0, &one), 0);
        handle_close(&one);
        handle_close(&three);
}

/* What an earlier start of the tunnel has shown is not waited on, nor what another boot has. */
static void test_passed(void **state) {
        const World *world = *state;
        const OutageProof proof = { "media-proof.service", "vpn", "unitproof-test-no-such.service" };
        KsEarlier earlier = { .digest = "0", .cookie = 1 };

        assert_int_equal(id128_random(earlier.run), 0);
        assert_int_equal(id128_boot(earlier.boot_id), 0);
        /* The tunnel's unit does not run: no invocation ID, as here. */
        assert_int_equal(ks_earlier_write(world->dir_fd, "vpn", &earlier), 0);
        assert_int_equal(outage_await(&proof, world->dir_fd, 0), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_lock, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_passed, set_up, tear_down),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
