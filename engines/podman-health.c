/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a container's health check said last. Podman keeps that in a file, which `podman inspect` only repeats
 * (libpod: healthcheck.log beside the directory of the container's pidfile). The file is read where that is
 * possible, since a run of podman takes a tenth of a second; whatever is odd about it, podman is asked. */

#include "engines/podman-health.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engines/run.h"
#include "proofs/handles.h"
#include "proofs/util.h"

enum { HEALTH_FILE_MAX = 1024 * 1024 };

/* A time of RFC 3339, section 5.6: "2026-11-30T09:27:19.123456789Z", or with an offset. 0: it is none. */
static uint64_t time_parse(const char *text) {
        struct tm tm = { .tm_isdst = 0 };
        int used = 0, hours = 0, minutes = 0;
        time_t seconds;
        char sign;

        if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
                            &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &used) != 6)
                return 0;
        tm.tm_year -= 1900;
        tm.tm_mon -= 1;
        text += used;
        if (*text == '.')
                text += 1 + strspn(text + 1, "0123456789");
        if (strcmp(text, "Z") != 0 && sscanf(text, "%c%2d:%2d", &sign, &hours, &minutes) != 3)
                return 0;
        seconds = timegm(&tm) - (*text == '-' ? -60 : 60) * (hours * 60 + minutes);
        return seconds > 0 ? (uint64_t) seconds * USEC_PER_SEC : 0;
}

/* {"Status": …, "Log": [{"Output": …, "End": …}, …]}, in the file and below "State" of inspect. No status: no
 * check. */
static int health_parse(const json_t *health, HealthReport *report) {
        const char *status = json_string_value(json_object_get(health, "Status"));
        const json_t *log = json_object_get(health, "Log"), *last, *output;

        report->state = HEALTH_NONE;
        if (status && status[0] != '\0') {
                HealthState state = health_state_from_name(status);

                if (state < 0)
                        return -EBADMSG;
                report->state = state;
        }
        last = json_array_get(log, json_array_size(log) - 1);
        report->ended_usec = time_parse(json_string_value(json_object_get(last, "End")));
        output = json_object_get(last, "Output");
        if (json_array_size(log) > 0 && json_is_string(output)) {
                report->last_output = strdup(json_string_value(output));
                if (!report->last_output)
                        return -ENOMEM;
        }
        return 0;
}

/* ---- the file ---- */

/* The value of an option of conmon(8), which takes one word each; NULL: not given. */
static const char *conmon_option(const char *words, size_t length, const char *name) {
        const char *end = words + length;

        for (const char *word = words; word < end; word += strlen(word) + 1) {
                const char *value = word + strlen(word) + 1;

                if (strcmp(word, name) == 0 && value < end)
                        return value;
        }
        return NULL;
}

/* conmon's words; it is alone in the group "runtime", or with what it has just started. */
static int conmon_words(const char *cgroup, char **ret, size_t *ret_length) {
        CLEANUP(handle_free) char *path = text_format("%s/runtime/cgroup.procs", cgroup), *pids = NULL;
        int r, pid, used;

        r = path ? file_read_at(AT_FDCWD, path, SMALL_FILE_MAX, &pids, NULL) : -ENOMEM;
        if (r < 0)
                return r;
        for (const char *p = pids; sscanf(p, "%d %n", &pid, &used) == 1; p += used) {
                CLEANUP(handle_free) char *name = text_format("/proc/%d/comm", pid), *comm = NULL;
                CLEANUP(handle_free) char *words = text_format("/proc/%d/cmdline", pid);

                if (!name || !words)
                        return -ENOMEM;
                if (file_read_at(AT_FDCWD, name, SMALL_FILE_MAX, &comm, NULL) >= 0 &&
                    strcmp(comm, "conmon\n") == 0)
                        return file_read_at(AT_FDCWD, words, SMALL_FILE_MAX, ret, ret_length);
        }
        return -ESRCH;
}

