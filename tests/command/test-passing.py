#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the command hands on to other programs: test-passing.py UNITPROOF

In a mount namespace stand-ins lie over the programs and print what they were given. Needs root."""

import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../sandbox"))
import world  # noqa: E402

UNITPROOF = None

STACK = """services:
  vpn:
    image: docker.io/example/vpn:1
    container_name: the-vpn
    cap_add: [NET_ADMIN]
    healthcheck:
      test: [CMD, "true"]
  client:
    image: docker.io/example/client:1
    network_mode: service:vpn
    volumes: ["/srv/a b%c$$d:/data"]
    depends_on:
      vpn:
        condition: service_healthy
  manager:
    image: docker.io/example/manager:1
    volumes: ["/srv/a b%c$$d:/data"]
"""

STAND_IN = '#!/usr/bin/python3\nimport json, sys\nprint(json.dumps(sys.argv))\nsys.exit(7)\n'

ENTER = r"""
work=$1; shift
for d in etc usr; do
    mount -t overlay overlay -o "lowerdir=/$d,upperdir=$work/$d,workdir=$work/$d.work" "/$d" || exit 99
done
exec "$@"
"""


class Passing(unittest.TestCase):
    def setUp(self):
        self.world = world.World(UNITPROOF)
        self.addCleanup(self.world.close)
        self.world.stack("media", STACK)
        for program in ("bin/systemctl", "bin/journalctl", "bin/podman", "libexec/unitproof/unitproof-prove",
                        "libexec/unitproof/unitproof-probe"):
            self.world.usr(program, STAND_IN, 0o755)

    def run_it(self, *args, status=7, cwd="/"):
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", self.world.work, UNITPROOF, *args],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=60, cwd=cwd,
            env={"PATH": "/nowhere:/usr/bin:/bin:/usr/sbin"})
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout) if done.stdout else done.stderr

    def test_an_old_podman_is_said(self):
        self.world.usr("libexec/podman/quadlet", "#!/bin/sh\necho 4.9.3\n", 0o755)
        found = {e["code"]: e["message"] for e in self.run_it("--json", "check", "media", status=0)["diagnostics"]}
        self.assertIn("Podman 4.9.3 is too old", found["old-podman"])

    def test_up_down_restart(self):
        self.assertEqual(self.run_it("up", "media"), ["/usr/bin/systemctl", "start", "media.target"])
        self.assertEqual(self.run_it("down", "media"), ["/usr/bin/systemctl", "stop", "media.target"])
        self.assertEqual(self.run_it("restart", "media"), ["/usr/bin/systemctl", "restart", "media.target"])
        for verb in ("up", "down", "restart"):
            self.assertIn("did you mean 'media'?", self.run_it(verb, "medio", status=2))
            self.assertIn("cannot be the name", self.run_it(verb, "../x", status=2))
        self.assertEqual(self.run_it("--root", "/", "down", "media"), ["/usr/bin/systemctl", "stop", "media.target"])
        self.assertIn("no drill 'magic'", self.run_it("drill", "magic", "media", status=2))
        self.assertIn("no proof 'magic'", self.run_it("prove", "magic", "media", status=2))

    def test_logs(self):
        words = self.run_it("logs", "-f", "-n", "20", "media")
        self.assertEqual(words[:3], ["/usr/bin/journalctl", "--follow", "--lines=20"])
        units = words[4::2]
        self.assertEqual(set(words[3::2]), {"-u"})
        for unit in ("media-vpn.service", "media-client.service", "media-proof-egress-client.service", "media.target"):
            self.assertIn(unit, units)
        words = self.run_it("logs", "media", "client")
        self.assertEqual(words[1:3], ["-u", "media-client.service"])
        self.assertIn("media-proof-egress-client.service", words)
        self.assertNotIn("media-vpn.service", words)
        self.assertIn("no service", self.run_it("logs", "media", "nobody", status=2))

    def test_exec(self):
        self.assertEqual(self.run_it("exec", "media", "vpn", "sh", "-c", "echo --json")[1:],
                         ["exec", "-i", "the-vpn", "sh", "-c", "echo --json"])
        self.assertEqual(self.run_it("exec", "media", "client", "--", "ls", "--help")[1:],
                         ["exec", "-i", "media-client", "ls", "--help"])
        self.assertIn("no service", self.run_it("exec", "media", "nobody", "ls", status=2))

    def test_prove_has_the_words_of_the_unit(self):
        words = self.run_it("prove", "egress", "media", "client")
        self.assertEqual(words[:2], ["/usr/libexec/unitproof/unitproof-probe", "egress"])
        self.assertEqual(words[words.index("--unit") + 1], "media-vpn.service")
        words = self.run_it("prove", "binding", "media", "client", "--json")
        self.assertEqual(words[words.index("--tunnel-unit") + 1], "media-vpn.service")
        self.assertEqual(words[-1], "--json")
        self.assertNotIn("--and-dns", words)
        self.assertEqual(self.run_it("prove", "dns", "media", "client")[:2], ["/usr/libexec/unitproof/unitproof-prove", "dns"])
        self.assertEqual(self.run_it("prove", "engine", "media")[1], "engine")
        self.assertEqual(self.run_it("prove", "health", "media", "vpn")[1], "health")

    def test_prove_with_a_path_that_units_have_to_escape(self):
        error = self.run_it("prove", "hardlink", "media", "nobody", status=2)
        subject = error.strip().rsplit(" ", 1)[1]
        words = self.run_it("prove", "hardlink", "media", subject)
        self.assertIn("/data", words)

    def test_prove_what_is_not_there(self):
        self.assertIn("has no egress proof of manager", self.run_it("prove", "egress", "media", "manager", status=2))
        self.assertIn("say of which service", self.run_it("prove", "egress", "media", status=2))
        self.world.stack("media", STACK + "x-unitproof:\n  proofs:\n    egress: off\n")
        self.assertIn("switched off", self.run_it("prove", "egress", "media", "client", status=2))

    def test_programs_are_not_taken_from_the_current_directory(self):
        self.world.usr("bin/systemctl", "", 0o644)
        os.unlink(os.path.join(self.world.work, "usr/bin/systemctl"))
        os.mknod(os.path.join(self.world.work, "usr/bin/systemctl"), 0o600 | 0o020000, os.makedev(0, 0))  # a hole in the overlay
        with open(os.path.join(self.world.work, "systemctl"), "w", encoding="utf-8") as f:
            f.write(STAND_IN)
        os.chmod(os.path.join(self.world.work, "systemctl"), 0o755)
        self.assertIn("no systemctl", self.run_it("up", "media", status=1, cwd=self.world.work))


def main():
    global UNITPROOF
    world.need()
    UNITPROOF = os.path.abspath(sys.argv[1])
    result = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False).result
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad or result.testsRun == 0 else 0)


if __name__ == "__main__":
    main()
