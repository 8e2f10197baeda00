/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a resolver library reads. glibc and musl agree about all of it that matters here. */

#include <string.h>

#include "proofs/dns.h"

static const char *line_next(const char *line, size_t size, char *ret) {
        const char *end = strchrnul(line, '\n');
        size_t n = (size_t) (end - line) < size ? (size_t) (end - line) : size - 1;

        memcpy(ret, line, n);
        ret[n] = '\0';
        return *end ? end + 1 : NULL;
}

static bool server_parse(char *text, DnsServer *ret) {
        DnsServer server = { .scope = "" };
        char *scope = strchr(text, '%');

        if (scope) {
                *scope++ = '\0';
                if (*scope == '\0' || strlen(scope) >= sizeof(server.scope))
                        return false;
                (void) snprintf(server.scope, sizeof(server.scope), "%s", scope);
        }
        if (address_parse(text, &server.address) < 0)
                return false;
        *ret = server;
        return true;
}

void dns_config_parse(const char *text, DnsConfig *ret) {
        DnsConfig config = { .n = 0 };
        char line[256], word[128];

        for (const char *next = text; next && *next;) {
                DnsServer server;

                next = line_next(next, sizeof(line), line);
                if (sscanf(line, "nameserver%*[ \t]%127[^ \t\r#;]", word) != 1)
                        continue;
                if (config.n == DNS_NAMESERVERS_MAX || !server_parse(word, &server))
                        config.odd = true;
                else
                        config.servers[config.n++] = server;
        }
        if (config.n == 0)
                (void) address_parse("127.0.0.1", &config.servers[config.n++].address);
        *ret = config;
}

void dns_hosts_line(const char *text, size_t size, char *ret) {
        char line[256];

        ret[0] = '\0';
        for (const char *next = text; next && *next;) {
                char *word, *save = NULL;
                size_t used = 0;

                next = line_next(next, sizeof(line), line);
                line[strcspn(line, "#")] = '\0';
                word = strtok_r(line, " \t\r", &save);
                if (!word || strcmp(word, "hosts:") != 0)
                        continue;
                while ((word = strtok_r(NULL, " \t\r", &save)) && used + strlen(word) + 2 < size)
                        used += (size_t) snprintf(ret + used, size - used, "%s%s", used > 0 ? " " : "", word);
                return;
        }
}
