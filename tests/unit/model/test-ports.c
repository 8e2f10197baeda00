/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* ports.c: two services that claim one port of the host. */

#define PORT(published, rest) "{mode: ingress, target: 80, published: '" published "', protocol: tcp" rest "}"
#define TWO(a, b) "services:\n  a: {ports: [" a "]}\n  b: {ports: [" b "]}\n"

static const Case cases[] = {
        {
                .name = "the same port",
                .yaml = TWO(PORT("8080", ""), PORT("8080", "")),
                .has = { "error port-clash 3:54" },
        },
        {
                .name = "another protocol",
                .yaml = TWO(PORT("53", ""), "{target: 53, published: '53', protocol: udp}"),
                .lacks = { "error" },
        },
        {
                .name = "another address",
                .yaml = TWO(PORT("80", ", host_ip: 192.0.2.1"), PORT("80", ", host_ip: 192.0.2.2")),
                .lacks = { "error" },
        },
        {
                .name = "one address in two spellings",
                .yaml = TWO(PORT("80", ", host_ip: '2001:db8::1'"), PORT("80", ", host_ip: '2001:db8:0::1'")),
                .has = { "error port-clash 3:54" },
        },
        {
                .name = "all addresses hold each one",
                .yaml = TWO(PORT("80", ""), PORT("80", ", host_ip: 192.0.2.2")),
                .has = { "error port-clash 3:54" },
        },
        {
                .name = "all of IPv4 holds each of IPv4",
                .yaml = TWO(PORT("80", ", host_ip: 0.0.0.0"), PORT("80", ", host_ip: 127.0.0.1")),
                .has = { "error port-clash 3:54" },
        },
        {
                .name = "all of IPv6 leaves IPv4 alone",
                .yaml = TWO(PORT("80", ", host_ip: '::'"), PORT("80", ", host_ip: 127.0.0.1")),
                .lacks = { "error" },
        },
        {
                .name = "a range that holds the port",
                .yaml = TWO(PORT("8000-8010", ""), PORT("8005", "")),
                .has = { "error port-clash 3:54" },
        },
        {
                .name = "ranges side by side",
                .yaml = TWO(PORT("8000-8010", ""), PORT("8011-8020", "")),
                .lacks = { "error" },
        },
        {
                .name = "the engine chooses",
                .yaml = TWO("{target: 80, protocol: tcp}", "{target: 80, protocol: tcp}"),
                .lacks = { "error" },
        },
        {
                .name = "one service may say it twice",
                .yaml = "services:\n  a: {ports: [" PORT("80", "") ", " PORT("80", "") "]}\n",
                .lacks = { "error" },
        },
        {
                .name = "the host's network publishes nothing",
                .yaml = "services:\n  a: {network_mode: host, ports: [" PORT(
                        "80", "") "]}\n  b: {ports: [" PORT("80", "") "]}\n",
                .lacks = { "error" },
        },
};

CASES_MAIN(cases)
