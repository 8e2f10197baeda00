# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws values by the schema of the Compose Specification, and spoils them by it.

The schema is the one that Docker Compose itself holds files against: it lies in its program as text."""
import functools
import json
import re

import random_values as values
from random_text import Plain, Tagged, text

MARK = b'"$id": "compose_spec.json"'


def read_schema(program):
    with open(program, "rb") as file:
        data = file.read()
    start = data.rfind(b"{", 0, data.find(MARK)) if MARK in data else -1
    if start < 0:
        raise SystemExit(f"{program} holds no schema of the Compose Specification")
    return json.JSONDecoder().raw_decode(data[start:start + (1 << 20)].decode("utf-8", "replace"))[0]


class Schema:
    def __init__(self, root):
        self.root = root

    def resolve(self, s):
        while "$ref" in s:
            s = self.root["definitions"][s["$ref"].rsplit("/", 1)[1]]
        return s

    @functools.lru_cache(maxsize=None)
    def places(self):
        """Every place of the specification at which something can stand."""
        found = set()

        def walk(s, at):
            s = self.resolve(s)
            found.add(at)
            for form in s.get("oneOf", []):
                walk(form, at)
            for key, child in s.get("properties", {}).items():
                walk(child, f"{at}.{key}" if at else key)
            for pattern, child in s.get("patternProperties", {}).items():
                if pattern != "^x-":
                    walk(child, f"{at}.*" if at else "*")
            if "items" in s:
                walk(s["items"], f"{at}.[]")

        walk(self.root, "")
        return frozenset(at for at in found if at and at.split(".")[0] not in ("models", "include") and ".models" not in at)

    def types(self, s):
        kinds = s.get("type", [])
        return [kinds] if isinstance(kinds, str) else kinds

    def child(self, s, key):
        """The schema of a mapping's key; None if the key may not be there, {} if anything may stand there."""
        if key in s.get("properties", {}):
            return s["properties"][key]
        for pattern, child in s.get("patternProperties", {}).items():
            if re.search(pattern, str(key)):
                return child
        return {} if s.get("additionalProperties", True) else None

    def takes(self, s, v):
        """Whether the schema takes the value; interpolated text counts as what it says."""
        s = self.resolve(s)
        if "oneOf" in s:
            return sum(self.takes(form, v) for form in s["oneOf"]) == 1
        kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int, "number": (int, float)}
        if self.types(s) and not any(isinstance(v, kinds[k]) and (not isinstance(v, bool) or k == "boolean") for k in self.types(s)):
            return False
        if "enum" in s and v not in s["enum"] or isinstance(v, str) and "pattern" in s and not re.search(s["pattern"], v):
            return False
        if isinstance(v, (int, float)) and not s.get("minimum", v) <= v <= s.get("maximum", v):
            return False
        if isinstance(v, dict):
            children = {k: self.child(s, k) for k in v}
            return all(c is not None and self.takes(c, v[k]) for k, c in children.items()) and all(k in v for k in s.get("required", []))
        if isinstance(v, list):
            return all(self.takes(s.get("items", {}), item) for item in v)
        return True


def lookup(table, at):
    if "/" + at in table:
        return table["/" + at]
    parts = at.split(".")
    for i in range(len(parts)):
        if ".".join(parts[i:]) in table:
            return table[".".join(parts[i:])]
    return None


