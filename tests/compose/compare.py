#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares our resolution of Compose files with what Docker Compose says.

    compare.py cases PRINT_MODEL DIR          each case of DIR against the answer stored with it
    compare.py oracle PRINT_MODEL DIR...      each folder against Docker Compose itself, byte for byte
    compare.py store PRINT_MODEL DIR          writes the stored answers anew (models: Docker Compose's)

A case is a folder with a Compose file and
    expected.json   the model, as printed by Docker Compose 2.40, with @DIR@ for the folder and @PARENT@ above; or
    refused.txt     our diagnostics; Docker Compose refuses the file as well;
    arguments       options for both (-f, --profile), if it needs any;
    difference      why our answer is meant to be another one than Docker Compose's, if it is.

Docker Compose is $UNITPROOF_DOCKER_COMPOSE, or the plugin of the docker command. Without one of version 2.40 the
"oracle" run is skipped (exit status 77), since other versions have other rules.
"""
import difflib
import os
import subprocess
import sys

HOME = "/root"
SKIPPED = 77
COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")


def run(command, cwd):
    """Runs without the caller's environment, which Docker Compose would mix into the model. GOGC: it ends before its memory
    is worth collecting, which is half of its time with many files."""
    env = {"PATH": "/usr/bin:/bin", "HOME": HOME, "PWD": cwd, "LC_ALL": "C", "GOGC": "400", "ASAN_OPTIONS": "exitcode=99"}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def arguments(case):
    try:
        with open(os.path.join(case, "arguments"), encoding="utf-8") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


def folders(root):
    if any(os.path.exists(os.path.join(root, name)) for name in COMPOSE_FILES):
        return [root]
    found = [os.path.join(root, name) for name in sorted(os.listdir(root))]
    return [path for path in found if os.path.isdir(path)]


def ours(print_model, case):
    status, out, err = run([print_model, "--home", HOME, *arguments(case), case], case)
    if status not in (0, 1):
        raise SystemExit(f"{case}: {print_model} ended with status {status}\n{err}")
    return status == 0, out, err


def docker_compose():
    plugin = os.environ.get("UNITPROOF_DOCKER_COMPOSE")
    command = [plugin] if plugin else ["docker", "compose"]
    try:
        status, out, _ = run([*command, "version", "--short"], "/")
    except OSError:
        return None
    return command if status == 0 and out.lstrip("v").startswith("2.40.") else None


def theirs(command, case):
    status, out, err = run([*command, *arguments(case), "config", "--format", "json"], case)
    return status == 0, out, err


def command_line(options):
    """The words of the command line; a value goes into the options, {name: value}, as what the value there is."""
    words = []
    for word in sys.argv[1:]:
        if words and words[-1] in options:
            name = words.pop()
            options[name] = type(options[name])(word)
        else:
            words.append(word)
    return words


def portable(text, case):
    """An answer without the place where this tree happens to stand."""
    return text.replace(case, "@DIR@").replace(os.path.dirname(case), "@PARENT@")


def read(case, name):
    try:
        with open(os.path.join(case, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def show(case, wanted, got):
    print(f"DIFFERENT {case}")
    lines = difflib.unified_diff(wanted.splitlines(), got.splitlines(), "wanted", "got", lineterm="", n=2)
    for _, line in zip(range(40), lines):
        print("   ", line)


def compare_cases(print_model, root):
    failed = 0
    cases = folders(root)
    for case in cases:
        valid, out, err = ours(print_model, case)
        wanted = read(case, "expected.json" if valid else "refused.txt")
        got = portable(out if valid else err, case)
        if wanted is None:
            failed += 1
            print(f"DIFFERENT {case}: {'resolved' if valid else 'refused'}, which is not what is stored\n{err}")
        elif wanted != got:
            failed += 1
            show(case, wanted, got)
    print(f"{len(cases) - failed} of {len(cases)} cases as stored")
    return 1 if failed or not cases else 0


def compare_oracle(print_model, roots):
    command = docker_compose()
    present = [root for root in roots if os.path.isdir(root)]
    if not command or not present:
        print("skipped:", "none of the folders is here" if command else "no Docker Compose 2.40 on this host")
        return SKIPPED
    count = {"equal": 0, "refused by both": 0, "meant to differ": 0, "different": 0}
    for case in [case for root in present for case in folders(root)]:
        if read(case, "difference") is not None:
            count["meant to differ"] += 1
            continue
        our_valid, out, err = ours(print_model, case)
        their_valid, their_out, their_err = theirs(command, case)
        if our_valid and their_valid and out == their_out:
            count["equal"] += 1
        elif not our_valid and not their_valid:
            count["refused by both"] += 1
        else:
            count["different"] += 1
            show(case, their_out if their_valid else their_err, out if our_valid else err)
    print(", ".join(f"{name}: {number}" for name, number in count.items()))
    return 1 if count["different"] or not count["equal"] else 0


def store(print_model, root):
    command = docker_compose()
    if not command:
        raise SystemExit("no Docker Compose 2.40 on this host")
    for case in folders(root):
        valid, out, err = ours(print_model, case)
        if read(case, "difference") is None:
            their_valid, their_out, their_err = theirs(command, case)
            if their_valid != valid:
                print(f"{case}: not stored, one of the two refuses it\n{their_err}{err}")
                continue
            out = their_out
        for name in ("expected.json", "refused.txt"):
            if os.path.exists(os.path.join(case, name)):
                os.unlink(os.path.join(case, name))
        with open(os.path.join(case, "expected.json" if valid else "refused.txt"), "w", encoding="utf-8") as file:
            file.write(portable(out if valid else err, case))
    return 0


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("cases", "oracle", "store"):
        print(__doc__, file=sys.stderr)
        return 2
    print_model = os.path.abspath(sys.argv[2])
    roots = [os.path.abspath(path) for path in sys.argv[3:]]
    if sys.argv[1] == "oracle":
        return compare_oracle(print_model, roots)
    return (compare_cases if sys.argv[1] == "cases" else store)(print_model, roots[0])


if __name__ == "__main__":
    sys.exit(main())
