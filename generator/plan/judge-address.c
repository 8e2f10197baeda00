/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>

#include "generator/base/str.h"
#include "generator/base/subnet.h"
#include "generator/plan/lower.h"

/* Addresses and names of networks that Podman 5.4 and the kernel take: net.ParseIP and net.ParseMAC of Go,
 * is_valid_ether_addr() and dev_valid_name() of Linux. */

/* IFNAMSIZ */
enum { INTERFACE_LENGTH_MAX = 15 };

bool judge_address(Draft *d, const char *what, const Node *n, const char *address) {
        Subnet subnet;

        if (subnet_parse_address(address, &subnet))
                return true;
        draft_refuse(d, n, "%s of '%s' has to be an IP address, which '%s' is not", what, d->service->name,
                     escape_for_message(d->lower->arena, address, 80));
        return false;
}

/* Six bytes in groups of one, or with dots of two. The kernel gives no link an address of a group of links
 * (the lowest bit of the first byte), and none of zeros. */
static bool is_link_address(const char *text) {
        size_t length = strlen(text), group = length == 14 ? 4 : 2;
        char separator;

        if (length != 14 && length != 17)
                return false;
        separator = group == 4 ? '.' : text[2] == '-' ? '-' : ':';
        for (size_t i = 0; i < length; i++)
                if (i % (group + 1) == group ? text[i] != separator : !isxdigit((unsigned char) text[i]))
                        return false;
        return !strchr("13579bBdDfF", text[1]) && strspn(text, "0.:-") < length;
}

bool judge_mac_address(Draft *d, const Node *n) {
        if (is_link_address(n->text))
                return true;
        draft_refuse(d, n, "'%s' is no address that a link can have",
                     escape_for_message(d->lower->arena, n->text, 80));
        diag_hint(d->lower->diag, "write six bytes, such as 02:42:ac:11:00:03; the second digit is even");
        return false;
}

bool judge_interface_name(Draft *d, const Node *n) {
        const char *name = n->text;

        if (strlen(name) <= INTERFACE_LENGTH_MAX && !strpbrk(name, "/: \t\n") && !str_equal(name, ".") &&
            !str_equal(name, "..") && !str_equal(name, "lo"))
                return true;
        draft_refuse(d, n, "'%s' is no name that a link of a container can have",
                     escape_for_message(d->lower->arena, name, 80));
        diag_hint(d->lower->diag, "write up to %d letters and digits, such as eth1", INTERFACE_LENGTH_MAX);
        return false;
}

/* Podman asks nobody for an address in a network whose subnets are written down. */
bool judge_address_in_network(Draft *d, const Node *n, const Node *network) {
        const Node *pools = node_get(node_get(network, "ipam"), "config");
        bool any = false;
        Subnet address, subnet;

        if (!judge_address(d, "the address", n, n->text))
                return false;
        if (!subnet_parse_address(n->text, &address) ||
            node_get_bool(network, "external", /* fallback= */ false))
                return true;
        for (size_t i = 0; pools && pools->kind == NODE_SEQUENCE && i < pools->n; i++) {
                const char *text = node_get_text(pools->items[i], "subnet");

                if (!text || !subnet_parse(text, &subnet))
                        continue;
                if (subnet_contains(&subnet, &address))
                        return true;
                any = true;
        }
        if (!any)
                return true;
        draft_refuse(d, n, "the address '%s' of '%s' is in no subnet of the network", n->text,
                     d->service->name);
        diag_hint(d->lower->diag, "take one of a subnet that the network has under 'ipam'");
        return false;
}

bool network_name_is_mode(const char *name) {
        static const char *const modes[] = { "bridge", "container", "default", "host",       "none",
                                             "ns",     "pasta",     "private", "slirp4netns" };

        for (size_t i = 0; i < ELEMENTS(modes); i++)
                if (str_equal(name, modes[i]))
                        return true;
        return false;
}