class Draw:
    """One file after another; what services may refer to is what was drawn before."""

    def __init__(self, schema, random, drawn):
        self.schema, self.random, self.drawn = schema, random, drawn
        self.services, self.networks, self.volumes, self.secrets, self.configs = [], ["default"], [], [], []

    def pick(self, choices):
        choice = self.random.choice(choices)
        return choice(self) if callable(choice) else choice

    def sample(self, names):
        return self.random.sample(names, self.random.randint(0, min(3, len(names))))

    def earlier(self):
        return self.random.choice(self.services or ["base"])

    def network(self):
        return self.random.choice(self.networks)

    def volume(self):
        return self.random.choice(self.volumes or ["vol1"])

    def secret(self):
        return self.random.choice(self.secrets or ["sec1"])

    def config(self):
        return self.random.choice(self.configs or ["conf1"])

    def value(self, s, at):
        self.drawn.add(at)
        s = self.schema.resolve(s)
        if "oneOf" in s:
            return self.value(self.random.choice(s["oneOf"]), at)
        kinds = self.schema.types(s) or ["string"]
        for table, wrong in ((values.NUMBERS_ONLY, ("string",)), (values.STRINGS_ONLY, ("number", "integer", "boolean", "null"))):
            if any(at.endswith("." + end) for end in table) and self.random.random() < 0.97:
                kinds = [k for k in kinds if k not in wrong]
        if at.endswith(".pid") and self.random.random() < 0.95:
            kinds = ["string"]  # Docker Compose crashes at null
        kind = self.random.choice(kinds)
        value = getattr(self, "a_" + kind)(s, at)
        fix = lookup(values.FIX, at)
        return fix(self, value) if fix and isinstance(value, (dict, list)) else value

    def a_object(self, s, at):
        keys = list(s.get("properties", {}))
        if at == "services.*":
            keys = self.random.sample([k for k in keys if k not in ("extends", "models")], self.random.randint(1, 9))
        else:
            keys = [k for k in keys if k in s.get("required", []) or self.random.random() < 0.4]
            self.random.shuffle(keys)
        out = {k: self.value(s["properties"][k], f"{at}.{k}") for k in keys}
        free = [p for p in s.get("patternProperties", {}) if p != "^x-"]
        names = lookup(values.KEYS, at)
        if free or names or not s.get("properties"):
            child = s["patternProperties"][free[0]] if free else {"type": ["string", "number"]}
            chosen = names(self) if names else self.sample(values.WORDS)
            out.update({k: self.value(child, f"{at}.*") for k in chosen})
        if "^x-" in s.get("patternProperties", {}) and self.random.random() < 0.03:
            out["x-own"] = self.pick([text(self.random), None, {"b": 1, "a": ["x", 1.5]}, [1]])
        return out

    def a_array(self, s, at):
        items = [self.value(s["items"], f"{at}.[]") for _ in range(self.random.randint(0, 3))]
        if not s.get("uniqueItems"):
            return items
        return list({json.dumps(i, sort_keys=True, default=lambda plain: plain.text): i for i in items}.values())

    def a_string(self, s, at):
        if "enum" in s:
            return self.random.choice(s["enum"])
        make = lookup(values.STRINGS, at)
        if make:
            return make(self)
        if "boolean" in self.schema.types(s) and "null" not in self.schema.types(s):
            return values.boolean(self)
        return text(self.random) if self.random.random() < 0.7 else values.word(self)

    def a_number(self, s, at):
        table = lookup(values.NUMBERS, at)
        if table:
            return self.random.choice(table)
        return self.random.choice(values.PLAIN_NUMBERS + ([] if "integer" in self.schema.types(s) else [1.5, 1e6, 0.25, Plain("1e3"), Plain(".5")]))

    def a_integer(self, s, at):
        return next(v for v in iter(lambda: self.a_number(dict(s, type="integer"), at), None) if not isinstance(v, float))

    def a_boolean(self, _s, _at):
        return self.pick([True, False])

    def a_null(self, _s, _at):
        return None


def positions(schema, tree):
    """(mapping or list, key or index, schema of what stands there, place) for everything in a tree."""
    found = []

    def walk(s, v, at):
        s = schema.resolve(s)
        if "oneOf" in s:
            s = next((schema.resolve(f) for f in s["oneOf"] if fits(schema.resolve(f), v)), {})
        for key in list(v) if isinstance(v, dict) else range(len(v)) if isinstance(v, list) else []:
            child = (schema.child(s, key) if isinstance(v, dict) else s.get("items", {})) or {}
            below = f"{at}.{key if isinstance(v, dict) and key in s.get('properties', {}) else '*' if isinstance(v, dict) else '[]'}".lstrip(".")
            found.append((v, key, child, below))
            walk(child, v[key], below)

    def fits(s, v):
        kinds = schema.types(s)
        return "object" in kinds and isinstance(v, dict) or "array" in kinds and isinstance(v, list)

    walk(schema.root, tree, "")
    return found


