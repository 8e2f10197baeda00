# SPDX-License-Identifier: LGPL-2.1-or-later
# Records that are used up, of another boot, or another user's: the gate takes none of them.
# machine: vpn

given_up
records=/run/unitproof/vpn
on cp -p $records/egress-client.json /run/egress-kept.json
on systemctl stop vpn-client.service
printf '[Service]\nExecStart=\nExecStart=true\n' | drop_in vpn-proof-egress-client.service
reload

# refuses TEXT PATTERN : a start fails, and the gate's reason matches.
refuses() {
        # A fast machine reaches systemd's limit of starts in ten seconds.
        quiet on systemctl reset-failed vpn-client.service
        mark
        expect_not "$1: the client does not start" on systemctl start vpn-client.service
        expect_match "$1: the gate says why" "$2" since -u vpn-client.service
        expect "$1: no packet arrived" silent
}
used=$(on cut -c 1-32 $records/.consumed/client.egress-client)
on sh -c "jq '.id = \"$used\"' /run/egress-kept.json >$records/egress-client.json"
refuses "a record that was used" 'egress of client .*(used|other start|already|older)'

new_id=$(on cat /proc/sys/kernel/random/uuid | tr -d -)
on sh -c "jq '.id = \"$new_id\" | .boot_id = \"00000000000040008000000000000001\"' \
        /run/egress-kept.json >$records/egress-client.json"
refuses "a record of another boot" 'egress of client .*boot'

on sh -c "jq '.id = \"$new_id\"' /run/egress-kept.json >$records/egress-client.json
        chown 1000:1000 $records/egress-client.json"
refuses "a record that is not root's" 'egress of client .*(own|root)'

on sh -c "jq '.id = \"$new_id\" | .subject = \"other\"' /run/egress-kept.json >$records/x &&
        mv $records/x $records/egress-client.json"
refuses "a record of somebody else" 'egress of client '

on sh -c "jq '.id = \"$new_id\" | .verdict = \"unproven\"' /run/egress-kept.json >$records/x &&
        mv $records/x $records/egress-client.json"
refuses "a record that did not pass" 'egress of client '

restore
on systemctl start vpn-client.service
eventually 30 "with the real proof it starts" active vpn-client.service