/* DIRECTORY of the option "-p DIRECTORY/ID/userdata/pidfile", if that is where podman itself puts it. */
static int state_directory(const char *pidfile, const char *id, char **ret) {
        CLEANUP(handle_free) char *tail = text_format("/%s/userdata/pidfile", id);
        size_t length = strlen(pidfile), n = tail ? strlen(tail) : 0;
        char *directory;

        if (!tail)
                return -ENOMEM;
        if (pidfile[0] != '/' || length <= n || strcmp(pidfile + length - n, tail) != 0)
                return -ENODATA;
        directory = strndup(pidfile, length - n);
        if (!directory)
                return -ENOMEM;
        *ret = directory;
        return 0;
}

static int kept_path(const char *cgroup, const char *container, char **ret) {
        CLEANUP(handle_free) char *words = NULL, *directory = NULL, *group = NULL;
        const char *id, *name, *pidfile;
        size_t length;
        char *path;
        int r;

        r = conmon_words(cgroup, &words, &length);
        if (r < 0)
                return r;
        id = conmon_option(words, length, "-c");
        name = conmon_option(words, length, "-n");
        pidfile = conmon_option(words, length, "-p");
        if (!id || !pidfile || !name || strcmp(name, container) != 0 || strchr(id, '/'))
                return -ENODATA;
        group = text_format("%s/libpod-payload-%s", cgroup, id);
        if (!group)
                return -ENOMEM;
        if (access(group, F_OK) < 0)
                return -ENODATA;
        r = state_directory(pidfile, id, &directory);
        if (r < 0)
                return r;
        path = text_format("%s/%s/healthcheck.log", directory, id);
        if (!path)
                return -ENOMEM;
        *ret = path;
        return 0;
}

int podman_health_kept(const char *cgroup, const char *container, HealthReport *ret) {
        CLEANUP(handle_free) char *path = NULL, *text = NULL;
        CLEANUP(handle_json) json_t *health = NULL;
        HealthReport report = { .state = HEALTH_NONE };
        size_t length;
        int r;

        r = kept_path(cgroup, container, &path);
        if (r >= 0)
                r = file_read_at(AT_FDCWD, path, HEALTH_FILE_MAX, &text, &length);
        if (r < 0)
                return r == -ENOMEM ? r : -ENODATA;
        /* Podman writes it in place: half of it is no JSON. */
        health = json_loadb(text, length, JSON_REJECT_DUPLICATES, /* error= */ NULL);
        r = health_parse(health, &report);
        if (r < 0 || report.state == HEALTH_NONE) {
                health_report_done(&report);
                return r == -ENOMEM ? r : -ENODATA;
        }
        *ret = report;
        return 0;
}

/* ---- inspect ---- */

/* "State.Health" since 4.0, "State.Healthcheck" before; the key is there with an empty status if the
 * container has no check. */
static const json_t *inspect_health(const json_t *state) {
        const json_t *health = json_object_get(state, "Health");

        return json_is_object(health) ? health : json_object_get(state, "Healthcheck");
}

static int inspect_parse(const char *text, HealthReport *ret) {
        CLEANUP(handle_json) json_t *root = json_loads(text, 0, /* error= */ NULL);
        const json_t *state = json_object_get(json_array_get(root, 0), "State");
        HealthReport report = { .state = HEALTH_NONE };
        int r;

        if (!json_is_object(state) || json_array_size(root) != 1)
                return -EBADMSG;
        report.pid = (pid_t) json_integer_value(json_object_get(state, "Pid"));
        r = health_parse(inspect_health(state), &report);
        if (r < 0)
                return r;
        *ret = report;
        return 0;
}

int podman_health(const char *binary, const char *cgroup, const char *container, uint64_t deadline_usec,
                  HealthReport *ret) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        const char *const argv[] = { binary, "container", "inspect", "--", container, NULL };
        int r;

        r = podman_health_kept(cgroup, container, ret);
        if (r != -ENODATA)
                return r;
        r = spawn_run(argv, deadline_usec, &run);
        if (r < 0)
                return r;
        if (run.status != 0)
                return strstr(run.errors, "no such container") ? -ENOENT : -EIO;
        return inspect_parse(run.output, ret);
}

/* It ends with 0 or 1, as the check says. */
int podman_health_check(const char *binary, const char *container, uint64_t deadline_usec) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        const char *const argv[] = { binary, "healthcheck", "run", "--", container, NULL };
        int r;

        r = spawn_run(argv, deadline_usec, &run);
        if (r < 0)
                return r;
        return run.status == 0 || run.status == 1 ? 0 : -EIO;
}