WRONG = [[], {}, 5, -3, 1.5, True, None, "word", "", [None], {"nonsense": 1}, [[]], [{}], {"": ""}, ["a", "a"], {"a b": [1, {}]}]
BAD = {
    "ports": [["x"], ["70000"], ["80:"], ["1-2:1-3"], ["300.0.0.1:80:80"], ["80/xyz"], [":::80"], [{"published": "80"}], ["80:80:80:80"], ["-1"], ["3-1"]],
    "volumes": [["::"], [":/a"], ["a:b:c:d"], ["nowhere:/a"], [{"type": "volume"}], [{"type": "bind", "source": "/a"}], ["/a", "/a:/b/:/c"]],
    "networks": [["nowhere"], {"nowhere": None}, ["a b"]], "secrets": [["nowhere"], [{"source": "nowhere"}]], "configs": [["nowhere"]],
    "depends_on": [["nowhere"], {"base": {}}, {"base": {"condition": "x"}}, ["base", "base"]], "network_mode": ["service:nowhere", "service:"],
    "healthcheck": [{"test": ["x"]}, {"test": []}, {"interval": "5"}, {"timeout": "1 s"}, {"retries": "x"}, {"start_period": "1y"}, {"disable": "maybe"}],
    "stop_grace_period": ["x", "1", "1 s", "--1s", "1s1", ""], "mem_limit": ["x", "1x", "-1m", "1.2.3m", "m", "1mbb"], "shm_size": ["1 2", "k1"],
    "cpus": ["x", "1,5"], "ulimits": [{"nofile": {"soft": 1}}, {"nofile": "x"}, {"nofile": [1]}], "extra_hosts": [["x"], {"a": {}}], "env_file": ["nofile.env", [{}]],
    "extends": ["nowhere", {"service": "nowhere"}, {"service": "base", "file": "nofile.yaml"}, {}, 5], "links": [["nowhere"]], "volumes_from": [["nowhere"]],
    "environment": [["A =b"], {"A": []}, "A=b"], "build": [{"context": ".", "dockerfile": "a", "dockerfile_inline": "b"}, {"nonsense": 1}, ["."]],
    "gpus": ["some", [{"count": 1, "device_ids": ["a"]}], "1"], "deploy": [{"replicas": "x"}, {"resources": {"limits": {"memory": "x"}}}, {"nonsense": 1}],
    "command": ["a 'b", 'a "b', 5, {"a": 1}, [1]], "image": ["${", "${V", "$5", "${V:?}${NONE:?needed}", "${NONE?}", "${}", "${a b}", "${V:x}", "$(x)"],
    "restart": [False, 5], "privileged": ["maybe", 5], "oom_score_adj": [-1001, 1001], "cpu_percent": [101, -1], "pull_policy": ["sometimes", "every_x"],
    "tmpfs": [{"a": 1}, 5], "init": ["maybe", []], "scale": ["x", 1.5], "container_name": ["a", "_"], "cgroup": ["own"], "devices": [["a:b:c:d"], [{}]],
    "develop": [{"watch": [{"path": ".", "action": "x"}]}, {"watch": [{"action": "sync"}]}, {"watch": [{"path": "", "action": "rebuild"}]}],
}
TEXT_FAULTS = [lambda t: t.replace("services", "service", 1), lambda t: t + "\n\tx: y\n", lambda t: t + "'", lambda t: t + "\n- a\n", lambda t: t + "\n: :\n  [",
               lambda t: "[" + t, lambda t: t + "\nservices: {}\n", lambda t: t + "\nnetworks: *nowhere\n", lambda t: t + "\nx-a: [1, 2\n", lambda t: ""]
ENV_FAULTS = ["A B=c\n", "A='x\n", 'A="x\n', "A-B=c\n", "A=${V\n", "A=${V:?m}${NONE:?m}\n", "1A = b c\n", "A$=b\n", 'A="a" b\n']
# Where the schema has no word on a key, and we do on purpose: see docs/compose-support.md.
UNSEEN = re.compile(r"^include|^(secrets|configs)\.\*\.external$|\.(driver_opts|options|ulimits)$")


def unseen(schema, s, at, key):
    forms = s.get("oneOf", [s])
    return UNSEEN.search(at) and (at.startswith("include") or any(schema.child(schema.resolve(form), key) == {} for form in forms))

# A list of KEY=VALUE that is merged: Docker Compose makes text of whatever stands there ("a=map[]"), we refuse it.
PAIRS = re.compile(r"\.(environment|labels|annotations|sysctls|args|additional_contexts|extra_hosts)(\.\*)?$")


def becomes_text(tree, files, at, value):
    merged = "compose.override.yaml" in files or "more.yaml" in files or any("extends" in (s or {}) for s in tree["services"].values() if not isinstance(s, Tagged))
    return merged and PAIRS.search(at) and any(isinstance(v, (dict, list)) for v in ([value] if at.endswith("*") else value.values() if isinstance(value, dict) else []))


def includes_nothing(at, value):
    """An entry without a path: Docker Compose passes it over, we refuse it."""
    return at.startswith("include") and all(v is None or isinstance(v, dict) for v in (value if isinstance(value, list) else [value]))


def spoil(draw, tree, files):
    """One fault in a project that was sound; says which."""
    random, schema = draw.random, draw.schema
    way = random.random()
    if way < 0.45:
        container, key, s, at = random.choice([p for p in positions(schema, tree) if not isinstance(p[0][p[1]], (Tagged, Plain))])
        wrong = [w for w in WRONG if not schema.takes(s, w) and not becomes_text(tree, files, at, w) and not includes_nothing(at, w)]
        if wrong:
            container[key] = random.choice(wrong)
            return f"{at} is {container[key]!r}"
    if way < 0.6:
        closed = [(p[0][p[1]], schema.resolve(p[2]), p[3]) for p in positions(schema, tree) if isinstance(p[0][p[1]], dict)]
        mapping, s, at = random.choice(closed)
        key, value = random.choice(["nonsense", "imge", "Ports", " image", "x", "not-x-a", ""]), random.choice([1, "a", None, {}])
        if not unseen(schema, s, at, key):
            mapping[key] = value
        return f"{at} has a key too many"
    if way < 0.9 or "compose.yaml" not in files:
        key = random.choice(sorted(BAD))
        service = random.choice(list(tree["services"]))
        bad = random.choice(BAD[key])
        if isinstance(tree["services"][service], dict) and not becomes_text(tree, files, f"services.*.{key}", bad):
            tree["services"][service][key] = bad
        return f"services.{service}.{key} is {tree['services'][service]}"
    files[".env"] += "\n" + random.choice(ENV_FAULTS)
    return ".env"
