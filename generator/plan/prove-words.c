/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <strings.h>

#include "generator/base/powers.h"
#include "generator/plan/lower.h"

/* The command line of each proof, in one place: the unit of a proof, the service that it is a part of and the
 * unit that proves anew what runs all use it. */

enum { CLIENT_USERS_MAX = 2 }; /* the proof tries as that many, beside root and nobody */

typedef struct ProveRow {
        const char *program;
        void (*add)(Lower *l, const Proof *p, unsigned timeout_sec, Words *w);
        bool may_leak; /* it may find one */
} ProveRow;

void words_add(Arena *a, Words *w, const char *word) {
        w->items = arena_grow(a, w->items, sizeof(char *), &w->capacity, w->n + 1);
        w->items[w->n++] = word;
}

const char *const *words_copy(Arena *a, const Words *w) {
        const char **copy = arena_new_array(a, const char *, w->n);

        memcpy(copy, w->items, w->n * sizeof(*copy));
        return copy;
}

static void option(Lower *l, Words *w, const char *flag, const char *value) {
        words_add(l->arena, w, flag);
        words_add(l->arena, w, value);
}

static void add_engine(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) p;
        (void) timeout_sec;
        option(l, w, "--engine", "podman");
}

static void add_health(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--engine", "podman");
        option(l, w, "--container", p->service->container);
        option(l, w, "--timeout", arena_printf(l->arena, "%u", timeout_sec));
        option(l, w, "--max-age", arena_printf(l->arena, "%u", lower_health_age(p->service)));
        if (lower_secrets(l, p->service)[0])
                option(l, w, "--redact",
                       arena_printf(l->arena, "%s/%s", l->private_path, lower_secrets_name(l, p->service)));
}

/* Whoever echoes the caller's address is asked in the same words by all kinds that ask. */
static void add_sources(Lower *l, Words *w) {
        const Stack *st = l->stack;

        for (size_t i = 0; i < st->n_echo; i++)
                option(l, w, "--echo", st->echo[i]);
        for (size_t i = 0; i < st->n_stun; i++)
                option(l, w, "--stun", st->stun[i]);
}

/* Beyond what Podman gives to every container. */
static bool may_send_raw(const Service *s) {
        static const char *const names[] = { "NET_RAW", "NET_ADMIN", "ALL" };
        const Node *added = node_get(s->node, "cap_add");

        if (node_get_bool(s->node, "privileged", /* fallback= */ false))
                return true;
        for (size_t i = 0; added && added->kind == NODE_SEQUENCE && i < added->n; i++)
                for (size_t k = 0; k < ELEMENTS(names); k++) {
                        const char *name = node_is_scalar(added->items[i]) ? added->items[i]->text : "";

                        if (strncasecmp(name, "CAP_", 4) == 0)
                                name += 4;
                        if (strcasecmp(name, names[k]) == 0)
                                return true;
                }
        return false;
}

/* As user: says, or as images that begin as root are told (linuxserver.io, hotio). Names mean something in
 * the image alone. */
static void add_client_user(Lower *l, const Service *s, Words *users) {
        const Node *says[] = { node_get(s->node, "user"),
                               node_get(node_get(s->node, "environment"), "PUID") };

        for (size_t i = 0; i < ELEMENTS(says); i++) {
                size_t n = node_is_scalar(says[i]) ? strspn(says[i]->text, "0123456789") : 0;
                bool known = n == 0 || n > 9 || (says[i]->text[n] != '\0' && says[i]->text[n] != ':');
                const char *user = known ? "" : arena_printf(l->arena, "%.*s", (int) n, says[i]->text);

                for (size_t k = 0; k < users->n; k++)
                        known |= strcmp(users->items[k], user) == 0;
                if (!known && users->n < CLIENT_USERS_MAX)
                        words_add(l->arena, users, user);
        }
}

static void add_killswitch(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        const Stack *st = l->stack;
        Buf clients = BUF(l->arena);
        Words users = { .n = 0 };
        bool raw = false;

        for (size_t i = 0; i < st->n_services; i++) {
                const Service *s = st->services + i;

                if (s->tunnel != p->service)
                        continue;
                buf_printf(&clients, "%s%s", clients.len > 0 ? "," : "", s->unit);
                raw |= may_send_raw(s);
                add_client_user(l, s, &users);
        }
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--engine", "podman");
        option(l, w, "--client-units", buf_text(&clients));
        for (size_t i = 0; i < users.n; i++)
                option(l, w, "--client-user", users.items[i]);
        if (!raw)
                words_add(l->arena, w, "--unprivileged-clients");
        if (lower_is_guarded(p->service))
                words_add(l->arena, w, "--guarded");
        add_sources(l, w);
        if (p->interface)
                option(l, w, "--interface", p->interface);
        if (p->timeout_sec)
                option(l, w, "--timeout", arena_printf(l->arena, "%u", timeout_sec));
}

