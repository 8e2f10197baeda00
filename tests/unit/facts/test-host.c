/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <sys/utsname.h>

#include "generator/facts/facts.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

static char root[64];
static Case c;

static int begin(void **state) {
        (void) state;
        tree_new(root);
        case_begin(&c);
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

static void test_empty_root_is_unknown(void **state) {
        Facts f;

        (void) state;
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.os_id, "");
        assert_string_equal(f.os_version, "");
        assert_string_equal(f.quadlet_path, "");
        assert_string_equal(f.podman_version, "");
        assert_string_equal(f.kernel, "");
        assert_int_equal(f.systemd_version, 0);
}

static void test_debian(void **state) {
        Facts f;

        (void) state;
        tree_write(root, "usr/lib/os-release",
                   "# comment\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nVERSION_ID=\"13\"\n"
                   "ID=debian\nID_LIKE=x\n");
        tree_link(root, "etc/os-release", "../usr/lib/os-release");
        tree_write(root, "usr/lib/x86_64-linux-gnu/systemd/libsystemd-shared-257.so", "");
        tree_write(root, "usr/lib/systemd/systemd", "");
        tree_write_mode(root, "usr/libexec/podman/quadlet", "#!", 0755);
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.os_id, "debian");
        assert_string_equal(f.os_version, "13");
        assert_int_equal(f.systemd_version, 257);
        assert_string_equal(f.quadlet_path, "/usr/libexec/podman/quadlet");
}

static void test_fedora_names_its_libraries_longer(void **state) {
        Facts f;

        (void) state;
        tree_write(root, "etc/os-release", "NAME='Fedora Linux'\nID='fedora'\nVERSION_ID=42\n");
        tree_write(root, "usr/lib/systemd/libsystemd-core-257.3-1.fc42.so", "");
        tree_write(root, "usr/lib/systemd/libsystemd-shared-257.3-1.fc42.so", "");
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.os_id, "fedora");
        assert_string_equal(f.os_version, "42");
        assert_int_equal(f.systemd_version, 257);
}

/* A link below a root means a file below that root, also if it is absolute. */
static void test_links_stay_in_the_root(void **state) {
        Facts f;

        (void) state;
        tree_link(root, "etc/os-release", "/data/os-release");
        tree_write(root, "data/os-release", "ID=inside\n");
        tree_link(root, "usr/lib/podman/quadlet", "/opt/quadlet");
        tree_write_mode(root, "opt/quadlet", "", 0755);
        tree_link(root, "usr/libexec/podman/quadlet", "/bin/sh");
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.os_id, "inside");
        assert_string_equal(f.quadlet_path, "/usr/lib/podman/quadlet");
}

static void test_a_file_that_is_no_program_is_no_quadlet(void **state) {
        Facts f;

        (void) state;
        tree_write_mode(root, "usr/libexec/podman/quadlet", "", 0644);
        tree_write(root, "usr/lib/podman/quadlet/x", "");
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.quadlet_path, "");
}

static void test_odd_os_release(void **state) {
        Facts f;

        (void) state;
        tree_write(root, "etc/os-release", "ID=\"a\x01b\"\nVERSION_ID=\"un\\\"closed");
        facts_read_host(c.arena, root, &f);
        assert_string_equal(f.os_id, "");
        assert_string_equal(f.os_version, "un\"closed");
}

static void test_running_host_has_a_kernel(void **state) {
        struct utsname u;
        Facts f;

        (void) state;
        assert_int_equal(uname(&u), 0);
        facts_read_host(c.arena, "", &f);
        assert_string_equal(f.kernel, u.release);
        facts_read_host(c.arena, NULL, &f);
        assert_string_equal(f.kernel, u.release);
}

int main(void) {
#define HOST_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                HOST_TEST(test_empty_root_is_unknown),
                HOST_TEST(test_debian),
                HOST_TEST(test_fedora_names_its_libraries_longer),
                HOST_TEST(test_links_stay_in_the_root),
                HOST_TEST(test_a_file_that_is_no_program_is_no_quadlet),
                HOST_TEST(test_odd_os_release),
                HOST_TEST(test_running_host_has_a_kernel),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
