/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <strings.h>

#include "generator/base/str.h"
#include "generator/base/unit-name.h"
#include "generator/compose/value.h"
#include "generator/plan/lower.h"

/* What a service may use and may do: capabilities, security options, devices, limits, logs. */

static const char *capability_name(const char *text) {
        return text + (strncasecmp(text, "CAP_", 4) == 0 ? 4 : 0);
}

static bool capability_is_in(const Node *list, const char *name) {
        for (size_t i = 0; list && list->kind == NODE_SEQUENCE && i < list->n; i++)
                if (strcasecmp(capability_name(list->items[i]->text), name) == 0)
                        return true;
        return false;
}

/* Docker drops first and adds then; Podman refuses both at once. With "ALL" added, what is dropped is
 * dropped from all, in both. */
static bool is_added_again(Draft *d, const ServiceKey *key, const Node *n) {
        const Node *added = node_get(d->service->node, "cap_add");
        const char *name = capability_name(n->text);

        if (!str_equal(key->key, "cap_drop") || !capability_is_in(added, name) ||
            (capability_is_in(added, "ALL") && strcasecmp(name, "ALL") != 0))
                return false;
        diag_note(d->lower->diag, n->span, "different",
                  "'%s' of '%s' is dropped and added: it has it, as with Docker, and the drop is left out",
                  n->text, d->service->name);
        return true;
}

void emit_capabilities(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                if (judge_capability(d, value->items[i]) && !is_added_again(d, key, value->items[i]))
                        draft_line(d, &d->container, key->name, ESCAPE_WORD, value->items[i],
                                   value->items[i]->text);
}

static void emit_security_option(Draft *d, const Node *n) {
        const char *text = n->text;
        size_t at = strcspn(text, "=:");
        const char *name = arena_strndup(d->lower->arena, text, at), *value = text[at] ? text + at + 1 : NULL;
        UnitWriter *w = &d->container;

        if (str_equal(name, "no-new-privileges")) {
                if (!value || str_equal(value, "true"))
                        draft_line(d, w, "NoNewPrivileges", ESCAPE_WORD, n, "true");
        } else if (str_equal(name, "seccomp") && value) {
                if (str_equal(value, "unconfined") || value[0] == '/')
                        draft_line(d, w, "SeccompProfile", ESCAPE_QUADLET_SCALAR, n, value);
                else
                        draft_refuse(d, n, "the seccomp profile '%s' is no absolute path", value);
        } else if (str_equal(name, "label") && str_equal(value, "disable"))
                draft_line(d, w, "SecurityLabelDisable", ESCAPE_WORD, n, "true");
        else if (str_equal(name, "systempaths") && str_equal(value, "unconfined"))
                draft_line(d, w, "Unmask", ESCAPE_QUADLET_ARGV, n, "ALL");
        else if ((str_equal(name, "apparmor") || str_equal(name, "label")) && value)
                draft_podman_arg(d, w, "--security-opt", n,
                                 arena_printf(d->lower->arena, "%s=%s", name, value));
        else {
                draft_refuse(d, n, "the security option '%s' has no counterpart in Podman", text);
                diag_hint(d->lower->diag,
                          "use no-new-privileges, seccomp, apparmor, label or systempaths=unconfined");
        }
}

void emit_security_opt(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                if (node_is_scalar(value->items[i]))
                        emit_security_option(d, value->items[i]);
}

/* ---- logs ---- */

/* conmon refuses to start with an option that its driver does not have. */
/* clang-format off */
static const struct {
        const char *compose, *podman;
        const char *option;         /* the one that it has, or NULL */
} log_drivers[] = {
        { "journald",    "journald",    "tag" },
        { "json-file",   "k8s-file",    "max-size" },
        { "k8s-file",    "k8s-file",    "max-size" },
        { "local",       "k8s-file",    "max-size" },
        { "none",        "none",        NULL },
        { "passthrough", "passthrough", NULL },
};
/* clang-format on */