static void add_egress(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        const Proof *killswitch = lower_find_proof(l, PROOF_KILLSWITCH, p->of);

        option(l, w, "--unit", p->of->unit);
        option(l, w, "--engine", "podman");
        add_sources(l, w);
        if (p->interface)
                option(l, w, "--interface", p->interface);
        if (lower_is_guarded(p->of))
                words_add(l->arena, w, "--guarded");
        if (killswitch)
                option(l, w, "--after-killswitch", killswitch->subject);
        if (killswitch)
                option(l, w, "--killswitch-unit", proof_unit_name(l->arena, l->stack, killswitch));
        if (killswitch && killswitch->timeout_sec)
                option(l, w, "--timeout", arena_printf(l->arena, "%u", lower_patience(killswitch)));
        if (p->timeout_sec)
                option(l, w, "--retry-for", arena_printf(l->arena, "%u", timeout_sec));
}

/* What the Compose file gives to the client: the proof fails for any other power that it finds. */
static void add_declared(Lower *l, const Service *s, Words *w) {
        const Node *added = node_get(s->node, "cap_add");
        bool all = node_get_bool(s->node, "privileged", /* fallback= */ false), given[POWERS_MAX] = { false };

        for (size_t i = 0; added && added->kind == NODE_SEQUENCE && i < added->n; i++) {
                const char *name = node_is_scalar(added->items[i]) ? added->items[i]->text : "";
                const PowerRow *row = power_find(name);

                all |= power_is_all(name);
                if (row)
                        given[row - power_rows] = true;
        }
        if (all) {
                option(l, w, "--declared", POWER_ALL);
                return;
        }
        for (size_t i = 0; i < POWERS_MAX; i++)
                if (given[i])
                        option(l, w, "--declared", power_rows[i].name);
}

static void add_client(Lower *l, const Proof *p, Words *w) {
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--tunnel-unit", p->of->unit);
        option(l, w, "--engine", "podman");
}

static void add_binding(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) timeout_sec;
        add_client(l, p, w);
        if (!lower_find_proof(l, PROOF_EGRESS, p->service))
                words_add(l->arena, w, "--without-egress");
        if (lower_is_guarded(p->of))
                words_add(l->arena, w, "--guarded");
        add_declared(l, p->service, w);
}

/* By which links the tunnel is left: the egress proof's option says it for all. */
static void add_dns_own(Lower *l, const Proof *p, Words *w) {
        const Proof *egress = lower_find_proof(l, PROOF_EGRESS, p->service);

        if (egress && egress->interface)
                option(l, w, "--interface", egress->interface);
}

static void add_dns(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) timeout_sec;
        add_client(l, p, w);
        add_dns_own(l, p, w);
}

static void add_hardlink(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) timeout_sec;
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--source-unit", p->of->unit);
        option(l, w, "--engine", "podman");
        option(l, w, "--source", p->source_dir);
        option(l, w, "--link-from", p->link_from);
        for (size_t i = 0; i < p->n_link_to; i++)
                option(l, w, "--link-to", p->link_to[i]);
}

static const ProveRow rows[_PROOF_KIND_MAX] = {
        [PROOF_ENGINE] = { PROGRAM_PROVE, add_engine, false },
        [PROOF_HEALTH] = { PROGRAM_PROVE, add_health, false },
        [PROOF_KILLSWITCH] = { PROGRAM_PROBE, add_killswitch, true },
        [PROOF_EGRESS] = { PROGRAM_PROBE, add_egress, true },
        [PROOF_BINDING] = { PROGRAM_PROVE, add_binding, true },
        [PROOF_DNS] = { PROGRAM_PROVE, add_dns, true },
        [PROOF_HARDLINK] = { PROGRAM_PROBE, add_hardlink, false },
};

void lower_prove_words(Lower *l, const Proof *p, unsigned timeout_sec, Words *ret) {
        words_add(l->arena, ret, rows[p->kind].program);
        words_add(l->arena, ret, proof_kind_name(p->kind));
        option(l, ret, "--stack", l->stack->name);
        option(l, ret, "--subject", p->subject);
        rows[p->kind].add(l, p, timeout_sec, ret);
        if (rows[p->kind].may_leak)
                option(l, ret, "--halt-unit", arena_printf(l->arena, "%s-halt.service", l->stack->name));
}

void lower_prove_and_dns(Lower *l, const Proof *dns, Words *binding) {
        words_add(l->arena, binding, "--and-dns");
        add_dns_own(l, dns, binding);
}
