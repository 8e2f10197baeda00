/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/status-proofs.h"
#include "generator/command/status-units.h"

/* What `unitproof status` knows of a stack; it is told as text, as JSON and as metrics. */

/* Rows of units: two that speak for the stack, then its services. */
enum { UNIT_TARGET, UNIT_HALT, UNIT_SERVICES };

typedef struct StackStatus {
        const char *name;   /* of the stack; where nothing could be found, what was asked for */
        Compiled *compiled; /* plan and model are NULL if it does not compile; then there are rows of units
                               for the stack alone, or none if there is no such stack, and no proofs */
        UnitStatus *units;
        UnitStatus *running; /* of a stack with errors: what is known of it without a model */
        size_t n_running;
        const char *units_problem; /* NULL, or why systemd was not asked */
        bool *held;                /* parallel to the services: a client that was stopped by hand */
        ProofStatus *proofs;
        int status;
} StackStatus;

bool unit_is_failed(const UnitStatus *u);

/* How many services are known. */
size_t status_n_services(const StackStatus *st);

/* docs/schema/status.json: a stack, and one with errors */
json_t *status_json(Session *s, const StackStatus *st);
json_t *status_broken_json(Session *s, const StackStatus *st);

/* All stacks in the text format of Prometheus, owned by the arena. */
const char *status_metrics(Session *s, const StackStatus *stacks, size_t n);

/* DIR/unitproof.prom, whole or not at all. 0 or a negative errno. */
int status_metrics_write(const char *dir, const char *text);
