#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The command as its user sees it: test-command.py UNITPROOF SOURCE-ROOT"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

UNITPROOF, SOURCE = None, None

VPN = """services:
  vpn:
    image: docker.io/example/vpn:1
    cap_add: [NET_ADMIN]
    devices: [/dev/net/tun]
    healthcheck:
      test: [CMD, "true"]
  client:
    image: docker.io/example/client:1
    network_mode: service:vpn
    environment:
      API_TOKEN: ${API_TOKEN}
    depends_on:
      vpn:
        condition: service_healthy
"""
ENV = "API_TOKEN=hush-hush\n"
FACTS = "[facts]\nos_id = debian\nos_version = 13\nsystemd_version = 257\npodman_version = 5.4.2\nkernel = 6.12.0\n"


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="unitproof-command.")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.write("host/etc/os-release", "ID=test\nVERSION_ID=1\n")
        self.write("facts.ini", FACTS)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, text, mode=0o644):
        full = self.path(name)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(full, mode)
        return full

    def stack(self, name="media", compose=VPN, env=ENV):
        self.write(f"host/etc/unitproof/{name}/compose.yaml", compose)
        if env is not None:
            self.write(f"host/etc/unitproof/{name}/.env", env, 0o600)

    def run_it(self, *args, status=0, root=True, env=None, cwd=None, text=None):
        # On a terminal and in the environment of another user the answer is the same, so the environment is empty.
        where = ["--root", self.path("host")] if root else []
        done = subprocess.run([UNITPROOF, *where, *args], capture_output=True, text=True, check=False, env=env or {},
                              cwd=cwd or self.dir, timeout=60,
                              **({"stdin": subprocess.DEVNULL} if text is None else {"input": text}))
        if status is not None:
            self.assertEqual(done.returncode, status, f"{args}\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        return done

    def json(self, *args, **kw):
        done = self.run_it("--json", *args, **kw)
        self.assertEqual(done.stderr, "")
        answer = json.loads(done.stdout)
        self.assertIsInstance(answer["diagnostics"], list)
        for entry in answer["diagnostics"]:
            self.assertEqual(list(entry), ["file", "line", "column", "level", "code", "message", "hint"])
        return answer


class Usage(Case):
    def test_help(self):
        out = self.run_it("--help").stdout
        for command in self.json("help")["commands"]:
            self.assertRegex(out, rf"(?m)^  {command['name']} ")
            one = self.run_it("help", command["name"]).stdout
            self.assertIn(f"usage: unitproof {command['name']}", one)
            self.assertEqual(one, self.run_it(command["name"], "--help").stdout)
            for option in command["options"]:
                self.assertIn("--" + option["name"], one)

    def test_version(self):
        self.assertRegex(self.run_it("--version").stdout, r"^unitproof \d+\.\d+\.\d+\n$")

    def test_wrong_use_is_2_and_says_so_on_stderr(self):
        for args in ([], ["nothing"], ["--nothing"], ["check", "--nothing"], ["config"], ["config", "a", "b"], ["generate"],
                     ["explain"], ["prove", "egress"], ["drill"], ["drill", "killswitch"], ["exec", "media", "vpn"], ["facts", "x"],
                     ["check", "--output", "x"], ["help", "nothing"], ["up"]):
            done = self.run_it(*args, status=2)
            self.assertEqual(done.stdout, "", args)
            self.assertNotEqual(done.stderr, "", args)

    def test_wrong_use_is_json_for_programs(self):
        for args, said in ((["--nothing"], "unknown option '--nothing'"), (["check", "--nothing"], "unknown option '--nothing'"), (["-x"], "'-x'"),
                           (["check", "--rooot", "x"], "did you mean '--root'?"), (["generate", "--output"], "option '--output' needs a value"),
                           (["check", "--json=1"], "option '--json' takes no value"), (["config"], "see: unitproof help config"),
                           (["nothing"], "unknown command 'nothing'")):
            for words in (["--json", *args], [*args, "--json"]) if args[-1] != "--output" else (["--json", *args],):
                entry = json.loads(self.run_it(*words, status=2).stdout)["diagnostics"][0]
                self.assertEqual((entry["level"], entry["code"]), ("error", "usage"))
                self.assertIn(said, entry["message"])
            self.assertIn(said, self.run_it(*args, status=2).stderr)

    def test_a_root_that_is_not_there(self):
        for root in ("nowhere", "facts.ini"):
            done = self.run_it("--root", self.path(root), "check", status=2, root=False)
            self.assertIn(self.path(root), done.stderr)
        self.assertEqual(self.json("--root", self.path("nowhere"), "check", status=2, root=False)["diagnostics"][0]["code"], "unreadable")

    def test_an_empty_root_is_not_this_host(self):
        for args in (("check",), ("down", "media"), ("generate", "-o", "out")):
            self.assertIn("the root is empty", self.run_it("--root", "", *args, root=False, status=2).stderr)

    def test_an_empty_value_is_none(self):
        for args in (("generate", "-o", ""), ("diff", "--output="), ("status", "--prometheus", "-o", ""), ("--facts", "", "check"), ("check", "--name", "")):
            name = {"-o": "output"}.get(option := next(a for a in args if a[0] == "-" and a != "--prometheus"), option.strip("-="))
            self.assertIn(f"the value of '--{name}' is empty; see: unitproof help", self.run_it(*args, status=2).stderr)
        self.assertEqual(os.listdir(self.dir).count("unitproof.prom"), 0)

    def test_two_forms_at_once(self):
        self.stack()
        self.assertEqual(self.run_it("graph", "--dot", "media", "--json", status=2).stdout.count("--dot and --json are two forms"), 1)

    def test_no_line_of_usage_ends_in_a_blank(self):
        for command in self.json("help")["commands"]:
            said = self.run_it("help", command["name"]).stdout + self.run_it(command["name"], *99 * ["x"], status=None).stderr
            self.assertNotRegex(said, r"(?m) $", command["name"])

    def test_nothing_runs_below_another_root(self):
        self.stack()
        os.symlink("/", self.path("slash"))
        running = {"up": ["media"], "down": ["media"], "restart": ["media"], "logs": ["media"], "exec": ["media", "vpn", "true"],
                   "prove": ["engine", "media"], "drill": ["killswitch", "media", "--yes"], "engines": []}
        for verb, args in running.items():
            self.assertEqual(self.run_it(verb, *args, status=3).stderr, "unitproof: another root has no running systemd\n")
            self.assertEqual(self.json(verb, *args, status=3)["diagnostics"][0]["code"], "systemd")
            self.assertNotIn("another root", self.run_it(verb, "--help").stdout)
        for root in ("/", "//", "/tmp/..", self.path("slash")):
            self.assertIn("there is no stack", self.run_it("--root", root, "prove", "engine", "no-such-stack", root=False, status=2).stderr)
        # What does neither ask nor change what runs works below any.
        others = {c["name"] for c in self.json("help")["commands"]} - set(running)
        self.assertEqual(others, {"check", "config", "diff", "explain", "facts", "generate", "graph", "help", "import", "status"})

    def test_a_stack_that_is_not_there(self):
        self.stack()
        for args in (("graph", "medio"), ("status", "medio"), ("diff", "medio")):
            self.assertIn("did you mean 'media'?", self.run_it(*args, status=2).stderr)
        self.assertEqual(self.json("graph", "nope", status=2)["diagnostics"][0]["code"], "no-stack")

    def test_near_command(self):
        for words in (["statu"], ["help", "statu"]):
            self.assertIn("did you mean 'status'?; see: unitproof help\n", self.run_it(*words, status=2).stderr)
        for words in (["frob"], ["help", "frob"]):
            self.assertEqual(self.run_it(*words, status=2).stderr, "unitproof: unknown command 'frob'; see: unitproof help\n")

    def test_options_may_stand_before_and_after(self):
        self.stack()
        before = self.run_it("--json", "check", "media").stdout
        self.assertEqual(before, self.run_it("check", "--json", "media").stdout)
        self.assertEqual(before, self.run_it("check", "media", "--json").stdout)

    def test_full_standard_output_is_a_failure(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([UNITPROOF, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env={})
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)

    def test_every_subcommand_stands_in_manual_and_completions(self):
        table = self.json("help")
        texts = {}
        for name in ("docs/man/unitproof.1.scd", "completions/unitproof.bash", "completions/_unitproof", "completions/unitproof.fish"):
            with open(os.path.join(SOURCE, name), encoding="utf-8") as f:
                texts[name] = f.read()
        for name, text in texts.items():
            for command in table["commands"]:
                self.assertRegex(text, rf"\b{command['name']}\b", name)
                for option in command["options"]:
                    self.assertRegex(text, rf"(--|-l ){option['name']}\b", name)
            for option in table["options"]:
                self.assertRegex(text, rf"(--|-l ){option['name']}\b", name)

    def test_bash_completes(self):
        def complete(*words):
            script = (f". '{SOURCE}/completions/unitproof.bash'; COMP_WORDS=(unitproof \"$@\"); COMP_CWORD=$#; compopt() {{ :; }}; "
                      "_unitproof; printf '%s\\n' \"${COMPREPLY[@]}\"")
            return subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True, check=True).stdout.split()

        table = self.json("help")
        self.assertEqual(sorted(complete("")), sorted(c["name"] for c in table["commands"]))
        self.assertEqual(complete("sta"), ["status"])
        self.assertEqual(sorted(complete("prove", "")), ["binding", "dns", "egress", "engine", "hardlink", "health", "killswitch"])
        for command in table["commands"]:
            wanted = sorted("--" + o["name"] for o in command["options"] + table["options"])
            self.assertEqual(sorted(complete(command["name"], "--")), wanted, command["name"])


class Import(Case):
    def setUp(self):
        super().setUp()
        self.write("from/compose.yaml", VPN.replace("    depends_on:\n      vpn:\n        condition: service_healthy\n", "")
                   + "    volumes: ['./config:/config', './app.conf:/etc/app.conf:ro', '/srv/data:/data', 'kept:/kept']\n"
                   + "  other:\n    image: x\n    env_file: sub/other.env\n    environment: {DB_PASSWORD: in-the-file}\n"
                   + "volumes: {kept: {}}\n")
        self.write("from/.env", ENV)
        self.write("from/sub/other.env", "A=1\n")
        self.write("from/app.conf", "conf\n", 0o640)
        os.makedirs(self.path("from/config"))

    def mode(self, name):
        return os.stat(self.path("host/etc/unitproof/" + name)).st_mode & 0o7777

    def test_copies_with_modes_and_keeps_what_was_relative(self):
        done = self.run_it("import", "--name", "media", self.path("from"))
        self.assertIn("imported into", done.stdout)
        self.assertRegex(done.stderr, r"compose.yaml:10:\d+: warning: 'client' is behind 'vpn' and does not wait")
        modes = {name: self.mode("media/" + name) for name in ("compose.yaml", ".env", "sub/other.env", "app.conf", "")}
        # The file spells a secret out.
        self.assertEqual(modes, {"compose.yaml": 0o600, ".env": 0o600, "sub/other.env": 0o600, "app.conf": 0o640, "": 0o755})
        before, after = [json.loads(self.run_it("config", what).stdout) for what in (self.path("from"), "media")]
        text = json.dumps(after).replace("/etc/unitproof/media/app.conf", self.path("from/app.conf"))
        self.assertEqual(json.loads(text), before)

    def test_never_replaces(self):
        self.stack()
        with open(self.path("host/etc/unitproof/media/compose.yaml"), encoding="utf-8") as f:
            before = f.read()
        self.assertIn("already", self.run_it("import", "--name", "media", self.path("from"), status=2).stderr)
        os.symlink("/nowhere", self.path("host/etc/unitproof/link"))
        self.run_it("import", "--name", "link", self.path("from"), status=2)
        with open(self.path("host/etc/unitproof/media/compose.yaml"), encoding="utf-8") as f:
            self.assertEqual(f.read(), before)
        self.assertEqual(sorted(os.listdir(self.path("host/etc/unitproof"))), ["link", "media"])

    def test_dry_run_and_json(self):
        answer = self.json("import", "--dry-run", "--name", "media", self.path("from"))
        self.assertFalse(os.path.exists(self.path("host/etc/unitproof")))
        self.assertFalse(answer["imported"])
        self.assertEqual(answer["inferred"]["tunnels"], ["vpn"])
        self.assertEqual(answer["inferred"]["clients"], [{"service": "client", "tunnel": "vpn", "waits_for_health": False}])
        self.assertEqual([f["name"] for f in answer["files"]],
                         ["compose.yaml", ".env", "sub/other.env", "app.conf", "compose.override.yaml"])
        self.assertNotIn("hush-hush", json.dumps(answer))

    def test_refuses_what_does_not_compile_or_lies_outside(self):
        self.write("bad/compose.yaml", "services:\n  a: {image: x, nonsense: 1}\n")
        self.run_it("import", self.path("bad"), status=2)
        self.write("outside/compose.yaml", "services:\n  a: {image: x, env_file: ../far.env}\n")
        self.write("far.env", "A=1\n")
        self.assertIn("outside of its directory", self.run_it("import", self.path("outside"), status=2).stderr)
        self.assertFalse(os.path.exists(self.path("host/etc/unitproof")))

    def test_a_file_of_any_name(self):
        self.write("one/stack.yml", "services:\n  a: {image: x}\n")
        self.run_it("import", "--name", "one", self.path("one/stack.yml"))
        self.assertEqual(os.listdir(self.path("host/etc/unitproof/one")), ["compose.yaml"])
        self.run_it("check", "one")

    def test_a_root_without_etc(self):
        self.write("x/arr/compose.yaml", "services: {a: {image: x}}\n")
        os.mkdir(self.path("bare"))
        self.run_it("--root", self.path("bare"), "import", self.path("x/arr"), root=False)
        self.assertEqual(os.listdir(self.path("bare/etc/unitproof/arr")), ["compose.yaml"])


class ImportKeepsPaths(Case):
    """Whatever the form of a path: after an import it is the one that it was."""

    def models(self, *words):
        where = self.path("x/arr")
        before = self.run_it("config", "--profile", "*", where).stdout
        answer = self.json("import", *words, where)
        after = self.run_it("config", "--profile", "*", answer["stack"]).stdout
        for entry in answer["files"]:
            if entry["from"]:
                self.assertTrue(entry["from"].startswith(where + "/"), entry)
                after = after.replace(f'"/etc/unitproof/{answer["stack"]}/{entry["name"]}"', f'"{entry["from"]}"')
        self.assertNotIn("/etc/", after)
        return json.loads(before), json.loads(after), answer

    def same(self, compose, *words, **files):
        self.write("x/arr/compose.yaml", compose)
        for name, text in files.get("files", {}).items():
            self.write("x/arr/" + name, text)
        before, after, answer = self.models(*words)
        self.assertEqual(before, after)
        shutil.rmtree(self.path("host/etc/unitproof"))
        shutil.rmtree(self.path("x/arr"))
        return before, answer

    def refused(self, compose, *words, **files):
        self.write("x/arr/compose.yaml", compose)
        for name, text in files.get("files", {}).items():
            self.write("x/arr/" + name, text)
        answer = self.json("import", *words, self.path("x/arr"), status=2)
        self.assertFalse(os.path.exists(self.path("host/etc/unitproof")))
        shutil.rmtree(self.path("x/arr"))
        return [d for d in answer["diagnostics"] if d["level"] == "error"]

    def test_mounts(self):
        forms = {"..": "x", "../data": "x/data", "../../media": "media", "./a/../../b": "x/b", "./a": "x/arr/a", ".": "x/arr",
                 "./": "x/arr", "../": "x", "../arr/c": "x/arr/c", "../..": "", "./../d/.": "x/d", "${UP}/tv": "tv",
                 "${HERE:-./here}": "x/arr/here", "${PWD}/pwd": "x/arr/pwd", "../a$$b": "x/a$b"}
        for kind in ("%s:/m%d", "%s:/m%d:ro", "{type: bind, source: '%s', target: /m%d/, read_only: true}"):
            mounts = [kind % pair if kind[0] == "{" else f"'{kind % pair}'" for pair in zip(forms, range(len(forms)))]
            before, _ = self.same("services:\n  a: {image: x, volumes: [" + ", ".join(mounts) + "]}\n", files={".env": "UP=../..\n"})
            self.assertEqual([m["source"].replace("$$", "$") for m in before["services"]["a"]["volumes"]],
                             [os.path.join(self.dir, f).rstrip("/") for f in forms.values()])

    def test_a_target_that_is_written_otherwise_than_it_is_resolved(self):
        _, answer = self.same("services: {a: {image: x, volumes: [{type: bind, source: ../d, target: /d/}, './f:/f', './g:/g', 'vol:/v', '../e:/e']}}\n"
                              "volumes: {vol: {}}\n", files={"f": "f", "g/g": ""})
        self.assertEqual([f["name"] for f in answer["files"]], ["compose.yaml", "f", "compose.override.yaml"])

    def test_absolute_paths_need_no_override(self):
        _, answer = self.same("services: {a: {image: x, volumes: ['/srv/x:/x', '~/y:/y', 'vol:/v', './f:/f']}}\nvolumes: {vol: {}}\n", files={"f": "f"})
        self.assertEqual([f["name"] for f in answer["files"]], ["compose.yaml", "f"])

    def test_every_key_with_a_path(self):
        text = """services:
  a:
    image: x
    build: {context: %(up)s/sib, additional_contexts: {m: %(up)s/more, r: "https://example.org/x.git"}}
    secrets: [s]
    configs: [k]
    volumes: ["vol:/v", "%(up)s/w:/w"]
    environment: {HERE: "${PWD}/x", PLAIN: "%(up)s"}
    labels: {here: "${PWD}"}
    develop: {watch: [{path: %(up)s/src, action: rebuild}, {path: /srv/src, action: sync, target: /s}]}
  b: {image: x, build: %(up)s, depends_on: [a]}
secrets: {s: {file: %(up)s/sib/s.txt}}
configs: {k: {file: %(up)s/sib/k.txt}}
volumes: {vol: {driver: local, driver_opts: {type: none, o: bind, device: %(up)s/x}}}
"""
        self.write("x/sib/s.txt", "s")
        for up in ("..", "../..", ".", "./q/../.."):
            before, answer = self.same(text % {"up": up})
            self.assertEqual(before["services"]["b"]["build"]["context"], os.path.normpath(self.path("x/arr/" + up)))
            kept = [d["message"].split()[0] for d in answer["diagnostics"] if d["code"] == "kept"]
            self.assertIn(os.path.normpath(self.path("x/arr/" + up + "/sib/s.txt")), kept)
            # A small file that lies outside is no part of the stack.
            self.assertNotIn("s.txt", json.dumps(answer["files"]))

    def test_included_and_extended_files_and_profiles(self):
        self.same("include: [sub/inc.yaml, {path: sub/other.yaml, project_directory: sub/deep}]\n"
                  "services:\n  a: {image: x, extends: {file: sub/base.yaml, service: base}, volumes: ['../a:/a']}\n"
                  "  asleep: {image: x, profiles: [never], volumes: ['../z:/z'], env_file: z.env}\n",
                  files={"sub/inc.yaml": "services: {i: {image: x, volumes: ['../../up:/up', './in:/in', '..:/all', 'vv:/v']}}\n"
                                         "volumes: {vv: {driver: local, driver_opts: {type: none, o: bind, device: ../../xx}}}\n",
                         "sub/other.yaml": "services: {o: {image: x, volumes: ['${M}:/m', './o:/o']}}\n", "sub/deep/.env": "M=../../../m\n",
                         "sub/base.yaml": "services: {base: {image: x, volumes: ['../../far:/far', './near:/near'], build: ../../ctx}}\n",
                         "z.env": "A=1\n"})

    def test_data_roots(self):
        media = self.path("x/media")
        for data, wanted in (("[../media]", [media]), ("[{path: ../media, proof: false}]", [{"path": media, "proof": False}]),
                             ("../media", media), ("{path: ../media}", {"path": media})):
            self.write("x/arr/compose.yaml", "services: {a: &a {image: x, volumes: ['../media:/m']}, b: *a}\nx-unitproof: {data: " + data + "}\n")
            self.run_it("import", self.path("x/arr"))
            self.assertEqual(json.loads(self.run_it("config", "arr").stdout)["x-unitproof"]["data"], wanted)
            self.run_it("check", "arr")
            shutil.rmtree(self.path("host/etc/unitproof"))
        _, answer = self.same("services: {a: &a {image: x, volumes: ['/srv/d:/d']}, b: *a}\nx-unitproof: {data: [/srv/d]}\n")
        self.assertEqual([f["name"] for f in answer["files"]], ["compose.yaml"])

    def test_another_name(self):
        before, answer = self.same("services: {a: {image: x, volumes: ['../d:/d']}}\n", "--name", "other")
        self.assertEqual((before["name"], answer["stack"]), ("arr", "other"))

    def test_what_an_override_file_holds(self):
        mine = {"compose.override.yml": "services: {a: {volumes: ['../d:/d', './f:/f', '/srv:/srv']}}\n", "f": "f"}
        errors = self.refused("services: {a: {image: x}}\n", files=mine)
        self.assertEqual([(e["code"], os.path.basename(e["file"]), e["line"]) for e in errors], [("override-taken", "compose.override.yml", 1)])
        self.assertEqual(errors[0]["hint"], "write here: " + self.path("x/d"))
        mine["compose.override.yml"] = mine["compose.override.yml"].replace("..", self.path("x"))
        self.same("services: {a: {image: x}}\n", files=mine)
        # If it is the name alone, the name alone is to be written.
        errors = self.refused("services: {a: {image: x}}\n", "--name", "other", files=mine)
        self.assertEqual([e["code"] for e in errors], ["override-taken"])
        self.assertIn("'name: arr'", errors[0]["hint"])
        self.same("name: arr\nservices: {a: {image: x}}\n", "--name", "other", files=mine)

    def test_what_cannot_be_kept(self):
        for part in ("command: ['--dir', '${PWD}']", "tmpfs: ['${PWD}']"):
            errors = self.refused("services: {a: {image: x, " + part + "}}\n")
            self.assertEqual([e["code"] for e in errors], ["moves"], part)
            self.assertIn("absolute path", errors[0]["hint"])
        errors = self.refused("services: {a: {image: x, env_file: [{path: ../may-be.env, required: false}]}}\n")
        self.assertEqual([e["code"] for e in errors], ["outside"])
        self.same("services: {a: {image: x, env_file: [{path: ./may-be.env, required: false}, {path: /srv/no.env, required: false}]}}\n")
        errors = self.refused("services: {a: {image: x, secrets: [s]}}\nsecrets: {s: {environment: S}}\n",
                              files={".env": "S=${PWD}/hush-hush\n"})
        self.assertEqual([e["code"] for e in errors], ["moves"])
        self.assertNotIn("hush", json.dumps(errors))

    def test_what_an_env_file_holds(self):
        self.write("x/arr/compose.yaml", "services: {a: {image: x, env_file: a.env}}\n")
        self.write("x/arr/a.env", "HERE=${PWD}/x\nMY_PASSWORD=${PWD}/hush-hush\n")
        done = self.run_it("import", self.path("x/arr"))
        self.assertNotIn("hush", done.stdout + done.stderr)
        self.assertNotIn("PWD", done.stderr)
        environment = json.loads(self.run_it("config", "arr").stdout)["services"]["a"]["environment"]
        self.assertEqual(environment["HERE"], self.path("x/arr/x"))
        self.assertEqual(os.stat(self.path("host/etc/unitproof/arr/compose.override.yaml")).st_mode & 0o7777, 0o600)

    def test_a_sleeping_service_that_cannot_be_read(self):
        errors = self.refused("services:\n  a: {image: x}\n  z: {image: x, profiles: [p], env_file: gone.env, volumes: ['../z:/z']}\n")
        self.assertEqual([(e["code"], e["line"]) for e in errors], [("profiles-unread", 3)])

    def test_secrets_are_their_owners_alone(self):
        def mode(user, more="", file_mode=0o644):
            self.write("x/arr/s.txt", "hush-hush\n", file_mode)
            self.write("x/arr/compose.yaml", f"services:\n  a: {{image: x, secrets: [s]{user}}}\n{more}secrets: {{s: {{file: s.txt}}}}\n")
            answer = self.json("import", self.path("x/arr"))
            mode = os.stat(self.path("host/etc/unitproof/arr/s.txt")).st_mode & 0o7777
            self.assertEqual([f["mode"] for f in answer["files"] if f["name"] == "s.txt"], [f"{mode:04o}"])
            shutil.rmtree(self.path("host/etc/unitproof"))
            return mode, [d["hint"] for d in answer["diagnostics"] if d["code"] == "secret-readable"]

        own = os.getuid()
        for user in (f", user: '{own}'", f", user: '{own}:7'") + ((", user: root",) if own == 0 else ()):
            self.assertEqual(mode(user), (0o600, []), user)
        for user in ("", ", user: '77777'", ", user: someone", f", user: '{own}', userns_mode: auto"):
            kept, hints = mode(user)
            self.assertEqual((kept, len(hints)), (0o644, 1), user)
            self.assertIn("'a'", hints[0])
        self.assertEqual(mode(f", user: '{own}'", "  b: {image: x, user: '77777', secrets: [s]}\n")[0], 0o644)
        kept, hints = mode(f", user: '{own}'", f"  b: {{image: x, user: '{own}', volumes: ['./s.txt:/s.txt']}}\n")
        self.assertEqual((kept, len(hints)), (0o644, 1))
        self.assertEqual(mode("", file_mode=0o640), (0o640, []))
        self.assertEqual(mode("", file_mode=0o600), (0o600, []))


class Finding(Case):
    def test_compose_files_that_are_not_taken(self):
        one = "services: {a: {image: x}}\n"
        for name in ("compose.yaml", "docker-compose.yml", "compose.override.yaml", "docker-compose.override.yml"):
            self.write("x/arr/" + name, one)
        self.stack("arr2", one, None)
        self.write("host/etc/unitproof/arr2/compose.yml", one)
        for what, ignored in ((self.path("x/arr"), ["'docker-compose.yml'", "'docker-compose.override.yml'"]), ("arr2", ["'compose.yml'"])):
            said = [d for d in self.json("check", what)["diagnostics"] if d["code"] == "file-ignored"]
            self.assertEqual([d["level"] for d in said], ["warning"] * len(ignored))
            self.assertEqual(sorted(d["message"].split()[0] for d in said), sorted(ignored))
        # Who names a file means it.
        self.assertEqual(self.json("check", self.path("x/arr/docker-compose.yml"))["diagnostics"], [])
        self.assertEqual([f["name"] for f in self.json("import", self.path("x/arr"))["files"]], ["compose.yaml", "compose.override.yaml"])

    def test_file_directory_and_stack_are_the_same(self):
        self.stack()
        outs = [self.run_it("config", what, cwd=self.path("host/etc/unitproof")).stdout
                for what in ("media", self.path("host/etc/unitproof/media"), self.path("host/etc/unitproof/media/compose.yaml"))]
        models = [json.loads(out.replace(self.path("host"), "")) for out in outs]
        self.assertEqual(models[0], models[1])
        self.assertEqual(models[0], models[2])

    def test_unknown(self):
        self.stack()
        self.assertIn("did you mean 'media'?", self.run_it("check", "medai", status=2).stderr)
        self.run_it("check", "nowhere.yaml", status=2)
        self.run_it("check", "./nowhere", status=2)
        self.assertIn("cannot be the name", self.run_it("check", "Media", status=2).stderr)

    def test_name_of_a_file(self):
        self.write("My Stack/compose.yaml", VPN)
        self.assertIn("mystack: good", self.run_it("check", "My Stack/compose.yaml").stdout)
        self.assertIn("other: good", self.run_it("check", "--name", "other", "My Stack/compose.yaml").stdout)
        self.run_it("check", "--name", "Not Good", "My Stack/compose.yaml", status=2)

    def test_no_stacks(self):
        self.assertIn("no stacks", self.run_it("check").stdout)
        self.assertIn("no stacks", self.run_it("status").stdout)
        self.assertEqual(self.json("diff")["changes"], [])
        self.run_it("generate", "--output", self.path("out"), status=2)

    def test_facts_of_another_host(self):
        facts = self.json("facts", "--facts", self.path("facts.ini"))["facts"]
        self.assertEqual(facts["systemd_version"], 257)
        self.assertEqual(facts["podman_version"], "5.4.2")
        self.write("bad.ini", "[facts]\nsystemd_version = new\n")
        self.assertIn("bad.ini:2:1: error:", self.run_it("facts", "--facts", self.path("bad.ini"), status=2).stderr)
        self.run_it("facts", "--facts", self.path("none.ini"), status=2)

    def test_facts_of_a_host_that_is_too_old(self):
        self.stack()
        self.stack("more")
        facts = lambda podman, systemd: self.write("old.ini", f"[facts]\npodman_version = {podman}\nsystemd_version = {systemd}\n")  # noqa: E731
        for podman, systemd, said in (("4.3.1", 257, [("old-podman", "warning")]), ("5.4.0", 248, [("old-systemd", "warning")]), ("5.4", 249, [("old-systemd", "note")]),
                                      ("", 0, []), ("5.3.9", 100, [("old-podman", "warning"), ("old-systemd", "warning")]), ("5.10.0", 254, [])):
            facts(podman, systemd)
            for args in (["check"], ["check", "media", "more"], ["generate", "--output", self.path("out")], ["config", "media"]):
                answer = self.json(*args, "--facts", self.path("old.ini"))   # once, whatever the number of stacks
                self.assertEqual([(e["code"], e["level"]) for e in answer["diagnostics"]], said)
                self.assertTrue(all(e["file"].endswith("old.ini") and e["hint"] for e in answer["diagnostics"]))
            self.assertEqual(self.json("graph", "media", "--facts", self.path("old.ini"))["diagnostics"], [])
        facts("4.3.1", 257)
        self.assertRegex(self.run_it("check", "--facts", self.path("old.ini")).stderr,
                         r"old.ini: warning: Podman 4.3.1 is too old: .* \[old-podman\]\nhint: 5.4 or newer is needed\n")
        facts("five", 257)
        self.assertIn("old.ini:2:1: error: 'podman_version' has to be a version", self.run_it("check", "--facts", self.path("old.ini"), status=2).stderr)

    def test_facts_of_a_host_below_a_root_that_is_too_old(self):
        self.stack()
        self.write("host/usr/lib/systemd/libsystemd-shared-245.so", "")
        self.assertEqual([e["code"] for e in self.json("check")["diagnostics"]], ["old-systemd"])

    def test_facts_round_trip(self):
        text = self.run_it("facts", root=False).stdout
        self.write("own.ini", text)
        self.assertEqual(self.run_it("facts", "--facts", self.path("own.ini"), root=False).stdout, text)


class Check(Case):
    def test_good(self):
        self.stack()
        self.assertRegex(self.run_it("check", "media").stdout, r"^media: good, 2 services, \d+ proofs\n$")
        answer = self.json("check", "media")["stacks"][0]
        self.assertEqual((answer["stack"], answer["good"], answer["errors"], answer["services"]), ("media", True, 0, 2))

    def test_bad(self):
        self.stack(compose=VPN.replace("cap_add", "cap_ad"))
        done = self.run_it("check", "media", status=2)
        self.assertRegex(done.stderr, r"(?m)^/.*/host/etc/unitproof/media/compose.yaml:4:5: error: .*cap_ad.* \[[a-z-]+\]$")
        self.assertIn("    4 |     cap_ad: [NET_ADMIN]\n      |     ^~~~~~", done.stderr)
        self.assertIn("hint: ", done.stderr)
        entry = self.json("check", "media", status=2)["diagnostics"][0]
        self.assertEqual((entry["file"], entry["line"], entry["column"], entry["level"]),
                         (self.path("host/etc/unitproof/media/compose.yaml"), 4, 5, "error"))

    def test_proofs_that_no_unit_brings_are_not_counted(self):
        self.stack(env=None, compose="""services:
  vpn: {image: vpn, cap_add: [NET_ADMIN]}
  job: {image: job, network_mode: "service:vpn"}
  after: {image: app, depends_on: {job: {condition: service_completed_successfully}}}
""")
        done = self.run_it("check", "media")
        self.assertIn("3 services, 3 proofs", done.stdout)
        self.assertIn("there is no binding proof of 'job'", done.stderr)
        self.assertNotIn("proved running", self.run_it("graph", "media").stdout)
        self.assertNotIn("binding proof", self.run_it("explain", "media-job.service").stdout)
        self.assertEqual(self.json("check", "media")["stacks"][0]["proofs"], 3)

    def test_one_bad_stack_hides_no_other(self):
        self.stack("a", "services: [")
        self.stack("b")
        out = self.run_it("check", status=2).stdout
        self.assertIn("a: 1 error\n", out)
        self.assertIn("b: good", out)

    def test_bad_inputs(self):
        """Each gives one clear diagnostic with a position."""
        cases = {
            "not YAML": ("services:\n  a: }\n", 2, None),
            "cycle of depends_on": ("services:\n  a:\n    image: x\n    depends_on: [b]\n  b:\n    image: x\n    depends_on: [a]\n", None,
                                    "cycle|circle|depends"),
            "cycle of extends": ("services:\n  a:\n    extends: b\n  b:\n    extends: a\n", None, "extends"),
            "missing include": ("include:\n  - none.yaml\nservices:\n  a:\n    image: x\n", 2, "none.yaml"),
            "include of itself": ("include:\n  - compose.yaml\nservices:\n  a:\n    image: x\n", 2, "includ"),
            "unknown service": ("services:\n  a:\n    image: x\n    network_mode: service:b\n", 4, "'?b'?"),
            "one port twice": ("services:\n  a:\n    image: x\n    ports: ['80:80']\n  b:\n    image: x\n    ports: ['80:80']\n", None, "80"),
            "large value": ("services:\n  a:\n    image: " + "x" * (1 << 20) + "\n", 3, None),
            "deep": ("x: " + "[" * 5000 + "]" * 5000 + "\n", 1, None),
            "NUL": ("services:\n  a:\n    image: \"x\\0y\"\n", 3, None),
            "control": ("services:\n  a:\n    image: \"x\\x1by\"\n", 3, None),
            "two documents": ("services: {}\n---\nservices: {}\n", None, None),
            "key twice": ("services:\n  a:\n    image: x\n    image: y\n", 4, "image"),
            "bad UTF-8": (b"services:\n  a:\n    image: \xff\n", None, None),
            "empty": ("", None, None),
        }
        for name, (text, line, words) in cases.items():
            with self.subTest(name):
                self.stack(compose=text, env=None)
                done = self.json("check", "media", status=2)["diagnostics"]
                errors = [e for e in done if e["level"] == "error"]
                self.assertGreaterEqual(len(errors), 1)
                self.assertLessEqual(len(errors), 2, errors)
                if line:
                    self.assertEqual(errors[0]["line"], line, errors)
                if words:
                    self.assertRegex(errors[0]["message"] + (errors[0]["hint"] or ""), words)

    def test_unreadable_env(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root, to become somebody who may not read")
        self.stack()
        os.chmod(self.dir, 0o755)
        # A copy: the build directory may be closed to others.
        program = self.path("unitproof")
        shutil.copy(UNITPROOF, program)
        done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "--root", self.path("host"),
                               "check", "media"], capture_output=True, text=True, check=False, env={}, cwd="/")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\.env.*Permission denied")

    def test_configuration(self):
        self.stack()
        self.write("host/etc/unitproof/unitproof.conf", "[echo]\nurl = http://192.0.2.1/\nurls = x\n")
        self.assertIn("/etc/unitproof/unitproof.conf:3:1: error:", self.run_it("check", status=2).stderr)
        entry = self.json("check", status=2)["diagnostics"][0]
        self.assertEqual((entry["file"], entry["line"], entry["code"]), (self.path("host/etc/unitproof/unitproof.conf"), 3, "unknown-key"))

    def test_sections_of_the_configuration(self):
        self.stack()
        self.write("host/etc/unitproof/unitproof.conf", "[echo]\n[prooves]\n")
        done = self.run_it("check", status=2)
        self.assertIn("/etc/unitproof/unitproof.conf:2:1: error: unknown section [prooves]", done.stderr)
        self.assertEqual(done.stderr.count("error:"), 1)

    def test_warnings_of_secrets_name_the_keys_of_the_file(self):
        keys = {
            "command": "[a, '${API_TOKEN}']", "entrypoint": "['${API_TOKEN}', b]", "healthcheck": "{test: [CMD, a, '${API_TOKEN}']}",
            "extra_hosts": "['${API_TOKEN}:192.0.2.1']", "logging": "{driver: journald, options: {tag: '${API_TOKEN}'}}", "hostname": "'${API_TOKEN}'",
            "user": "'${API_TOKEN}'", "working_dir": "'/${API_TOKEN}'", "sysctls": "{net.ipv4.x: '${API_TOKEN}'}", "dns_search": "['${API_TOKEN}']",
            "tmpfs": "['/${API_TOKEN}']", "annotations": "{a: '${API_TOKEN}'}", "post_start": "[{command: [a, '${API_TOKEN}']}]",
        }
        for key, value in keys.items():
            self.stack(compose=f"services:\n  a:\n    image: x\n    {key}: {value}\n", env="API_TOKEN=hushhush\n")
            said = [e["message"] for e in self.json("check", "media", status=None)["diagnostics"] if e["code"] == "secret-visible"]
            for text in said:
                self.assertTrue(text.startswith(f"'{key}' of service 'a' holds a secret"), text)
            self.assertTrue(said, key)
        self.stack(compose="services: {a: {image: x, volumes: ['nas:/n']}}\n"
                   "volumes: {nas: {driver_opts: {type: nfs, device: ':/x', o: 'addr=${API_TOKEN}'}}}\n", env="API_TOKEN=hushhush\n")
        self.assertIn("the volume 'nas' holds a secret here", self.run_it("check", "media", status=2).stderr)

    def test_a_secret_that_two_environment_files_have_stays_one(self):
        self.stack(compose="services: {a: {image: x, container_name: 'n-${API_TOKEN}', env_file: other.env}}\n")
        self.write("host/etc/unitproof/media/other.env", ENV, 0o600)
        done = self.run_it("check", "media", status=2)
        self.assertIn("the value of 'API_TOKEN', a secret of the environment file, would stand in", done.stderr)
        self.assertNotIn("hush", done.stdout + done.stderr)

    def test_words_of_the_file_are_no_secrets(self):
        compose = "services: {db: {image: 'docker.io/%s:16', env_file: nope.env, environment: {P: '${DB_PASSWORD}'}}}\n"
        for image, shown in (("postgres", "/srv/postgres/x.env"), ("mysql", "/srv/***/x.env")):
            self.stack(compose=(compose % image).replace("nope.env", "'/srv/${DB_PASSWORD}/x.env'"), env="DB_PASSWORD=postgres\n")
            self.assertIn(f"cannot read env_file {self.path('host')}{shown}:", self.run_it("check", "media", status=2).stderr)

    def test_one_unit_is_one_container(self):
        hints = set()
        for more in ("scale: 2", "deploy: {replicas: 2}"):
            self.stack(compose=f"services: {{a: {{image: x, {more}}}}}\n", env=None)
            entry, = (e for e in self.json("check", "media", status=2)["diagnostics"] if e["level"] == "error")
            self.assertIn("one unit is one container", entry["message"])
            hints.add(entry["hint"])
        self.assertEqual(len(hints), 1, hints)

    def test_an_image_that_is_empty_is_there(self):
        for image, said, hint in (("image: '${UNSET}'", "the image of service 'a' is empty", "set the variables that it is made of"),
                                  ("image: ''", "the image of service 'a' is empty", "give the name of an image"),
                                  ("command: x", "service 'a' has neither an image nor a build", "add 'image:'")):
            self.stack(compose=f"services: {{a: {{{image}}}}}\n", env=None)
            entry, = (e for e in self.json("check", "media", status=2)["diagnostics"] if e["level"] == "error")
            self.assertEqual((entry["message"], entry["hint"], entry["column"]), (said, hint, 23 if "image" in image else 12))

    def test_what_a_message_names_can_be_opened(self):
        """Below another root as well; what is written for that host has its own paths."""
        self.stack("off", VPN + "    x-unitproof: {proofs: {dns: off}}\n")
        self.stack("bad", "services:\n  a: {imgae: x, ports: ['80:80']}\n", None)
        self.stack("ports", "services:\n  a: {image: x, ports: ['80:80']}\n  b: {image: x, ports: ['80:80']}\n", None)
        self.stack("extends", "services:\n  a: {extends: {file: other.yaml, service: c}}\n", None)
        self.write("host/etc/unitproof/extends/other.yaml", "services: {b: {image: x}}\n")
        self.stack("circle", "include: [other.yaml]\nservices: {a: {image: x}}\n", None)
        self.write("host/etc/unitproof/circle/other.yaml", "include: [compose.yaml]\n")
        self.stack("readable", env=None)
        self.write("host/etc/unitproof/readable/.env", ENV, 0o644)
        self.write("host/etc/unitproof/unitproof.conf", "[prooves]\n")
        self.write("host/etc/unitproof/empty/.keep", "")
        host = self.path("host")
        for root in (host, host + "/", host + "//", "host"):
            where = {"root": False, "status": 2}
            said = self.run_it("--root", root, "check", **where).stderr + self.run_it("--root", root, "status", **where).stdout
            said += self.run_it("--root", root, "explain", "off-client", root=False).stdout
            found = re.findall(r"[^\s(:]*/etc/unitproof/[^\s:,)]*", said)
            for path in found:
                self.assertTrue(os.path.exists(os.path.join(self.dir, path)), (path, said))
                self.assertTrue(path.startswith(root.rstrip("/") + "/etc/"), path)
            self.assertGreater(len(found), 15, said)
            for entry in self.json("--root", root, "check", **where)["diagnostics"]:
                self.assertTrue(entry["file"] is None or os.path.exists(os.path.join(self.dir, entry["file"])), entry)
        off = [p["off"] for p in self.json("status", "off", status=3)["stacks"][0]["proofs"] if p["off"]]
        self.assertEqual([o["file"] for o in off], [self.path("host/etc/unitproof/off/compose.yaml")])
        self.run_it("generate", "-o", "out", "off", status=2)
        for folder, _, files in os.walk(self.path("out")):
            for name in files:
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    text = f.read()
                self.assertNotIn(host, text.replace(self.path("out"), ""))
                self.assertTrue("/etc/unitproof/off/" in text or not name.endswith((".container", ".pod")), name)

    def test_a_mistake_in_the_configuration_hides_no_stack(self):
        self.stack()
        self.stack("two", "services: {a: {image: x}}\n", None)
        self.write("host/etc/unitproof/unitproof.conf", "[echo]\nurl = ftp://x http://192.0.2.7/\nstun = 192.0.2.8:3478\n")
        said = "/etc/unitproof/unitproof.conf:2:1: error: 'ftp://x': an echo address begins with http:// or https:// [bad-value]\n"
        # What judges ends with 2, what shows does not; the error stands there once, and the stacks are what they are.
        for args, status, shown in ((("check",), 2, "two: good, 1 service"), (("check", "media"), 2, "media: good, 2 services"),
                                    (("diff",), 2, "two-a"), (("generate", "-o", "out"), 2, "two: wrote"), (("config", "media"), 0, '"client"'),
                                    (("graph", "media"), 0, "kill rule"), (("explain", "media-client"), 0, "egress proof of client"),
                                    (("explain", "client"), 0, "egress proof of client"), (("status",), 3, "two.target"),
                                    (("status", "media"), 3, "egress")):
            done = self.run_it(*args, status=status)
            self.assertIn(shown, done.stdout, args)
            self.assertEqual((done.stderr.count(said), done.stderr.count("error: ")), (1, 1), (args, done.stderr))
        # What the rest of the file says counts.
        with open(self.path("out/media-proof-egress-client.service"), encoding="utf-8") as f:
            self.assertRegex(f.read(), r"http://192\.0\.2\.7/.*192\.0\.2\.8:3478")
        answer = self.json("check", status=2)
        self.assertEqual([(s["stack"], s["good"]) for s in answer["stacks"]], [("media", True), ("two", True)])
        self.assertEqual([e["code"] for e in answer["diagnostics"] if e["level"] == "error"], ["bad-value"])
        done = self.run_it("status", "--prometheus", status=3)
        for name in ("media", "two"):
            self.assertIn(f'unitproof_stack_compiled{{stack="{name}"}} 1\n', done.stdout)
        self.assertIn(said, done.stderr)
        shutil.rmtree(self.path("host/etc/unitproof/media"))
        shutil.rmtree(self.path("host/etc/unitproof/two"))
        for args in (("check",), ("diff",), ("generate", "-o", "none")):
            self.assertIn(said, self.run_it(*args, status=2).stderr)

    def make(self, kind, path):
        full = self.path(path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if os.path.isdir(full) and not os.path.islink(full):
            shutil.rmtree(full)
        elif os.path.lexists(full):
            os.unlink(full)
        if kind == "directory":
            os.mkdir(full)
        elif kind == "fifo":
            os.mkfifo(full)
        elif kind == "large":
            self.write(path, "")
            os.truncate(full, 50 * 1024 * 1024)
        else:
            os.symlink({"nowhere": "nowhere", "device": "/dev/zero"}[kind], full)

    KINDS = {"directory": "it is a directory", "fifo": "it is no regular file", "nowhere": "it is a link that leads to nothing",
             "large": "it is larger than the limit of 8 MiB"}

    def test_what_is_no_file_where_one_is_expected(self):
        one = "services:\n  a:\n    image: x\n"
        cases = {"compose.yaml": one, "compose.override.yaml": one, ".env": one,
                 "an.env": one + "    env_file: an.env\n", "more.yaml": "include: [more.yaml]\n" + one,
                 "base.yaml": one + "    extends: {file: base.yaml, service: a}\n",
                 "labels": one + "    label_file: labels\n",
                 "in.env": "include: [{path: good.yaml, env_file: in.env}]\n" + one, "sub/.env": "include: [sub/good.yaml]\n" + one}
        for name, compose in cases.items():
            for kind, said in self.KINDS.items():
                with self.subTest(name=name, kind=kind):
                    self.stack("other", compose, env=None)
                    for good in ("good.yaml", "sub/good.yaml"):
                        self.write("host/etc/unitproof/other/" + good, "services:\n  b:\n    image: x\n")
                    self.make(kind, "host/etc/unitproof/other/" + name)
                    entry, = self.json("check", "other", status=2)["diagnostics"]
                    self.assertRegex(entry["message"], rf"^cannot read .*{re.escape(name)}: {said}$")
                    self.assertNotIn("create the file", entry["hint"])
                    self.assertNotIn("readable", entry["hint"])
                    shutil.rmtree(self.path("host/etc/unitproof/other"))
        self.stack()
        for kind, said in self.KINDS.items():
            self.make(kind, "host/etc/unitproof/unitproof.conf")
            self.assertIn("unitproof.conf: " + said, self.run_it("check", status=2).stderr)
            self.make(kind, "facts")
            self.assertIn("facts: " + said, self.run_it("facts", "--facts", self.path("facts"), status=2).stderr)
        self.make("fifo", "host/etc/unitproof/unitproof.conf")
        os.unlink(self.path("host/etc/unitproof/unitproof.conf"))

    def test_what_is_no_file_on_the_command_line(self):
        for kind, said in {"fifo": "it is no regular file", "device": "it is no regular file", "nowhere": "x.yaml is a link that leads to nothing",
                           "large": "limit of 8 MiB", "directory": "there is no Compose file in "}.items():
            self.make(kind, "x.yaml")
            self.assertIn(said, self.run_it("check", "--name", "x", self.path("x.yaml"), status=2).stderr)

    def test_an_env_file_that_may_be_absent(self):
        self.stack(compose="services: {a: {image: x, env_file: [{path: pipe, required: false}]}}")
        for kind, status in {"nowhere": 0, "directory": 2, "fifo": 2}.items():
            self.make(kind, "host/etc/unitproof/media/pipe")
            self.run_it("check", "media", status=status)

    def test_an_env_file_that_is_none(self):
        self.stack(env=None)
        os.mkfifo(self.path("host/etc/unitproof/media/.env"))
        self.assertIn(f"cannot read {self.path('host')}/etc/unitproof/media/.env", self.run_it("check", "media", status=2).stderr)
        os.unlink(self.path("host/etc/unitproof/media/.env"))
        os.mkdir(self.path("host/etc/unitproof/media/.env"))
        self.assertIn(f"cannot read {self.path('host')}/etc/unitproof/media/.env", self.run_it("check", "media", status=2).stderr)
        os.rmdir(self.path("host/etc/unitproof/media/.env"))
        self.write("host/etc/unitproof/media/compose.yaml", "services: {a: {image: x, env_file: [pipe]}}")
        os.mkfifo(self.path("host/etc/unitproof/media/pipe"))
        self.assertIn("pipe", self.run_it("check", "media", status=2).stderr)

    def test_settings_that_are_links_to_nothing(self):
        self.stack()
        for name in ("unitproof.conf.d/50-echo.conf", "unitproof.conf.d", "unitproof.conf"):
            path = self.path("host/etc/unitproof/" + name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink("/nowhere", path)
            self.assertIn(f"cannot read {self.path('host')}/etc/unitproof/{name}: it is a link that leads to nothing", self.run_it("check", status=2).stderr)
            os.unlink(path)
            if name.startswith("unitproof.conf.d/"):
                os.rmdir(os.path.dirname(path))
        shutil.rmtree(self.path("host/etc/unitproof"))
        self.assertIn("no stacks", self.run_it("check").stdout)
        os.symlink("/nowhere", self.path("host/etc/unitproof"))
        self.assertIn("cannot list ", self.run_it("check", status=1).stderr)

    def warned(self, code, *args):
        return [e for e in self.json("check", *args)["diagnostics"] if e["code"] == code]

    MISSING = """services:
  a:
    image: x
    build: {context: ./app, dockerfile: Containerfile}
    volumes: ["./conf:/conf", "./a.yml:/a.yml:ro", "/etc/keys:/keys"]
    devices: [/dev/none]
    secrets: [pw]
    configs: [c]
secrets:
  pw: {file: ./pw.txt}
  unused: {file: ./unused.txt}
configs:
  c: {file: ./c.ini}
"""

    def test_what_is_missing_on_the_host(self):
        self.stack(compose=self.MISSING, env=None)
        stack = "/etc/unitproof/media"
        seen = {(e["line"], e["message"].split(" does not exist: ")[0]) for e in self.warned("missing-file", "media")}
        self.assertEqual(seen, {(4, f"{stack}/app"), (5, f"{stack}/a.yml"), (5, "/etc/keys"), (10, f"{stack}/pw.txt"),
                                (13, f"{stack}/c.ini")}, "devices appear at boot, ./conf is made, and nothing uses 'unused'")
        self.write(f"host{stack}/app/Dockerfile", "FROM scratch\n")
        self.assertIn(f"{stack}/app/Containerfile does not exist", self.warned("missing-file", "media")[0]["message"])
        for name in (f"{stack}/app/Containerfile", f"{stack}/a.yml", "/etc/keys/k", f"{stack}/pw.txt", f"{stack}/c.ini"):
            self.write("host" + name, "x", 0o600)
        self.assertEqual(self.warned("missing-file", "media"), [])

    def test_a_device_that_is_missing(self):
        self.write("here/compose.yaml", "services: {a: {image: x, devices: [/dev/none, /dev/null]}}")
        done = self.run_it("check", self.path("here"), root=False)
        self.assertRegex(done.stderr, r"compose.yaml:1:36: warning: /dev/none does not exist: 'a' is given it.* \[missing-file\]")
        self.assertNotIn("/dev/null", done.stderr.replace("[/dev/none, /dev/null]", ""))

    def test_nothing_is_missing_on_another_host(self):
        self.stack(compose=self.MISSING, env=None)
        self.assertEqual(self.warned("missing-file", "media", "--facts", self.path("facts.ini")), [])
        self.write("here/compose.yaml", self.MISSING)
        self.assertEqual(self.warned("missing-file", self.path("here")), [])

    def test_secrets_that_everybody_may_read(self):
        self.stack()
        self.assertEqual(self.warned("secret-readable", "media"), [])
        env = self.path("host/etc/unitproof/media/.env")
        os.chmod(env, 0o644)
        (entry,) = self.warned("secret-readable", "media")
        self.assertEqual(entry["file"], self.path("host/etc/unitproof/media/.env"))
        self.assertIn("API_TOKEN", entry["message"])
        self.assertNotIn("hush", json.dumps(entry))
        os.chmod(self.path("host/etc/unitproof/media"), 0o750)
        self.assertEqual(self.warned("secret-readable", "media"), [], "nobody else gets there")
        os.chmod(self.path("host/etc/unitproof/media"), 0o755)
        self.write("host/etc/unitproof/media/.env", "NOTHING=special\n")
        self.assertEqual(self.warned("secret-readable", "media"), [])

    def test_whose_home(self):
        self.stack(compose="services:\n  a: {image: x, volumes: ['~/a:/a', '${HOME}/b:/b'], environment: [HOME]}\n", env=None)
        def seen():
            service = json.loads(self.run_it("config", "media").stdout)["services"]["a"]
            return [v["source"] for v in service["volumes"]] + [service["environment"]["HOME"]]
        (entry,) = self.warned("home-assumed", "media")
        self.assertEqual(entry["line"], 2)
        self.assertEqual(seen(), ["/root/a", "/root/b", "/root"])
        self.write("host/etc/unitproof/media/.env", "HOME=/home/bob\n", 0o600)
        self.assertEqual(self.warned("home-assumed", "media"), [])
        self.assertEqual(seen(), ["/home/bob/a", "/home/bob/b", "/home/bob"])

    def test_profiles_that_no_service_has(self):
        services = "services:\n  a: {image: x, profiles: [web]}\n  b: {image: x}\n"
        self.stack(compose=services, env="COMPOSE_PROFILES=, web , debug,*\n")
        (entry,) = self.warned("unknown-profile", "media")
        self.assertEqual((entry["file"], entry["line"]), (self.path("host/etc/unitproof/media/.env"), 1))
        self.assertIn("'debug'", entry["message"])
        (entry,) = self.warned("unknown-profile", "media", "--profile", "wbe", "--profile", "web")
        self.assertIn("did you mean 'web'", entry["hint"])
        self.stack(compose="x-unitproof: {profiles: [web, wob]}\n" + services, env=None)
        (entry,) = self.warned("unknown-profile", "media")
        self.assertEqual((entry["line"], entry["column"]), (1, 31))

    def test_name_that_cannot_be(self):
        self.stack("Bad Name")
        self.stack("good")
        done = self.run_it("check", status=2)
        self.assertIn("Bad Name", done.stderr)
        self.assertIn("good: good", done.stdout)

    def test_colours_only_on_demand(self):
        self.stack(compose="services: [")
        for env, colored in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            pid, terminal = os.forkpty()
            if pid == 0:
                os.execve(UNITPROOF, [UNITPROOF, "--root", self.path("host"), "check", "media"], env)
            seen = b""
            try:
                while chunk := os.read(terminal, 4096):
                    seen += chunk
            except OSError:
                pass
            os.waitpid(pid, 0)
            os.close(terminal)
            self.assertEqual(b"\x1b[" in seen, colored, seen)


class Secrets(Case):
    def test_no_output_shows_one(self):
        self.stack()
        self.run_it("generate", "--output", self.path("out"), "media")
        for args in (["check"], ["graph", "media"], ["explain", "media-client", "media"], ["status"], ["diff"],
                     ["diff", "--output", self.path("out"), "media"], ["diff", "--output", self.path("nothing"), "media"]):
            for more in ([], ["--json"]):
                done = subprocess.run([UNITPROOF, "--root", self.path("host"), *args, *more], capture_output=True, text=True,
                                      check=False, env={}, timeout=60)
                self.assertNotIn("hush-hush", done.stdout + done.stderr, args)


    def test_no_message_shows_the_line_of_one(self):
        # Of several lines, under names that cannot be handed on: each is an error where the value stands.
        self.write("host/etc/unitproof/media/e.env", 'MY-TOKEN="hush-hush\nx"\n')
        self.write("host/etc/unitproof/media/compose.yaml",
                   'services:\n  a: {image: x, env_file: e.env}\n  b: {image: x, environment: {API-KEY: "hush-hush\\ny"}}\n')
        done = self.run_it("check", "media", status=2)
        self.assertEqual(done.stderr.count("error:"), 2)
        self.assertNotIn("hush-hush", done.stdout + done.stderr)


class Generate(Case):
    def generate(self, *args, **kw):
        return self.run_it("generate", "--output", self.path("out"), *args, **kw)

    def tree(self):
        found = {}
        for folder, _, files in os.walk(self.path("out")):
            for name in files:
                full = os.path.join(folder, name)
                rel = os.path.relpath(full, self.path("out"))
                if os.path.islink(full):
                    found[rel] = os.readlink(full)
                else:
                    with open(full, encoding="utf-8") as f:
                        found[rel] = f.read()
        return found

    def test_it_works_without_podman_and_systemd(self):
        self.stack()
        out = self.generate("media").stdout
        self.assertRegex(out, r"media: wrote \d+ files and \d+ links? to ")
        tree = self.tree()
        for name in ("unitproof-media.quadlets/media-vpn.container", "media-proof-egress-client.service", "media.target",
                     "multi-user.target.wants/media.target"):
            self.assertIn(name, tree)
        if "quadlet was not run" in out:
            self.assertNotIn("media-vpn.service", tree)
        else:
            self.assertIn("media-vpn.service", tree)

    def test_one_unit(self):
        self.stack("one", "services:\n  a:\n    image: x\n    network_mode: none\n")
        out = self.generate("one").stdout
        self.assertRegex(out, r"one: (.* made 1 unit from unitproof-one.quadlets|quadlet was .*: 1 unit is missing: one-a.service)\n$")

    def test_twice_is_once(self):
        self.stack()
        self.generate("media")
        once = self.tree()
        self.generate("media")
        again = self.tree()
        # Quadlet writes its arguments in another order at each run.
        for tree in (once, again):
            for name in [n for n in tree if "Automatically generated by" in tree[n].split("\n", 1)[0]]:
                del tree[name]
        self.assertEqual(once, again)

    def test_a_container_of_another_stack(self):
        self.stack("other", "services: {box: {image: x, container_name: the-box}, plain: {image: x}}\n", env=None)
        self.stack("broken", "services: {bad: {image: x, container_name: gone, no-such-key: 1}}\n", env=None)
        for name, container, unit in (("the-box", "the-box", "other-box.service"), ("other-plain", "other-plain", "other-plain.service"),
                                      ("other-plain-1", "other-plain", "other-plain.service"), ("gone", "gone", None)):
            self.stack("joiner", f"services: {{app: {{image: x, network_mode: 'container:{name}'}}}}\n", env=None)
            out = self.path(f"out-{name}")
            said = self.run_it("generate", "joiner", "--output", out).stderr
            with open(os.path.join(out, "unitproof-joiner.quadlets/joiner-app.container"), encoding="utf-8") as f:
                quadlet = f.read()
            self.assertIn(f"Network=container:{container}\n", quadlet)
            if not unit:
                self.assertIn("which no stack of this host runs as", said)
                self.assertNotIn("BindsTo=", quadlet)
                continue
            self.assertIn(f"comes and goes with {unit}", said)
            self.assertRegex(quadlet, rf"(?m)^BindsTo={unit}$")
            self.assertRegex(quadlet, rf"(?m)^After=.*\b{unit}$")
            joined = f"joiner-joined-{unit}"
            with open(os.path.join(out, f"{unit}.d/50-unitproof-joiner.conf"), encoding="utf-8") as f:
                self.assertIn(f"Upholds={joined}\n", f.read())
            with open(os.path.join(out, joined), encoding="utf-8") as f:
                self.assertIn("--start app:joiner-app.service\n", f.read())

    def test_what_is_of_the_stack_as_a_whole_has_a_place(self):
        self.stack(compose=VPN.replace("  client:\n", "  other: {image: x}\n  client:\n"))
        self.generate("media")
        units = [name for name in os.listdir(self.path("out")) if re.search(r"\.(service|target|path|timer)$", name)]
        for unit in (*units, "media-default-network.service", "media-vpn-pod.service", "media-vpn.service"):
            notes = self.json("explain", unit)["diagnostics"]
            self.assertEqual({n["file"] for n in notes}, {self.path("host/etc/unitproof/media/compose.yaml")}, notes)
            for n in notes:
                self.assertEqual("made for the stack as a whole" in n["message"] or "link" in n["message"] or "container engine" in n["message"],
                                 n["line"] is None, n)
        for unit in ("media.target", "media-halt.service", "media-default-network"):
            self.assertRegex(self.run_it("explain", unit).stdout, r"(?m)^/.*/media/compose\.yaml: note: .* made for the stack as a whole \[unit\]$")

    def test_a_file_from_a_pipe(self):
        compose = "services:\n  web: {image: 'x:${TAG}'}\n"
        self.write("work/.env", "TAG=7\n")
        work = {"text": compose, "cwd": self.path("work")}
        for what in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self.assertEqual(self.run_it("check", what, **work).stdout, "work: good, 1 service, 1 proof\n")
            self.assertEqual(json.loads(self.run_it("config", what, **work).stdout)["services"]["web"]["image"], "x:7")
            self.assertIn("work-web.service", self.run_it("graph", what, **work).stdout)
            # It is compiled several times, and read once.
            self.assertIn("/dev/stdin:2:3: note:", self.run_it("explain", "web", what, **work).stdout)
            self.assertEqual(self.run_it("check", "--name", "other", what, what, **work).stdout, 2 * "other: good, 1 service, 1 proof\n")
            for args in (("generate", "-o", "out", what), ("diff", what), ("import", what)):
                self.assertIn("has no place that units could name as their source", self.run_it(*args, status=2, **work).stderr)
            bad = {**work, "text": compose.replace("image", "imgae")}
            self.assertIn("/dev/stdin:2:9: error: unknown key 'imgae'", self.run_it("check", what, status=2, **bad).stderr)
            self.assertIn("/dev/stdin: error: a Compose file must be a mapping", self.run_it("check", what, status=2, **{**work, "text": ""}).stderr)
        self.assertIn("there is more of it than a file may have", self.run_it("check", "-", status=2, text="#" * (9 << 20)).stderr)
        self.assertIn("give it one with --name", self.run_it("check", "-", status=2, text=compose, cwd="/").stderr)
        # The shell's other way, and a file behind the name, which is that file.
        self.write("work/here.yaml", compose)
        self.write("there/compose.yaml", compose.replace("${TAG}", "1"))
        for script in ("check <(cat here.yaml)", "check - <here.yaml", "check /dev/fd/9 9< <(cat here.yaml)"):
            done = subprocess.run(["bash", "-c", f'"$0" --root ../host {script}', UNITPROOF], capture_output=True, text=True, check=False, cwd=self.path("work"))
            self.assertEqual(done.stdout, "work: good, 1 service, 1 proof\n", done.stderr)
        done = subprocess.run(["bash", "-c", '"$0" --root ../host check /dev/stdin <../there/compose.yaml', UNITPROOF], capture_output=True, text=True,
                              check=False, cwd=self.path("work"))
        self.assertEqual(done.stdout, "there: good, 1 service, 1 proof\n", done.stderr)
        self.assertIn("cannot find /dev/fd/77: ", self.run_it("check", "/dev/fd/77", status=2).stderr)

    def test_a_container_name_of_another_stack(self):
        vpn = "services:\n  vpn: {image: x, container_name: %s}\n  web: {image: x, network_mode: 'service:vpn'}\n"
        plain, named = "services:\n  web: {image: x}\n", "services:\n  web: {image: x, container_name: %s}\n"
        self.stack("films", vpn % "gluetun", env=None)
        self.stack("none", "services:\n  web: {image: x, container_name: spare, deploy: {replicas: 0}}\n", env=None)
        for compose, said in (
                (vpn % "'${NAME}'", "compose.yaml:2:35: error: the container of 'vpn' would be called 'gluetun' in Podman, as that of "
                                  "films-vpn.service of the stack 'films' is"),
                (named % "films-web", "that of films-web.service of the stack 'films'"),
                (named % "films-vpn-pod", "that of films-vpn-pod.service of the stack 'films'"),
                (named % "films-vpn", None), (named % "spare", None), (plain, None)):
            self.stack("media", compose, env="NAME=gluetun\n")
            done = self.run_it("check", "media", status=2 if said else 0)
            self.assertIn(said or "media: good", done.stdout + done.stderr)
            self.assertEqual(done.stderr.count("[container-name]"), 1 if said else 0)
            self.run_it("check", "films")  # it comes first
            done = self.run_it("check", status=2 if said else 0)
            self.assertEqual(done.stderr.count("[container-name]"), 1 if said else 0, done.stderr)
            # What is only looked at, and a copy of it elsewhere, takes no name.
            self.write("elsewhere/media/compose.yaml", compose)
            self.write("elsewhere/media/.env", "NAME=gluetun\n", 0o600)
            self.run_it("check", self.path("elsewhere/media"))
        self.stack("media", plain, env=None)
        self.stack("early", named % "media-web", env=None)
        done = self.run_it("check", "media", status=2)
        self.assertRegex(done.stderr, r"compose.yaml:2:3: error: the container of 'web' .*'media-web' .* early-web.service of the stack 'early'")
        self.assertIn("hint: rename the service, or give one of them another container_name", done.stderr)

    def test_a_container_in_a_pod_of_another_stack(self):
        self.stack("other", "services:\n  tunnel: {image: x, container_name: tun}\n  client: {image: x, network_mode: 'service:tunnel'}\n"
                   "  named: {image: x, network_mode: 'container:alone'}\n  alone: {image: x, container_name: alone}\n"
                   "  host: {image: x, network_mode: host}\n  with: {image: x, network_mode: 'service:host'}\n", env=None)
        for name, refused in (("tun", True), ("other-client-1", True), ("other-named", True), ("alone", True), ("other-host", False), ("other-with", False)):
            self.stack("joiner", f"services: {{app: {{image: x, network_mode: 'container:{name}'}}}}\n", env=None)
            said = self.run_it("check", "joiner", status=2 if refused else 0).stderr
            self.assertEqual("[foreign-pod]" in said, refused, said)

    def test_what_is_gone_from_the_file_is_removed(self):
        self.stack()
        self.generate("media")
        with open(self.path("out/other.service"), "w", encoding="utf-8") as f:
            f.write("[Unit]\nSourcePath=/etc/elsewhere\n")
        self.stack(compose="services:\n  web:\n    image: docker.io/example/web:1\n")
        self.generate("media")
        names = "\n".join(self.tree())
        self.assertNotIn("client", names)
        self.assertNotIn("vpn", names)
        self.assertIn("media-web.container", names)
        self.assertIn("other.service", names)

    def test_what_others_made_stays(self):
        self.stack()
        for name in ("media.target", "media-vpn.service"):
            self.write("out/" + name, "[Unit]\nDescription=somebody's\n")
            done = self.generate("media", status=1)
            self.assertIn(f"out/{name} is there already, and unitproof did not make it", done.stderr)
            self.assertEqual(self.tree(), {name: "[Unit]\nDescription=somebody's\n"})
            os.unlink(self.path("out/" + name))
        # What an older folder of the same stack made is ours.
        self.generate("media")
        shutil.move(self.path("host/etc/unitproof/media"), self.path("elsewhere"))
        self.generate("--name", "media", self.path("elsewhere"))

    def test_errors_write_nothing(self):
        self.stack(compose="services: [")
        self.generate("media", status=2)
        self.assertEqual(self.tree(), {})

    def test_a_place_that_cannot_be_written(self):
        self.stack()
        self.write("out", "a file")
        self.assertIn("out", self.generate("media", status=1).stderr)

    def test_json(self):
        self.stack()
        answer = self.json("generate", "--output", self.path("out"), "media")["stacks"][0]
        self.assertEqual(answer["stack"], "media")
        self.assertEqual(answer["files"] + answer["links"] + answer["units_from_quadlet"], len(self.tree()))


class Diff(Case):
    def setUp(self):
        super().setUp()
        self.stack()
        self.run_it("generate", "--output", self.path("out"), "media")

    def diff(self, status, *args):
        return self.run_it("diff", "--output", self.path("out"), "media", *args, status=status)

    def differences(self):
        """Units that quadlet would have made are none: this host may have no quadlet."""
        return json.loads(subprocess.run(
            [UNITPROOF, "--root", self.path("host"), "--json", "diff", "--output", self.path("out"), "media"], capture_output=True,
            text=True, check=False, env={}).stdout)["changes"]

    def test_same(self):
        self.assertEqual(self.differences(), [])
        self.assertEqual(self.diff(0).stdout, "")

    def test_changed(self):
        with open(self.path("out/media.target"), "a", encoding="utf-8") as f:
            f.write("# by hand\n")
        change, = self.differences()
        self.assertEqual((change["path"], change["change"]), ("media.target", "changed"))
        self.assertIn("\n-# by hand\n", change["diff"])
        self.assertIn("-# by hand\n", self.diff(1).stdout)

    def test_added_and_removed(self):
        os.unlink(self.path("out/media.target"))
        self.write("out/media-old.service", "[Unit]\nSourcePath=/etc/unitproof/media/compose.yaml\n[Service]\n")
        self.write("out/unitproof-media.quadlets/media-old.container", "[Container]\n")
        self.write("out/foreign.service", "[Unit]\nSourcePath=/etc/unitproof/media2/compose.yaml\n")
        found = {c["path"]: c["change"] for c in self.differences()}
        self.assertEqual(found, {"media.target": "added", "media-old.service": "removed",
                                 "unitproof-media.quadlets/media-old.container": "removed"})

    def test_link(self):
        os.unlink(self.path("out/multi-user.target.wants/media.target"))
        os.symlink("../other.target", self.path("out/multi-user.target.wants/media.target"))
        change, = self.differences()
        self.assertIn("was ../other.target", change["note"])

    def test_values_of_the_environment_are_not_shown(self):
        self.stack(env="API_TOKEN=other\n")
        changes = self.differences()
        self.assertTrue(any(c["path"].startswith("unitproof-media.env/") for c in changes))
        self.assertNotIn("other", json.dumps(changes))

    def test_who_may_read_a_secret(self):
        name = "unitproof-media.env/" + sorted(os.listdir(self.path("out/unitproof-media.env")))[0]
        os.chmod(self.path("out/" + name), 0o644)
        change, = self.differences()
        self.assertEqual((change["path"], change["change"]), (name, "changed"))
        self.assertRegex(change["note"], "^mode 0600 of 0:0, was 0644 of ")

    def test_nothing_loaded(self):
        changes = self.json("diff", "media", status=1)["changes"]
        self.assertTrue(all(c["change"] == "added" for c in changes))

    def test_input_with_errors(self):
        self.stack(compose="services: [")
        self.diff(2)


class Looking(Case):
    def setUp(self):
        super().setUp()
        self.stack()

    def test_config(self):
        model = json.loads(self.run_it("config", "media").stdout)
        self.assertEqual(model["services"]["client"]["network_mode"], "service:vpn")
        self.assertEqual(self.json("config", "media")["config"], model)

    def test_explain(self):
        out = self.run_it("explain", "media-client.service").stdout
        self.assertIn("/etc/unitproof/media/compose.yaml:8:3: note: quadlet makes media-client.service", out)
        self.assertIn("egress proof of client: client joins the network namespace of vpn", out)
        self.assertEqual(out, self.run_it("explain", "media-client").stdout)
        self.assertEqual(out, self.run_it("explain", "media-client", "media").stdout)
        out = self.run_it("explain", "media-proof-egress-client.service").stdout
        self.assertIn("compose.yaml:10:", out)
        for name, unit in (("media", "media.target"), ("media-default", "media-default-network.service"), ("media-vpn-pod", "media-vpn-pod.service")):
            self.assertIn(unit, self.run_it("explain", name).stdout)
            self.assertEqual(self.json("explain", name)["unit"], unit)
            self.assertEqual(self.run_it("explain", name).stdout, self.run_it("explain", unit).stdout)
        for name in ("client", "client.service"):
            self.assertEqual(self.run_it("explain", name).stdout, self.run_it("explain", "media-client.service").stdout)
            self.assertEqual(self.run_it("explain", name, "media").stdout, self.run_it("explain", "media-client.service").stdout)
            self.assertEqual(self.json("explain", name)["unit"], "media-client.service")
        for name in ("cleint", "media-cleint", "media-clien.service"):
            self.assertRegex(self.run_it("explain", name, status=2).stderr, r"no stack makes a unit .*\.service; did you mean '(media-)?client'\?\n$")
        self.assertIn("media makes no unit cleint.service; did you", self.run_it("explain", "cleint", "media", status=2).stderr)
        self.stack("broken", "services: [")
        self.stack("more")
        error = self.run_it("explain", "client", status=2).stderr
        self.assertIn("several stacks have a service 'client': say which of media-client.service, more-client.service", error)
        self.run_it("explain", "media-nothing", status=2)
        self.run_it("explain", "other.service", status=2)
        answer = self.json("explain", "media-client")
        self.assertEqual(answer["unit"], "media-client.service")
        self.assertTrue(all(e["level"] == "note" for e in answer["diagnostics"]))

    def test_graph(self):
        out = self.run_it("graph", "media").stdout
        self.assertLess(out.index("vpn"), out.index("client\n"))
        self.assertRegex(out, r"network of +vpn")
        self.assertRegex(out, r"proved before +killswitch, egress")
        dot = self.run_it("graph", "--dot", "media").stdout
        self.assertIn('"egress of client" -> "client" [label="passed"];', dot)
        self.assertTrue(dot.startswith("digraph") and dot.endswith("}\n"))
        answer = self.json("graph", "media")
        names = {n["name"] for n in answer["nodes"]}
        for edge in answer["edges"]:
            self.assertIn(edge["from"], names)
            self.assertIn(edge["to"], names)

    def test_engines(self):
        done = subprocess.run([UNITPROOF, "--json", "engines"], capture_output=True, text=True, check=False, env={}, timeout=120)
        rows = {e["name"]: e for e in json.loads(done.stdout)["engines"]}
        self.assertIn("podman", rows)
        for row in rows.values():
            self.assertIn(row["state"], ("usable", "unusable", "untried", "absent"))
            self.assertNotEqual(row["reason"], "")
        self.assertEqual(done.returncode, 0 if any(r["state"] == "usable" for r in rows.values()) else 1)


def schema_violations(schema, value, root, where="$"):
    """The words of JSON Schema that docs/schema/status.json uses; any other is a violation, so that none is skipped."""
    known = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties", "items",
             "enum", "pattern", "minimum"}
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    if set(schema) - known:
        yield f"{where}: the test does not know {set(schema) - known}"
    if "$ref" in schema:
        yield from schema_violations(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, root, where)
    wanted = schema.get("type", list(types))
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if not any(isinstance(value, types[t]) and (t != "integer" or not isinstance(value, bool)) for t in wanted):
        yield f"{where}: {value!r} is not {wanted}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        yield f"{where}: {value} is less than {schema['minimum']}"
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from schema_violations(schema.get("items", {}), item, root, f"{where}[{i}]")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}: no {key}"
        for key, item in value.items():
            if key in schema.get("properties", {}):
                yield from schema_violations(schema["properties"][key], item, root, f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}: {key} is not in the schema"


