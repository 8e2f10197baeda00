#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The boot generator on a host that it cannot write to: test-generator.py GENERATOR GENERATOR-WITH-FAULTS"""

import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import world  # noqa: E402

GENERATOR, WITH_FAULTS = None, None
GOOD = "services:\n  web:\n    image: docker.io/library/web:1\n"


def image(name):
    return f"services:\n  web:\n    image: example.org/{name}:1\n"


class Case(unittest.TestCase):
    quadlet = "stand-in"

    def setUp(self):
        self.world = world.World(GENERATOR, self.quadlet)
        self.addCleanup(self.world.close)

    def run_generator(self, *args, **kw):
        self.result = self.world.run(*args, **kw)
        return self.result

    def assert_active(self, stack):
        self.assertTrue(self.result.has(f"multi-user.target.wants/{stack}.target"), self.result.stderr)
        self.assertFalse(self.result.has(f"{stack}-failed.service"), self.result.stderr)
        self.assertTrue(self.result.has(f"{stack}-web.service"))

    def assert_failed(self, stack, words):
        self.assertTrue(self.result.has(f"multi-user.target.wants/{stack}.target"), self.result.stderr)
        text = self.result.read(f"{stack}-failed.service")
        self.assertIn(words, text)
        self.assertIn("unitproof-gate broken", text)
        self.assertIn(f"{stack}-failed.service", self.result.read(f"{stack}.target"))
        self.assertFalse(self.result.has(f"unitproof-{stack}.quadlets"))
        self.assertFalse(self.result.has(f"unitproof-{stack}.staging"))


class Nothing(Case):
    def test_no_configuration_is_silent(self):
        r = self.run_generator()
        self.assertEqual((r.status, r.stderr, r.kmsg, r.tree()), (0, "", "", {}))

    def test_no_stack_does_not_even_open_kmsg(self):
        self.world.etc("unitproof/unitproof.conf", "[echo]\nurl = wrong\n")
        self.world.etc("unitproof/unitproof.conf.d/x.conf", "")
        self.world.etc("unitproof/.git/config", "")
        r = self.run_generator()
        self.assertEqual((r.status, r.stderr, r.kmsg, r.tree()), (0, "", "", {}))

    def test_wrong_arguments(self):
        r = self.run_generator(arguments=2)
        self.assertEqual(r.status, 1)
        self.assertIn("usage:", r.stderr)


