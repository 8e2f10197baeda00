/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Speaks for systemd on its private socket: manager SOCKET DIRECTORY. A unit is a directory of files, one for
 * each property (ActiveState, Result, JobType, ...); what is not there is empty or 0. A unit without
 * directory is not loaded. The file "start" of a unit lists how its starts end, one word a line, the last for
 * all that follow: "done" (it is then active), another result of a job, "silent" (done, but nobody is told),
 * or "refuse". Each StartUnit() adds a line to "starts" with the mode; TryRestartUnit() one to "restarts",
 * unless there is a file "refuse". A unit with a file "vanish" is asked for once in vain: the connection
 * ends. */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

#define MANAGER "org.freedesktop.systemd1"
#define UNIT_PREFIX "/org/freedesktop/systemd1/unit"
#define JOB_PREFIX "/org/freedesktop/systemd1/job"

static const char *directory;

static void file_path(const char *unit, const char *name, char ret[512]) {
        (void) snprintf(ret, 512, "%s/%s/%s", directory, unit, name);
}

static void file_read(const char *unit, const char *name, size_t size, char *ret) {
        char path[512];
        FILE *f;

        file_path(unit, name, path);
        ret[0] = '\0';
        f = fopen(path, "re");
        if (!f)
                return;
        if (!fgets(ret, (int) size, f))
                ret[0] = '\0';
        ret[strcspn(ret, "\n")] = '\0';
        (void) fclose(f);
}

static void file_write(const char *unit, const char *name, const char *mode, const char *text) {
        char path[512];
        FILE *f;

        file_path(unit, name, path);
        f = fopen(path, mode);
        if (!f)
                exit(EXIT_FAILURE);
        fprintf(f, "%s\n", text);
        (void) fclose(f);
}

static bool unit_exists(const char *unit) {
        char path[512];
        struct stat st;

        file_path(unit, "", path);
        return stat(path, &st) == 0;
}

/* Result of start number n, counted from 0. */
static void start_result(const char *unit, unsigned n, char ret[32]) {
        char path[512], line[32];
        FILE *f;

        file_path(unit, "start", path);
        (void) snprintf(ret, 32, "done");
        f = fopen(path, "re");
        for (unsigned i = 0; f && i <= n && fgets(line, sizeof(line), f); i++) {
                line[strcspn(line, "\n")] = '\0';
                (void) snprintf(ret, 32, "%s", line);
        }
        if (f)
                (void) fclose(f);
}

static unsigned starts_count(const char *unit) {
        char path[512], line[64];
        unsigned n = 0;
        FILE *f;

        file_path(unit, "starts", path);
        f = fopen(path, "re");
        while (f && fgets(line, sizeof(line), f))
                n++;
        if (f)
                (void) fclose(f);
        return n;
}

static int on_get_unit(sd_bus_message *m) {
        char *path = NULL, gone[512];
        const char *unit;
        int r;

        if (sd_bus_message_read(m, "s", &unit) < 0)
                return -EINVAL;
        file_path(unit, "vanish", gone);
        if (unlink(gone) == 0)
                exit(EXIT_SUCCESS);
        if (!unit_exists(unit))
                return sd_bus_reply_method_errorf(m, MANAGER ".NoSuchUnit", "Unit %s not loaded.", unit);
        r = sd_bus_path_encode(UNIT_PREFIX, unit, &path);
        if (r >= 0)
                r = sd_bus_reply_method_return(m, "o", path);
        free(path);
        return r;
}

static int on_start(sd_bus_message *m, sd_bus *bus) {
        char result[32], path[512];
        const char *unit, *mode;
        int r;

        if (sd_bus_message_read(m, "ss", &unit, &mode) < 0)
                return -EINVAL;
        start_result(unit, starts_count(unit), result);
        file_write(unit, "starts", "ae", mode);
        if (strcmp(result, "refuse") == 0)
                return sd_bus_reply_method_errorf(m, MANAGER ".TransactionIsDestructive",
                                                  "A stop is queued.");
        (void) snprintf(path, sizeof(path), JOB_PREFIX "/%u", starts_count(unit));
        r = sd_bus_reply_method_return(m, "o", path);
        if (strcmp(result, "done") == 0 || strcmp(result, "silent") == 0)
                file_write(unit, "ActiveState", "we", "active");
        if (r < 0 || strcmp(result, "silent") == 0)
                return r;
        /* Somebody else's job first. */
        r = sd_bus_emit_signal(bus, "/org/freedesktop/systemd1", MANAGER ".Manager", "JobRemoved", "uoss",
                               900, JOB_PREFIX "/900", "other.service", "failed");
        if (r < 0)
                return r;
        return sd_bus_emit_signal(bus, "/org/freedesktop/systemd1", MANAGER ".Manager", "JobRemoved", "uoss",
                                  starts_count(unit), path, unit, result);
}