void emit_logging(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *driver = node_get(value, "driver"), *options = node_get(value, "options");
        size_t row = 1; /* the default of Compose is json-file */
        long long bytes;

        (void) key;
        if (node_is_scalar(driver) && driver->text[0])
                for (row = 0;
                     row < ELEMENTS(log_drivers) && !str_equal(driver->text, log_drivers[row].compose); row++)
                        ;
        if (row == ELEMENTS(log_drivers)) {
                draft_refuse(d, driver, "Podman has no log driver '%s'", driver->text);
                diag_hint(d->lower->diag, "use journald, json-file, local or none; from the journal other "
                                          "programs can forward");
                return;
        }
        if (driver || (options && options->n > 0))
                draft_line(d, &d->container, "LogDriver", ESCAPE_WORD, value, log_drivers[row].podman);
        for (size_t i = 0; options && options->kind == NODE_MAPPING && i < options->n; i++) {
                const NodePair *p = options->pairs + i;
                bool fits = log_drivers[row].option && str_equal(p->key->text, log_drivers[row].option);

                if (!node_is_scalar(p->value))
                        continue;
                if (fits && str_equal(p->key->text, "max-size") &&
                    !value_parse_bytes(p->value->text, &bytes)) {
                        draft_refuse(d, p->value, "the log option 'max-size' of '%s' has to be a size",
                                     d->service->name);
                        diag_hint(d->lower->diag, "write a number with one of the units k, m, g");
                } else if (fits)
                        draft_line(d, &d->container, "LogOpt", ESCAPE_QUADLET_STRV, p->value,
                                   arena_printf(d->lower->arena, "%s=%s", p->key->text, p->value->text));
                else
                        diag_note(d->lower->diag, p->key->span, "different",
                                  "the log option '%s' of '%s' is left out: Podman's %s has none",
                                  p->key->text, d->service->name, log_drivers[row].podman);
        }
}

/* ---- limits ---- */

bool draft_is_unlimited(Draft *d, const char *key, const Node *value) {
        if (!str_equal(value->text, "-1"))
                return false;
        diag_note(d->lower->diag, value->span, "different", "'%s: -1' of '%s' is left out: it is no limit",
                  key, d->service->name);
        return true;
}

/* Docker takes any number for the nearest weight that the kernel has; crun would fail on it. */
void emit_cpu_shares(Draft *d, const ServiceKey *key, const Node *value) {
        static const long least = 2, most = 262144;
        long shares = node_is_scalar(value) ? strtol(value->text, NULL, 10) : 0;
        Node near = *value;

        if (shares <= 0 || (shares >= least && shares <= most)) {
                emit_flag(d, key, value);
                return;
        }
        near.text = shares < least ? "2" : "262144";
        diag_note(d->lower->diag, value->span, "different",
                  "'%s' of '%s' is taken for %s, which is the same weight", key->key, d->service->name,
                  near.text);
        emit_flag(d, key, &near);
}

void emit_memory(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && !draft_is_unlimited(d, key->key, value))
                emit_flag(d, key, value);
}

/* podman build has no key of quadlet for them. */
void draft_build_ulimits(Draft *d, const Node *value) {
        for (size_t i = 0; value && value->kind == NODE_MAPPING && i < value->n; i++) {
                const Node *n = value->pairs[i].value;
                const char *soft = node_is_scalar(n) ? n->text : node_get_text(n, "soft") ?: "0";
                const char *hard = node_is_scalar(n) ? n->text : node_get_text(n, "hard") ?: "0";

                if (judge_ulimit(d, n, value->pairs[i].key->text, soft, hard))
                        draft_podman_arg(d, &d->container, "--ulimit", n,
                                         arena_printf(d->lower->arena, "%s=%s:%s", value->pairs[i].key->text,
                                                      soft, hard));
        }
}

