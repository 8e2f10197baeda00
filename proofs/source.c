/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/source.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/child.h"
#include "proofs/curl.h"
#include "proofs/handles.h"
#include "proofs/stun.h"

const char *transport_name(Transport transport) {
        return transport == TRANSPORT_UDP ? "UDP" : "TCP";
}

static bool copy_fits(char *ret, size_t size, const char *text, size_t length) {
        if (length == 0 || length >= size)
                return false;
        memcpy(ret, text, length);
        ret[length] = '\0';
        return true;
}

static bool port_parse(const char *text, uint16_t *ret) {
        char *end;
        unsigned long port;

        if (text[0] < '0' || text[0] > '9')
                return false;
        port = strtoul(text, &end, 10);
        if (*end != '\0' || port == 0 || port > UINT16_MAX)
                return false;
        *ret = (uint16_t) port;
        return true;
}

static bool url_take(CURLU *url, CURLUPart part, unsigned flags, char *ret, size_t size) {
        char *value = NULL;
        bool good;

        if (curl->url_get(url, part, &value, flags) != CURLUE_OK)
                return false;
        good = copy_fits(ret, size, value, strlen(value));
        curl->free(value);
        return good;
}

static bool url_read(CURLU *url, Source *source) {
        char scheme[16], port[8], secret[8];

        if (!url_take(url, CURLUPART_SCHEME, 0, scheme, sizeof(scheme)) ||
            (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
                return false;
        /* A password in a command line can be read by everybody. */
        if (url_take(url, CURLUPART_USER, 0, secret, sizeof(secret)) ||
            url_take(url, CURLUPART_PASSWORD, 0, secret, sizeof(secret)))
                return false;
        return url_take(url, CURLUPART_HOST, 0, source->host, sizeof(source->host)) &&
               url_take(url, CURLUPART_PORT, CURLU_DEFAULT_PORT, port, sizeof(port)) &&
               port_parse(port, &source->port);
}

static void strip_brackets(char *host) {
        size_t length = strlen(host);

        if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
                memmove(host, host + 1, length - 2);
                host[length - 2] = '\0';
        }
}

int source_parse_echo(const char *url, Source *ret) {
        Source source = { .transport = TRANSPORT_TCP };
        CURLU *parsed;
        bool good;
        int r;

        if (!copy_fits(source.text, sizeof(source.text), url, strlen(url)))
                return -EINVAL;
        r = curl_open();
        if (r < 0)
                return r;
        parsed = curl->url();
        if (!parsed)
                return -ENOMEM;
        good = curl->url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK && url_read(parsed, &source);
        curl->url_cleanup(parsed);
        if (!good)
                return -EINVAL;
        strip_brackets(source.host);
        *ret = source;
        return 0;
}

int source_parse_stun(const char *text, Source *ret) {
        Source source = { .transport = TRANSPORT_UDP, .port = STUN_PORT };
        const char *host = text, *end, *colon;
        Address address;

        if (strncmp(host, "stun:", 5) == 0)
                host += 5;
        if (!copy_fits(source.text, sizeof(source.text), text, strlen(text)))
                return -EINVAL;
        if (address_parse(host, &address) >= 0) /* also a bare IPv6 address, full of colons */
                end = host + strlen(host);
        else if (host[0] == '[') {
                end = strchr(++host, ']');
                if (!end)
                        return -EINVAL;
        } else
                end = strchrnul(host, ':');
        if (!copy_fits(source.host, sizeof(source.host), host, (size_t) (end - host)))
                return -EINVAL;
        colon = *end == ']' ? end + 1 : end;
        if (*colon != '\0' && (*colon != ':' || !port_parse(colon + 1, &source.port)))
                return -EINVAL;
        if (strpbrk(source.host, "/@ \t\r\n"))
                return -EINVAL;
        *ret = source;
        return 0;
}

typedef struct Resolution {
        Address addresses[_FAMILY_MAX];
} Resolution;

static int resolve_work(void *userdata, void *result) {
        const Source *source = userdata;
        Resolution *resolution = result;
        const struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
        struct addrinfo *list = NULL;

        /* No AI_ADDRCONFIG: what the host cannot reach the tunnel's namespace may. */
        if (getaddrinfo(source->host, NULL, &hints, &list) != 0)
                return -EADDRNOTAVAIL;
        for (const struct addrinfo *a = list; a; a = a->ai_next) {
                Address address;
                Family family;

                if (address_from_sockaddr(a->ai_addr, &address) < 0)
                        continue;
                family = address.family == AF_INET6 ? FAMILY_V6 : FAMILY_V4;
                if (resolution->addresses[family].family == AF_UNSPEC)
                        resolution->addresses[family] = address;
        }
        freeaddrinfo(list);
        return 0;
}

static void source_adopt(Source *source, const Resolution *resolution) {
        memcpy(source->addresses, resolution->addresses, sizeof(source->addresses));
        for (Family f = 0; f < _FAMILY_MAX; f++)
                source->resolved |= source->addresses[f].family != AF_UNSPEC;
}

int sources_resolve(Source *sources, size_t n, uint64_t deadline_usec) {
        Child children[2 * SOURCES_MAX];
        int r = 0;

        if (n > 2 * SOURCES_MAX)
                return -E2BIG;
        for (size_t i = 0; i < n; i++)
                children[i] = CHILD_NONE;
        for (size_t i = 0; i < n && r >= 0; i++) {
                Address address;

                if (sources[i].resolved)
                        continue;
                if (address_parse(sources[i].host, &address) >= 0) {
                        sources[i].addresses[address.family == AF_INET6 ? FAMILY_V6 : FAMILY_V4] = address;
                        sources[i].resolved = true;
                        continue;
                }
                r = child_start(resolve_work, &sources[i], sizeof(Resolution), &children[i]);
        }
        if (r >= 0)
                child_wait(children, n, deadline_usec);
        for (size_t i = 0; i < n; i++) {
                Resolution resolution;

                if (children[i].buffer && child_result(&children[i], sizeof(resolution), &resolution) >= 0)
                        source_adopt(&sources[i], &resolution);
                child_done(&children[i]);
        }
        return r;
}
