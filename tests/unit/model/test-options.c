/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/model/options.h"
#include "tests/unit/model/case.h"

/* options.c and options-proofs.c: what may stand under x-unitproof, and that the published schema says the
 * same. */

#define STACK(options)                                                                                       \
        "services:\n  a: {network_mode: 'service:v'}\n  v: {privileged: true}\nx-unitproof: {" options "}\n"
#define SERVICE(options)                                                                                     \
        "services:\n  v: {privileged: true}\n  a: {network_mode: 'service:v', x-unitproof: {" options "}}\n"

static const Case cases[] = {
        { .name = "unit mode", .yaml = STACK("mode: unit"), .lacks = { "error" } },
        { .name = "native mode", .yaml = STACK("mode: native"), .has = { "error not-supported 4:21" } },
        { .name = "compatible mode",
          .yaml = STACK("mode: compatible"),
          .has = { "error not-supported 4:21" } },
        { .name = "native mode of a service",
          .yaml = SERVICE("mode: native"),
          .has = { "error not-supported 3:54" } },
        { .name = "no mode", .yaml = STACK("mode: units"), .has = { "error wrong-value 4:21" } },
        { .name = "a misspelt key", .yaml = STACK("ecko: []"), .has = { "error unknown-key 4:15" } },
        { .name = "a misspelt key of a service",
          .yaml = SERVICE("proof: {}"),
          .has = { "error unknown-key 3:48" } },
        { .name = "a service's key on the stack",
          .yaml = STACK("tunnel: true"),
          .has = { "error unknown-key 4:15" } },
        { .name = "the stack's key on a service",
          .yaml = SERVICE("echo: []"),
          .has = { "error unknown-key 3:48" } },
        { .name = "not a mapping",
          .yaml = "services: {a: {}}\nx-unitproof: [x]\n",
          .has = { "error wrong-type 2:14" } },
        { .name = "nothing", .yaml = "services: {a: {x-unitproof: }}\nx-unitproof:\n", .lacks = { "error" } },

        { .name = "echo of the host", .yaml = STACK(""), .has = { "echo https://echo.example.net/" } },
        {
                .name = "echo of the file",
                .yaml = STACK("echo: ['http://192.0.2.1:8080/ip?x=1'], stun: ['stun.example.net:3478', "
                              "'[2001:db8::1]:3478']"),
                .has = { "echo http://192.0.2.1:8080/ip?x=1", "stun stun.example.net:3478",
                         "stun [2001:db8::1]:3478" },
                .lacks = { "echo https" },
        },
        { .name = "echo with no address at all", .yaml = STACK("echo: []"), .lacks = { "echo", "error" } },
        { .name = "echo by another scheme",
          .yaml = STACK("echo: ['ftp://x/']"),
          .has = { "error wrong-value 4:22" } },
        { .name = "echo without a host",
          .yaml = STACK("echo: ['http:///x']"),
          .has = { "error wrong-value 4:22" } },
        { .name = "echo with a blank",
          .yaml = STACK("echo: ['http://x/ y']"),
          .has = { "error wrong-value 4:22" } },
        { .name = "echo with a line break",
          .yaml = STACK("echo: [\"http://x/\\ny\"]"),
          .has = { "error wrong-type 4:22" } },
        { .name = "echo with a password",
          .yaml = STACK("echo: ['http://me:hunter22@echo.example.net/']"),
          .has = { "error secret-visible 4:22" } },
        { .name = "echo with a user",
          .yaml = STACK("echo: ['https://me@echo.example.net']"),
          .has = { "error secret-visible 4:22" } },
        { .name = "echo with a key in its query",
          .yaml = STACK("echo: ['http://echo.example.net/?x=1&api_key=abc']"),
          .has = { "error secret-visible 4:22" } },
        { .name = "echo with a harmless query, and an @ elsewhere",
          .yaml = STACK("echo: ['http://echo.example.net/a@b?format=text#x']"),
          .has = { "echo http://echo.example.net/a@b?format=text#x" } },
        { .name = "echo as a mapping", .yaml = STACK("echo: {a: b}"), .has = { "error wrong-type 4:21" } },
        { .name = "stun without a port",
          .yaml = STACK("stun: [stun.example.net]"),
          .has = { "error wrong-value 4:22" } },
        { .name = "stun with too big a port",
          .yaml = STACK("stun: ['x:65536']"),
          .has = { "error wrong-value 4:22" } },
        { .name = "stun with a bare IPv6 address",
          .yaml = STACK("stun: ['2001:db8::1:3478']"),
          .has = { "error wrong-value 4:22" } },

        { .name = "off for all",
          .yaml = STACK("proofs: {egress: off}"),
          .has = { "proof egress a of v, off at 4:32", "proof binding a of v" } },
        { .name = "off for one",
          .yaml = SERVICE("proofs: {binding: false}"),
          .has = { "proof binding a of v, off at 3:66", "proof egress a of v" } },
        {
                .name = "off by the tunnel, on by the client",
                .yaml = "services:\n  a: {network_mode: 'service:v', x-unitproof: {proofs: {egress: on}}}\n"
                        "  b: {network_mode: 'service:v'}\n  v: {privileged: true, x-unitproof: {proofs: "
                        "{egress: off}}}\n",
                .has = { "proof egress a of v", "proof egress b of v, off at 4:56" },
        },
        {
                .name = "options, each from the nearest that says it",
                .yaml = "services:\n  a: {network_mode: 'service:v', x-unitproof: {proofs: {egress: "
                        "{timeout: 90}}}}\n"
                        "  v: {privileged: true, x-unitproof: {proofs: {egress: {interface: wg0, timeout: "
                        "1m30s}}}}\n"
                        "x-unitproof: {proofs: {binding: {timeout: 1h}, engine: {timeout: 5s}}}\n",
                .has = { "proof egress a of v, timeout 90, interface wg0",
                         "proof binding a of v, timeout 3600", "proof engine media, timeout 5" },
        },
        { .name = "the kill switch of a tunnel with clients",
          .yaml = STACK("echo: []"),
          .has = { "proof killswitch v of v" } },
        { .name = "the kill switch, off",
          .yaml = STACK("proofs: {killswitch: off}"),
          .has = { "proof killswitch v of v, off at 4:36" } },
        { .name = "the interface of egress is that of the kill switch",
          .yaml = "services:\n  a: {network_mode: 'service:v'}\n"
                  "  v: {privileged: true, x-unitproof: {proofs: {egress: {interface: wg0}, killswitch: "
                  "{timeout: 30}}}}\n",
          .has = { "proof killswitch v of v, timeout 30, interface wg0" } },
        { .name = "enabled: false",
          .yaml = STACK("proofs: {egress: {enabled: false}}"),
          .has = { "proof egress a of v, off at 4:42" } },
        { .name = "engine off",
          .yaml = STACK("proofs: {engine: off}"),
          .has = { "proof engine media, off at 4:32" } },
        { .name = "engine of a service",
          .yaml = SERVICE("proofs: {engine: off}"),
          .has = { "error unknown-key 3:57" } },
        { .name = "an unknown kind",
          .yaml = STACK("proofs: {egres: off}"),
          .has = { "error unknown-key 4:24" } },
        { .name = "an unknown option",
          .yaml = STACK("proofs: {egress: {time: 1s}}"),
          .has = { "error unknown-key 4:33" } },
        { .name = "a time of nothing",
          .yaml = STACK("proofs: {egress: {timeout: 0}}"),
          .has = { "error wrong-value 4:42" } },
        { .name = "a time of days",
          .yaml = STACK("proofs: {egress: {timeout: 25h}}"),
          .has = { "error wrong-value 4:42" } },
        { .name = "a time that overflows",
          .yaml = STACK("proofs: {egress: {timeout: 99999999999999999999999}}"),
          .has = { "error wrong-value 4:42" } },
        { .name = "no time",
          .yaml = STACK("proofs: {egress: {timeout: soon}}"),
          .has = { "error wrong-value 4:42" } },
        { .name = "an interface that cannot be",
          .yaml = STACK("proofs: {egress: {interface: a/b}}"),
          .has = { "error wrong-value 4:44" } },
        { .name = "the interface of another proof",
          .yaml = STACK("proofs: {binding: {interface: wg0}}"),
          .has = { "error wrong-value 4:45" } },
        { .name = "no calendar event",
          .yaml = STACK("proofs: {killswitch: {schedule: now and then}}"),
          .has = { "error wrong-value 4:47" } },
        { .name = "a schedule without a tunnel",
          .yaml = "services:\n  a: {image: x}\nx-unitproof: {proofs: {killswitch: {schedule: weekly}}}\n",
          .has = { "warning unused-option 3:47" } },
        { .name = "a schedule of what is off",
          .yaml = STACK("proofs: {killswitch: {schedule: weekly, enabled: false}}"),
          .has = { "warning unused-option 4:47" } },
        { .name = "a schedule that counts",
          .yaml = STACK("proofs: {killswitch: {schedule: weekly}}"),
          .lacks = { "unused-option" } },
        { .name = "a schedule of another proof",
          .yaml = STACK("proofs: {egress: {schedule: weekly}}"),
          .has = { "error wrong-value 4:43" } },
        { .name = "an option that nothing uses",
          .yaml = SERVICE("proofs: {health: off}"),
          .has = { "warning unused-option 3:65" } },
        { .name = "proofs as a list", .yaml = STACK("proofs: [egress]"), .has = { "error wrong-type 4:23" } },

        { .name = "exec", .yaml = SERVICE("exec: [/usr/bin/true]"), .has = { "error not-supported 3:54" } },
        { .name = "exec as a string",
          .yaml = SERVICE("exec: /usr/bin/true"),
          .has = { "error wrong-type 3:54" } },
        { .name = "tunnels",
          .yaml = STACK("tunnels: {vpn: {wireguard: /etc/wg.conf}}"),
          .has = { "error not-supported 4:24" } },
        { .name = "a tunnel of what is not known",
          .yaml = STACK("tunnels: {vpn: {openvpn: /x}}"),
          .has = { "error unknown-key 4:31" } },
        { .name = "a tunnel by a relative path",
          .yaml = STACK("tunnels: {vpn: {wireguard: x}}"),
          .has = { "error wrong-value 4:30" } },
        { .name = "what runs is proved anew without a word",
          .yaml = STACK("mode: unit"),
          .has = { "reprove 900" } },
        { .name = "reprove off", .yaml = STACK("reprove: off"), .has = { "reprove 0" } },
        { .name = "reprove on", .yaml = STACK("reprove: on"), .has = { "reprove 900" } },
        { .name = "reprove each hour", .yaml = STACK("reprove: 1h"), .has = { "reprove 3600" } },
        { .name = "reprove each second", .yaml = STACK("reprove: 1s"), .has = { "error wrong-value 4:24" } },
        { .name = "reprove at no time",
          .yaml = STACK("reprove: often"),
          .has = { "error wrong-value 4:24" } },
        { .name = "reprove of a service",
          .yaml = SERVICE("reprove: 1h"),
          .has = { "error unknown-key 3:48" } },
        { .name = "a tunnel restarts when its files change",
          .yaml = "services:\n  a: {network_mode: 'service:v'}\n"
                  "  v: {privileged: true, x-unitproof: {on-change: restart}}\n",
          .has = { "v: restarts on change" } },
        { .name = "a tunnel reports it", .yaml = STACK("mode: unit"), .lacks = { "v: restarts" } },
        { .name = "on-change of what is no tunnel",
          .yaml = "services:\n  a: {image: x, x-unitproof: {on-change: restart}}\n",
          .has = { "warning unused-option 2:42" } },
        { .name = "on-change to what is not known",
          .yaml = "services:\n  a: {network_mode: 'service:v'}\n"
                  "  v: {privileged: true, x-unitproof: {on-change: reload}}\n",
          .has = { "error wrong-value 3:50" } },
        { .name = "profiles", .yaml = STACK("profiles: [a, b]"), .lacks = { "error" } },
        { .name = "profiles as a mapping",
          .yaml = STACK("profiles: {a: b}"),
          .has = { "error wrong-type 4:25" } },
};

