# SPDX-License-Identifier: LGPL-2.1-or-later
"""The schema that editors load, docs/schema/compose-unitproof.json, in a validator: run.py UNITPROOF SOURCE-ROOT

The bundled examples are valid by it. Each of the words below is refused by the schema and by the compiler, or by neither. The Compose
Specification's part is the one that Docker Compose has in its program. Exit status 77: a module of Python or Docker Compose is not here."""
import json
import os
import subprocess
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True
UNITPROOF, SOURCE = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "tests/compose"))
import compare  # noqa: E402
import random_schema  # noqa: E402

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

SPEC = "https://raw.githubusercontent.com/compose-spec/compose-spec/main/schema/compose-spec.json"
FACTS = "[facts]\nos_id = debian\nos_version = 13\nsystemd_version = 257\npodman_version = 5.4.2\nkernel = 6.12\n"
TUNNEL = """services:
  vpn: {image: docker.io/example/vpn:1, cap_add: [NET_ADMIN], devices: [/dev/net/tun]%s}
  client: {image: docker.io/example/client:1, network_mode: "service:vpn", volumes: ["/srv/data:/data"]%s}
"""

# (on the top level, on the tunnel, on the client, whether that is good)
WORDS = [
    ("", "", "", True),
    ("{}", "", "", True),
    ("{echo: ['https://a.example/', 'http://b.example/'], stun: ['s.example:3478']}", "", "", True),
    ("{echo: https://a.example/}", "", "", True),
    ("{echos: []}", "", "", False),
    ("{echo: ftp://a.example/}", "", "", False),
    ("{stun: s.example}", "", "", False),
    ("{reprove: 15m}", "", "", True),
    ("{reprove: off}", "", "", True),
    ("{reprove: often}", "", "", False),
    ("{mode: unit}", "", "", True),
    ("{mode: other}", "", "", False),
    ("{data: [{path: /srv/data, downloads: in, library: [a, b], proof: false}]}", "", "", True),
    ("{data: [{downloads: in}]}", "", "", False),
    ("{proofs: {egress: {interface: tun0, timeout: 90}, hardlink: off}}", "", "", True),
    ("{proofs: {egress: {interface: 'a/b'}}}", "", "", False),
    ("{proofs: {magic: on}}", "", "", False),
    ("{proofs: {killswitch: {schedule: weekly}}}", "", "", True),
    ("{proofs: {killswitch: {schedule: 'Sun 04:00', timeout: 90}}}", "", "", True),
    ("{proofs: {killswitch: {schedule: 'every now; and then'}}}", "", "", False),
    ("{proofs: {killswitch: {schedule: 5}}}", "", "", False),
    ("{proofs: {egress: {schedule: weekly}}}", "", "", False),
    ("[]", "", "", False),
    ("", "{guard: {allow: [192.168.1.0/24]}, on-change: restart}", "", True),
    ("", "{guard: off}", "", True),
    ("", "{guard: {allow: [192.168.1.0/24], more: 1}}", "", False),
    ("", "{on-change: explode}", "", False),
    ("", "{tunnel: true}", "", True),
    ("", "{tunnel: maybe}", "", False),
    ("", "", "{proofs: {dns: off, binding: {timeout: 30s}}}", True),
    ("", "", "{proofs: {engine: off}}", False),
    ("", "", "{prooves: {}}", False),
]


def validator():
    command = compare.docker_compose()
    if not command or os.sep not in command[0]:
        print("skipped: no Docker Compose 2.40 whose schema could be read")
        sys.exit(77)
    folder = os.path.join(SOURCE, "docs/schema")
    schemas = {SPEC: random_schema.read_schema(command[0])}
    for name in ("compose-unitproof.json", "x-unitproof.json"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            schemas["file:///schema/" + name] = json.load(file)
    # Names within the Compose schema are relative to its own $id.
    del schemas[SPEC]["$id"]
    warnings.simplefilter("ignore", DeprecationWarning)
    top = schemas["file:///schema/compose-unitproof.json"]
    jsonschema.Draft7Validator.check_schema(top)
    resolver = jsonschema.RefResolver("file:///schema/compose-unitproof.json", top, store=schemas)
    return jsonschema.Draft7Validator(top, resolver=resolver)


def faults_of(check, text):
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:100]}" for e in check.iter_errors(yaml.safe_load(text))]


def compiles(text, facts):
    with tempfile.TemporaryDirectory(prefix="unitproof-schema-") as folder:
        with open(os.path.join(folder, "compose.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([UNITPROOF, "--facts", facts, "check", "--name", "media", folder], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 2):
            sys.exit(f"exit status {done.returncode}: {done.stderr}")
        return done.returncode == 0, done.stderr


def main():
    check, faults, n = validator(), [], 0
    for folder, _, names in os.walk(os.path.join(SOURCE, "docs/examples")):
        for name in sorted(names):
            if not name.endswith(".yaml"):
                continue
            n += 1
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                faults += [f"{name}: {fault}" for fault in faults_of(check, file.read())]
    if n == 0:
        faults.append("no example was found")
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as facts:
        facts.write(FACTS)
        facts.flush()
        for top, tunnel, client, good in WORDS:
            n += 1
            text = (f"x-unitproof: {top}\n" if top else "") + TUNNEL % tuple(f", x-unitproof: {w}" if w else "" for w in (tunnel, client))
            wrong, (ours, said) = faults_of(check, text), compiles(text, facts.name)
            if bool(wrong) == good:
                faults.append(f"the schema {'refuses' if good else 'takes'} {top or tunnel or client}: {wrong}")
            if ours != good:
                faults.append(f"the compiler {'refuses' if good else 'takes'} {top or tunnel or client}: {said}")
        # And the other part is there, too.
        if not faults_of(check, "services: {a: {imge: x}}"):
            faults.append("the schema takes what Compose does not know")
    for fault in faults:
        print(fault)
    print(f"{n} files and words, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
