/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* names.c: unit and container names. */

#define TEN "abcdefghij"
#define FIFTY TEN TEN TEN TEN TEN

static const Case cases[] = {
        {
                .name = "a container_name of its own",
                .yaml = "services:\n  a: {container_name: films}\n",
                .has = { "a: unit media-a.service, container films, pod -" },
        },
        {
                .name = "one container_name for two",
                .yaml = "services:\n  a: {container_name: films}\n  b: {container_name: films}\n",
                .has = { "error container-name 3:23" },
        },
        {
                .name = "a container_name that is another's default",
                .yaml = "services:\n  a: {container_name: media-b}\n  b: {}\n",
                .has = { "error container-name 3:3" },
        },
        {
                .name = "a container_name that no engine takes",
                .yaml = "services:\n  a: {container_name: '-x y'}\n",
                .has = { "error container-name 2:23" },
        },
        {
                .name = "a service name with a blank",
                .yaml = "services:\n  'a b': {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "a service name that would make a template",
                .yaml = "services:\n  a@b: {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "a service name with a specifier",
                .yaml = "services:\n  'a%n': {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "a service name that is too long",
                .yaml = "services:\n  " FIFTY FIFTY FIFTY FIFTY FIFTY ": {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "too long only with what is derived from it",
                .yaml = "services:\n  " FIFTY FIFTY FIFTY FIFTY TEN TEN ": {network_mode: 'service:v'}\n"
                        "  v: {privileged: true}\n",
                .has = { "error unit-name 2:240" },
        },
        {
                .name = "a service in the place of a pod",
                .yaml = "services:\n  a: {network_mode: 'service:vpn'}\n  vpn: {}\n  vpn-pod: {}\n",
                .has = { "error unit-name 4:3" },
        },
        {
                .name = "a container in the place of a pod",
                .yaml = "services:\n  a: {network_mode: 'service:vpn'}\n  vpn: {}\n  x: {container_name: "
                        "media-vpn-pod}\n",
                .has = { "error container-name 4:3" },
        },
        {
                .name = "a service in the place of a network",
                .yaml = "services:\n  lan-network: {}\nnetworks: {lan: {}}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "an external network takes no name",
                .yaml = "services:\n  lan-network: {}\nnetworks: {lan: {external: true}}\n",
                .lacks = { "error" },
        },
        {
                .name = "a service in the place of the halt",
                .yaml = "services:\n  halt: {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "a service in the place of a proof",
                .yaml = "services:\n  proof-engine-media: {}\n",
                .has = { "error unit-name 2:3" },
        },
        {
                .name = "no services",
                .yaml = "services: {}\n",
                .has = { "warning no-services 1:11" },
        },
        {
                .name = "nothing at all",
                .yaml = "name: x\n",
                .has = { "error no-services 1:1" },
        },
        {
                .name = "a service that is a list",
                .yaml = "services:\n  a: [1]\n",
                .has = { "error wrong-type 2:6" },
        },
};

/* Stack names are directory names: anything may come. */
static void test_stack_names(void **state) {
        static const struct {
                const char *name;
                bool valid;
        } names[] = {
                { "media", true },       { "Media_2.x-y", true }, { "my media", false }, { "-x", false },
                { "a/b", false },        { "", false },           { "a@b", false },      { "a%n", false },
                { "multi-user", false }, { "network", false },    { "systemd", false },
        };

        (void) state;
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
                _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
                Sources sources = { .arena = a };
                Diag d = { .arena = a, .sources = &sources };
                Stack *s = case_build(a, &d, &sources, names[i].name, "services: {a: {}}\n");

                if ((s != NULL) != names[i].valid)
                        fail_msg("stack name '%s'", names[i].name);
                if (!names[i].valid)
                        assert_string_equal(d.entries[0].code, "unit-name");
        }
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_stack_names) };
        int r = cases_run(cases, sizeof(cases) / sizeof(cases[0]));

        return cmocka_run_group_tests(tests, /* setup= */ NULL, /* teardown= */ NULL) + r;
}
