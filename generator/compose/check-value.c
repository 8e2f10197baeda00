/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <string.h>
#include <arpa/inet.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Rules on values beyond their type. The patterns are those of the specification's schema, which
 * are not anchored. */

void check_container_name(Load *l, const char *where, const Node *n) {
        for (const char *p = n->text; *p; p++)
                if (isalnum((unsigned char) p[0]) && p[1] &&
                    (isalnum((unsigned char) p[1]) || strchr("_.-", p[1])))
                        return;
        diag_error(l->diag, n->span, "bad-value", "%s is no name of a container: '%s'", where, n->text);
        diag_hint(l->diag, "use at least two of letters, digits, '_', '.' and '-'");
}

void check_pull_policy(Load *l, const char *where, const Node *n) {
        static const char *const policies[] = {
                "always", "never", "build", "if_not_present", "missing", "refresh", "daily", "weekly",
        };
        const char *every, *near;

        for (size_t i = 0; i < ELEMENTS(policies); i++)
                if (strstr(n->text, policies[i]))
                        return;
        every = strstr(n->text, "every_");
        if (every && isdigit((unsigned char) every[6]) && strpbrk(every + 6, "wdhms"))
                return;
        near = str_nearest(n->text, policies, ELEMENTS(policies));
        diag_error(l->diag, n->span, "bad-value", "%s cannot be '%s'", where, n->text);
        diag_hint(l->diag, "did you mean '%s'?", near ? near : "always");
}

/* How many of the keys are there; the first in *ret_first. */
static size_t count_keys(const Node *n, const char *const *keys, size_t n_keys) {
        size_t count = 0;

        for (size_t i = 0; i < n_keys; i++)
                if (node_get(n, keys[i]))
                        count++;
        return count;
}

static void validate_source(Load *l, const NodePair *p, const char *section, const char *list,
                            const char *const *keys, size_t n_keys) {
        size_t count = count_keys(p->value, keys, n_keys);

        if (p->value->kind != NODE_MAPPING)
                return;
        if (count > 1) {
                diag_error(l->diag, p->key->span, "bad-value", "%s.%s: only one of %s can be given", section,
                           p->key->text, list);
                diag_hint(l->diag, "keep the one that holds the content");
        } else if (count == 0 && !node_get(p->value, "driver") && !node_get(p->value, "external")) {
                diag_error(l->diag, p->key->span, "missing-key", "%s.%s lacks its content", section,
                           p->key->text);
                diag_hint(l->diag, "give one of %s, or 'external: true'", list);
        }
}

static void validate_external(Load *l, const NodePair *p) {
        const Node *external = node_get(p->value, "external");
        bool outside = false;

        if (!node_is_scalar(external) || !value_parse_bool(value_text(l->arena, external), &outside) ||
            !outside)
                return;
        for (size_t i = 0; i < p->value->n; i++) {
                const Node *key = p->value->pairs[i].key;

                if (str_equal(key->text, "name") || str_equal(key->text, "external") ||
                    is_extension(key->text))
                        continue;
                diag_error(l->diag, key->span, "bad-value", "volumes.%s is external and cannot have '%s'",
                           p->key->text, key->text);
                diag_hint(l->diag, "remove '%s' or 'external'", key->text);
        }
}

static void validate_requests(Load *l, const Node *list) {
        if (!list || list->kind != NODE_SEQUENCE)
                return;
        for (size_t i = 0; i < list->n; i++)
                if (node_get(list->items[i], "count") && node_get(list->items[i], "device_ids")) {
                        diag_error(l->diag, list->items[i]->span, "bad-value",
                                   "'count' and 'device_ids' exclude each other");
                        diag_hint(l->diag, "keep one of the two");
                }
}

static void validate_ports(Load *l, const Node *ports) {
        unsigned char address[16];

        if (!ports || ports->kind != NODE_SEQUENCE)
                return;
        for (size_t i = 0; i < ports->n; i++) {
                const Node *ip = node_get(ports->items[i], "host_ip");

                if (!ip || inet_pton(AF_INET, ip->text, address) == 1 ||
                    inet_pton(AF_INET6, ip->text, address) == 1)
                        continue;
                diag_error(l->diag, ip->span, "bad-value", "invalid address '%s' for a port", ip->text);
                diag_hint(l->diag, "give an IPv4 or IPv6 address of this host");
        }
}

static void validate_service(Load *l, const Node *service) {
        const Node *watch = node_get(node_get(service, "develop"), "watch");
        const Node *resources = node_get(node_get(service, "deploy"), "resources");

        validate_ports(l, node_get(service, "ports"));
        validate_requests(l, node_get(service, "gpus"));
        validate_requests(l, node_get(node_get(resources, "reservations"), "devices"));
        for (size_t i = 0; watch && watch->kind == NODE_SEQUENCE && i < watch->n; i++) {
                const Node *path = node_get(watch->items[i], "path");

                if (path && path->text && !*path->text)
                        diag_error(l->diag, path->span, "bad-value", "the path of a watch cannot be empty");
        }
}

void validate_file(Load *l, const Node *file) {
        static const char *const secret_keys[] = { "file", "environment" };
        static const char *const config_keys[] = { "file", "environment", "content" };
        const Node *section;

        section = node_get(file, "services");
        for (size_t i = 0; section && i < section->n; i++)
                validate_service(l, section->pairs[i].value);
        section = node_get(file, "volumes");
        for (size_t i = 0; section && i < section->n; i++)
                validate_external(l, section->pairs + i);
        section = node_get(file, "secrets");
        for (size_t i = 0; section && i < section->n; i++)
                validate_source(l, section->pairs + i, "secrets", "file, environment", secret_keys, 2);
        section = node_get(file, "configs");
        for (size_t i = 0; section && i < section->n; i++)
                validate_source(l, section->pairs + i, "configs", "file, environment, content", config_keys,
                                3);
}
