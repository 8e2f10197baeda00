#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random Compose files, resolved by us and by Docker Compose 2.40, byte for byte.

    random-files.py PRINT_MODEL COUNT [SEED [valid | invalid]] [--seconds N] [--bundle N]

Each file is drawn by the schema of the Compose Specification that Docker Compose itself uses: services with random keys in random forms and
spellings, with override files, tags, included and extended files, variables, env files and profiles. Of a valid file the two models have to be
equal; an invalid one, which is a valid one with one fault, both have to refuse. Without a word both kinds take turns. A file in which something differs
is made as small as it goes and kept in a folder that is named. --seconds ends it early. Exit status 77: skipped.

A run of Docker Compose costs a third of a second of a processor, nearly all of it before it reads a file. --bundle N has N valid files resolved by one
run: as projects, with override files and variables of their own, that one file includes. Those that we refuse by themselves, and those of a
bundle in which something differs, are asked for one by one.

What is left out on purpose is listed, with its reasons, in docs/compose-support.md.
"""
import copy
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import random_schema  # noqa: E402
import random_text  # noqa: E402
from random_text import Tagged  # noqa: E402

ENV_NAMES = ["A", "B", "C", "key", "D_2"]
ALL_PLACES_FROM = 2000


def schema_of(command):
    program = command[0] if os.sep in command[0] else next(
        (path for path in ("/usr/libexec/docker/cli-plugins/docker-compose", "/usr/lib/docker/cli-plugins/docker-compose",
                           os.path.expanduser("~/.docker/cli-plugins/docker-compose")) if os.path.exists(path)), "")
    return random_schema.Schema(random_schema.read_schema(program))


def resources(draw, prefix):
    """Networks, volumes, secrets and configs of one file, to which its services may refer."""
    kinds = {"networks": "net", "volumes": "vol", "secrets": "sec", "configs": "conf"}
    out = {}
    for kind, stem in kinds.items():
        names = [f"{prefix}{stem}{i}" for i in range(1, draw.random.randint(2, 4))]
        child = draw.schema.root["properties"][kind]["patternProperties"]["^[a-zA-Z0-9._-]+$"]
        out[kind] = {name: draw.value(child, f"{kind}.*") for name in names}
        getattr(draw, kind).extend(names)
    return out


def services(draw, names, far=None):
    out = {}
    for name in names:
        out[name] = draw.value(draw.schema.root["definitions"]["service"], "services.*")
        if not {"image", "build", "provider"} & set(out[name]) and draw.random.random() < 0.98:
            out[name]["image"] = "x"
        if draw.services and draw.random.random() < 0.25:
            other = draw.random.choice(draw.services)
            out[name]["extends"] = draw.pick([other, {"service": other}, {"file": far, "service": "far"} if far else other])
            draw.drawn.update({"services.*.extends", "services.*.extends.service", "services.*.extends.file"})
        draw.services.append(name)
    return out


def override(draw, names):
    """A file over the first one: other values of some services, tags among them."""
    out, before = {}, draw.services
    for name in draw.random.sample(names, draw.random.randint(1, len(names))):
        draw.services = before[:before.index(name)]
        body = draw.value(draw.schema.root["definitions"]["service"], "services.*")
        body.pop("profiles", None)
        for key in list(body):
            way = draw.random.random()
            if way < 0.06:
                body[key] = Tagged("!reset", draw.pick([None, body[key], []]))
            elif way < 0.16 and body[key] is not None:
                body[key] = Tagged("!override", body[key])
        out[name] = Tagged("!override", dict(body, image="z")) if draw.random.random() < 0.03 else body
    draw.services = before
    return {"services": out}


def include(draw, files, prefix):
    """An entry of `include:`, with the files that it needs."""
    inner, names = random_schema.Draw(draw.schema, draw.random, draw.drawn), [f"{prefix}i{i}" for i in range(3)]
    inner.services = names[:1]
    found = resources(inner, prefix + "i")
    tree = {"services": {names[0]: {"image": "b"}, **services(inner, names[1:])}, **found}
    for config in tree["configs"].values():
        if "environment" in config:  # Docker Compose resolves it, and then finds 'content' beside it
            config["file"] = config.pop("environment")
    files["inc/one.yaml"] = tree
    files["inc/.env"] = "V=included\nN=6\nIN=x\n"
    entry = {"path": draw.pick(["inc/one.yaml", ["inc/one.yaml"]])}
    if draw.random.random() < 0.3:
        files["inc/two.yaml"] = override(inner, names[1:])
        entry["path"] = ["inc/one.yaml", "./inc/two.yaml"]
    if draw.random.random() < 0.3:
        entry["project_directory"] = draw.pick([".", "inc", "./inc/../sub"])
    if draw.random.random() < 0.3:
        entry["env_file"] = draw.pick(["one.env", ["two.env", "one.env"]])
    draw.drawn.update({"include.[]", *(f"include.[].{key}" for key in entry)})
    return draw.pick(["inc/one.yaml", entry]) if len(entry) == 1 else entry


def project(draw, prefix=""):
    """{path: a tree, or text}. With a prefix to its names it can be one of several that a file includes."""
    r, files, base = draw.random, {}, prefix + "base"
    tree = {"name": draw.pick(["n", "p-1_x"])} if r.random() < 0.2 and not prefix else {}
    if r.random() < 0.03:
        tree["version"] = "3.8"
    found = resources(draw, prefix)
    draw.services.append(base)
    tree["services"] = {base: {"image": "b"}, **services(draw, [f"{prefix}s{i}" for i in range(r.randint(1, 4))], "sub/base.yaml")}
    tree.update(found)
    draw.drawn.update(k for k in ("name", "version", "services", "networks", "volumes", "secrets", "configs", "include") if k in tree)
    files["compose.yaml"] = tree
    arguments = []
    if r.random() < 0.25:
        tree["include"] = [include(draw, files, prefix)]
        draw.drawn.add("include")
    names = [n for n in tree["services"] if n != base]
    if r.random() < 0.5:
        files["compose.override.yaml"] = override(draw, names)
    if r.random() < 0.1 and not prefix:
        files["more.yaml"] = override(draw, names)
        arguments += ["-f", "compose.yaml", "-f", "more.yaml"]
    for name in r.sample(["p1", "p2", "p3", "*"], r.choice([0, 1, 1, 2])) if not prefix else ["p1", "p2"]:
        arguments += ["--profile", name]
    far = random_schema.Draw(draw.schema, r, draw.drawn)
    for kind in ("networks", "volumes", "secrets", "configs"):
        setattr(far, kind, getattr(draw, kind))
    far.services = [base]
    files["sub/base.yaml"] = {"services": {base: {"image": "b"}, **services(far, ["far"])}}
    for config in tree["configs"].values() if prefix else []:
        if config and "environment" in config:  # as in include()
            config["file"] = config.pop("environment")
    files[".env"] = "V=value\nN=5\nT=true\nkey=from env\nE=\n" + random_text.env_file(r, [n for n in ("A", "B") if r.random() < 0.5]).lstrip("\ufeff")
    if r.random() < 0.05 and not prefix:
        files[".env"] += "\nCOMPOSE_PROFILES=p1,p2\n"
    if r.random() < 0.05 and "name" not in tree and not prefix:
        files[".env"] += "\nCOMPOSE_PROJECT_NAME=from-env\n"
    for name in ("one.env", "two.env"):
        files[name] = files["sub/" + name] = files["inc/" + name] = random_text.env_file(r, r.sample(ENV_NAMES, r.randint(0, 4)))
    files["arguments"] = " ".join(arguments)
    return files


def write(folder, files, seed):
    spelling = random.Random(seed)
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(content if isinstance(content, str) else random_text.yaml(spelling, content))


class Judge:
    def __init__(self, print_model, command):
        self.print_model, self.command = print_model, command

    def ask(self, folder):
        """(what came of it, their answer, ours)"""
        valid, out, err = compare.ours(self.print_model, folder)
        their_valid, their_out, their_err = compare.theirs(self.command, folder)
        answers = their_out if their_valid else their_err, out if valid else err
        if "\ngoroutine " in their_err or "error calling MarshalJSON" in their_err:
            return "their program crashed", *answers
        if valid != their_valid:
            return "refused by us alone" if their_valid else "taken by us alone", *answers
        if not valid:
            return "refused by both", *answers
        return "equal" if out == their_out else "different", *answers

    def of(self, files, seed):
        with tempfile.TemporaryDirectory(prefix="compose-random-") as folder:
            write(folder, files, seed)
            return self.ask(folder)[0]


def places_of(tree):
    """Where something stands in a tree, by depth: what can go as a whole goes first."""
    level, out = [((), tree)], []
    while level:
        out += [place for place, _ in level if place]
        level = [(place + (key,), value[key]) for place, value in ((p, v.value if isinstance(v, Tagged) else v) for p, v in level)
                 if isinstance(value, (dict, list)) for key in (list(value) if isinstance(value, dict) else reversed(range(len(value))))]
    return out


def without(tree, place):
    """The tree without that; None if it is not there any more."""
    if isinstance(tree, Tagged):
        less = without(tree.value, place)
        return None if less is None else Tagged(tree.tag, less)
    key = place[0]
    if not (isinstance(tree, dict) and key in tree or isinstance(tree, list) and isinstance(key, int) and key < len(tree)):
        return None
    less = copy.copy(tree)
    if len(place) == 1:
        del less[key]
        return less
    less[key] = without(tree[key], place[1:])
    return None if less[key] is None else less


def shrink(judge, files, seed, what, seconds=60):
    """What of the files can go without another outcome."""
    deadline = time.monotonic() + seconds
    for name in [n for n in files if n != "compose.yaml"]:
        less = {k: v for k, v in files.items() if k != name}
        if judge.of(less, seed) == what:
            files = less
    for name in list(files):
        content = files[name]
        if isinstance(content, str):
            lines = content.splitlines(keepends=True)
            places = [(i,) for i in reversed(range(len(lines)))]
        else:
            places = places_of(content)
        for place in places:
            less = without(lines if isinstance(content, str) else content, place)
            if less is None or time.monotonic() > deadline:
                continue
            candidate = {**files, name: "".join(less) if isinstance(content, str) else less}
            if judge.of(candidate, seed) == what:
                files, content = candidate, candidate[name]
                if isinstance(content, str):
                    lines = less
    return files


class Count:
    def __init__(self, judge, seed, quick):
        self.judge, self.seed, self.quick = judge, seed, quick
        self.results, self.bad = {}, 0

    def add(self, kind, what, number=1):
        result = self.results.setdefault(kind, {})
        result[what] = result.get(what, 0) + number

    def one(self, i, kind, files, fault=""):
        """A file by itself; one in which something differs stays."""
        spelling = f"{self.seed}:{i}:spelling"
        folder = tempfile.mkdtemp(prefix="compose-random-")
        write(folder, files, spelling)
        what, their, our = self.judge.ask(folder)
        self.add(kind, what)
        if what in ("equal", "refused by both", "their program crashed"):
            shutil.rmtree(folder)
            return
        self.bad += 1
        print(f"seed {self.seed} file {i}, {kind} {fault}: {what}")
        if not self.quick:
            shutil.rmtree(folder)
            os.mkdir(folder)
            write(folder, shrink(self.judge, files, spelling, what), spelling)
            _, their, our = self.judge.ask(folder)
            with open(os.path.join(folder, "compose.yaml"), encoding="utf-8") as file:
                print("    | " + "\n    | ".join(file.read().splitlines()))
        compare.show(folder, their, our)
        sys.stdout.flush()

    def bundle(self, members):
        """[(number, files)] in one run, if we take each by itself."""
        with tempfile.TemporaryDirectory(prefix="compose-bundle-") as folder:
            entries, good = [], []
            for i, files in members:
                name = f"p{i}"
                write(os.path.join(folder, name), files, f"{self.seed}:{i}:spelling")
                if not compare.ours(self.judge.print_model, os.path.join(folder, name))[0]:
                    self.one(i, "valid", files)
                    continue
                paths = [f"{name}/{file}" for file in ("compose.yaml", "compose.override.yaml") if file in files]
                entries.append({"path": paths, "project_directory": name})
                good.append((i, files))
            write(folder, {"compose.yaml": {"name": "bundle", "include": entries}, "arguments": "--profile p1 --profile p2"}, "bundle")
            what = self.judge.ask(folder)[0] if good else "equal"
        if what == "equal":
            self.add("valid", what, len(good))
            return
        before = self.bad
        for i, files in good:
            self.one(i, "valid", files)
        if self.bad == before and what in ("different", "taken by us alone", "refused by us alone"):
            # Some are refused by both only when they stand together; what is left has to be equal.
            self.add("bundles that were taken apart", what)


def main():
    options = {"--seconds": 0, "--bundle": 0}
    words = compare.command_line(options)
    if len(words) < 2 or len(words) > 4 or (len(words) == 4 and words[3] not in ("valid", "invalid")):
        print(__doc__, file=sys.stderr)
        return 2
    command = compare.docker_compose()
    if not command:
        print("skipped: no Docker Compose 2.40 on this host")
        return compare.SKIPPED
    schema, drawn, limit = schema_of(command), set(), options["--seconds"]
    number, seed = int(words[1]), words[2] if len(words) > 2 else "1"
    kinds = [words[3]] if len(words) > 3 else ["valid", "invalid"]
    count, members = Count(Judge(os.path.abspath(words[0]), command), seed, limit > 0), []
    start = time.monotonic()
    for i in range(number):
        if limit and time.monotonic() - start > limit:
            print(f"ended after {i} files and {limit} s")
            break
        kind = kinds[i % len(kinds)]
        draw = random_schema.Draw(schema, random.Random(f"{seed}:{i}"), drawn)
        if options["--bundle"] and kind == "valid":
            members.append((i, project(draw, f"f{i}")))
            if len(members) == options["--bundle"]:
                count.bundle(members)
                members = []
            continue
        files, fault = project(draw), ""
        if kind == "invalid":
            fault = random_schema.spoil(draw, files["compose.yaml"], files)
        count.one(i, kind, files, fault)
    if members:
        count.bundle(members)
    for kind, result in count.results.items():
        print(f"{kind}: " + ", ".join(f"{name}: {n}" for name, n in sorted(result.items())))
    missing = schema.places() - drawn - ({"name"} if options["--bundle"] else set())  # what is included has no name of its own
    if number >= ALL_PLACES_FROM and not limit and missing:
        print("never drawn: " + ", ".join(sorted(missing)))
        count.bad += 1
    return 1 if count.bad else 0


if __name__ == "__main__":
    sys.exit(main())
