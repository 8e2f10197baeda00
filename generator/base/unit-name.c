/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/unit-name.h"

#include <stdio.h>
#include <string.h>

#include "generator/base/array.h"
#include "generator/base/limits.h"

static const char *const suffixes[] = { ".service", ".socket", ".target", ".device", ".mount", ".automount",
                                        ".swap",    ".timer",  ".path",   ".slice",  ".scope" };

static size_t stem_length(const char *name, size_t n) {
        for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
                size_t suffix = strlen(suffixes[i]);

                if (n > suffix && strcmp(name + n - suffix, suffixes[i]) == 0)
                        return n - suffix;
        }
        return 0;
}

bool unit_name_is_valid(const char *name) {
        size_t n = name ? strnlen(name, UNIT_NAME_LENGTH_MAX + 1) : 0, stem;
        const char *at;

        if (n == 0 || n > UNIT_NAME_LENGTH_MAX)
                return false;
        stem = stem_length(name, n);
        if (stem == 0 || name[0] == '@' || name[0] == '.')
                return false;
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@") < stem)
                return false;
        at = memchr(name, '@', stem);
        return !at || at + 1 < name + stem;
}

bool unit_name_from_path(const char *path, const char *suffix, size_t size, char *ret) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:_.";
        size_t n = 0;

        path += path[0] == '/';
        for (const char *p = path; *p; p++) {
                bool dot_first = *p == '.' && p == path;

                if (n + sizeof("\\x00") + strlen(suffix) > size)
                        return false;
                if (*p == '/')
                        ret[n++] = '-';
                else if (strchr(plain, *p) && !dot_first)
                        ret[n++] = *p;
                else
                        n += (size_t) snprintf(ret + n, size - n, "\\x%02x", (unsigned char) *p);
        }
        if (n == 0)
                return false;
        strcpy(ret + n, suffix);
        return true;
}

/* Targets that systemd owns (systemd.special(7)). The generator's directory comes before /usr/lib, so a stack
 * of such a name would replace the host's own target. */
/* clang-format off */
static const char *const system_targets[] = {
        "basic", "bluetooth", "boot-complete", "cryptsetup", "cryptsetup-pre", "ctrl-alt-del",
        "default", "emergency", "exit", "factory-reset", "final", "first-boot-complete", "getty",
        "getty-pre", "graphical", "graphical-session", "halt", "hibernate", "hybrid-sleep",
        "initrd", "initrd-fs", "initrd-root-device", "initrd-root-fs", "initrd-switch-root",
        "initrd-usr-fs", "integritysetup", "integritysetup-pre", "kexec", "local-fs",
        "local-fs-pre", "machines", "multi-user", "network", "network-online", "network-pre",
        "nss-lookup", "nss-user-lookup", "paths", "poweroff", "printer", "reboot",
        "remote-cryptsetup", "remote-fs", "remote-fs-pre", "remote-veritysetup", "rescue",
        "rpcbind", "runlevel0", "runlevel1", "runlevel2", "runlevel3", "runlevel4", "runlevel5",
        "runlevel6", "shutdown", "sigpwr", "sleep", "slices", "smartcard", "sockets", "soft-reboot",
        "sound", "ssh-access", "storage-target-mode", "suspend", "suspend-then-hibernate", "swap",
        "sysinit", "system-update", "system-update-pre", "systemd", "time-set", "time-sync",
        "timers", "tpm2", "umount", "usb-gadget", "veritysetup", "veritysetup-pre",
};
/* clang-format on */

bool unit_stem_is_reserved(const char *stem) {
        if (strncmp(stem, "systemd-", strlen("systemd-")) == 0)
                return true;
        for (size_t i = 0; i < ELEMENTS(system_targets); i++)
                if (strcmp(stem, system_targets[i]) == 0)
                        return true;
        return false;
}
