/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* "proofs" of x-unitproof: a mapping from kinds to on, off, or a mapping of options. */

const char *const proof_option_keys[] = { "enabled", "interface", "schedule", "timeout" };
const size_t n_proof_option_keys = ELEMENTS(proof_option_keys);

/* dev_valid_name() of the kernel, less the ":" of aliases that it allows for old tools. */
static bool interface_is_valid(const char *name) {
        size_t n = strlen(name);

        return n > 0 && n < 16 && !str_equal(name, ".") && !str_equal(name, "..") &&
               !strpbrk(name, "/: \t") && !str_has_control(name);
}

static void read_interface(Build *b, const Node *value, ProofKind kind, ProofOption *o) {
        if (kind != PROOF_EGRESS && kind != PROOF_KILLSWITCH)
                diag_error(b->diag, value->span, "wrong-value",
                           "'interface' is an option of the egress and killswitch proofs only");
        else if (!node_is_scalar(value) || !interface_is_valid(value->text))
                diag_error(b->diag, value->span, "wrong-value",
                           "'interface' has to be the name of a network interface, such as tun0");
        else
                o->interface = value->text;
}

/* "Sun 04:00", or off. */
static void read_schedule(Build *b, const Node *value, ProofKind kind, ProofOption *o) {
        bool on = true;

        o->schedule_span = value->span;
        if (kind != PROOF_KILLSWITCH)
                diag_error(b->diag, value->span, "wrong-value",
                           "'schedule' is an option of the killswitch proof only");
        else if (option_is_true(value, &on) && !on)
                o->schedule = "";
        else if (on && value->kind == NODE_STRING && calendar_is_valid(value->text))
                o->schedule = value->text;
        else {
                diag_error(b->diag, value->span, "wrong-value",
                           "'schedule' has to be hourly, daily, weekly, monthly, quarterly, semiannually, "
                           "yearly, off, or "
                           "[WEEKDAYS] [DATE] [TIME] [UTC] as a calendar event of systemd has them");
                diag_hint(b->diag, "write \"Sun 04:00\", \"Mon..Fri 03:30\" or \"*-*-01 04:00 UTC\"");
        }
}

static void read_options(Build *b, const Node *mapping, ProofKind kind, ProofOption *o) {
        for (size_t i = 0; i < mapping->n; i++) {
                const Node *key = mapping->pairs[i].key, *value = mapping->pairs[i].value;

                if (str_equal(key->text, "enabled")) {
                        if (!option_is_true(value, &o->on))
                                diag_error(b->diag, value->span, "wrong-type",
                                           "'enabled' has to be true or false");
                        else
                                o->span = value->span;
                } else if (str_equal(key->text, "timeout"))
                        (void) option_seconds(b, value, "'timeout'", 1, &o->timeout_sec);
                else if (str_equal(key->text, "interface"))
                        read_interface(b, value, kind, o);
                else if (str_equal(key->text, "schedule"))
                        read_schedule(b, value, kind, o);
                else
                        option_unknown(b, key, "a proof of x-unitproof", proof_option_keys,
                                       n_proof_option_keys);
        }
}

static void read_kind(Build *b, const Node *key, const Node *value, ProofKind kind, ProofOption *o) {
        *o = (ProofOption){ .set = true, .on = true, .span = value->span };
        if (option_is_true(value, &o->on))
                return;
        if (value->kind == NODE_MAPPING)
                read_options(b, value, kind, o);
        else if (!node_is_null(value))
                diag_error(b->diag, value->span, "wrong-type",
                           "'%s' has to be on, off or a mapping of options, not %s", key->text,
                           node_kind_name(value->kind));
}

void options_read_proofs(Build *b, const Node *value, Service *service) {
        ProofOption *options =
                service ? b->options.services[service_index(b, service)].proofs : b->options.proofs;
        const char *kinds[_PROOF_KIND_MAX];

        if (value->kind != NODE_MAPPING) {
                diag_error(b->diag, value->span, "wrong-type",
                           "'proofs' has to be a mapping of kinds to on or off, not %s",
                           node_kind_name(value->kind));
                return;
        }
        for (int kind = 0; kind < _PROOF_KIND_MAX; kind++)
                kinds[kind] = proof_kind_name((ProofKind) kind);
        for (size_t i = 0; i < value->n; i++) {
                const Node *key = value->pairs[i].key;
                int kind = 0;

                while (kind < _PROOF_KIND_MAX && !str_equal(kinds[kind], key->text))
                        kind++;
                if (kind == _PROOF_KIND_MAX)
                        option_unknown(b, key, "'proofs' of x-unitproof", kinds, ELEMENTS(kinds));
                else if (kind == PROOF_ENGINE && service)
                        diag_error(b->diag, key->span, "unknown-key",
                                   "the engine proof belongs to the stack, not to a service");
                else
                        read_kind(b, key, value->pairs[i].value, (ProofKind) kind, &options[kind]);
        }
}

/* Fills what has not been said yet. */
static void option_inherit(ProofOption *o, const ProofOption *from) {
        if (!from->set)
                return;
        if (!o->set) {
                *o = *from;
                return;
        }
        o->timeout_sec = o->timeout_sec ?: from->timeout_sec;
        o->interface = o->interface ?: from->interface;
        o->schedule = o->schedule ?: from->schedule;
}

const ProofOption *options_proof(const Build *b, const Service *service, ProofKind kind) {
        ProofOption *o = arena_new_object(b->arena, ProofOption);

        o->on = true;
        if (service)
                option_inherit(o, &b->options.services[service_index(b, service)].proofs[kind]);
        if (service && service->tunnel && proof_kind_is_of_tunnel(kind))
                option_inherit(o, &b->options.services[service_index(b, service->tunnel)].proofs[kind]);
        option_inherit(o, &b->options.proofs[kind]);
        return o;
}
