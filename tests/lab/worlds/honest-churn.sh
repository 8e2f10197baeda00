# SPDX-License-Identifier: LGPL-2.1-or-later
# A client whose processes end and begin all the time.
# leak: L16
# kind: binding
# wants: passed
client_world
join torrent.service vpn "$TOOLS/odd" churn