def metrics(text):
    """{(name, labels as sorted pairs): value}; what promtool complains about is an error."""
    families, samples, family = {}, {}, None
    assert text.endswith("\n")
    for line in text.splitlines():
        m = re.fullmatch(r"# HELP ([a-z_]+) (\S.*)", line)
        if m:
            family = m.group(1)
            assert family not in families, f"{family} twice"
            families[family] = None
            continue
        m = re.fullmatch(r"# TYPE ([a-z_]+) gauge", line)
        if m:
            assert m.group(1) == family and families[family] is None and m.group(1)[-6:] not in ("_total",), line
            families[family] = "gauge"
            continue
        m = re.fullmatch(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\} (-?[0-9.]+)', line)
        assert m, line
        assert m.group(1) == family and families[family] == "gauge", f"{line}: not behind its HELP and TYPE"
        labels = tuple(sorted(re.findall(r'([a-z_]+)="((?:[^"\\]|\\.)*)"', m.group(2))))
        assert (family, labels) not in samples, f"{line} twice"
        samples[family, labels] = float(m.group(3))
    assert all(families.values())
    return samples


class Status(Case):
    """Records of another root: what runs there is unknown, so nothing that speaks of a unit is proved."""

    def setUp(self):
        super().setUp()
        self.stack()
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as f:
            self.boot = f.read().strip().replace("-", "")

    def record(self, kind, subject, unit="", place="", **more):
        record = {
            "version": 1, "id": "0" * 31 + "1", "stack": "media", "proof": kind, "subject": subject, "engine": "podman",
            "verdict": "passed", "pending": False, "leak": False, "reason": "it was seen", "remedy": "", "boot_id": self.boot,
            "unit": unit, "invocation_id": "1" * 32 if unit else "", "netns_cookie": 0, "monotonic_usec": 1, "realtime_usec": 1,
            "duration_ms": 1, "evidence": {"seen": "192.0.2.7"}, **more}
        self.write(f"host/run/unitproof/media/{place}{kind}-{subject}.json", json.dumps(record))

    def look(self, kind, subject, unit, invocation_id, **more):
        again = {"unit": unit, "invocation_id": invocation_id, "unproven_in_a_row": more.pop("in_a_row", 0)}
        self.record(kind, subject, unit, "running/", evidence={"again": again}, **more)

    def test_json_is_what_the_schema_says(self):
        with open(os.path.join(SOURCE, "docs/schema/status.json"), encoding="utf-8") as f:
            schema = json.load(f)

        def check(status):
            answer = self.json("status", "media", status=status)
            self.assertEqual(list(schema_violations(schema, answer, schema)), [])
            return answer

        answer = check(3)
        self.assertEqual(list(schema_violations(schema, {**answer, "more": 1}, schema)), ["$: more is not in the schema"])
        answer["stacks"][0]["proofs"][0]["state"] = "probably"
        self.assertEqual(len(list(schema_violations(schema, answer, schema))), 1)
        self.record("egress", "client", "media-vpn.service", verdict="failed", leak=True, evidence={"egress": {"code": "same-address"}})
        proof = [p for p in check(1)["stacks"][0]["proofs"] if p["kind"] == "egress"][0]
        self.assertEqual((proof["code"], proof["unit"], proof["proof_unit"]),
                         ("same-address", "media-vpn.service", "media-proof-egress-client.service"))
        self.stack(compose=VPN + "x-unitproof:\n  proofs:\n    egress: off\n")
        proof = [p for p in check(3)["stacks"][0]["proofs"] if p["kind"] == "egress"][0]
        self.assertEqual((proof["off"]["line"], proof["off"]["column"]), (18, 13))
        self.stack("broken", "services: [")
        self.assertEqual(list(schema_violations(schema, self.json("status", status=2), schema)), [])

    def test_a_failed_look_at_what_runs_counts_until_the_next_start(self):
        self.record("egress", "client", "media-vpn.service", verdict="failed", monotonic_usec=5, reason="of the start")
        self.look("egress", "client", "media-client.service", "2" * 32, verdict="failed", leak=True, monotonic_usec=6, reason="late")
        p = self.proofs(1)["egress", "client"]
        self.assertEqual((p["state"], p["text"], p["running"], p["leak"]), ("failed", "late", True, True))
        self.record("egress", "client", "media-vpn.service", verdict="failed", monotonic_usec=7, reason="of the start")
        self.assertEqual(self.proofs(1)["egress", "client"]["text"], "of the start")

    def test_a_look_at_an_activation_that_is_over_does_not_count(self):
        self.record("egress", "client", "media-vpn.service", verdict="failed", monotonic_usec=5, reason="of the start")
        self.look("egress", "client", "media-client.service", "2" * 32, verdict="unproven", monotonic_usec=6, in_a_row=3)
        self.assertEqual(self.proofs(1)["egress", "client"]["text"], "of the start")

    def test_metrics(self):
        found = metrics(self.run_it("status", "--prometheus", status=3).stdout)
        client = (("proof", "egress"), ("stack", "media"), ("subject", "client"))
        self.assertEqual(found["unitproof_stack_compiled", (("stack", "media"),)], 1)
        self.assertEqual({v: found["unitproof_proof_verdict", client + (("verdict", v),)]
                          for v in ("passed", "failed", "unproven", "off")}, {"passed": 0, "failed": 0, "unproven": 1, "off": 0})
        self.assertNotIn(("unitproof_proof_timestamp_seconds", client), found)
        self.assertNotIn(("unitproof_stack_halted", (("stack", "media"),)), found)   # nobody can tell below another root
        self.record("egress", "client", "media-vpn.service", verdict="failed", leak=True, realtime_usec=1700000000123456, duration_ms=1250)
        found = metrics(self.run_it("status", "--prometheus", status=1).stdout)
        self.assertEqual(found["unitproof_proof_verdict", client + (("verdict", "failed"),)], 1)
        self.assertEqual(found["unitproof_proof_leak", client], 1)
        self.assertEqual(found["unitproof_proof_timestamp_seconds", client], 1700000000.123456)
        self.assertEqual(found["unitproof_proof_duration_seconds", client], 1.25)
        self.run_it("status", "--prometheus", "--json", status=2)
        self.run_it("status", "--output", self.dir, status=2)

    def test_metrics_in_a_file(self):
        os.mkdir(self.path("out"))
        self.stack("gone")
        self.stack("broken", "services: [")
        self.assertEqual(self.run_it("status", "--prometheus", "--output", "out", status=2).stdout, "")
        with open(self.path("out/unitproof.prom"), encoding="utf-8") as f:
            found = metrics(f.read())
        self.assertEqual([found["unitproof_stack_compiled", (("stack", n),)] for n in ("media", "gone", "broken")], [1, 1, 0])
        self.assertEqual(os.stat(self.path("out/unitproof.prom")).st_mode & 0o777, 0o644)
        shutil.rmtree(self.path("host/etc/unitproof/gone"))
        self.run_it("status", "--prometheus", "--output", "out", status=2)
        with open(self.path("out/unitproof.prom"), encoding="utf-8") as f:
            self.assertNotIn('stack="gone"', f.read())
        self.assertEqual(os.listdir(self.path("out")), ["unitproof.prom"])
        self.assertIn("nowhere", self.run_it("status", "--prometheus", "--output", "nowhere", status=2).stderr)

    # Directories of /etc/unitproof that are no stack, and what may stand there beside directories.
    STRAYS = {b"Media": "Media", b"na me": "na me", b"a\nb": "a\\\\nb", b"bad\xff": "bad\\\\xff", b'q"\\': 'q\\"\\\\'}

    def strays(self):
        place = os.fsencode(self.path("host/etc/unitproof"))
        for name in self.STRAYS:
            os.mkdir(os.path.join(place, name))
        os.mkdir(self.path("host/etc/unitproof/empty"))
        os.symlink("nowhere", self.path("host/etc/unitproof/dangling"))
        os.symlink("nowhere", self.path("host/etc/unitproof/Dangling"))
        os.mkfifo(self.path("host/etc/unitproof/pipe"))
        self.write("host/etc/unitproof/plain", "x")
        self.stack("unreadable")
        os.chmod(self.path("host/etc/unitproof/unreadable"), 0)

    def test_metrics_beside_what_is_no_stack(self):
        self.strays()
        done = self.run_it("status", "--prometheus", status=2)
        found = {labels[0][1]: value for (name, labels), value in metrics(done.stdout).items() if name == "unitproof_stack_compiled"}
        want = {"media": 1, "empty": 0, "dangling": 0, "Dangling": 0, "unreadable": 1 if os.geteuid() == 0 else 0,
                **{label: 0 for label in self.STRAYS.values()}}
        self.assertEqual(found, want)
        for said in ("unitproof/Media cannot be a stack: ", "unitproof/na me cannot be", "unitproof/a\\nb cannot be", "/dangling is a link that leads nowhere"):
            self.assertIn(said, done.stderr)
        self.assertEqual(self.run_it("status", "--prometheus", "--output", self.dir, status=2).stdout, "")
        for name, status in (("Media", 2), ("nothing", 2)):
            self.assertIn(f'unitproof_stack_compiled{{stack="{name}"}} 0\n', self.run_it("status", "--prometheus", name, status=status).stdout)
        metrics(self.run_it("status", "--prometheus", "media", self.path("host/etc/unitproof/media"), "media", status=3).stdout)
        self.write("host/etc/unitproof/unitproof.conf", "[nothing]\nx = 1\n")
        done = self.run_it("status", "--prometheus", "media", status=3)
        self.assertIn('unitproof_stack_compiled{stack="media"} 1\n', done.stdout)
        self.assertIn("unknown section [nothing]", done.stderr)

    def test_a_stack_with_errors_has_units_all_the_same(self):
        self.stack("bad", "services: {a: {imgae: x}}\n", None)
        done = self.run_it("status", status=2)
        self.assertRegex(done.stdout, r"(?m)^bad: bad\.target is unknown, since another root has no running systemd; its files have errors")
        self.assertRegex(done.stdout, r"(?m)^media: media\.target is unknown")
        self.assertIn("did you mean 'image'", done.stderr)
        answer = self.json("status", status=2)
        self.assertEqual([s["stack"] for s in answer["stacks"]], ["media"])
        unit = {"unit": "bad.target", "load": "unknown", "active": "unknown", "sub": "unknown"}
        self.assertEqual(answer["broken"], [{"stack": "bad", "target": unit, "halted": False, "running": [],
                                             "units_problem": "another root has no running systemd"}])
        with open(os.path.join(SOURCE, "docs/schema/status.json"), encoding="utf-8") as f:
            schema = json.load(f)
        self.assertEqual(list(schema_violations(schema, answer, schema)), [])
        # What does not exist has no units.
        self.assertEqual(self.json("status", "nothing", status=2)["broken"], [])

    def test_what_is_no_stack_hides_none(self):
        self.strays()
        os.mkdir(self.path("Media"))   # what lies in the working directory has nothing to do with it
        os.mkdir(self.path("dangling"))
        for args in (("status",), ("check",), ("diff",), ("generate", "--output", "out")):
            done = self.run_it(*args, status=2)
            self.assertIn("media", done.stdout, args)
            self.assertEqual(done.stderr.count("cannot be a stack: "), 6, (args, done.stderr))
            self.assertIn("/dangling is a link that leads nowhere", done.stderr)
            self.assertNotIn("Media/compose.yaml", done.stderr)
            codes = [e["code"] for e in self.json(*args, status=2)["diagnostics"]]
            self.assertEqual(codes.count("stack-name"), 6)
        self.assertIn("media-client", self.run_it("explain", "media-client").stdout)
        self.run_it("graph", "Dangling", status=2)

    def proofs(self, status):
        answer = self.json("status", "media", status=status)["stacks"][0]
        return {(p["kind"], p["subject"]): p for p in answer["proofs"]}

    def test_never_run(self):
        proofs = self.proofs(3)
        self.assertTrue(all(p["state"] == "unproven" for p in proofs.values()))
        out = self.run_it("status", "media", status=3).stdout
        self.assertIn("has not run since the boot", out)
        self.assertIn("media.target is unknown", out)

    def test_failed(self):
        self.record("egress", "client", "media-vpn.service", verdict="failed", leak=True, reason="the host's own address came back",
                    remedy="look at the tunnel")
        p = self.proofs(1)["egress", "client"]
        self.assertEqual((p["state"], p["leak"], p["evidence"]), ("failed", True, {"seen": "192.0.2.7"}))
        out = self.run_it("status", status=1).stdout
        self.assertRegex(out, r"egress +client +failed .* the host's own address came back\n +look at the tunnel\n")

    def test_a_pass_of_a_unit_that_does_not_run_is_unproven(self):
        self.record("egress", "client", "media-vpn.service")
        p = self.proofs(3)["egress", "client"]
        self.assertEqual(p["state"], "unproven")
        self.assertIn("media-vpn.service", p["text"])

    def test_a_pass_of_another_boot_is_unproven(self):
        self.record("egress", "client", boot_id="f" * 32)
        p = self.proofs(3)["egress", "client"]
        self.assertEqual((p["state"], p["this_boot"], p["age_seconds"]), ("unproven", False, None))

    def test_a_broken_record_is_unproven(self):
        self.write("host/run/unitproof/media/egress-client.json", "{")
        self.assertEqual(self.proofs(3)["egress", "client"]["state"], "unproven")

    def test_off(self):
        self.stack(compose=VPN + "x-unitproof:\n  proofs:\n    egress: off\n")
        p = self.proofs(3)["egress", "client"]
        self.assertEqual(p["state"], "off")
        self.assertIn("compose.yaml:18:13", p["text"])

    def test_a_stack_with_errors_hides_no_other(self):
        self.stack("broken", "services: [")
        done = self.run_it("status", status=2)
        self.assertIn("media: media.target", done.stdout)


def main():
    global UNITPROOF, SOURCE
    UNITPROOF, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result
    bad, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - bad - skipped} passed, {bad} failed, {skipped} skipped")
    sys.exit(1 if bad or result.testsRun == 0 else 0)


if __name__ == "__main__":
    main()
