# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random spellings: a tree as YAML in one of the many ways to write it, and .env files."""
import json
import re

PIECES = ["a", "b", "Z", "9", "0", " ", "  ", "=", ":", ": ", "#", " #", "'", '"', "\\", "$$", "${V}", "{", "}", "[", "]", ",", "&", "*", "!",
          "|", ">", "%", "@", "`", "\t", "\n", "é", "☃", "\U0001f600", "\u00a0", "-", "- ", "?", "~", "/", ".", "..", "<", "(", ")", ";", "^", "+",
          "${NONE:-d}", "${V:+alt}", "$$(x)", "\\n", "\u3000", "\u2028"]
TEXTS = ["", "a b", "x=y", "${V}", "${NONE:-d}", "$$5", "<&>", "ü", "'q'", 'say "hi"', "t\tb", "1", "true", "null", "~", "0x1", "1.0", "#c", "a:b",
         "{x}", "line\nline", "line\n", "\nline", "no", "2020-01-01", "12:30:00", "0o17", "1e3", ".5", "=", "<<", "-", "- a", "key: v", "!x", "*a", "&a",
         "%d", "${V-d}", "${E:-d}", "${E-d}", "${V:+a}", "${NONE+a}", "${V:?m}", "${NONE:-${V}}", "${NONE:-$$}", "$V", "$V.x", "${V}x${N}",
         "${NONE:-a b}", "${NONE:-}", "a ${NONE:-'x'} b", "${NONE:-{x\\}}", "${NONE-:-}"]
PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./]*( [A-Za-z0-9_./]+)*(-[a-z0-9]+)?\Z")
WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


class Tagged:
    """A value below !reset or !override."""

    def __init__(self, tag, value):
        self.tag, self.value = tag, value


class Plain:
    """A scalar exactly as it is to stand in the file."""

    def __init__(self, text):
        self.text = text


def text(random):
    if random.random() < 0.6:
        return random.choice(TEXTS)
    return "".join(random.choice(PIECES) for _ in range(random.randint(1, 5)))


