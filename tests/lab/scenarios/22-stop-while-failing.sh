# SPDX-License-Identifier: LGPL-2.1-or-later
# The target is stopped in the very moment in which the client fails: nothing of the stack comes up again.
# machine: vpn

given_down
# The client takes its time to fail, so that the stop comes before its OnFailure=.
on sed -nE 's/ --pod-id-file [^ ]+/ --network host/; s/^ExecStart=/ExecStart=\n&/p' \
        /run/systemd/generator/vpn-client.service | { printf '[Service]\nExecStopPost=sleep 3\n'; cat; } | drop_in vpn-client.service
reload
for moment in 1 2; do
        mark
        start_target
        eventually 60 "$moment: the client is refused" said 'bound of client: failed'
        on systemctl stop vpn.target
        eventually 30 "$moment: the stack goes down" all_down
        throughout 4 "$moment: and stays down" all_down
done