void emit_ulimits(Draft *d, const ServiceKey *key, const Node *value) {
        Arena *a = d->lower->arena;

        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const char *name = value->pairs[i].key->text;
                const Node *n = value->pairs[i].value;
                const char *soft = node_get_text(n, "soft"), *hard = node_get_text(n, "hard");

                if (!node_is_scalar(n) && !soft != !hard) {
                        draft_refuse(d, n, "the limit '%s' of '%s' needs both 'soft' and 'hard'", name,
                                     d->service->name);
                        continue;
                }
                if (!node_is_scalar(n) && !soft)
                        /* How Compose prints "0". */
                        soft = hard = "0";
                if (!judge_ulimit(d, n, name, soft ?: n->text, hard ?: n->text))
                        continue;
                draft_line(d, &d->container, key->name, key->class, n,
                           soft ? arena_printf(a, "%s=%s:%s", name, soft, hard)
                                : arena_printf(a, "%s=%s", name, n->text));
        }
}

/* ---- devices ---- */

/* Each letter once. */
static bool permissions_are_known(const char *text) {
        return !text[strspn(text, "rwm")] && strlen(text) <= 3 &&
               (!text[0] || (!strchr(text + 1, text[0]) && (!text[1] || !strchr(text + 2, text[1]))));
}

void emit_devices(Draft *d, const ServiceKey *key, const Node *value) {
        Arena *a = d->lower->arena;

        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++) {
                const Node *n = value->items[i];
                const char *source = node_get_text(n, "source"), *target = node_get_text(n, "target");
                const char *permissions = node_get_text(n, "permissions");

                if (!source)
                        continue;
                /* quadlet takes "-" for "if it is there". */
                if (source[0] == '-' || strchr(source, ':') || (target && strchr(target, ':'))) {
                        draft_refuse(d, n, "'%s' is no device that Podman could take",
                                     escape_for_message(a, source, 80));
                        continue;
                }
                if (!permissions_are_known(permissions ?: "")) {
                        draft_refuse(d, n, "'%s' is no way to use a device",
                                     escape_for_message(a, permissions, 80));
                        diag_hint(d->lower->diag, "it is made of r, w and m: read, write, make");
                        continue;
                }
                if (source[0] != '/')
                        /* CDI: vendor.com/class=name. */
                        draft_line(d, &d->container, key->name, key->class, n, source);
                else
                        draft_line(d, &d->container, key->name, key->class, n,
                                   arena_printf(a, "%s:%s%s%s", source, target && target[0] ? target : source,
                                                permissions && permissions[0] ? ":" : "", permissions ?: ""));
        }
}

/* Drivers of Docker, and the kinds of the Container Device Interface that stand for them. */
static const struct {
        const char *driver, *kind;
} gpu_kinds[] = {
        { "", "nvidia.com/gpu=" },
        { "amd", "amd.com/gpu=" },
        { "cdi", "" },
        { "nvidia", "nvidia.com/gpu=" },
};

static void emit_gpu(Draft *d, const Node *request) {
        const Node *ids = node_get(request, "device_ids"), *driver = node_get(request, "driver");
        const char *name = node_is_scalar(driver) ? driver->text : "", *kind = NULL;
        const char *count = node_get_text(request, "count");
        Arena *a = d->lower->arena;
        UnitWriter *w = &d->container;

        for (size_t i = 0; i < ELEMENTS(gpu_kinds); i++)
                if (str_equal(name, gpu_kinds[i].driver))
                        kind = gpu_kinds[i].kind;
        if (!kind || (!kind[0] && (!ids || ids->n == 0))) {
                draft_refuse(d, driver, "a device of the driver '%s' cannot be asked for", driver->text);
                diag_hint(d->lower->diag, "name it under 'devices', by its path or its CDI name");
                return;
        }
        if (ids && ids->kind == NODE_SEQUENCE && ids->n > 0) {
                for (size_t i = 0; i < ids->n; i++)
                        draft_line(d, w, "AddDevice", ESCAPE_QUADLET_STRV, ids->items[i],
                                   arena_printf(a, "%s%s", kind, ids->items[i]->text));
                return;
        }
        if (!count || str_equal(count, "-1") || str_equal(count, "all") || str_equal(count, "0"))
                draft_line(d, w, "AddDevice", ESCAPE_QUADLET_STRV, request, arena_printf(a, "%sall", kind));
        else
                for (long i = 0; i < strtol(count, NULL, 10) && i < 64; i++)
                        draft_line(d, w, "AddDevice", ESCAPE_QUADLET_STRV, request,
                                   arena_printf(a, "%s%ld", kind, i));
}