class Yaml:
    def __init__(self, random):
        self.random = random
        self.anchors = {}
        self.named = 0
        self.plain_json = random.random() < 0.2

    def chance(self, p):
        return not self.plain_json and self.random.random() < p

    def document(self, tree):
        if self.plain_json:
            return self.flow(tree) + "\n"
        head = "---\n" if self.chance(0.2) else ""
        return head + self.block(tree, 0).lstrip("\n") + ("...\n" if self.chance(0.1) else "")

    def quoted(self, s):
        out = json.dumps(s, ensure_ascii=False).replace("\x7f", "\\x7f")
        if self.chance(0.2):
            out = "".join(c if ord(c) < 127 else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in out)
        return out.replace("\u2028", "\\L").replace("\u0085", "\\N")

    def scalar(self, value):
        if isinstance(value, Plain):
            return value.text
        if not isinstance(value, str):
            return "~" if value is None and self.chance(0.3) else json.dumps(value)
        if PLAIN.match(value) and value.lower() not in WORDS and self.chance(0.7):
            return value
        if all(c.isprintable() for c in value) and self.chance(0.4):
            return "'" + value.replace("'", "''") + "'"
        return self.quoted(value)

    def name(self, value):
        """The anchor in front of a value, or the alias that stands for it: (text, whether that is all)."""
        if isinstance(value, (Tagged, Plain)) or holds_tag(value):
            return "", False
        key = json.dumps(value, sort_keys=False, default=lambda plain: plain.text)
        if key in self.anchors and self.chance(0.5):
            return self.anchors[key], True
        if key not in self.anchors and self.chance(0.04):
            self.named += 1
            return f"&a{self.named} ", False
        return "", False

    def learn(self, anchor, value):
        """The anchor can be used from here on."""
        if anchor:
            self.anchors[json.dumps(value, default=lambda plain: plain.text)] = "*" + anchor[1:-1]

    def flow(self, value):
        if isinstance(value, Tagged):
            return f"{value.tag} {self.flow(value.value)}"
        anchor, alias = self.name(value)
        if alias:
            return anchor
        if isinstance(value, dict):
            out = "{" + ", ".join(f"{self.quoted(k)}: {self.flow(v)} " for k, v in value.items()) + "}"
        elif isinstance(value, list):
            out = "[" + ", ".join(self.flow(v) for v in value) + " ]"
        else:
            out = self.scalar(value)
        self.learn(anchor, value)
        return anchor + out

    def comment(self):
        return "  # c: 'x" if self.chance(0.03) else ""

    def lines_of(self, s, indent):
        """A literal or folded block, or None if the text cannot stand in one."""
        body = s.rstrip("\n")
        if not body or body != body.strip() or any(not (c.isprintable() or c == "\n") for c in body) or "\n\n" in body:
            return None
        ends = len(s) - len(body)
        if ends > 1 or (ends == 0 and "\n" not in body and not self.chance(0.2)):
            return None
        style = "|" if "\n" in body else self.random.choice("|>")
        return style + ("" if ends else "-") + "\n" + "".join(" " * indent + line + "\n" for line in body.split("\n"))

    def block(self, value, indent):
        """What follows "key:", with the line's end."""
        tag = ""
        if isinstance(value, Tagged):
            tag, value = f" {value.tag}", value.value
        anchor, alias = ("", False) if tag else self.name(value)
        if alias:
            return f" {anchor}\n"
        tag += " " + anchor[:-1] if anchor else ""
        if isinstance(value, (dict, list)) and (not value or self.chance(0.15)):
            out = f"{tag} {self.inner_flow(value)}{self.comment()}\n"
        elif isinstance(value, dict):
            out = tag + self.comment() + "\n" + self.block_mapping(value, indent)
        elif isinstance(value, list):
            pad = " " * (indent - 2 if indent and self.chance(0.3) else indent)
            out = tag + self.comment() + "\n" + "".join(f"{pad}-{self.block(v, len(pad) + 2)}" for v in value)
        else:
            lines = self.lines_of(value, indent or 2) if isinstance(value, str) and self.chance(0.3) else None
            out = f"{tag} {lines}" if lines else f"{tag} {self.scalar(value)}{self.comment()}\n"
        self.learn(anchor, value)
        return out

    def inner_flow(self, value):
        """A collection in flow style whose own anchor stands already."""
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.quoted(k)}: {self.flow(v)} " for k, v in value.items()) + "}"
        return "[" + ", ".join(self.flow(v) for v in value) + " ]"

    def block_mapping(self, value, indent):
        pad, items, out = " " * indent, list(value.items()), ""
        if len(items) > 1 and not any(holds_tag(v) for _, v in items) and self.chance(0.03):
            at = self.random.randint(1, len(items) - 1)
            out, items = f"{pad}<<: {self.inner_flow(dict(items[at:]))}\n", items[:at]
        for k, v in items:
            key = k if PLAIN.match(k) and k.lower() not in WORDS else self.quoted(k)
            out += f"{pad}{key}:{self.block(v, indent + 2)}"
        return out


def holds_tag(value):
    if isinstance(value, dict):
        return any(holds_tag(v) for v in value.values())
    if isinstance(value, list):
        return any(holds_tag(v) for v in value)
    return isinstance(value, Tagged)


def yaml(random, tree):
    return Yaml(random).document(tree)


def env_value(random):
    inner = "".join(random.choice(["a", "b c", "#", " # x", "=", "$V", "${V}", "${NONE:-d}", "${NONE-d}", "${V:+y}", "é", ":", ";", "{", "1"])
                    for _ in range(random.randint(0, 3)))
    return random.choice([
        lambda: inner, lambda: inner, lambda: f"'{inner}'", lambda: f'"{inner}"', lambda: f'"{inner}\\n\\t\\"x\\" \\$V \\\\"', lambda: f"'{inner}\nmore'",
        lambda: f'"{inner}\nmore\n"', lambda: f'"{inner}" # comment', lambda: f"'{inner}' # comment", lambda: "", lambda: '""', lambda: f"a'{inner}'",
        lambda: f"{inner}\\n", lambda: "  spaced  ", lambda: "\ttab", lambda: "a\tb", lambda: "'it\\'s'", lambda: "back\\slash", lambda: "x#y"])()


def env_file(random, names):
    """Text in the grammar of .env files; every name gets a value."""
    out = "\ufeff" if random.random() < 0.03 else ""
    for name in names:
        if random.random() < 0.15:
            out += random.choice(["# comment\n", "\n", "   \n", "  # c='x\n", "#\n"])
        out += random.choice(["", "", "", "export ", " ", "export  "])
        out += name + random.choice(["=", "=", "=", "=", " =", "= ", ": ", ":"]) + env_value(random) + "\n"
    if random.random() < 0.1:
        out = out.replace("\n", "\r\n")
    return out if random.random() < 0.8 else out.rstrip("\n")