static void test_profiles(void **state) {
        static const char yaml[] = "x-unitproof: {profiles: [web, debug]}\n";
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        Sources sources = { .arena = a };
        Diag d = { .arena = a, .sources = &sources };
        int file = sources_add(&sources, "compose.yaml", yaml, strlen(yaml));
        const char *const *profiles;
        const Span *spans;

        (void) state;
        assert_int_equal(
                x_unitproof_profiles(a, doc_parse(a, &d, &sources, (uint32_t) file), &profiles, &spans), 2);
        assert_string_equal(profiles[0], "web");
        assert_string_equal(profiles[1], "debug");
        assert_int_equal(spans[1].column, 31);
        assert_int_equal(x_unitproof_profiles(a, /* root= */ NULL, &profiles, &spans), 0);
}

static void assert_keys(const Node *properties, const char *const *keys, size_t n) {
        assert_non_null(properties);
        assert_int_equal(properties->n, n);
        for (size_t i = 0; i < n; i++)
                if (!node_get(properties, keys[i]))
                        fail_msg("the schema lacks '%s'", keys[i]);
}

static void assert_scope(const Node *properties, unsigned scope) {
        const char *keys[32];
        size_t n = 0;

        for (size_t i = 0; i < n_option_rows; i++) {
                assert_true(i == 0 || strcmp(option_rows[i - 1].key, option_rows[i].key) < 0);
                if (option_rows[i].scopes & scope)
                        keys[n++] = option_rows[i].key;
        }
        assert_keys(properties, keys, n);
}

