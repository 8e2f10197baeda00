#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The generator under a real PID 1: this machine's own systemd, booted by systemd-nspawn with an empty /etc: test-boot.py GENERATOR

Such a boot takes half a second. The machine's systemd may be older than what stacks need to run; here only what it makes of the generator's
output is looked at. There is no quadlet in it, so that stacks with containers have to be seen as failed."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

GENERATOR = None

PROBE = """[Unit]
DefaultDependencies=no
After=sysinit.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
ExecStart=-/bin/sh /etc/systemd/system/probe.sh
ExecStopPost=/bin/systemctl --force --force poweroff
"""

SCRIPT = """
export SYSTEMD_PAGER=cat COLUMNS=1000
show() { echo "=== $1"; shift; "$@" 2>&1; }
# What boot would start by way of multi-user.target.
show wants ls /run/systemd/generator/multi-user.target.wants
systemctl start media.target unitproof-host.target 2>/dev/null
# The units are oneshot; wait for their end.
for i in 1 2 3 4 5 6 7 8 9 10; do
    systemctl is-failed -q media-failed.service && break
    sleep 0.1
done
show failed systemctl --failed --plain --no-legend --no-pager
show show systemctl show -p Description,SourcePath,ActiveState media-failed.service
before=$(cd /run/systemd/generator && find . -type f -exec sha256sum {} + | sort)
systemctl daemon-reload
after=$(cd /run/systemd/generator && find . -type f -exec sha256sum {} + | sort)
show reload sh -c '[ "$1" = "$2" ] && echo same || echo different' sh "$before" "$after"
show needs systemctl show -p NeedDaemonReload media-failed.service
echo "=== end"
"""


def boot(stacks, config=None):
    """Returns what the probe saw: a mapping of section to text."""
    work = tempfile.mkdtemp(prefix="unitproof-boot.", dir="/var/tmp")
    try:
        for folder in ("generators", "system", "unitproof"):
            os.mkdir(os.path.join(work, folder))
        shutil.copy(GENERATOR, os.path.join(work, "generators/unitproof-generator"))
        for name, compose in stacks.items():
            os.mkdir(os.path.join(work, "unitproof", name))
            with open(os.path.join(work, "unitproof", name, "compose.yaml"), "w", encoding="utf-8") as f:
                f.write(compose)
        if config is not None:
            with open(os.path.join(work, "unitproof/unitproof.conf"), "w", encoding="utf-8") as f:
                f.write(config)
        for name, text in (("probe.service", PROBE), ("probe.sh", SCRIPT)):
            with open(os.path.join(work, "system", name), "w", encoding="utf-8") as f:
                f.write(text)
        done = subprocess.run(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "-D", "/", "--volatile=yes", "--private-network",
             "--console=read-only", f"--bind-ro={work}/generators:/etc/systemd/system-generators",
             f"--bind-ro={work}/system:/etc/systemd/system", f"--bind-ro={work}/unitproof:/etc/unitproof", "-b",
             "systemd.firstboot=no", "systemd.unit=probe.service"],
            capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"})
        seen, section = {}, None
        for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", done.stdout).replace("\r", "").splitlines():
            if line.startswith("=== "):
                section = line[4:]
                seen[section] = ""
            elif section:
                seen[section] += line + "\n"
        if "end" not in seen:
            raise RuntimeError(f"no boot: {done.stdout}{done.stderr}")
        return seen
    finally:
        shutil.rmtree(work, ignore_errors=True)


class Boot(unittest.TestCase):
    def test_a_broken_stack_is_seen(self):
        seen = boot({"media": "services:\n  web:\n    imgae: x\n"})
        self.assertIn("media.target", seen["wants"])
        self.assertIn("media-failed.service", seen["failed"])
        self.assertIn("compose.yaml:3:5", seen["show"])
        self.assertIn("SourcePath=/etc/unitproof/media/compose.yaml", seen["show"])
        self.assertEqual(seen["reload"].strip(), "same")
        self.assertIn("NeedDaemonReload=no", seen["needs"])

    def test_no_quadlet_is_seen(self):
        seen = boot({"media": "services:\n  web:\n    image: docker.io/library/web:1\n"})
        if os.path.exists("/usr/libexec/podman/quadlet"):
            self.skipTest("this host has quadlet")
        self.assertIn("media-failed.service", seen["failed"])
        self.assertIn("Podman 5.4", seen["show"])

    def test_names_and_settings_are_seen(self):
        seen = boot({"media": "services: [", "Bad Name": ""}, "[echo]\nulr = x\n")
        self.assertIn("unitproof-host-failed.service", seen["failed"])
        self.assertIn("media-failed.service", seen["failed"])


def main():
    global GENERATOR
    if os.geteuid() != 0 or not shutil.which("systemd-nspawn") or not os.path.exists("/usr/lib/systemd/systemd") and \
            not os.path.exists("/lib/systemd/systemd"):
        print("needs root, systemd and systemd-nspawn", file=sys.stderr)
        sys.exit(77)
    GENERATOR = os.path.abspath(sys.argv[1])
    try:
        boot({"media": "services: ["})
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        print(f"cannot boot this machine's systemd here: {e}", file=sys.stderr)
        sys.exit(77)
    result = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False).result
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad or result.testsRun == 0 else 0)


if __name__ == "__main__":
    main()
