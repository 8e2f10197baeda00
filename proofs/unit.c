/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/unit.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "proofs/bus.h"
#include "proofs/handles.h"

int unit_invocation(const char *unit, char ret[ID128_TEXT_SIZE]) {
        CLEANUP(handle_free) char *path = NULL;
        char id[ID128_TEXT_SIZE + 1];
        ssize_t n;

        if (!unit_name_is_valid(unit))
                return -EINVAL;
        path = text_format("/run/systemd/units/invocation:%s", unit);
        if (!path)
                return -ENOMEM;
        n = readlink(path, id, sizeof(id) - 1);
        if (n < 0)
                return -errno;
        id[n] = '\0';
        if (!id128_is_valid(id))
                return -EBADMSG;
        memcpy(ret, id, ID128_TEXT_SIZE);
        return 0;
}

/* Where systemd's own hierarchy is: unified, hybrid, legacy (systemd(1), file-hierarchy). */
static const char *cgroup_root(void) {
        static const struct {
                const char *path;
                __fsword_t magic;
        } roots[] = {
                { "/sys/fs/cgroup", CGROUP2_SUPER_MAGIC },
                { "/sys/fs/cgroup/unified", CGROUP2_SUPER_MAGIC },
                { "/sys/fs/cgroup/systemd", CGROUP_SUPER_MAGIC },
        };
        struct statfs fs;

        for (size_t i = 0; i < ARRAY_LENGTH(roots); i++)
                if (statfs(roots[i].path, &fs) == 0 && fs.f_type == roots[i].magic)
                        return roots[i].path;
        return NULL;
}

int unit_cgroup(const char *unit, char **ret) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        CLEANUP(handle_free) char *path = NULL, *relative = NULL;
        const char *root = cgroup_root();
        struct stat st;
        int r;

        if (!unit_name_is_valid(unit))
                return -EINVAL;
        if (!root)
                return -EOPNOTSUPP;
        path = text_format("%s/system.slice/%s", root, unit);
        if (!path)
                return -ENOMEM;
        if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
                *ret = handle_take(path);
                return 0;
        }
        r = bus_open(&bus);
        if (r < 0)
                return -ENOENT; /* no systemd to ask: then it is where it always is, or nowhere */
        r = bus_unit_cgroup(bus, unit, &relative);
        if (r < 0)
                return r;
        if (relative[0] != '/' || relative[1] == '\0')
                return -ENOENT;
        free(path);
        path = text_format("%s%s", root, relative);
        if (!path)
                return -ENOMEM;
        *ret = handle_take(path);
        return 0;
}

int unit_read(const char *unit, UnitFacts *ret) {
        UnitFacts facts = { .cgroup = NULL };
        int r;

        r = unit_invocation(unit, facts.invocation_id);
        if (r < 0)
                return r;
        (void) snprintf(facts.name, sizeof(facts.name), "%s", unit);
        r = unit_cgroup(unit, &facts.cgroup);
        if (r < 0)
                return r;
        *ret = facts;
        return 0;
}

void unit_done(UnitFacts *unit) {
        free(unit->cgroup);
        unit->cgroup = NULL;
}

bool unit_is_same(const UnitFacts *unit) {
        char id[ID128_TEXT_SIZE];

        return unit_invocation(unit->name, id) >= 0 && strcmp(id, unit->invocation_id) == 0;
}