void emit_device_requests(Draft *d, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                emit_gpu(d, value->items[i]);
}

void emit_gpus(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        emit_device_requests(d, value);
}

/* ---- input and output of disks ---- */

static void emit_device_limits(Draft *d, const char *flag, const Node *list, const char *what) {
        for (size_t i = 0; list && list->kind == NODE_SEQUENCE && i < list->n; i++) {
                const char *path = node_get_text(list->items[i], "Path"),
                           *value = node_get_text(list->items[i], what);

                if (path && path[0] && value && !str_equal(value, "0"))
                        draft_podman_arg(d, &d->container, flag, list->items[i],
                                         arena_printf(d->lower->arena, "%s:%s", path, value));
                else
                        draft_refuse(d, list->items[i],
                                     "a limit of a device of '%s' needs both a path and a value",
                                     d->service->name);
        }
}

void emit_blkio(Draft *d, const ServiceKey *key, const Node *value) {
        static const struct {
                const char *compose, *flag, *what;
        } lists[] = {
                { "device_read_bps", "--device-read-bps", "Rate" },
                { "device_read_iops", "--device-read-iops", "Rate" },
                { "device_write_bps", "--device-write-bps", "Rate" },
                { "device_write_iops", "--device-write-iops", "Rate" },
                { "weight_device", "--blkio-weight-device", "Weight" },
        };
        const Node *weight = node_get(value, "weight");

        (void) key;
        if (node_is_scalar(weight) && !str_equal(weight->text, "0") &&
            judge_value(d, "--blkio-weight", "blkio_config.weight", weight))
                draft_podman_arg(d, &d->container, "--blkio-weight", weight, weight->text);
        for (size_t i = 0; i < ELEMENTS(lists); i++)
                emit_device_limits(d, lists[i].flag, node_get(value, lists[i].compose), lists[i].what);
}

/* ---- what the engine runs a container in ---- */

void emit_cgroup_parent(Draft *d, const ServiceKey *key, const Node *value) {
        if (!node_is_scalar(value) || !value->text[0])
                return;
        if (!str_has_suffix(value->text, ".slice") || !unit_name_is_valid(value->text)) {
                draft_refuse(d, value, "'%s' of '%s' has to be a slice of systemd, which '%s' is not",
                             key->key, d->service->name,
                             escape_for_message(d->lower->arena, value->text, 80));
                diag_hint(d->lower->diag, "name one, such as media.slice");
                return;
        }
        d->lines.span = value->span;
        unit_line(&d->lines, key->name, key->class, value->text);
}

void emit_runtime(Draft *d, const ServiceKey *key, const Node *value) {
        if (!node_is_scalar(value) || !value->text[0])
                return;
        if (value->secret ||
            value->text[strspn(value->text,
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-")]) {
                draft_refuse(d, value, "'%s' of '%s' is no name of a runtime", key->key, d->service->name);
                return;
        }
        if (str_equal(value->text, "nvidia")) {
                diag_warning(d->lower->diag, value->span, "different",
                             "Podman has no runtime 'nvidia' unless containers.conf defines one");
                diag_hint(d->lower->diag, "write 'gpus: all' instead, which needs no runtime of its own");
        }
        d->container.span = value->span;
        unit_line(&d->container, key->name, key->class,
                  arena_printf(d->lower->arena, "--runtime=%s", value->text));
}

void emit_storage_opt(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const NodePair *p = value->pairs + i;

                if (node_is_scalar(p->value) &&
                    (str_equal(p->key->text, "size") || str_equal(p->key->text, "inodes")))
                        draft_podman_arg(
                                d, &d->container, key->name, p->value,
                                arena_printf(d->lower->arena, "%s=%s", p->key->text, p->value->text));
                else {
                        draft_refuse(
                                d, p->key,
                                "the storage option '%s' of '%s' is none that a container can have in Podman",
                                escape_for_message(d->lower->arena, p->key->text, 80), d->service->name);
                        diag_hint(d->lower->diag, "use size or inodes; others belong to storage.conf");
                }
        }
}
