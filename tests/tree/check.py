# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rules of docs/STYLE.md that a program can check, over the sources themselves. Prints what it found and counts the rules."""
import os, re, subprocess, sys

ROOT = sys.argv[1]
LAYERS = ["base", "front", "compose", "model", "plan"]
LINES_MAX = 600
COLUMNS_MAX = {"tests": 140}  # test data in strings; else as .clang-format has it

found = []


def sources(*tops, suffixes=(".c", ".h")):
    for top in tops:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if name.endswith(suffixes):
                    path = os.path.join(folder, name)
                    yield os.path.relpath(path, ROOT), open(path, encoding="utf-8").read()


def rule(name, violations):
    violations = list(violations)
    for v in violations:
        found.append(f"{v} [{name}]")
    return name


CODE = ("generator", "proofs", "engines")
EVERYTHING = CODE + ("tests",)


def licence():
    for path, text in sources(*EVERYTHING):
        if not text.startswith("/* SPDX-License-Identifier: LGPL-2.1-or-later */"):
            yield f"{path}:1: no licence line"


def layers():
    for path, text in sources("generator"):
        layer = path.split("/")[1]
        for n, line in enumerate(text.splitlines(), 1):
            m = re.match(r'#include "generator/(\w+)/', line)
            if not m or layer in ("boot", "command"):
                continue
            other = m.group(1)
            if other in ("boot", "command"):
                yield f"{path}:{n}: the core includes {other}/"
            if layer in LAYERS and other in LAYERS and LAYERS.index(other) > LAYERS.index(layer):
                yield f"{path}:{n}: {layer}/ includes {other}/"
            if layer == "write" and other not in ("base", "write"):
                yield f"{path}:{n}: write/ includes {other}/"


def purity():
    """The compiler reads no environment, clock or name service and starts nothing."""
    banned = r"\b(getenv|secure_getenv|time|clock_gettime|gettimeofday|getpwnam|getgrnam|getaddrinfo|fork|execve?|posix_spawn)\("
    for folder in LAYERS + ["write", "facts", "config"]:
        for path, text in sources(f"generator/{folder}"):
            for n, line in enumerate(text.splitlines(), 1):
                if re.search(banned, line) and not line.lstrip().startswith(("*", "/*")):
                    yield f"{path}:{n}: {line.strip()}"


def no_shell():
    for path, text in sources(*CODE):
        for n, line in enumerate(text.splitlines(), 1):
            if re.search(r'\b(system|popen)\(|"/bin/sh"|"sh", *"-c"', line):
                yield f"{path}:{n}: {line.strip()}"


def engines_unknown_to_proofs():
    for path, text in sources("proofs"):
        for n, line in enumerate(text.splitlines(), 1):
            if re.search(r"\b(podman|docker|libpod|conmon|crun)\b", line, re.I):
                yield f"{path}:{n}: {line.strip()}"


def sizes():
    for path, text in sources(*EVERYTHING):
        lines = text.splitlines()
        if len(lines) > LINES_MAX:
            yield f"{path}: {len(lines)} lines"
        for n, line in enumerate(lines, 1):
            if len(line) > COLUMNS_MAX.get(path.split("/")[0], 115):
                yield f"{path}:{n}: {len(line)} columns"
            if "\t" in line:
                yield f"{path}:{n}: a tab"


def boot_path_links():
    """The generator is on the boot path: libc, libyaml and inih, nothing else."""
    program = os.path.join(os.getcwd(), "unitproof-generator")
    if not os.path.exists(program):
        yield "unitproof-generator: not built"
        return
    with open(program, "rb") as f:
        is_sanitized = b"__asan_init" in f.read()  # and then links what the sanitizer needs
    allowed = r"lib(c|yaml-0|inih)\.so|ld-linux" + (r"|lib(asan|ubsan|m|gcc_s|resolv)\.so" if is_sanitized else "")
    out = subprocess.run(["readelf", "-d", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", out):
        if not re.match(allowed, library):
            yield f"unitproof-generator: links {library}"


def catalog():
    """Each MESSAGE_ID= is used, and explained once with what to do; each field of an explanation is one that is sent."""
    with open(os.path.join(ROOT, "proofs/message-ids.h"), encoding="utf-8") as f:
        ids = dict(re.findall(r'#define (MESSAGE_ID_\w+) "([0-9a-f]{32})"', f.read()))
    with open(os.path.join(ROOT, "proofs/unitproof.catalog"), encoding="utf-8") as f:
        parts = re.split(r"(?m)^-- ([0-9a-f]{32})$", f.read())
    code = "\n".join(text for path, text in sources("proofs") if not path.endswith("message-ids.h"))
    listed = parts[1::2]
    for name, value in ids.items():
        if not re.search(rf"\b{name}\b", code):
            yield f"proofs/message-ids.h: {name} is used nowhere"
        if listed.count(value) != 1:
            yield f"proofs/unitproof.catalog: {name} ({value}) is there {listed.count(value)} times"
    for value, text in zip(listed, parts[2::2]):
        if value not in ids.values():
            yield f"proofs/unitproof.catalog: {value} is no ID of proofs/message-ids.h"
        head, _, body = text.strip().partition("\n\n")
        for field in ("Subject: ", "Defined-By: unitproof", "Documentation: man:unitproof"):
            if not re.search(rf"(?m)^{field}", head):
                yield f"proofs/unitproof.catalog: {value} has no {field}"
        if not re.search(r"[Ww]hat to do|Nothing is to be done|See all", body):
            yield f"proofs/unitproof.catalog: {value} does not say what to do"
        for field in re.findall(r"@(\w+)@", text):
            if f'"{field}"' not in code:
                yield f"proofs/unitproof.catalog: {value} names {field}, which nobody sends"
    for used in re.findall(r'"MESSAGE_ID=([0-9a-f]{32})', code):
        yield f"proofs: the literal {used} is no name of proofs/message-ids.h"


rules = [
    rule("licence", licence()),
    rule("layers", layers()),
    rule("purity", purity()),
    rule("no-shell", no_shell()),
    rule("engines", engines_unknown_to_proofs()),
    rule("size", sizes()),
    rule("catalog", catalog()),
    rule("links", boot_path_links()),
]
for line in found:
    print(line)
failed = {line.rsplit("[", 1)[1][:-1] for line in found}
print(f"{len(rules) - len(failed)} passed, {len(failed)} failed")
sys.exit(bool(failed))
