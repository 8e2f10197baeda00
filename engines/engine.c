/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engines/engine.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const EngineRow *const engines[] = {
        &engine_podman,
        &engine_native,
};

static const char *const health_states[_HEALTH_MAX] = {
        [HEALTH_NONE] = "none",
        [HEALTH_STARTING] = "starting",
        [HEALTH_HEALTHY] = "healthy",
        [HEALTH_UNHEALTHY] = "unhealthy",
};

const EngineRow *engine_at(size_t i) {
        return i < sizeof(engines) / sizeof(engines[0]) ? engines[i] : NULL;
}

const EngineRow *engine_find(const char *name) {
        for (size_t i = 0; engine_at(i); i++)
                if (strcmp(engine_at(i)->name, name) == 0)
                        return engine_at(i);
        return NULL;
}

int engine_binary(const EngineRow *row, const char **ret) {
        struct stat st;

        if (!row->binaries) {
                *ret = NULL;
                return 0;
        }
        for (const char *const *path = row->binaries; *path; path++)
                if (stat(*path, &st) == 0 && S_ISREG(st.st_mode) && access(*path, X_OK) == 0) {
                        *ret = *path;
                        return 0;
                }
        return -ENOENT;
}

const char *health_state_name(HealthState state) {
        return state >= 0 && state < _HEALTH_MAX ? health_states[state] : "unknown";
}

HealthState health_state_from_name(const char *name) {
        for (HealthState state = 0; name && state < _HEALTH_MAX; state++)
                if (strcmp(name, health_states[state]) == 0)
                        return state;
        return _HEALTH_INVALID;
}

void health_report_done(HealthReport *report) {
        free(report->last_output);
        *report = (HealthReport){ .state = HEALTH_NONE };
}
