# SPDX-License-Identifier: LGPL-2.1-or-later
# The engine says "healthy" of a process that is not the unit's.
# leak: L25
# kind: health
# wants: unproven -
# says: not the one it runs
world_internet
service db.service host sleep 1000
engine_stand_in "echo '[{\"State\":{\"Pid\":1,\"Health\":{\"Status\":\"healthy\"}}}]'"
