/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/mount.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>

#include "generator/base/str.h"

/* "C:" at the start of a section is a drive, since files of Windows users are valid files; so a
 * volume whose name is one letter cannot be written in the short form. */
static bool is_drive(const char *text, size_t length) {
        return length == 1 && isalpha((unsigned char) text[0]);
}

static bool is_path(const char *source) {
        if (strchr("./~", source[0]) || str_has_prefix(source, "\\\\"))
                return true;
        return is_drive(source, 1) && source[1] == ':';
}

static void apply_option(Arena *a, const char *option, MountSpec *m) {
        static const char *const propagations[] = { "rprivate", "private", "rshared",
                                                    "shared",   "rslave",  "slave" };

        if (str_equal(option, "ro"))
                m->read_only = true;
        else if (str_equal(option, "rw"))
                m->read_only = false;
        else if (str_equal(option, "nocopy"))
                m->no_copy = true;
        else if (str_equal(option, "z") || str_equal(option, "Z"))
                m->selinux = option;
        else {
                for (size_t i = 0; i < ELEMENTS(propagations); i++)
                        if (str_equal(option, propagations[i])) {
                                m->propagation = propagations[i];
                                return;
                        }
                if (option[0])
                        m->unknown = m->unknown ? arena_printf(a, "%s,%s", m->unknown, option) : option;
        }
}

bool mount_parse(Arena *a, const char *text, MountSpec *ret) {
        const char *parts[3] = { 0 };
        size_t n_parts = 0, length = strlen(text);
        MountSpec m = { 0 };

        if (length == 0)
                return false;
        if (length <= 2) {
                *ret = (MountSpec){ .target = text };
                return true;
        }
        for (const char *p = text, *start = text;; p++) {
                size_t size = (size_t) (p - start);

                if (*p && (*p != ':' || is_drive(start, size)))
                        continue;
                if (size == 0 || n_parts == 3)
                        return false;
                parts[n_parts++] = arena_strndup(a, start, size);
                start = p + 1;
                if (!*p)
                        break;
        }
        m.target = parts[n_parts > 1 ? 1 : 0];
        m.source = n_parts > 1 ? parts[0] : NULL;
        m.bind = m.source && is_path(m.source);
        for (const char *p = parts[2], *end; p; p = *end ? end + 1 : NULL) {
                end = strchrnul(p, ',');
                apply_option(a, arena_strndup(a, p, (size_t) (end - p)), &m);
        }
        *ret = m;
        return true;
}

static bool parse_port(const char *text, size_t length, unsigned *ret) {
        unsigned value = 0;

        if (length == 0)
                return false;
        for (size_t i = 0; i < length; i++) {
                if (!isdigit((unsigned char) text[i]))
                        return false;
                value = value * 10 + (unsigned) (text[i] - '0');
                if (value > 65535)
                        return false;
        }
        *ret = value;
        return true;
}

static bool parse_range(const char *text, unsigned *ret_first, unsigned *ret_last) {
        const char *dash = strchr(text, '-');

        if (!dash)
                return parse_port(text, strlen(text), ret_first) && (*ret_last = *ret_first, true);
        return parse_port(text, (size_t) (dash - text), ret_first) &&
               parse_port(dash + 1, strlen(dash + 1), ret_last) && *ret_last >= *ret_first;
}

/* Cuts the text at its last colon; NULL if there is none. */
static const char *cut_last(char *text) {
        char *colon = strrchr(text, ':');

        if (!colon)
                return NULL;
        *colon = '\0';
        return colon + 1;
}

static const char *check_address(Arena *a, const char *text, const char **ret) {
        unsigned char bytes[16];
        size_t length = strlen(text);

        if (text[0] == '[') {
                if (text[length - 1] != ']')
                        return "the address lacks its closing bracket";
                text = arena_strndup(a, text + 1, length - 2);
        } else if (strchr(text, ':'))
                return "an IPv6 address stands in brackets";
        if (*text && inet_pton(AF_INET, text, bytes) != 1 && inet_pton(AF_INET6, text, bytes) != 1)
                return "the address is none";
        *ret = text;
        return NULL;
}

const char *ports_parse(Arena *a, const char *text, PortSpec *ret) {
        char *rest = arena_strdup(a, text);
        const char *container, *host = NULL, *address = "", *wrong;
        PortSpec p = { .protocol = "tcp" };
        char *slash;

        container = cut_last(rest);
        if (container) {
                host = cut_last(rest);
                if (host)
                        address = rest;
                else
                        host = rest;
        } else
                container = rest;
        slash = strchr(container, '/');
        if (slash) {
                *slash = '\0';
                if (slash[1]) {
                        for (char *c = slash + 1; *c; c++)
                                *c = (char) tolower((unsigned char) *c);
                        p.protocol = slash + 1;
                }
        }
        if (!str_equal(p.protocol, "tcp") && !str_equal(p.protocol, "udp") && !str_equal(p.protocol, "sctp"))
                return "the protocol is none of tcp, udp, sctp";
        wrong = check_address(a, address, &p.address);
        if (wrong)
                return wrong;
        if (!parse_range(container, &p.first, &p.last))
                return "the container's port is no port or range from 0 to 65535";
        if (host && *host) {
                if (!parse_range(host, &p.host_first, &p.host_last))
                        return "the host's port is no port or range from 0 to 65535";
                if (p.last != p.first && p.last - p.first != p.host_last - p.host_first)
                        return "the two ranges differ in length";
                p.has_host = true;
        }
        *ret = p;
        return NULL;
}
