/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What podman keeps of a health check, read beside a process that looks like conmon: this program, under that
 * name. */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "case.h"
#include "engines/podman-health.h"
#include "engines/run.h"
#include "proofs/handles.h"
#include "proofs/util.h"

typedef struct World {
        char path[64];
        pid_t conmon;
} World;

static char *place(const World *world, const char *name) {
        char *path = text_format("%s/%s", world->path, name);

        assert_non_null(path);
        return path;
}

static void make_directory(const World *world, const char *name) {
        CLEANUP(handle_free) char *path = place(world, name);

        assert_int_equal(mkdir(path, 0755), 0);
}

static void write_text(const World *world, const char *name, const char *text) {
        CLEANUP(handle_free) char *path = place(world, name);
        CLEANUP(handle_fclose) FILE *stream = fopen(path, "we");

        assert_non_null(stream);
        assert_true(fputs(text, stream) >= 0);
}

/* conmon and its group, with this pidfile. */
static void conmon_start(World *world, const char *name, const char *pidfile) {
        CLEANUP(handle_free) char *program = place(world, "conmon"), *pids = NULL;
        const char *const argv[] = {
                program, "--api-version", "1",  "-c",    "abc", "-u", "abc",
                "-r",    "/crun",         "-p", pidfile, "-n",  name, "--exit-command-arg",
                NULL
        };
        char comm[16] = "";

        world->conmon = fork();
        assert_true(world->conmon >= 0);
        if (world->conmon == 0) {
                (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
                (void) execv(program, (char *const *) argv);
                _exit(127);
        }
        while (strcmp(comm, "conmon\n") != 0) {
                CLEANUP(handle_free) char *path = text_format("/proc/%d/comm", world->conmon);
                CLEANUP(handle_fclose) FILE *stream = fopen(path, "re");

                assert_non_null(stream);
                assert_non_null(fgets(comm, sizeof(comm), stream));
                time_sleep_usec(USEC_PER_MSEC);
        }
        pids = text_format("1\n%d\n", world->conmon);
        write_text(world, "runtime/cgroup.procs", pids);
}

static int set_up(void **state) {
        static World world;
        CLEANUP(handle_free) char *program = NULL;
        char self[4096] = "";

        (void) snprintf(world.path, sizeof(world.path), "/tmp/unitproof-test-XXXXXX");
        if (!mkdtemp(world.path) || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
                return -1;
        program = place(&world, "conmon");
        if (symlink(self, program) < 0)
                return -1;
        make_directory(&world, "runtime");
        make_directory(&world, "libpod-payload-abc");
        make_directory(&world, "abc");
        *state = &world;
        return 0;
}

static int tear_down(void **state) {
        World *world = *state;
        const char *const argv[] = { "/bin/rm", "-rf", "--", world->path, NULL };
        CLEANUP(spawned_done) Spawned removal = { .status = -1 };

        if (world->conmon > 0) {
                (void) kill(world->conmon, SIGKILL);
                (void) waitpid(world->conmon, NULL, 0);
                world->conmon = 0;
        }
        return spawn_run(argv, time_monotonic_usec() + 5 * USEC_PER_SEC, &removal);
}

static void test_kept(void **state) {
        static const struct {
                const char *text;
                int result;
                HealthState health;
                const char *output;
        } cases[] = {
                { "{\"Status\":\"healthy\",\"FailingStreak\":0,\"Log\":[{\"ExitCode\":1,\"Output\":\"a\"},"
                  "{\"ExitCode\":0,\"Output\":\"b\"}]}",
                  0, HEALTH_HEALTHY, "b" },
                { "{\"Status\":\"starting\",\"FailingStreak\":0,\"Log\":null}", 0, HEALTH_STARTING, NULL },
                { "{\"Status\":\"unhealthy\",\"Log\":[]}", 0, HEALTH_UNHEALTHY, NULL },
                { "{\"Status\":\"\",\"Log\":null}", -ENODATA, 0, NULL },
                { "{\"Status\":\"splendid\"}", -ENODATA, 0, NULL },
                { "{\"Status\":\"healthy\",\"FailingStr", -ENODATA, 0, NULL }, /* half written */
                { "", -ENODATA, 0, NULL },
        };
        World *world = *state;
        CLEANUP(handle_free) char *pidfile = place(world, "abc/userdata/pidfile");

        conmon_start(world, "app", pidfile);
        for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
                HealthReport report = { .state = _HEALTH_INVALID };

                write_text(world, "abc/healthcheck.log", cases[i].text);
                assert_int_equal(podman_health_kept(world->path, "app", &report), cases[i].result);
                if (cases[i].result < 0)
                        continue;
                assert_int_equal(report.state, cases[i].health);
                if (cases[i].output)
                        assert_string_equal(report.last_output, cases[i].output);
                else
                        assert_null(report.last_output);
                health_report_done(&report);
        }
}

static const char healthy[] = "{\"Status\":\"healthy\",\"Log\":null}";

static void assert_asks(const World *world, const char *container) {
        HealthReport report = { .state = _HEALTH_INVALID };

        assert_int_equal(podman_health_kept(world->path, container, &report), -ENODATA);
        assert_int_equal(report.state, _HEALTH_INVALID);
}

/* Of another container, or of one that is not in this unit's group. */
static void test_other(void **state) {
        World *world = *state;
        CLEANUP(handle_free) char *pidfile = place(world, "abc/userdata/pidfile"), *group = NULL;

        write_text(world, "abc/healthcheck.log", healthy);
        assert_asks(world, "app"); /* nothing runs */
        conmon_start(world, "app", pidfile);
        assert_asks(world, "other");
        group = place(world, "libpod-payload-abc");
        assert_int_equal(rmdir(group), 0);
        assert_asks(world, "app");
}

/* Somebody gave the pidfile a place of its own. */
static void test_pidfile(void **state) {
        World *world = *state;
        CLEANUP(handle_free) char *pidfile = place(world, "pidfile");

        write_text(world, "abc/healthcheck.log", healthy);
        conmon_start(world, "app", pidfile);
        assert_asks(world, "app");
}

/* No check, or podman was told to keep its results elsewhere. */
static void test_missing(void **state) {
        World *world = *state;
        CLEANUP(handle_free) char *pidfile = place(world, "abc/userdata/pidfile");

        conmon_start(world, "app", pidfile);
        assert_asks(world, "app");
}

int main(int argc, char **argv) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_kept, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_other, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_pidfile, set_up, tear_down),
                cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
        };

        (void) argv;
        if (argc > 1)
                return pause();
        return cmocka_run_group_tests(tests, NULL, NULL);
}