class Good(Case):
    def test_one_stack(self):
        self.world.stack("media", GOOD, "DB_PASSWORD=secret-value\n")
        r = self.run_generator()
        self.assertEqual((r.status, r.stderr, r.kmsg), (0, "", ""))
        self.assert_active("media")
        self.assertFalse(r.has("unitproof-media.staging"))

    def test_a_file_that_is_not_taken(self):
        self.world.stack("media", GOOD)
        self.world.etc("unitproof/media/docker-compose.yml", GOOD)
        r = self.run_generator()
        self.assertEqual(r.status, 0)
        self.assertIn("'docker-compose.yml' is ignored, since 'compose.yaml' is there", r.kmsg or r.stderr)
        self.assert_active("media")

    def test_one_argument_is_enough(self):
        self.world.stack("media", GOOD)
        self.assertEqual(self.run_generator(arguments=1).status, 0)
        self.assert_active("media")

    def test_the_same_again(self):
        self.world.stack("media", GOOD)
        self.world.stack("web", GOOD)
        first = self.run_generator().tree()
        self.assertEqual(first, self.run_generator().tree())

    def test_private_files_are_private(self):
        self.world.stack("media", GOOD + "    environment:\n      DB_PASSWORD: ${DB_PASSWORD}\n", "DB_PASSWORD=secret-value\n")
        r = self.run_generator()
        self.assert_active("media")
        self.assertEqual(r.mode("unitproof-media.env"), 0o700)
        for path, text in r.tree().items():
            if path.startswith("unitproof-media.env/") and text:
                self.assertEqual(r.mode(path), 0o600)
            else:
                self.assertNotIn("secret-value", text, path)

    def test_no_kmsg(self):
        self.world.stack("media", GOOD)
        self.world.stack("broken", "services: [")
        self.assertEqual(self.run_generator(kmsg=False).status, 1)
        self.assert_active("media")
        self.assert_failed("broken", "compose.yaml")

    def test_nothing_is_written_elsewhere_and_no_network_is_touched(self):
        self.world.stack("media", GOOD)
        if subprocess.run(["which", "strace"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no strace")
        r = self.run_generator("strace", "-f", "-qq", "-e", "trace=openat,socket,connect,execve,renameat2,linkat", "-o",
                               os.path.join(self.world.out, "trace"))
        self.assertEqual(r.status, 0, r.stderr)
        programs = []
        for line in r.read("trace").splitlines():
            self.assertNotIn("socket(", line)
            self.assertNotIn("connect(", line)
            if "execve(" in line and "= 0" in line:
                programs.append(line.split('"')[1])
            if ("O_WRONLY" in line or "O_RDWR" in line) and "/dev/null" not in line and "/dev/kmsg" not in line:
                # Either below the output directory by path, or relative to a descriptor that was opened there.
                path = line.split('"')[1]
                self.assertTrue(not path.startswith("/") or path.startswith(self.world.out), line)
        self.assertEqual(programs[:2], [self.world.generator, "/usr/libexec/podman/quadlet"])


class Bad(Case):
    """Each costs its own stack and no other."""

    def setUp(self):
        super().setUp()
        self.world.stack("a-before", GOOD)
        self.world.stack("z-after", GOOD)

    def assert_others_live(self):
        self.assertEqual(self.result.status, 1)
        self.assert_active("a-before")
        self.assert_active("z-after")

    def bad(self, compose, words, **kw):
        self.world.stack("media", compose, kw.pop("env", None))
        self.run_generator(**kw)
        self.assert_failed("media", words)
        self.assert_others_live()
        self.assertIn("<3>unitproof-generator[", self.result.kmsg)
        self.assertIn(words, self.result.stderr)

    def test_not_yaml(self):
        self.bad("services:\n  web: [\n", "compose.yaml:")

    def test_unknown_key(self):
        self.bad("services:\n  web:\n    imgae: x\n", "compose.yaml:3:5")

    def test_missing_include(self):
        self.bad("include: [other.yaml]\n" + GOOD, "other.yaml")

    def test_cycle(self):
        self.bad("services:\n  a:\n    image: x\n    depends_on: [b]\n  b:\n    image: x\n    depends_on: [a]\n", "compose.yaml:")

    def test_unknown_network_owner(self):
        self.bad(GOOD + "    network_mode: service:vpn\n", "vpn")

    def test_nul(self):
        self.bad("services:\n  web:\n    image: \"a\\0b\"\n", "compose.yaml:3")

    def test_deep_nesting(self):
        self.bad("x: " + "[" * 100000, "compose.yaml:1")

    def test_alias_bomb(self):
        bomb = "x-0: &a0 [" + ",".join(["lol"] * 9) + "]\n"
        for i in range(1, 12):
            bomb += f"x-{i}: &a{i} [" + ",".join([f"*a{i - 1}"] * 9) + "]\n"
        self.bad(bomb + GOOD, "compose.yaml:")

    def test_large_value(self):
        self.bad("services:\n  web:\n    image: " + "x" * (1024 * 1024) + "\n", "compose.yaml:3")

    def test_unreadable_env(self):
        os.makedirs(os.path.join(self.world.work, "etc/unitproof/media"))
        os.symlink(".env", os.path.join(self.world.work, "etc/unitproof/media/.env"))
        self.bad(GOOD, ".env")

    def test_fifo(self):
        os.makedirs(os.path.join(self.world.work, "etc/unitproof/media"))
        os.mkfifo(os.path.join(self.world.work, "etc/unitproof/media/compose.yaml"))
        self.run_generator()
        self.assertTrue(self.result.has("media-failed.service"))
        self.assert_others_live()

    def test_no_compose_file(self):
        self.world.etc("unitproof/media/readme.txt", "")
        self.run_generator()
        self.assert_failed("media", "no Compose file")
        self.assert_others_live()

    def test_stderr_is_left_alone_when_it_is_null(self):
        self.world.stack("media", "services: [")
        self.run_generator(stderr_null=True)
        self.assert_failed("media", "compose.yaml")
        self.assert_others_live()
        self.assertEqual(self.result.stderr, "")

    def test_kernel_records_are_short(self):
        self.world.stack("media", "services:\n  web:\n    image: x\n    " + "k" * 5000 + ": 1\n")
        self.run_generator()
        for line in self.result.kmsg.splitlines():
            self.assertLess(len(line.encode()), 900)
            self.assertRegex(line, r"^<[0-7]>unitproof-generator\[\d+\]: ")

    def test_bad_name(self):
        self.world.stack("Media Center", GOOD)
        self.run_generator()
        self.assert_failed("unitproof-host", "cannot be a stack")
        self.assertIn("Media Center", self.result.kmsg)
        self.assert_others_live()

    def test_an_old_systemd_is_a_warning(self):
        self.world.stack("media", GOOD)
        self.world.usr("lib/systemd/libsystemd-shared-245.so", "")
        self.run_generator()
        self.assert_active("media")
        self.assertRegex(self.result.kmsg, r"(?m)^<4>.*systemd 245 is too old: .* \[old-systemd\]$")

    def test_names_that_nobody_can_print(self):
        place = os.path.join(self.world.work, "etc/unitproof")
        for name in (b"a\nb", b"bad\xff"):
            os.mkdir(os.path.join(os.fsencode(place), name))
        self.run_generator()
        self.assert_failed("unitproof-host", "cannot be a stack")
        self.assertIn("unitproof/a\\nb cannot be a stack", self.result.kmsg)
        self.assertIn("unitproof/bad\\xff cannot be a stack", self.result.kmsg)
        self.assert_others_live()

    def test_a_stack_that_leads_nowhere(self):
        os.symlink("nowhere", os.path.join(self.world.work, "etc/unitproof/dangling"))
        self.run_generator()
        self.assert_failed("dangling", "/etc/unitproof/dangling")
        self.assert_others_live()

    def test_bad_configuration_costs_no_stack(self):
        self.world.etc("unitproof/unitproof.conf", "[echo]\nulr = http://192.0.2.1/\n")
        self.run_generator()
        self.assert_failed("unitproof-host", "unitproof.conf:2:1")
        self.assert_others_live()

    def test_refused_by_quadlet(self):
        self.world.stack("media", image("refuse") + "  other:\n    image: docker.io/library/x:1\n")
        self.run_generator()
        self.assertTrue(self.result.has("multi-user.target.wants/media.target"))
        self.assertIn("unsupported key 'Foo'", self.result.read("media-web.service"))
        self.assertNotIn("unsupported key", self.result.read("media-other.service"))
        self.assert_others_live()

    def test_quadlet_hangs(self):
        self.world.stack("media", image("hang"))
        self.run_generator()
        self.assertIn("did not end within", self.result.read("media-web.service"))
        self.assertLess(self.result.seconds, 12)
        self.assert_others_live()


class Taken(Case):
    def test_the_later_stack_fails(self):
        self.world.stack("media", "services:\n  tv-web:\n    image: docker.io/library/x:1\n")
        self.world.stack("media-tv", GOOD)
        self.run_generator()
        self.assertEqual(self.result.status, 1)
        self.assertTrue(self.result.has("multi-user.target.wants/media.target"))
        self.assertIn("unitproof-media.quadlets", self.result.read("media-tv-web.service"))
        self.assert_failed("media-tv", "media-tv-web.service")

    def test_names_in_podman_are_those_of_one_stack(self):
        vpn = "services:\n  vpn: {image: x, container_name: gluetun}\n  web: {image: x, network_mode: 'service:vpn'}\n"
        taken = {
            "films": vpn,                                                             # comes first and has it
            "media": vpn,                                                             # the same container_name
            "music": GOOD.replace("    image", "    container_name: films-web\n    image"),  # a name that nobody wrote
            "photo": "services:\n  web: {image: x, container_name: web.z}\n  app: {image: x, container_name: tv-web}\n",
            "pods": "services:\n  web: {image: x, container_name: films-vpn-pod}\n",  # pods share the names
            "tv": GOOD,                                                               # its own name, which another wrote
            "tv2": GOOD.replace("    image", "    container_name: media-web\n    image"),  # media has none: it did not compile
        }
        for name, compose in taken.items():
            self.world.stack(name, compose)
        self.run_generator()
        self.assertEqual(self.result.status, 1)
        for name in ("films", "photo", "tv2"):
            self.assert_active(name)
        self.assert_failed("media", "compose.yaml:2:35: error: the container of 'vpn' would be called 'gluetun' in Podman, as that of "
                                    "films-vpn.service of the stack 'films' is")
        self.assert_failed("music", "films-web.service of the stack 'films'")
        self.assert_failed("pods", "films-vpn-pod.service of the stack 'films'")
        self.assert_failed("tv", "photo-app.service of the stack 'photo'")
        self.assertEqual(self.result.stderr.count("error: "), 4, self.result.stderr)

    def test_a_second_run_changes_nothing(self):
        self.world.stack("media", GOOD)
        once = self.run_generator().tree()
        twice = self.run_generator(runs=2)
        self.assertEqual(twice.status, 1)
        self.assertIn("already there", twice.stderr)
        self.assertEqual(twice.tree(), once)


class Full(Case):
    def test_disk_full(self):
        """In a directory without room for the stack there is room for the unit that says so."""
        services = "".join(f"  s{i}:\n    image: docker.io/library/x:1\n    labels:\n      x: {'y' * 3000}\n" for i in range(40))
        self.world.stack("media", "services:\n" + services)
        self.run_generator(size="128k")
        self.assertEqual(self.result.status, 1)
        self.assert_failed("media", "No space left on device")

    def test_no_room_at_all(self):
        self.world.stack("media", GOOD)
        r = self.run_generator(size="4k")
        self.assertEqual(r.status, 1)
        self.assertFalse(r.has("multi-user.target.wants/media.target"))
        self.assertIn("No space left on device", r.stderr)


class NoQuadlet(Case):
    quadlet = None

    def test_it_says_what_is_needed(self):
        self.world.stack("media", GOOD)
        self.run_generator()
        self.assertEqual(self.result.status, 1)
        self.assert_failed("media", "Podman 5.4 or newer is needed")
        self.assertIn("/usr/bin/podman", self.result.stderr)

    def test_old_podman(self):
        self.world.usr("bin/podman", "#!/bin/sh\n", 0o755)
        self.world.stack("media", GOOD)
        self.run_generator()
        self.assert_failed("media", "/usr/bin/podman is there")


class OldQuadlet(Case):
    quadlet = None

    def test_the_version_is_named(self):
        self.world.usr("libexec/podman/quadlet", "#!/bin/sh\n[ \"$1\" = -version ] && { echo 4.9.3; exit; }\n"
                       "echo \"converting \\\"media-web.container\\\": unsupported key 'Pod'\" >&2; exit 1\n", 0o755)
        self.world.stack("media", GOOD)
        self.run_generator()
        self.assertIn("unsupported key 'Pod'", self.result.read("media-web.service"))
        self.assertIn("4.9.3", self.result.stderr)


class Faults(Bad):
    """A worker that dies or does not end: a generator with other words in it does it when it meets one in the file."""

    def setUp(self):
        super().setUp()
        self.world.generator = WITH_FAULTS

    def fault(self, word, words, seconds=9):
        self.world.stack("media", GOOD + f"# {word}\n")
        self.run_generator()
        self.assert_failed("media", words)
        self.assert_others_live()
        self.assertLess(self.result.seconds, seconds)

    def test_crash(self):
        self.fault("FAULT-SEGV", "killed by signal 11")

    def test_abort(self):
        self.fault("FAULT-ABRT", "killed by signal 6")

    def test_exit(self):
        self.fault("FAULT-EXIT", "ended with status 0")

    def test_hang(self):
        self.fault("FAULT-HANG", "did not end in time")

    def test_loop(self):
        self.fault("FAULT-LOOP", "did not end in time")

    def test_memory(self):
        self.fault("FAULT-MEMORY", "out of memory")

    def test_many_hang(self):
        for i in range(8):
            self.world.stack(f"hang-{i}", GOOD + "# FAULT-HANG\n")
        self.run_generator()
        for i in range(8):
            self.assert_failed(f"hang-{i}", "did not end in time")
        self.assert_others_live()
        self.assertLess(self.result.seconds, 25)


class RealQuadlet(Case):
    quadlet = None

    def setUp(self):
        path = world.real_quadlet()
        if not path:
            self.skipTest("no quadlet on this host; name one with QUADLET=")
        self.quadlet = path
        super().setUp()

    def test_one_stack(self):
        self.world.stack("media", GOOD)
        self.run_generator()
        self.assertEqual(self.result.status, 0, self.result.stderr)
        self.assert_active("media")
        self.assertIn("podman run", self.result.read("media-web.service"))


def main():
    global GENERATOR, WITH_FAULTS
    world.need()
    GENERATOR, WITH_FAULTS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    # Inherited cases run once.
    for name in [n for n in dir(Bad) if n.startswith("test_")]:
        if name not in vars(Faults):
            setattr(Faults, name, None)
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False, verbosity=1).result
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad or result.testsRun == 0 else 0)


if __name__ == "__main__":
    main()