/* JSON is YAML, so the parser of the front end reads the schema. */
static void test_schema(void **state) {
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        Sources sources = { .arena = a, .read = source_read_file };
        Diag d = { .arena = a, .sources = &sources };
        int file = sources_open(&sources, SCHEMA_FILE);
        const char *kinds[_PROOF_KIND_MAX];
        const Node *root, *defs, *proofs;

        (void) state;
        assert_true(file > 0);
        root = doc_parse(a, &d, &sources, (uint32_t) file);
        assert_non_null(root);
        defs = node_get(root, "$defs");
        assert_scope(node_get(root, "properties"), SCOPE_STACK);
        assert_scope(node_get(node_get(defs, "service"), "properties"), SCOPE_SERVICE);
        assert_keys(node_get(node_get(defs, "data-root"), "properties"), data_root_keys, n_data_root_keys);

        proofs = node_get(node_get(defs, "proofs"), "properties");
        for (int kind = 0; kind < _PROOF_KIND_MAX; kind++)
                kinds[kind] = proof_kind_name((ProofKind) kind);
        assert_keys(proofs, kinds, _PROOF_KIND_MAX);
        assert_keys(node_get(node_get(defs, "killswitch-options"), "properties"), proof_option_keys,
                    n_proof_option_keys);
        assert_keys(node_get(node_get(node_get(node_get(node_get(defs, "service"), "properties"), "guard"),
                                      "oneOf")
                                     ->items[1],
                             "properties"),
                    guard_option_keys, n_guard_option_keys);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_profiles), cmocka_unit_test(test_schema) };
        int r = cases_run(cases, sizeof(cases) / sizeof(cases[0]));

        return cmocka_run_group_tests(tests, /* setup= */ NULL, /* teardown= */ NULL) + r;
}
