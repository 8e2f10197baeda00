# SPDX-License-Identifier: LGPL-2.1-or-later
# The service that must have started has not.
# leak: L25
# kind: gate
# wants: failed -
# says: failed
tunnel_world
PROPERTIES=(-p RemainAfterExit=no)
systemd-run -q --unit=db.service -- false
echo db.service >>/run/world-units
for _ in $(seq 50); do [ "$(systemctl is-active db.service)" = failed ] && break; sleep 0.05; done
REQUIRE=(--require started:db:db.service)
