/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* When a service comes back, and how long it may take to stop. */

/* Docker starts counting anew once a container has run for 10 s; systemd counts starts within an interval. */
#define ATTEMPTS_INTERVAL "600"

typedef struct Policy {
        const char *restart;  /* of systemd */
        const char *attempts; /* most restarts, NULL: no end */
        const char *delay;    /* "5s", or NULL */
        Span span;
} Policy;

/* A client comes back through its return unit alone: with Restart= as well each crash would run the proofs
 * twice. Its start limit stays systemd's own, so that a client which crashes at once gets growing pauses,
 * too. */
static void client_policy(Draft *d, const Policy *p) {
        const char *unit = lower_return_unit(d->lower, d->service);

        if (p->attempts || p->delay) {
                diag_warning(d->lower->diag, p->span, "different",
                             "'%s' is a client of the tunnel '%s': it is brought back without a limit of "
                             "attempts, and with pauses that grow",
                             d->service->name, d->service->tunnel->name);
                diag_hint(d->lower->diag, "what it comes to is 'restart: %s'",
                          str_equal(p->restart, "no") ? "\"no\"" : p->restart);
        }
        unit_line(&d->lines, "Restart", ESCAPE_WORD, "no");
        if (!str_equal(p->restart, "no"))
                deps_add(d->lower->arena, &d->deps, DEP_ON_FAILURE, unit);
        /* Not systemd's "replace": the return unit requires the tunnel to be active, and that job would take
         * the place of a stop of the tunnel that is on its way. */
        unit_line(&d->unit, "OnFailureJobMode", ESCAPE_WORD, "fail");
        if (str_equal(p->restart, "always"))
                deps_add(d->lower->arena, &d->deps, DEP_ON_SUCCESS, unit);
}

/* A service that runs to its end is done when it succeeds. */
static const char *completing_restart(Draft *d, const Policy *p) {
        if (!str_equal(p->restart, "always"))
                return p->restart;
        diag_warning(d->lower->diag, p->span, "different",
                     "'%s' is not restarted when it has succeeded, since others wait for that",
                     d->service->name);
        diag_hint(d->lower->diag, "what it comes to is 'restart: on-failure'");
        return "on-failure";
}

static void write_policy(Draft *d, const Policy *p) {
        const char *restart = d->service->completes ? completing_restart(d, p) : p->restart;
        UnitWriter *w = &d->lines;

        w->span = d->unit.span = p->span;
        if (d->service->tunnel && !d->service->completes) {
                client_policy(d, p);
                return;
        }
        unit_line(w, "Restart", ESCAPE_WORD, restart);
        if (str_equal(restart, "no"))
                return;
        if (p->attempts) {
                unit_line(&d->unit, "StartLimitIntervalSec", ESCAPE_WORD, ATTEMPTS_INTERVAL);
                unit_linef(&d->unit, "StartLimitBurst", ESCAPE_WORD, "%ld",
                           strtol(p->attempts, NULL, 10) + 1);
                unit_line(w, "RestartSec", ESCAPE_WORD, p->delay ?: "1s");
                return;
        }
        unit_line(&d->unit, "StartLimitIntervalSec", ESCAPE_WORD, "0");
        lower_write_pauses(d->lower, w, p->delay ?: "1s", p->delay ?: "1s");
}

static bool is_count(const char *text) {
        return text[0] && strlen(text) < 9 && text[strspn(text, "0123456789")] == '\0';
}

static void refuse_policy(Draft *d, const Node *value) {
        draft_refuse(d, value, "the restart policy '%s' of '%s' is not known", value->text, d->service->name);
        diag_hint(d->lower->diag, "use no, always, unless-stopped, on-failure or on-failure:N");
}

static bool restart_read(const Node *value, Policy *ret) {
        Policy p = { .span = value->span };

        if (str_equal(value->text, "always") || str_equal(value->text, "unless-stopped"))
                p.restart = "always";
        else if (str_equal(value->text, "no") || str_equal(value->text, "") || value->kind == NODE_BOOL)
                p.restart = "no";
        else if (str_has_prefix(value->text, "on-failure")) {
                const char *rest = value->text + strlen("on-failure");

                p.restart = "on-failure";
                if (rest[0] == ':' && is_count(rest + 1))
                        p.attempts = str_equal(rest + 1, "0") ? NULL : rest + 1;
                else if (rest[0])
                        p.restart = NULL;
        }
        if (!p.restart)
                return false;
        *ret = p;
        return true;
}

/* deploy.restart_policy has the last word, as in Compose. */
static const Node *deploy_policy(const Service *s) {
        return node_get(node_get(s->node, "deploy"), "restart_policy");
}

void emit_restart(Draft *d, const ServiceKey *key, const Node *value) {
        Policy p;

        (void) key;
        if (!node_is_scalar(value) || deploy_policy(d->service))
                return;
        if (restart_read(value, &p))
                write_policy(d, &p);
        else
                refuse_policy(d, value);
}

/* mapRestartPolicyCondition() of Compose: the words of "restart" are taken as well. */
static const struct {
        const char *compose, *systemd;
} conditions[] = {
        { "any", "always" },
        { "always", "always" },
        { "unless-stopped", "always" },
        { "on-failure", "on-failure" },
        { "none", "no" },
        { "no", "no" },
};

/* NULL: a condition that is not known. */
static const char *condition_read(const Node *condition) {
        if (!node_is_scalar(condition) || !condition->text[0])
                return "always";
        for (size_t i = 0; i < ELEMENTS(conditions); i++)
                if (str_equal(condition->text, conditions[i].compose))
                        return conditions[i].systemd;
        return NULL;
}

void draft_restart_policy(Draft *d, const Node *policy) {
        const Node *condition = node_get(policy, "condition"), *delay = node_get(policy, "delay");
        const Node *attempts = node_get(policy, "max_attempts");
        Policy p = { .restart = condition_read(condition), .span = policy->span };
        unsigned seconds;

        if (!p.restart) {
                refuse_policy(d, condition);
                return;
        }
        if (node_is_scalar(attempts) && is_count(attempts->text) && !str_equal(attempts->text, "0"))
                p.attempts = attempts->text;
        if (node_is_scalar(delay) && value_seconds(delay->text, &seconds))
                p.delay = arena_printf(d->lower->arena, "%us", seconds);
        write_policy(d, &p);
}

bool lower_is_kept_up(const Service *s) {
        const Node *deploy = deploy_policy(s), *restart = node_get(s->node, "restart");
        const char *word = "no";
        Policy p;

        if (deploy)
                word = condition_read(node_get(deploy, "condition"));
        else if (node_is_scalar(restart))
                word = restart_read(restart, &p) ? p.restart : NULL;
        return !word || str_equal(word, "always");
}

void emit_stop_grace_period(Draft *d, const ServiceKey *key, const Node *value) {
        unsigned seconds;

        if (!node_is_scalar(value))
                return;
        if (!value_seconds(value->text, &seconds)) {
                draft_refuse(d, value, "'%s' is no duration", value->text);
                return;
        }
        d->lines.span = value->span;
        draft_line(d, &d->container, key->name, key->class, value,
                   arena_printf(d->lower->arena, "%u", seconds));
        /* systemd must not lose patience before the engine does. */
        if (seconds + 30 > 90)
                unit_linef(&d->lines, "TimeoutStopSec", ESCAPE_WORD, "%u", seconds + 30);
}