static int on_restart(sd_bus_message *m) {
        const char *unit, *mode;
        char refuse[8];

        if (sd_bus_message_read(m, "ss", &unit, &mode) < 0)
                return -EINVAL;
        file_read(unit, "refuse", sizeof(refuse), refuse);
        if (refuse[0] != '\0')
                return sd_bus_reply_method_errorf(m, MANAGER ".TransactionIsDestructive",
                                                  "A stop is queued.");
        file_write(unit, "restarts", "ae", mode);
        return sd_bus_reply_method_return(m, "o", JOB_PREFIX "/800");
}

/* The job's path carries the unit's name, since nothing else is known of a job here. */
static int on_get_job(sd_bus_message *m, const char *object, const char *property) {
        char *unit = NULL, text[256] = "";

        if (strcmp(property, "JobType") == 0 && sd_bus_path_decode(object, JOB_PREFIX "/of", &unit) > 0)
                file_read(unit, "JobType", sizeof(text), text);
        free(unit);
        if (text[0] == '\0')
                return sd_bus_reply_method_errorf(m, SD_BUS_ERROR_UNKNOWN_OBJECT, "No such job.");
        return sd_bus_reply_method_return(m, "v", "s", text);
}

static int on_get(sd_bus_message *m) {
        const char *object = sd_bus_message_get_path(m), *interface, *property;
        char *unit = NULL, *job = NULL, text[256];
        int r;

        if (sd_bus_message_read(m, "ss", &interface, &property) < 0)
                return -EINVAL;
        if (strncmp(object, JOB_PREFIX, strlen(JOB_PREFIX)) == 0)
                return on_get_job(m, object, property);
        if (sd_bus_path_decode(object, UNIT_PREFIX, &unit) <= 0)
                return -EINVAL;
        if (strcmp(property, "Job") == 0) {
                file_read(unit, "JobType", sizeof(text), text);
                r = sd_bus_path_encode(JOB_PREFIX "/of", unit, &job);
                if (r >= 0)
                        r = sd_bus_reply_method_return(m, "v", "(uo)", text[0] ? 7 : 0, text[0] ? job : "/");
        } else if (strstr(property, "Timestamp")) {
                file_read(unit, property, sizeof(text), text);
                r = sd_bus_reply_method_return(m, "v", "t", strtoull(text, NULL, 10));
        } else if (strcmp(property, "MainPID") == 0) {
                file_read(unit, property, sizeof(text), text);
                r = sd_bus_reply_method_return(m, "v", "u", (uint32_t) strtoul(text, NULL, 10));
        } else if (strcmp(property, "ExecMainCode") == 0 || strcmp(property, "ExecMainStatus") == 0) {
                file_read(unit, property, sizeof(text), text);
                r = sd_bus_reply_method_return(m, "v", "i", (int32_t) strtol(text, NULL, 10));
        } else {
                file_read(unit, property, sizeof(text), text);
                r = sd_bus_reply_method_return(m, "v", "s", text);
        }
        free(job);
        free(unit);
        return r;
}

static int on_message(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        int r = 0;

        (void) error;
        if (sd_bus_message_is_method_call(m, MANAGER ".Manager", "GetUnit"))
                r = on_get_unit(m);
        else if (sd_bus_message_is_method_call(m, MANAGER ".Manager", "StartUnit"))
                r = on_start(m, userdata);
        else if (sd_bus_message_is_method_call(m, MANAGER ".Manager", "TryRestartUnit"))
                r = on_restart(m);
        else if (sd_bus_message_is_method_call(m, MANAGER ".Manager", "Subscribe"))
                r = sd_bus_reply_method_return(m, "");
        else if (sd_bus_message_is_method_call(m, "org.freedesktop.DBus.Properties", "Get"))
                r = on_get(m);
        else
                return 0;
        return r < 0 ? r : 1;
}

static void serve(int fd) {
        sd_bus *bus = NULL;
        sd_id128_t id;

        if (sd_id128_randomize(&id) < 0 || sd_bus_new(&bus) < 0 || sd_bus_set_fd(bus, fd, fd) < 0 ||
            sd_bus_set_server(bus, 1, id) < 0 || sd_bus_set_anonymous(bus, 1) < 0 ||
            sd_bus_add_filter(bus, NULL, on_message, bus) < 0 || sd_bus_start(bus) < 0)
                exit(EXIT_FAILURE);
        for (;;) {
                int r = sd_bus_process(bus, NULL);

                if (r == 0)
                        r = sd_bus_wait(bus, UINT64_MAX);
                if (r < 0)
                        exit(EXIT_SUCCESS);
        }
}

int main(int argc, char **argv) {
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        int listener;

        if (argc != 3 || strlen(argv[1]) >= sizeof(address.sun_path))
                return EXIT_FAILURE;
        directory = argv[2];
        memcpy(address.sun_path, argv[1], strlen(argv[1]) + 1);
        listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (listener < 0 || bind(listener, (struct sockaddr *) &address, sizeof(address)) < 0 ||
            listen(listener, 16) < 0)
                return EXIT_FAILURE;
        for (;;) {
                int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

                while (waitpid(-1, NULL, WNOHANG) > 0)
                        ;
                if (fd >= 0 && fork() == 0)
                        serve(fd);
                if (fd >= 0)
                        (void) close(fd);
        }
}
