# SPDX-License-Identifier: LGPL-2.1-or-later
# Egress was tried and not proved.
# leak: L25
# kind: binding
# wants: unproven -
# says: does not say "passed"
client_world
SOURCES=()
prove_anyhow egress
