/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who is asked "which address do you see?": the operator's echo servers, resolved once and in the host's
 * namespace, so that both sides talk to the same machine. */

#include "proofs/address.h"

enum {
        SOURCES_MAX = 16,
        SOURCE_TEXT_MAX = 512,
        SOURCE_HOST_MAX = 256,
};

typedef enum Transport {
        TRANSPORT_TCP, /* HTTP(S) */
        TRANSPORT_UDP, /* STUN */
        _TRANSPORT_MAX,
} Transport;

const char *transport_name(Transport transport);

typedef struct Source {
        Transport transport;
        char text[SOURCE_TEXT_MAX]; /* as given: the URL, or HOST:PORT */
        char host[SOURCE_HOST_MAX]; /* without brackets */
        uint16_t port;
        bool resolved;
        Address addresses[_FAMILY_MAX]; /* first one of each family; AF_UNSPEC: none */
} Source;

/* -EINVAL: not http(s)://, user and password in it, or no host; the port defaults to the scheme's. */
int source_parse_echo(const char *url, Source *ret);
/* HOST, HOST:PORT, [V6]:PORT, with or without "stun:" before; the port defaults to 3478. */
int source_parse_stun(const char *text, Source *ret);

/* Fills in addresses of all n sources. Names are looked up in children, so that a slow resolver cannot hold
 * up the proof beyond the deadline. A name that cannot be resolved leaves resolved == false. */
int sources_resolve(Source *sources, size_t n, uint64_t deadline_usec);
