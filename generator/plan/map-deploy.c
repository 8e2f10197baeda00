/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* "deploy": what means something on one host is mapped, what asks for several hosts or containers is refused.
 */

static void emit_limits(Draft *d, const Node *resources) {
        static const struct {
                const char *section, *key, *flag, *same; /* same: the service key that says it, too */
        } rows[] = {
                { "limits", "cpus", "--cpus", "cpus" },
                { "limits", "memory", "--memory", "mem_limit" },
                { "limits", "pids", "--pids-limit", "pids_limit" },
                { "reservations", "memory", "--memory-reservation", "mem_reservation" },
        };

        for (size_t i = 0; i < ELEMENTS(rows); i++) {
                const Node *n = node_get(node_get(resources, rows[i].section), rows[i].key);

                /* Compose copies the old keys here; once is enough. */
                if (node_is_scalar(n) && !str_equal(n->text, "0") &&
                    node_is_null(node_get(d->service->node, rows[i].same)) &&
                    !(str_equal(rows[i].key, "memory") && draft_is_unlimited(d, "memory", n)) &&
                    judge_value(d, rows[i].flag, rows[i].key, n))
                        draft_podman_arg(d, &d->container, rows[i].flag, n, n->text);
        }
}

static void emit_reserved_devices(Draft *d, const Node *resources) {
        const Node *devices = node_get(node_get(resources, "reservations"), "devices");
        const Node *generic = node_get(node_get(resources, "reservations"), "generic_resources");

        if (devices)
                emit_device_requests(d, devices);
        if (generic && generic->n > 0)
                draft_refuse(d, generic, "generic_resources of '%s' need a Swarm", d->service->name);
}

static void refuse_replicas(Draft *d, const Node *deploy) {
        const Node *mode = node_get(deploy, "mode"), *replicas = node_get(deploy, "replicas");

        if (node_is_scalar(mode) && mode->text[0] && !str_equal(mode->text, "replicated") &&
            !str_equal(mode->text, "global"))
                draft_refuse(d, mode, "deploy mode '%s' of '%s' is not supported", mode->text,
                             d->service->name);
        if (node_is_scalar(replicas) && !str_equal(replicas->text, "1")) {
                draft_refuse(d, replicas, "'replicas: %s' of '%s': one unit is one container", replicas->text,
                             d->service->name);
                diag_hint(d->lower->diag, HINT_ONE_CONTAINER);
        }
}

/* What Compose itself passes over on one host. */
static void note_swarm(Draft *d, const Node *deploy) {
        static const char *const paths[][3] = {
                { "update_config" },
                { "rollback_config" },
                { "endpoint_mode" },
                { "labels" },
                { "placement", "preferences" },
                { "placement", "max_replicas_per_node" },
                { "resources", "reservations", "cpus" },
                { "restart_policy", "window" },
        };

        for (size_t i = 0; i < ELEMENTS(paths); i++) {
                const Node *section = deploy;
                const NodePair *p = NULL;
                Buf path = BUF(d->lower->arena);

                for (size_t j = 0; j < ELEMENTS(paths[i]) && paths[i][j]; j++) {
                        p = node_get_pair(section, paths[i][j]);
                        section = p ? p->value : NULL;
                        buf_printf(&path, ".%s", paths[i][j]);
                }
                if (p && !node_is_null(p->value))
                        diag_note(d->lower->diag, p->key->span, "different",
                                  "deploy%s of '%s' is left out: it is for a Swarm", buf_text(&path),
                                  d->service->name);
        }
}

void emit_deploy(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *resources = node_get(value, "resources"), *policy = node_get(value, "restart_policy");
        const Node *constraints = node_get(node_get(value, "placement"), "constraints");

        (void) key;
        if (value->kind != NODE_MAPPING)
                return;
        refuse_replicas(d, value);
        if (constraints && constraints->n > 0)
                diag_note(d->lower->diag, constraints->span, "different",
                          "deploy.placement of '%s' is left out: there is one host", d->service->name);
        emit_limits(d, resources);
        emit_reserved_devices(d, resources);
        if (policy && policy->kind == NODE_MAPPING)
                draft_restart_policy(d, policy);
        note_swarm(d, value);
}
