/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* depends.c and order.c: who waits for whom, in which order, and what is asked of health checks. */

static const Case cases[] = {
        {
                .name = "the three conditions",
                .yaml = "services:\n"
                        "  app:\n"
                        "    depends_on:\n"
                        "      db: {condition: service_healthy, required: true, restart: true}\n"
                        "      init: {condition: service_completed_successfully, required: true}\n"
                        "      log: {condition: service_started, required: false}\n"
                        "  db: {healthcheck: {test: [CMD, 'true']}}\n"
                        "  init: {}\n"
                        "  log: {}\n",
                .has = {
                        "app: needs db healthy, restart", "app: needs init completed", "app: needs log started, optional",
                        "init: network own, completes", "db: rank 0", "init: rank 1", "log: rank 2", "app: rank 3",
                        "proof health db of db", "why health db: app waits until db is healthy", "span health db: 4:23",
                },
                .lacks = { "proof health init", "note" },
        },
        {
                .name = "a list is short for service_started",
                .yaml = "services:\n  app: {depends_on: [db, db]}\n  db: {}\n",
                .has = { "app: needs db started" },
        },
        {
                .name = "health by the image's own check",
                .yaml = "services:\n  a: {depends_on: {b: {condition: service_healthy}}}\n"
                        "  c: {depends_on: {b: {condition: service_healthy}}}\n  b: {healthcheck: {interval: 5s}}\n",
                .has = { "why health b: a waits until b is healthy, by the health check of its image", "span health b: 2:35" },
        },
        {
                .name = "health of a service whose check is switched off",
                .yaml = "services:\n  a: {depends_on: {b: {condition: service_healthy}}}\n  b: {healthcheck: {disable: true}}\n",
                .has = { "error health-disabled 2:35" },
        },
        {
                .name = "health of a service whose check is NONE",
                .yaml = "services:\n  a: {depends_on: {b: {condition: service_healthy}}}\n  b: {healthcheck: {test: [NONE]}}\n",
                .has = { "error health-disabled 2:35" },
        },
        {
                .name = "an unknown service",
                .yaml = "services:\n  a: {depends_on: {dbb: {condition: service_started}}}\n  db: {}\n",
                .has = { "error unknown-service 2:20" },
        },
        {
                .name = "an unknown service that is not required",
                .yaml = "services:\n  a: {depends_on: {db: {condition: service_started, required: false}}}\n",
                .has = { "a: rank 0" },
                .lacks = { "a: needs", "error" },
        },
        {
                .name = "an unknown condition",
                .yaml = "services:\n  a: {depends_on: {b: {condition: service_helthy}}}\n  b: {}\n",
                .has = { "error wrong-value 2:35" },
        },
        {
                .name = "a circle",
                .yaml = "services:\n  a: {depends_on: {b: {condition: service_started}}}\n"
                        "  b: {depends_on: {c: {condition: service_started}}}\n"
                        "  c: {depends_on: {b: {condition: service_started}}}\n",
                .has = { "error cycle 3:35" },
        },
        {
                .name = "a service that waits for itself",
                .yaml = "services:\n  a: {depends_on: {a: {condition: service_started}}}\n",
                .has = { "error cycle 2:35" },
        },
        {
                .name = "a circle through an owner",
                .yaml = "services:\n  app: {network_mode: 'service:vpn'}\n"
                        "  vpn: {cap_add: [NET_ADMIN], depends_on: {app: {condition: service_started}}}\n",
                .has = { "error cycle 2:23" },
        },
        {
                .name = "a client that does not wait for its tunnel",
                .yaml = "services:\n  app: {network_mode: 'service:vpn'}\n  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = { "note depends-added 2:23", "app: needs vpn started, restart", "vpn: rank 0", "app: rank 1" },
        },
        {
                .name = "a client that does",
                .yaml = "services:\n  app: {network_mode: 'service:vpn', depends_on: {vpn: {condition: service_healthy}}}\n"
                        "  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = { "app: needs vpn healthy", "proof health vpn of vpn" },
                .lacks = { "note", "app: needs vpn started" },
        },
        {
                .name = "completed for one, healthy for another",
                .yaml = "services:\n"
                        "  a: {depends_on: {m: {condition: service_completed_successfully}}}\n"
                        "  b: {depends_on: {m: {condition: service_healthy}}}\n"
                        "  m: {healthcheck: {test: [CMD, 'true']}}\n",
                .has = { "error completed-and-healthy 3:35" },
        },
        {
                .name = "the same, and its health is not proved",
                .yaml = "services:\n"
                        "  a: {depends_on: {m: {condition: service_completed_successfully}}}\n"
                        "  b: {depends_on: {m: {condition: service_healthy}}}\n"
                        "  m: {healthcheck: {test: [CMD, 'true']}, x-unitproof: {proofs: {health: off}}}\n",
                .has = { "warning different 3:35", "b: needs m healthy" },
        },
        {
                .name = "completed for one, started for another",
                .yaml = "services:\n"
                        "  a: {depends_on: [m]}\n"
                        "  b: {depends_on: {m: {condition: service_completed_successfully}}}\n"
                        "  c: {depends_on: {m: {condition: service_completed_successfully}}}\n"
                        "  m: {}\n",
                .has = { "warning different 2:20" },
                .lacks = { "warning different 3", "warning different 4" },
        },
        {
                .name = "the tunnel is awaited as completed",
                .yaml = "services:\n"
                        "  a: {depends_on: {vpn: {condition: service_completed_successfully}}}\n"
                        "  c: {network_mode: 'service:vpn'}\n"
                        "  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = { "error completed-tunnel 3:21" },
        },
        {
                .name = "a client that is awaited as completed: proved before, not while it runs",
                .yaml = "services:\n"
                        "  a: {depends_on: {c: {condition: service_completed_successfully}}}\n"
                        "  c: {network_mode: 'service:vpn'}\n"
                        "  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = { "warning not-proved 3:21", "proof egress c of vpn", "c: hooked" },
                .lacks = { "proof binding", "proof dns", "a: hooked" },
        },
        {
                .name = "the same, and the operator has said so",
                .yaml = "services:\n"
                        "  a: {depends_on: {c: {condition: service_completed_successfully}}}\n"
                        "  c: {network_mode: 'service:vpn', x-unitproof: {proofs: {binding: off, dns: off}}}\n"
                        "  vpn: {cap_add: [NET_ADMIN]}\n",
                .has = { "proof binding c of vpn, off at 3:68", "proof egress c of vpn" },
                .lacks = { "warning", "c: hooked" },
        },
        {
                .name = "the order is that of names where nothing else decides",
                .yaml = "services:\n  c: {}\n  b: {}\n  a: {depends_on: [c]}\n",
                .has = { "c: rank 0", "a: rank 1", "b: rank 2" },
        },
};

CASES_MAIN(cases)
