#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random Compose files, resolved by us and by Docker Compose 2.40, byte for byte.

    random-files.py PRINT_MODEL COUNT [SEED]

Each file holds services with random keys of the whole specification in random forms, some of them extended, with an override
file half of the time; in one of ten a value is spoilt. A file in which something differs is kept in a folder that is named at the end. Exit status 77: skipped.
"""
import json
import os
import random
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402

R = random.Random()


def pick(*values):
    value = R.choice(values)
    return value() if callable(value) else value


def some(make, low=0, high=3):
    return [make() for _ in range(R.randint(low, high))]


def distinct(make, low=0, high=3):
    return list({json.dumps(v): v for v in some(make, low, high)}.values())


def word():
    return R.choice(["a", "b", "web", "x1", "data", "A", "key", "o-p", "q_r", "n.m"])


def text():
    return R.choice(["", "a b", "x=y", "${V}", "${NONE:-d}", "$$5", "<&>", "ü", "'q'", 'say "hi"', "t\tb", "1", "true",
                     "null", "~", "0x1", "1.0", "#c", "a:b", "{x}", "line\nline"])


def scalar():
    return pick(text, word, 5, -1, 0, 1.5, 1e6, 123456789, 0.25, True, False, None)


def pairs(value=scalar):
    """A mapping or a list of KEY=VALUE."""
    keys = distinct(word)
    if R.random() < 0.5:
        return {k: value() for k in keys}
    return [k if R.random() < 0.2 else f"{k}={text()}" for k in keys]


def boolean():
    return pick(True, False, "true", "false", "yes", "no", "On", "${T}")


def integer():
    return pick(0, 1, 7, 100, "5", "${N}", -1)


def size():
    return pick(0, 1024, "64m", "1.5g", "10k", "7b", "1 GiB", "2KB", "${N}m")


def duration():
    return pick("1s", "1m30s", "500ms", "1.5h", "0s", "2d", "100us", "${N}s")


def path():
    return R.choice(["./a", "../b", "/c", "~/d", ".", "./e/../f", "/g/../h/", "~"])


def target():
    return R.choice(["/a", "/b/", "/c/../d", "/e//f", "/g", "/h"])


def port():
    return pick(80, "81", "8080:82", "90-92:90-92", "127.0.0.1:93:93", "[::1]:94:94/udp", "7000-7005:95", "96/tcp",
                "10.0.0.1::97", lambda: {"target": R.randint(1, 99), "published": pick("80", 8080, "80-90")},
                lambda: {"target": "98", "host_ip": "127.0.0.1", "protocol": "udp", "mode": "host", "name": word()})


def mount():
    return pick(lambda: f"{path()}:{target()}{pick('', ':ro', ':z', ':rw,rshared', ':nocopy')}",
                lambda: f"vol{R.randint(1, 3)}:{target()}{pick('', ':ro', ':nocopy')}", target,
                lambda: {"type": "bind", "source": path(), "target": target(), "read_only": boolean()},
                lambda: {"type": "volume", "source": "vol1", "target": target(), "volume": {"nocopy": boolean()}},
                lambda: {"type": "tmpfs", "target": target(), "tmpfs": {"size": size(), "mode": 0o755}},
                lambda: {"type": "bind", "source": path(), "target": target(),
                         "bind": {"create_host_path": boolean(), "propagation": "rslave", "x-a": 1}})


def command():
    return pick("", "a b", "sh -c 'x y'", "a \"b c\" d\\ e", "a; b", ["a", "b c", ""], [], None,
                "--f=${V} $$X", "a 2>b")


def health():
    h = {}
    if R.random() < 0.8:
        h["test"] = pick("curl x", ["CMD", "a"], ["CMD-SHELL", "a b"], ["NONE"])
    for key in ("interval", "timeout", "start_period", "start_interval"):
        if R.random() < 0.4:
            h[key] = duration()
    if R.random() < 0.4:
        h["retries"] = integer()
    if R.random() < 0.2:
        h["disable"] = boolean()
    return h


def hosts():
    return pick(lambda: [f"{word()}{pick('=', ':')}{pick('10.0.0.1', '[::1]', 'host-gateway')}" for _ in range(2)],
                lambda: {word(): pick("10.0.0.2", ["10.0.0.3", "::1"])})


def attachments():
    names = R.sample(["net1", "net2", "default"], R.randint(0, 3))
    if R.random() < 0.5:
        return names
    return {n: pick(None, {}, lambda: {"aliases": distinct(word), "ipv4_address": "10.9.0.5"},
                    lambda: {"priority": 5, "driver_opts": {"a": 1}}) for n in names}


def deploy():
    return {k: v for k, v in {
        "labels": pairs(), "mode": word(), "endpoint_mode": word(),
        "update_config": {"parallelism": integer(), "delay": duration(), "order": pick("start-first", "stop-first")},
        "resources": pick({}, {"reservations": {"cpus": pick("0.5", 2, "${N}")}}),
        "restart_policy": {"condition": "any", "delay": duration()},
        "placement": {"constraints": some(word)},
    }.items() if R.random() < 0.4}


def hooks():
    return some(lambda: {"command": pick("a b", ["c", "d e"]), "user": text(), "privileged": boolean(), "working_dir": text(),
                         "environment": pairs()})


KEYS = {
    "annotations": pairs, "attach": boolean, "cap_add": lambda: some(word), "cap_drop": lambda: distinct(word),
    "cgroup": lambda: pick("host", "private"), "command": command, "entrypoint": command,
    "cpu_count": lambda: pick(0, 2, "${N}"), "cpu_period": integer, "cpu_quota": integer, "cpu_shares": integer,
    "cpuset": word, "cpus": lambda: pick(0.5, "0.1", 2, "${N}", 0), "deploy": deploy,
    "devices": lambda: some(lambda: pick("/dev/a", "/dev/b:/dev/c", "/dev/d:/dev/e:r")),
    "dns": lambda: pick("1.1.1.1", lambda: distinct(lambda: pick("1.1.1.1", "9.9.9.9", ""))),
    "dns_opt": lambda: distinct(word), "dns_search": lambda: pick(word, lambda: distinct(word)), "domainname": text,
    "env_file": lambda: pick("one.env", ["one.env", {"path": "two.env"}], [{"path": "no.env", "required": False}]),
    "environment": pairs, "expose": lambda: some(lambda: pick(80, "81", "82-83/udp")), "extra_hosts": hosts,
    "group_add": lambda: distinct(lambda: pick(word, 100)), "healthcheck": health, "hostname": text, "init": boolean,
    "ipc": word, "labels": pairs,
    "logging": lambda: {"driver": pick("json-file", "none"), "options": {word(): scalar_option()}},
    "mem_limit": size, "mem_reservation": lambda: pick(0, "64m", 1024), "memswap_limit": lambda: pick(-1, "1g"),
    "networks": attachments, "oom_kill_disable": boolean, "oom_score_adj": lambda: pick(-1000, 0, 10, "${N}"),
    "pid": lambda: pick("host", word), "pids_limit": integer, "platform": text, "ports": lambda: distinct(port),
    "privileged": boolean, "pull_policy": lambda: pick("always", "missing", "if_not_present", "daily", "every_2h"),
    "read_only": boolean, "restart": lambda: pick("no", "always", "on-failure:3"), "runtime": text,
    "secrets": lambda: distinct(lambda: pick("sec1", {"source": "sec2", "target": "/t", "mode": "0400"})),
    "configs": lambda: distinct(lambda: pick("conf1", {"source": "conf2", "target": "/t", "uid": "5"})),
    "security_opt": lambda: distinct(word), "shm_size": size, "stdin_open": boolean, "stop_grace_period": duration,
    "stop_signal": word, "storage_opt": lambda: {word(): text()}, "sysctls": pairs,
    "tmpfs": lambda: pick("/t1", ["/t1", "/t2:size=1m"]),
    "tty": boolean, "ulimits": lambda: {"nofile": pick(5, "${N}", {"soft": 1, "hard": "${N}"}), "core": integer()},
    "user": text, "userns_mode": word, "uts": word, "volumes": lambda: some(mount), "working_dir": text,
    "blkio_config": lambda: {"weight": pick(10, "${N}"), "device_read_bps": some(lambda: {"path": path(), "rate": size()})},
    "cgroup_parent": text, "container_name": lambda: f"c{R.randint(1, 999999)}", "cpu_percent": lambda: pick(0, 10),
    "cpu_rt_period": integer, "cpu_rt_runtime": integer, "credential_spec": lambda: pick({}, {"config": word()}, {"registry": word()}),
    "develop": lambda: {"watch": some(lambda: {"path": path(), "action": pick("sync", "rebuild", "restart"), "target": target()})},
    "device_cgroup_rules": lambda: some(lambda: "c 1:3 mr"), "external_links": lambda: some(lambda: pick("a", "b:c")),
    "gpus": lambda: pick("all", lambda: [{"count": pick(1, "all", -1)}], [{"driver": "d", "device_ids": ["a"]}]),
    "isolation": text, "label_file": lambda: pick("one.env", ["one.env", "two.env"]), "mac_address": lambda: "02:42:ac:11:00:01",
    "mem_swappiness": lambda: pick(0, 60, "${N}"), "network_mode": lambda: pick("host", "none", "bridge", "service:base", "container:x"),
    "post_start": hooks, "pre_stop": hooks, "profiles": lambda: distinct(word), "pull_refresh_after": duration,
    "provider": lambda: {"type": word(), "options": {word(): pick(text, 5, True, ["a", "b"])}}, "scale": lambda: pick(0, 1, 2, "${N}"),
    "use_api_socket": lambda: pick(True, False), "volumes_from": lambda: distinct(lambda: pick("base", "base:ro", "container:x")),
    "x-own": lambda: {word(): scalar()},
    "build": lambda: pick(path, {"context": path(), "args": pairs(), "labels": pairs(), "target": word()}),
    "links": lambda: pick([], ["base"], ["base:b"]), "depends_on": lambda: pick(
        [], ["base"], {"base": {"condition": "service_healthy", "restart": boolean()}}),
}


# In every service, a form of extends of its own, or left out by both.
ELSEWHERE = {"image", "extends", "models"}


def check_keys():
    """Every key of a service in docs/compose-support.md, which a test holds to the schema, is drawn."""
    document = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/compose-support.md")
    with open(document, encoding="utf-8") as file:
        table = file.read().split("## `services.*`\n")[1].split("\n## ")[0]
    keys = set(re.findall(r"^\| `(\w+)` \|", table, re.M))
    missing = keys - set(KEYS) - ELSEWHERE
    if missing or len(keys) < 90:
        raise SystemExit(f"no random values for {sorted(missing)}")


def spoil(model):
    """One value somewhere becomes another that most likely may not stand there."""
    at, steps = model["services"], R.randint(2, 4)
    for _ in range(steps):
        inner = at[R.choice(list(at))] if isinstance(at, dict) and at else None
        if not isinstance(inner, dict) or not inner:
            break
        at = inner
    key = R.choice(list(at))
    at[key] = pick([[]], {"nonsense": 1}, "\u0000x", -5, [None], {"": ""}, lambda: {"a b": [1, {}]})


def scalar_option():
    return pick(text, 5, 1.5, None)


def service(names):
    body = {key: KEYS[key]() for key in R.sample(sorted(KEYS), R.randint(1, 9))}
    body["image"] = pick("x", "y:${V}")
    if names and R.random() < 0.3:
        body["extends"] = pick(lambda: R.choice(names), lambda: {"service": R.choice(names)},
                               {"file": "sub/base.yaml", "service": "far"})
    return body


def write(folder, name, content):
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1))


def project(folder):
    names, services = [], {"base": {"image": "b"}}
    for i in range(R.randint(1, 5)):
        services[f"s{i}"] = service(names)
        names.append(f"s{i}")
    model = {
        "services": services,
        "networks": {"net1": pick(None, {}, {"internal": boolean(), "labels": pairs()}),
                     "net2": pick({"external": True}, None)},
        "volumes": {"vol1": None, "vol2": pick({"driver": "local", "labels": pairs()}, {"external": True}), "vol3": {}},
        "secrets": {"sec1": {"file": path()}, "sec2": {"environment": "V"}},
        "configs": {"conf1": {"file": path()}, "conf2": {"content": text()}},
    }
    if R.random() < 0.1:
        spoil(model)
    write(folder, "compose.yaml", model)
    if R.random() < 0.5:
        over = {n: {key: KEYS[key]() for key in R.sample(sorted(KEYS), R.randint(1, 8))} for n in R.sample(names, 1)}
        write(folder, "compose.override.yaml", {"services": over})
    write(folder, "sub/base.yaml", {"services": {"far": service([])}})
    write(folder, ".env", "V=value\nN=5\nT=true\nkey=from env\n")
    write(folder, "one.env", "A=1\nB=${V}\nkey\nQ='x y'\n")
    write(folder, "two.env", "A=2\nC=$A\n")


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    print_model, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    check_keys()
    command_line = compare.docker_compose()
    if not command_line:
        print("skipped: no Docker Compose 2.40 on this host")
        return compare.SKIPPED
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    result = {"equal": 0, "refused by both": 0, "their program crashed": 0, "different": 0}
    for i in range(count):
        R.seed(seed * 1000003 + i)
        folder = tempfile.mkdtemp(prefix="compose-random-")
        project(folder)
        for sub in ("", "sub"):
            if sub:
                os.makedirs(os.path.join(folder, sub), exist_ok=True)
            for name in ("one.env", "two.env"):
                if sub:
                    os.link(os.path.join(folder, name), os.path.join(folder, sub, name))
        valid, out, err = compare.ours(print_model, folder)
        their_valid, their_out, their_err = compare.theirs(command_line, folder)
        crashed = "\ngoroutine " in their_err
        if crashed or valid == their_valid and (not valid or out == their_out):
            result["their program crashed" if crashed else "equal" if valid else "refused by both"] += 1
            for root, folders, files in os.walk(folder, topdown=False):
                for name in files:
                    os.unlink(os.path.join(root, name))
                os.rmdir(root)
        else:
            result["different"] += 1
            print("seed", seed, "file", i)
            compare.show(folder, their_out if their_valid else their_err, out if valid else err)
    print(", ".join(f"{name}: {number}" for name, number in result.items()))
    return 1 if result["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
