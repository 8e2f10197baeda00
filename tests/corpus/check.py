# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiles stacks that people have: check.py UNITPROOF VERIFY EXAMPLES CORPUS.

Each compiles, but for what Docker Compose refuses as well (REFERENCE.tsv of the corpus) and what REFUSED names; a refusal names file, line and column. Every
"service_healthy" of a file that compiles is a gate of the dependent. What compiles passes quadlet -dryrun and systemd-analyze verify (tests/oracle/verify.py, if that can run here). The examples all have to compile. Without the
corpus its part is left out and said so."""
import json
import os
import re
import subprocess
import sys
import tempfile

UNITPROOF, VERIFY, EXAMPLES, CORPUS = sys.argv[1:5]
ERROR = re.compile(r"^(.*?):(\d+):(\d+): error: .+\[[a-z0-9-]+\]$")
# What Docker Compose takes and we do not, since Podman cannot do it. docs/compose-support.md says so, too.
REFUSED = {"015": "asks for the security option 'securityops:securityopsset', which no engine has"}
FACTS = "[facts]\nos_id = debian\nos_version = 13\nsystemd_version = 257\npodman_version = 5.4.2\nkernel = 6.12\n"


def stacks(top):
    return sorted(os.path.join(top, name) for name in os.listdir(top) if os.path.isdir(os.path.join(top, name)))


def compile_stack(stack, out, facts):
    name = "s" + re.sub(r"[^a-z0-9]", "", os.path.basename(stack).lower())
    return subprocess.run([UNITPROOF, "--facts", facts, "generate", "--name", name, "--output", out, stack],
                          capture_output=True, text=True, check=False)


def refusal_faults(done):
    """What is wrong with a refusal."""
    if done.returncode != 2:
        return [f"exit status {done.returncode}: {done.stderr[-300:]}"]
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    if not errors:
        return ["refused without an error"]
    return [f"no position: {line}" for line in errors if not ERROR.match(line)]


def lost_gates(stack, out):
    """Edges "service_healthy" of the resolved model that are no gate of the dependent's unit."""
    done = subprocess.run([UNITPROOF, "config", stack], capture_output=True, text=True, check=True)
    lost = []
    for name, service in (json.loads(done.stdout).get("services") or {}).items():
        for other, how in (service.get("depends_on") or {}).items():
            if how["condition"] != "service_healthy" or not how.get("required", True):
                continue
            path = [os.path.join(folder, file) for folder, _, files in os.walk(out) for file in files
                    if file.endswith(f"-{name}.container")]
            with open(path[0], encoding="utf-8") as f:
                if f" --require health:{other}:" not in f.read():
                    lost.append(f"{name} does not wait for the health of {other}")
    return lost


def reference(top):
    path = os.path.join(top, "REFERENCE.tsv")
    with open(path, encoding="utf-8") as f:
        return {row[0]: row[1] for row in (line.rstrip("\n").split("\t") for line in f) if len(row) > 1}


def main():
    faults, compiled, refused = [], [], []
    expected = {}
    cases = [(stack, True) for stack in stacks(EXAMPLES)]
    if os.path.isdir(CORPUS):
        expected = reference(CORPUS)
        cases += [(stack, False) for stack in stacks(CORPUS)]
    else:
        print("corpus: not here, left out")
    with tempfile.TemporaryDirectory() as top:
        facts = os.path.join(top, "facts.ini")
        with open(facts, "w", encoding="utf-8") as f:
            f.write(FACTS)
        for stack, must_compile in cases:
            name = os.path.basename(stack)
            out = os.path.join(top, "out", name)
            os.makedirs(out)
            done = compile_stack(stack, out, facts)
            if done.returncode == 0:
                compiled.append(name)
                if expected.get(name) == "refused":
                    faults.append(f"{name}: compiles, but Docker Compose refuses it")
                if name in REFUSED:
                    faults.append(f"{name}: compiles by now, and stands in the list of those that do not")
                faults += [f"{name}: {fault}" for fault in lost_gates(stack, out)]
                continue
            os.rmdir(out) if not os.listdir(out) else None
            refused.append(name)
            faults += [f"{name}: {fault}" for fault in refusal_faults(done)]
            first = next((line for line in done.stderr.splitlines() if " error: " in line), "")
            print(f"refused {name}: {first}")
            if expected.get(name) == "valid" and name not in REFUSED:
                faults.append(f"{name}: refused, and Docker Compose takes it")
            if must_compile:
                faults.append(f"{name}: an example does not compile")
        verify = subprocess.run([sys.executable, VERIFY] + [os.path.join(top, "out", name) for name in compiled],
                                capture_output=True, text=True, check=False)
        print(verify.stdout.strip())
        if verify.returncode not in (0, 77):
            faults.append(f"verify: exit status {verify.returncode}: {verify.stderr[-500:]}")
    for fault in faults:
        print(fault)
    print(f"{len(compiled)} compiled, {len(refused)} refused by name and position")
    failed = {fault.split(":")[0] for fault in faults}
    print(f"{len(cases) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if faults or not cases else 0)


main()
