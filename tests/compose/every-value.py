#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every place of a Compose file with a value of every kind, resolved by us and by Docker Compose 2.40, byte for byte.

    every-value.py PRINT_MODEL [--under PLACE] [--part K/N] [--seconds N] [--compile UNITPROOF]

At each place that the specification's schema names stands one value after another: of the right type, of a wrong one, empty, negative.
Each is tried alone, under an override file that replaces it with a sound value (!override), under one that merges a sound value over
it, and as what such a file brings. Docker Compose judges some values in each file and some only when all files are merged; here that
shows. --under: only places that begin so; --part: only each N-th place; --seconds ends it early. --compile: nothing is
compared; each file is compiled to units, which may be refused and must not crash. Exit status 77: skipped.
"""
import copy
import importlib
import itertools
import json
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import random_schema  # noqa: E402
import random_values  # noqa: E402
from random_text import Tagged  # noqa: E402

files_of = importlib.import_module("random-files")

VALUES = [None, True, "true", "word", "", "5", 5, 0, -3, 1.5, "-3", "1.5", 2.0, "2.0", [], [None], ["word"], ["a=b"],
          [5], [True], [1.5], [[]], [{}], {}, {"": "x"}, {"k": "v"}, {"k": None}, {"k": 5}, {"k": True}, {"k": 1.5}, {"k": []}, {"k": {}}]
NAMES = {"networks": "net1", "volumes": "vol1", "secrets": "sec1", "configs": "conf1", "depends_on": "base", "services": "s"}
WAYS = ["alone", "replaced", "merged", "over"]
BESIDE = {"services.*.develop.watch.[]": {"path": "./a", "action": "rebuild"}, "secrets.*": {"file": "./f"}, "configs.*": {"file": "./f"},
          "services.*.volumes.[]": {"type": "volume", "source": "vol1", "target": "/t"}, "services.*.build.secrets.[]": {"source": "sec1"},
          "services.*.secrets.[]": {"source": "sec1"}, "services.*.configs.[]": {"source": "conf1"}, "services.*.build": {"context": "."},
          "services.*.ports.[]": {"target": 80}}
LISTS = ("dns", "dns_opt", "dns_search", "tmpfs", "env_file", "label_file")  # merged as lists of KEY=VALUE, too
EXTRA = {".env": "", "one.env": "A=b\n", "two.env": "", "arguments": ""}
BUNDLE = 25


class Places:
    def __init__(self, schema, prefix):
        self.schema, self.prefix = schema, prefix

    def draw(self, s, at, seed):
        draw = random_schema.Draw(self.schema, random.Random(f"{at}:{seed}"), set())
        draw.services = [self.prefix + "base"]
        for kind in ("networks", "volumes", "secrets", "configs"):
            setattr(draw, kind, [self.prefix + NAMES[kind]])
        return draw.value(s, at)

    def name(self, at):
        key = at.rsplit(".", 1)[-1]
        return self.prefix + NAMES[key] if key in NAMES else "nofile" if key == "ulimits" else "k"

    def beside(self, form, at, key):
        """What has to stand beside a key."""
        needed = [k for k in form.get("required", []) if k != key and k not in BESIDE.get(at, {})]
        drawn = {k: self.draw(form["properties"][k], f"{at}.{k}".lstrip("."), 0) for k in needed}
        fixed = {k: self.prefix + v if k == "source" else v for k, v in BESIDE.get(at, {}).items() if k != key}
        return {**drawn, **fixed}

    def walk(self, s, at="", path=()):
        """(place, schema, path) of everything; a path is a list of (kind of step, key, what has to stand beside it)."""
        s = self.schema.resolve(s)
        if path:
            yield at, s, path
        for form in map(self.schema.resolve, s.get("oneOf", [s])):
            steps = []
            for key, child in form.get("properties", {}).items():
                if key in ("include", "extends", "models"):  # they are files of their own
                    continue
                steps.append((key, child, f"{at}.{key}", self.beside(form, at, key)))
            for pattern, child in form.get("patternProperties", {}).items():
                if pattern != "^x-":
                    steps.append((self.name(at), child, f"{at}.*", {}))
            for key, child, below, beside in steps:
                yield from self.walk(child, below.lstrip("."), path + (("key", key, beside),))
            if "items" in form:
                yield from self.walk(form["items"], f"{at}.[]", path + (("item", None, None),))

    def tree(self, path, value):
        for kind, key, beside in reversed(path):
            value = [value] if kind == "item" else {**beside, key: value}
        return value

    def whole(self, path, value):
        p = self.prefix
        tree = {"services": {p + "base": {"image": "b"}}, "networks": {p + "net1": {}}, "volumes": {p + "vol1": {}},
                "secrets": {p + "sec1": {"file": "./f"}}, "configs": {p + "conf1": {"file": "./f"}}}
        for section, content in self.tree(path, value).items():
            if isinstance(content, dict) and isinstance(tree.get(section), dict):
                tree[section].update(content)
            else:
                tree[section] = content
        for service in tree["services"].values() if isinstance(tree["services"], dict) else []:
            if isinstance(service, dict) and "provider" not in service:
                service.setdefault("image", "x")
        return tree


def under(path):
    """The path down to what an override file can name: not into a list."""
    return next((path[:i] for i, step in enumerate(path) if step[0] == "item"), path)


def meant_to_differ(at, way, value):
    """What docs/compose-support.md lists, and where Docker Compose gives another answer each time."""
    if at.endswith("extra_hosts.*.[]"):
        return way == "over" and not isinstance(value, str)
    if at.endswith(".build"):
        return way == "over" and not isinstance(value, (str, dict, type(None)))
    if at in ("secrets.*.external", "configs.*.external"):
        return isinstance(value, dict) and value
    if at == "secrets.*.file":
        return value == ""
    if at.endswith(".ssh"):
        return way in ("merged", "over")
    below = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    nested = at.endswith("*") and isinstance(value, (list, dict)) or any(isinstance(v, (list, dict)) for v in below)
    return way != "alone" and (random_schema.PAIRS.search(at) or at.rsplit(".", 1)[-1] in LISTS) and nested


def files(places, path, way, value, sound):
    named = under(path)
    over = {"replaced": lambda: places.tree(named, Tagged("!override", places.tree(path[len(named):], sound))),
            "merged": lambda: places.tree(path, sound), "over": lambda: places.tree(path, value)}
    base = {"compose.yaml": places.whole(path, sound if way == "over" else value)}
    return {**base, "compose.override.yaml": over[way]()} if way in over else base


def sound_seed(places, judge, s, at, path):
    """Where to draw a value that both take there, if one is found soon."""
    for seed in range(12):
        value = places.draw(s, at, seed)
        if value is not None and judge.of({"compose.yaml": places.whole(path, value), **EXTRA}, "sound") == "equal":
            return seed
    return None


def shown(value):
    return json.dumps(value, default=lambda other: getattr(other, "text", None) or getattr(other, "value", None))


class Told(files_of.Count):
    """Counts, and says what differs where in one line."""

    def __init__(self, judge):
        super().__init__(judge, "every", True)
        self.what = {}

    def one(self, i, kind, files, fault=""):
        what = self.judge.of(files, f"{self.seed}:{i}:spelling")
        self.add(kind, what)
        if what in ("equal", "refused by both", "their program crashed"):
            return
        self.bad += 1
        print(f"{what}: {self.what[i]}", flush=True)


class Compiled(Told):
    """Compiles instead: what neither succeeds nor says what is wrong is bad."""

    def __init__(self, judge, unitproof):
        super().__init__(judge)
        self.unitproof = os.path.abspath(unitproof)

    def bundle(self, members):
        for i, tree in members:
            with tempfile.TemporaryDirectory(prefix="compose-every-") as folder:
                files_of.write(os.path.join(folder, "stack"), tree, f"{self.seed}:{i}:spelling")
                places = ["--output", os.path.join(folder, "out"), os.path.join(folder, "stack", "compose.yaml")]
                status, _, err = compare.run([self.unitproof, "generate", "--root", folder, *places], folder)
            self.add("compiled", {0: "compiled", 1: "refused", 2: "refused"}.get(status, "bad"))
            if status not in (0, 1, 2) or status != 0 and ": error: " not in err:
                self.bad += 1
                print(f"status {status}: {self.what[i]}\n{err[:2000]}", flush=True)


def main():
    options = {"--under": "", "--part": "0/1", "--seconds": 0, "--compile": ""}
    words = compare.command_line(options)
    if len(words) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    command = compare.docker_compose()
    if not command:
        print("skipped: no Docker Compose 2.40 on this host")
        return compare.SKIPPED
    part, parts = map(int, options["--part"].split("/"))
    schema, judge = files_of.schema_of(command), files_of.Judge(os.path.abspath(words[0]), command)
    told = Compiled(judge, options["--compile"]) if options["--compile"] else Told(judge)
    members, start, number = [], time.monotonic(), 0
    for index, (at, s, path) in enumerate(Places(schema, "").walk(schema.root)):
        if not at.startswith(options["--under"]) or index % parts != part:
            continue
        if 0 < options["--seconds"] < time.monotonic() - start:
            print(f"ended before {at}")
            break
        seed = sound_seed(Places(schema, ""), judge, s, at, path)
        if seed is None:
            print(f"no sound value: {at}")
        for value in VALUES:
            for way in range(len(WAYS) if seed is not None else 1):
                if meant_to_differ(at, WAYS[way], value):
                    continue
                number += 1
                places = Places(schema, f"e{number}-")
                _, s, path = next(itertools.islice(places.walk(schema.root), index, None))
                sound = None if seed is None else places.draw(s, at, seed)
                told.what[number] = f"{at} {WAYS[way]} {shown(value)}" + (f" with {shown(sound)}" if way else "")
                members.append((number, {**files(places, path, WAYS[way], copy.deepcopy(value), sound), **EXTRA}))
            if len(members) >= BUNDLE:
                told.bundle(members)
                members = []
    if members:
        told.bundle(members)
    for kind, result in told.results.items():
        print(f"{kind}: " + ", ".join(f"{name}: {n}" for name, n in sorted(result.items())))
    return 1 if told.bad else 0


if __name__ == "__main__":
    sys.exit(main())
