/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <strings.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/plan/resource.h"

/* The words that say who one is: for the file that "credentials=" names, mount.cifs(8). */
static bool is_credential(const char *word) {
        static const char *const names[] = { "user=", "username=", "pass=",     "password=",
                                             "dom=",  "domain=",   "workgroup=" };

        for (size_t i = 0; i < ELEMENTS(names); i++)
                if (str_has_prefix(word, names[i]))
                        return true;
        return false;
}

static bool is_cifs(const Node *options) {
        const char *type = node_get_text(options, "type");

        return str_equal(type, "cifs") || str_equal(type, "smb3");
}

/* "o" with a password of a network share: who one is goes into a file that root alone reads, and nothing of
 * it into the unit or onto a command line. */
static void write_with_credentials(Resource *r, const NodePair *volume, const Node *o) {
        Lower *l = r->lower;
        const char *name = arena_printf(l->arena, "%s.credentials", volume->key->text);
        Buf rest = BUF(l->arena), file = BUF(l->arena);
        Node open = *o;

        for (const char *p = o->text; *p; p += *p == ',') {
                size_t n = strcspn(p, ",");
                const char *word = arena_strndup(l->arena, p, n);

                if (is_credential(word))
                        buf_printf(&file, "%s\n",
                                   str_has_prefix(word, "workgroup=")
                                           ? arena_printf(l->arena, "domain=%s", word + strlen("workgroup="))
                                           : word);
                else if (n > 0)
                        buf_printf(&rest, "%s,", word);
                p += n;
        }
        for (size_t i = 0; i < l->diag->n_secrets; i++)
                if (strstr(buf_text(&rest), l->diag->secrets[i].value)) {
                        resource_scalar(r, "Options", ESCAPE_QUADLET_SCALAR, o);
                        return;
                }
        lower_private(l, name, o->span, 0600, buf_text(&file));
        open.secret = false;
        resource_line(r, "Options", ESCAPE_QUADLET_SCALAR, &open,
                      arena_printf(l->arena, "%scredentials=%s/%s", buf_text(&rest), l->private_path, name));
}

/* Other drivers have their own. */
static bool option_is_known(Resource *r, const NodePair *volume, const Node *name) {
        static const char *const known[] = { "copy",    "device", "gid",  "inodes", "nocopy",
                                             "noquota", "o",      "size", "type",   "uid" };
        const char *driver = node_get_text(volume->value, "driver") ?: "", *near;

        if (driver[0] && !str_equal(driver, "local"))
                return true;
        for (size_t i = 0; i < ELEMENTS(known); i++)
                if (strcasecmp(name->text, known[i]) == 0)
                        return true;
        resource_refuse(r, name,
                        arena_printf(r->lower->arena, "the driver 'local' of volumes has no option '%s'",
                                     escape_for_message(r->lower->arena, name->text, 80)));
        near = str_nearest(name->text, known, ELEMENTS(known));
        if (near)
                diag_hint(r->lower->diag, "did you mean '%s'?", near);
        else
                diag_hint(r->lower->diag, "it has type, device and o, as mount(8)");
        return false;
}

static void volume_options(Resource *r, const NodePair *volume, const Node *options) {
        const Node *device = node_get(options, "device");

        for (size_t i = 0; options && options->kind == NODE_MAPPING && i < options->n; i++) {
                const NodePair *p = options->pairs + i;

                if (!node_is_scalar(p->value) || !option_is_known(r, volume, p->key))
                        continue;
                if (str_equal(p->key->text, "device"))
                        resource_scalar(r, "Device", ESCAPE_QUADLET_SCALAR, p->value);
                else if (str_equal(p->key->text, "type") && device)
                        resource_scalar(r, "Type", ESCAPE_QUADLET_SCALAR, p->value);
                else if (str_equal(p->key->text, "o") && device && p->value->secret && is_cifs(options))
                        write_with_credentials(r, volume, p->value);
                else if (str_equal(p->key->text, "o") && device)
                        resource_scalar(r, "Options", ESCAPE_QUADLET_SCALAR, p->value);
                else
                        resource_line(
                                r, "PodmanArgs", ESCAPE_QUADLET_ARGV, p->value,
                                arena_printf(r->lower->arena, "--opt=%s=%s", p->key->text, p->value->text));
        }
}

void lower_volume(Lower *l, const NodePair *p) {
        Resource r = resource_new(l, "volume", p);
        const Node *driver = node_get(p->value, "driver"), *options = node_get(p->value, "driver_opts");

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "local"))
                resource_scalar(&r, "Driver", ESCAPE_QUADLET_SCALAR, driver);
        volume_options(&r, p, options);
        resource_pairs(&r, "Label", node_get(p->value, "labels"));
        resource_finish(&r, &template_volume);
}
