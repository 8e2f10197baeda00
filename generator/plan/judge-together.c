/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Keys that Podman 5.4 refuses beside another one. What Docker passes over there is left out, and said: the
 * container is the same. What Docker refuses as well is a mistake. */

static bool leave_out(Draft *d, const char *key, const Node *value, const char *why) {
        bool says_something =
                node_is_scalar(value) ? value->kind != NODE_BOOL || value_is_true(value) : value->n > 0;

        if (says_something)
                diag_note(d->lower->diag, value->span, "different", "'%s' of '%s' is left out: %s", key,
                          d->service->name, why);
        return false;
}

static const char *own_text(const Draft *d, const char *key) {
        return node_get_text(d->service->node, key) ?: "";
}

static bool has_network(Draft *d, const char *key, const Node *value) {
        return d->service->network != NETWORK_NONE || leave_out(d, key, value, "it has no network");
}

static bool has_own_links(Draft *d, const char *key, const Node *value) {
        if (d->service->network != NETWORK_HOST)
                return has_network(d, key, value);
        draft_refuse(d, value, "'%s' of '%s' cannot be set: it has the host's network", key,
                     d->service->name);
        diag_hint(d->lower->diag, "remove it; the links are the host's");
        return false;
}

/* Docker has /dev/shm from the host or from the other container, or has none. */
static bool has_own_memory(Draft *d, const char *key, const Node *value) {
        const char *ipc = own_text(d, "ipc");

        if (!ipc[0] || str_equal(ipc, "private") || str_equal(ipc, "shareable"))
                return true;
        return leave_out(d, key, value,
                         str_equal(ipc, "none") ? "with 'ipc: none' it has no shared memory"
                                                : "its shared memory is another's, by 'ipc'");
}

static bool has_own_processes(Draft *d, const char *key, const Node *value) {
        const char *pid = own_text(d, "pid");

        if (!pid[0] || str_equal(pid, "private"))
                return true;
        return leave_out(d, key, value, "by 'pid' the first process is another's, which reaps for all");
}

static const Node *limit_of(const Draft *d, const char *key) {
        const Node *resources = node_get(node_get(d->service->node, "deploy"), "resources");

        return node_get(node_get(resources, "limits"), key);
}

static bool has_no_cpus(Draft *d, const char *key, const Node *value) {
        const Node *own = node_get(d->service->node, "cpus"), *limit = limit_of(d, "cpus");

        if (!node_is_scalar(own) && !node_is_scalar(limit))
                return true;
        draft_refuse(d, value, "'%s' of '%s' stands beside 'cpus', which sets the same", key,
                     d->service->name);
        diag_hint(d->lower->diag, "say it once: 'cpus: 0.5' is a quota of half of each period");
        return false;
}

/* It counts memory and swap together. */
static bool fits_memory(Draft *d, const char *key, const Node *value) {
        const char *memory = node_get_text(d->service->node, "mem_limit") ?: "0";
        const Node *limit = limit_of(d, "memory");
        long long bytes = strtoll(value->text, NULL, 10), least;

        least = strtoll(str_equal(memory, "0") && node_is_scalar(limit) ? limit->text : memory, NULL, 10);
        if (bytes <= 0 || (least > 0 && bytes >= least))
                return true;
        if (least > 0) {
                draft_refuse(d, value, "'%s' of '%s' is less than its memory alone may be", key,
                             d->service->name);
                diag_hint(d->lower->diag, "it counts memory and swap together: write the sum of both");
        } else {
                draft_refuse(d, value, "'%s' of '%s' needs 'mem_limit', which it counts in", key,
                             d->service->name);
                diag_hint(d->lower->diag, "say 'mem_limit' as well");
        }
        return false;
}

static const struct {
        const char *key;
        bool (*stands)(Draft *d, const char *key, const Node *value);
} rules[] = {
        { "cpu_period", has_no_cpus },    { "cpu_quota", has_no_cpus },     { "dns", has_network },
        { "dns_opt", has_network },       { "dns_search", has_network },    { "init", has_own_processes },
        { "mac_address", has_own_links }, { "memswap_limit", fits_memory }, { "shm_size", has_own_memory },
};

bool judge_together(Draft *d, const NodePair *pair) {
        for (size_t i = 0; i < ELEMENTS(rules); i++)
                if (str_equal(rules[i].key, pair->key->text))
                        return rules[i].stands(d, rules[i].key, pair->value);
        return true;
}
