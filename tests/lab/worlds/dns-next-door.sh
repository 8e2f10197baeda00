# SPDX-License-Identifier: LGPL-2.1-or-later
# The client's file is right, and next door a resolver answers to whoever asks it.
# leak: L3
# kind: dns
# wants: failed leak neighbour-answers
tunnel_world
resolv_client 10.8.0.1
resolver host 10.77.0.1 53
