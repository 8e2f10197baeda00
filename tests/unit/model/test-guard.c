/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* guard.c: whether a tunnel has its kill rule, and what that lets pass. */

#define TUNNEL(lines) "services:\n  a: {network_mode: 'service:v'}\n  v:\n    privileged: true\n" lines

static const Case cases[] = {
        { .name = "on without a word", .yaml = TUNNEL(""), .has = { "guard v: on 3:3" } },
        { .name = "not of a service alone",
          .yaml = "services:\n  v: {privileged: true}\n",
          .lacks = { "guard", "warning" } },
        { .name = "not of an owner that is no tunnel",
          .yaml = "services:\n  a: {network_mode: 'service:v'}\n  v: {}\n",
          .lacks = { "guard" } },
        { .name = "off", .yaml = TUNNEL("    x-unitproof: {guard: off}\n"), .has = { "guard v: off 5:26" } },
        { .name = "off in a mapping",
          .yaml = TUNNEL("    x-unitproof: {guard: {enabled: no}}\n"),
          .has = { "guard v: off 5:36" } },
        { .name = "on", .yaml = TUNNEL("    x-unitproof: {guard: on}\n"), .has = { "guard v: on 5:26" } },
        { .name = "exceptions",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: [192.168.1.0/24, 'fd00:1::/64', 10.0.0.5]}}\n"),
          .has = { "guard v: allow 192.168.1.0/24, x-unitproof 5:35",
                   "guard v: allow fd00:1::/64, x-unitproof 5:51",
                   "guard v: allow 10.0.0.5/32, x-unitproof 5:66" } },
        { .name = "a single exception",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: 192.168.1.7/24}}\n"),
          .has = { "guard v: allow 192.168.1.0/24, x-unitproof 5:34" } },
        { .name = "public space",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: [192.0.2.0/24]}}\n"),
          .has = { "error wrong-value 5:35" } },
        { .name = "more than private space",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: [0.0.0.0/0]}}\n"),
          .has = { "error wrong-value 5:35" } },
        { .name = "no subnet",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: [lan]}}\n"),
          .has = { "error wrong-value 5:35" } },
        { .name = "unknown key",
          .yaml = TUNNEL("    x-unitproof: {guard: {allowed: []}}\n"),
          .has = { "error unknown-key 5:27" } },
        { .name = "no mapping",
          .yaml = TUNNEL("    x-unitproof: {guard: [x]}\n"),
          .has = { "error wrong-type 5:26" } },
        { .name = "on a client",
          .yaml = "services:\n  a: {network_mode: 'service:v', x-unitproof: {guard: off}}\n  v: {privileged: "
                  "true}\n",
          .has = { "guard v: on 3:3", "warning unused-option 2:55" } },

        { .name = "gluetun's own word",
          .yaml = TUNNEL("    environment: {FIREWALL_OUTBOUND_SUBNETS: '192.168.1.0/24,10.9.0.0/16'}\n"),
          .has = { "guard v: allow 192.168.1.0/24, FIREWALL_OUTBOUND_SUBNETS of v 5:46",
                   "guard v: allow 10.9.0.0/16, FIREWALL_OUTBOUND_SUBNETS of v 5:46" } },
        { .name = "twice the same",
          .yaml = TUNNEL("    x-unitproof: {guard: {allow: [192.168.1.0/24]}}\n"
                         "    environment: {LOCAL_NETWORK: 192.168.1.9/24}\n"),
          .has = { "guard v: allow 192.168.1.0/24, x-unitproof 5:35" },
          .lacks = { "guard v: allow 192.168.1.0/24, LOCAL" } },
        { .name = "public space of an image",
          .yaml = TUNNEL("    environment: {LOCAL_SUBNETS: '192.168.1.0/24, 0.0.0.0/0'}\n"),
          .has = { "guard v: allow 192.168.1.0/24, LOCAL_SUBNETS of v 5:34", "warning not-allowed 5:34" },
          .lacks = { "error" } },
        { .name = "an empty one",
          .yaml = TUNNEL("    environment: {LOCAL_NETWORK: ''}\n"),
          .lacks = { "warning" } },
        { .name = "hotio's, for the way in",
          .yaml = TUNNEL("    environment: {VPN_LAN_NETWORK: 192.168.1.0/24}\n"),
          .lacks = { "guard v: allow" } },
        { .name = "hotio's, for the way out",
          .yaml = TUNNEL("    environment: {VPN_LAN_NETWORK: 192.168.1.0/24, VPN_LAN_LEAK_ENABLED: true}\n"),
          .has = { "guard v: allow 192.168.1.0/24, VPN_LAN_NETWORK of v 5:36" } },
        { .name = "the link of the egress proof",
          .yaml = TUNNEL("    x-unitproof: {proofs: {egress: {interface: tap0}}}\n"),
          .has = { "guard v: interface tap0" } },
        { .name = "too many",
          .yaml = TUNNEL(
                  "    x-unitproof: {guard: {allow: [10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5, "
                  "10.0.0.6, 10.0.0.7, 10.0.0.8, 10.0.0.9, 10.0.0.10, 10.0.0.11, 10.0.0.12, 10.0.0.13, "
                  "10.0.0.14, 10.0.0.15, 10.0.0.16, 10.0.0.17]}}\n"),
          .has = { "error wrong-value 5:202" } },
};

CASES_MAIN(cases)
