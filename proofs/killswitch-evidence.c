/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The evidence object of the kill-switch proof. docs/proofs.md describes its keys. */

#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"

static const char *step_name(KsStep step) {
        static const char *const names[] = {
                [KS_STEP_SCENE] = "scene",     [KS_STEP_CONTROL] = "control",
                [KS_STEP_UP] = "up",           [KS_STEP_DOWN] = "down",
                [KS_STEP_RESTORE] = "restore", [KS_STEP_CONTROL_BETWEEN] = "control-between",
                [KS_STEP_DEAD] = "dead",       [KS_STEP_CONTROL_AFTER] = "control-after",
                [KS_STEP_DONE] = "done",
        };

        return names[step];
}

static json_t *json_address(const Address *address) {
        char text[ADDRESS_TEXT_SIZE];

        return address->family == AF_UNSPEC ? json_null() : json_string(address_text(address, text));
}

static json_t *evidence_controls(const KsRun *run) {
        static const char *const names[] = { "before", "between", "after" };
        json_t *object = json_object();

        for (size_t which = 0; which < ARRAY_LENGTH(names); which++) {
                json_t *one = json_object();

                for (Transport t = 0; t < _TRANSPORT_MAX; t++)
                        for (Family f = 0; f < _FAMILY_MAX; f++) {
                                const KsControl *control = &run->control[which][t][f];
                                CLEANUP(handle_free)
                                char *key = text_format("%s %s", transport_name(t), family_name(f));

                                if (control->tried && key)
                                        (void) json_object_set_new(
                                                one, key,
                                                control->held ? json_integer(control->milliseconds)
                                                              : json_null());
                        }
                (void) json_object_set_new(object, names[which], one);
        }
        return object;
}

/* For each probe and phase: how many were sent, refused by the kernel, seen on the tunnel, seen outside. */
static json_t *evidence_probe(const KsCase *c, size_t probe) {
        json_t *object = json_object();

        for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++) {
                int fired = 0, refused = 0, inside = 0, outside = 0, answered = 0;

                for (size_t i = 0; i < c->run->n_shots; i++) {
                        const KsShot *shot = &c->run->shots[i];

                        if (shot->probe != probe || !shot->fired[phase])
                                continue;
                        fired++;
                        refused += shot->error[phase] != 0;
                        inside += shot->seen_inside[phase] > 0;
                        outside += shot->seen_outside[phase] > 0 || shot->seen_asking[phase] > 0;
                        answered += shot->answered[phase];
                }
                if (fired > 0)
                        (void) json_object_set_new(object, ks_phase_name(phase),
                                                   json_pack("{s:i, s:i, s:i, s:i, s:i}", "sent", fired,
                                                             "refused", refused, "inside", inside, "outside",
                                                             outside, "answered", answered));
        }
        return object;
}

static json_t *evidence_shot(const KsCase *c, const KsShot *shot, KsPhase phase) {
        const Link *link = links_find(&c->run->scene.links, shot->seen_link[phase]);

        return json_pack("{s:s, s:s, s:o, s:i, s:i, s:s, s:i, s:i, s:b}", "probe",
                         ks_probes[shot->probe].name, "phase", ks_phase_name(phase), "to",
                         json_address(&shot->to), "port", (int) shot->port, "user", (int) shot->user, "link",
                         link ? link->name : "", "seen", (int) shot->seen_outside[phase], "asked",
                         (int) shot->seen_asking[phase], "answered", (int) shot->answered[phase]);
}

/* What got out, or could have, in full: one list for each outcome that is more than silence. */
static void evidence_outcomes(const KsCase *c, json_t *object) {
        static const struct {
                KsOutcome outcome;
                const char *key;
        } lists[] = {
                { KS_LEAK, "leaks" },
                { KS_NEAR, "near" },
                { KS_NEEDS_RAW, "with_raw" },
                { KS_ANSWERED_UNSEEN, "answered_unseen" },
        };
        enum { LISTED_MAX = 32 };

        for (size_t k = 0; k < ARRAY_LENGTH(lists); k++) {
                json_t *list = json_array();

                for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++)
                        for (size_t i = 0; i < c->run->n_shots; i++)
                                if (json_array_size(list) < LISTED_MAX &&
                                    ks_outcome(c->run, &c->run->shots[i], phase, c->unprivileged) ==
                                            lists[k].outcome)
                                        (void) json_array_append_new(
                                                list, evidence_shot(c, &c->run->shots[i], phase));
                (void) json_object_set_new(object, lists[k].key, list);
        }
}

static json_t *evidence_carrier(const KsFlow *flow) {
        if (flow->family == AF_UNSPEC)
                return json_null();
        return json_pack("{s:o, s:i, s:i, s:I, s:I}", "remote", json_address(&flow->remote), "port",
                         (int) flow->port, "protocol", (int) flow->protocol, "sent", (json_int_t) flow->sent,
                         "received", (json_int_t) flow->received);
}

static json_t *evidence_links(const KsRun *run) {
        json_t *list = json_array();

        for (size_t i = 0; i < run->scene.links.n; i++)
                (void) json_array_append_new(
                        list,
                        json_pack("{s:s, s:s, s:b, s:b}", "name", run->scene.links.links[i].name, "kind",
                                  run->scene.links.links[i].kind, "tunnel",
                                  (int) (run->scene.links.links[i].index == run->scene.tunnel), "watched",
                                  (int) ks_scene_is_uplink(&run->scene, run->scene.links.links[i].index)));
        return list;
}

json_t *ks_evidence(const KsCase *c, const KsFinding *finding) {
        const KsRun *run = c->run;
        json_t *object, *probes = json_object();

        for (size_t i = 0; i < ks_n_probes; i++)
                (void) json_object_set_new(probes, ks_probes[i].name, evidence_probe(c, i));
        object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:i, s:i, s:s, s:b, s:b, s:b}, s:b}",
                           "code", finding->code ?: "", "step", step_name(run->step), "digest",
                           run->scene.digest, "detail", run->detail, "links", evidence_links(run), "carrier",
                           evidence_carrier(&run->carrier), "control", evidence_controls(run), "probes",
                           probes, "restored", "kept", (int) run->n_kept, "back", (int) run->restored.n_back,
                           "missing", run->restored.missing, "down", (int) run->restored.down, "left_blocked",
                           (int) run->left_blocked, "leftovers", (int) run->leftovers, "unprivileged_clients",
                           (int) c->unprivileged);
        if (object)
                evidence_outcomes(c, object);
        return object;
}
