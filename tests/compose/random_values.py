# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the schema calls a string and Compose calls a port, a size, a time, a name of something else.

The tables are keyed by the end of a value's place, "ports.[]" for what stands in any list "ports". STRINGS and NUMBERS say what to write
where the schema allows a string or a number, KEYS which keys a mapping with free keys has, FIX makes a mapping sensible as a whole."""
from random_text import Plain, text

WORDS = ["a", "b", "web", "x1", "data", "A", "key", "o-p", "q_r", "n.m"]
IMAGES = ["x", "y:${V}", "docker.io/library/z:1", "r.example:5000/a/b@sha256:" + "0" * 64]
REFERENCE = ["host", "private", "shareable", "none"]


def one(*choices):
    return lambda d: d.pick(choices)


def word(d):
    return d.random.choice(WORDS)


def free_text(d):
    return text(d.random)


def boolean(d):
    return d.pick(["true", "false", "yes", "no", "On", "${T}", "${T:-false}", "y", "off", "TRUE"])


def integer(d):
    return d.pick(["5", "${N}", "0", "${NONE:-7}", "12", "100"])


def decimal(d):
    return d.pick(["0.5", "2", "${N}", ".25", "1e2", "0"])


def size(d):
    return d.pick(["64m", "1.5g", "10k", "7b", "1 GiB", "2KB", "${N}m", "1024", "0", "1T", "5MiB", "1.25 mb"])


def duration(d):
    return d.pick(["1s", "1m30s", "500ms", "1.5h", "0s", "2d", "100us", "${N}s", "1h0m5s", "1w", "0", "1.25s", "5µs", "3ns"])


def path(d):
    return d.pick(["./a", "../b", "/c", "~/d", ".", "./e/../f", "/g/../h/", "~", "a/b", "${V}/x", "/", "./a b", "../../up", "./"])


def target(d):
    return d.pick(["/a", "/b/", "/c/../d", "/e//f", "/g", "/h", "/i/${V}", "/j k"])


def address(d):
    return d.pick(["10.9.0.5", "127.0.0.1", "192.0.2.7", "${NONE:-10.0.0.1}"])


def port(d):
    return d.pick(["81", "8080:82", "90-92:90-92", "127.0.0.1:93:93", "[::1]:94:94/udp", "7000-7005:95", "96/tcp", "10.0.0.1::97", "${N}:80",
                   "0.0.0.0:98:98/sctp", "100-102", "[::]:103-104:103-104", ":105", "127.0.0.1::106-107", "8000-8001:8000-8001/UDP", "[2001:db8::1]::80"])


def published(d):
    return d.pick(["80", "8080", "80-90", "${N}", "9000-9001"])


def mount(d):
    return d.pick([
        lambda d: path(d) + ":" + target(d) + d.pick(["", ":ro", ":z", ":rw,rshared", ":nocopy", ":Z,ro", ":cached", ":ro,rslave", ":private"]),
        lambda d: d.volume() + ":" + target(d) + d.pick(["", ":ro", ":nocopy", ":rw,nocopy", ":z"]), target, target,
        lambda d: path(d) + ":" + target(d)])


def command(d):
    return d.pick(["", "a b", "sh -c 'x y'", 'a "b c" d\\ e', "a; b", "--f=${V} $$X", "a 2>b", "a && b", "a | b", "a 'b\"c' \"d'e\"", "  a   b ", "a\tb", "a\nb",
                   "echo \"a\\\"b\" 'c\\d'", "a # b", "a=b c", "a *.txt", "$$(x) `y`", "a ''", 'a "" b', "a\\\\b", "a & b", "${NONE:-a b}"])


def host(d):
    return word(d) + d.pick(["=", ":"]) + d.pick(["10.0.0.1", "[::1]", "host-gateway", "::1", "2001:db8::5"])


def device(d):
    return d.pick(["/dev/a", "/dev/b:/dev/c", "/dev/d:/dev/e:r", "/dev/f:/dev/g:rwm", "vendor.com/class=name", "/dev/h:rw"])


def service_or(*others):
    return lambda d: d.pick([lambda d: "service:" + d.earlier() if d.services else "host", *others])


def earlier(d):
    return d.earlier()


def link(d):
    return d.earlier() + d.pick(["", ":" + word(d), ":n2"])


def from_where(d):
    return d.pick([lambda d: d.earlier() + d.pick(["", ":ro", ":rw"]), "container:x", "container:x:ro"])


def context(d):
    return d.pick([path, path, "https://example.com/r.git#main:sub", "git@example.com:a/b.git", "docker-image://x", "oci-layout:///x"])


def pair(d, value=None):
    return word(d) + d.pick(["", "=" + (value or text(d.random)), "=" + text(d.random), "=x", "="])


def whole_pair(d):
    return word(d) + "=" + d.pick([text(d.random), "x"])


def env_path(d):
    return d.pick(["one.env", "two.env", "./one.env", "${NONE:-two}.env"])


STRINGS = {
    "annotations.[]": pair, "labels.[]": pair, "environment.[]": pair, "sysctls.[]": pair, "args.[]": pair, "options.[]": pair,
    "additional_contexts.[]": lambda d: word(d) + "=" + context(d), "additional_contexts.*": context, "ssh.[]": one("default"),
    "ssh.*": path, "entitlements.[]": one("network.host", "security.insecure"), "build": context, "build.context": context,
    "build.dockerfile": one("Dockerfile", "d/F", "../F"), "build.platforms.[]": one("linux/amd64", "linux/arm64"), "build.network": one("host", "none"),
    "provenance": one("true", "mode=max", "false"), "sbom": one("true", "generator=x"), "build.pull": boolean, "shm_size": size,
    "rate": size, "blkio_config.path": path, "cap_add.[]": one("NET_ADMIN", "ALL", "sys_time"),
    "container_name": lambda d: f"c{d.random.randint(1, 10**12)}", "cpu_count": integer, "cpu_percent": one("10", "50", "${N}"), "cpu_shares": integer,
    "cpu_quota": integer, "cpu_period": integer, "cpu_rt_period": integer, "cpu_rt_runtime": integer, "cpus": decimal, "cpuset": one("0-1", "0,2"),
    "depends_on.[]": earlier, "device_cgroup_rules.[]": one("c 1:3 mr", "a *:* rwm"), "devices.[]": device, "devices.[].source": one("/dev/x", "v.com/c=n"),
    "devices.[].target": one("/dev/y"), "devices.[].permissions": one("r", "rwm"), "dns.[]": address, "dns": address, "command": command,
    "entrypoint": command, "env_file": env_path, "env_file.[]": env_path, "env_file.[].path": env_path, "env_file.[].format": one("raw"),
    "label_file": env_path, "label_file.[]": env_path, "expose.[]": one("81", "82-83/udp", "84/tcp", "${N}"), "external_links.[]": one("a", "b:c"),
    "extra_hosts.[]": host, "extra_hosts.*": one("10.0.0.2", "::1", "host-gateway"), "extra_hosts.*.[]": one("10.0.0.3", "::2"), "gpus.[].count": one("all", "2"),
    "reservations.devices.[].count": one("all", "2", "${N}"), "interval": duration, "timeout": duration, "start_period": duration,
    "start_interval": duration, "retries": integer, "healthcheck.test": one("curl -f http://x || exit 1", "a 'b", "", "${V} $$X"), "ipc": service_or(*REFERENCE),
    "links.[]": link, "mac_address": one("02:42:ac:11:00:01"), "mem_limit": size, "mem_reservation": size, "memswap_limit": size,
    "mem_swappiness": integer, "network_mode": service_or("host", "none", "bridge", "container:x"), "networks.[]": lambda d: d.network(),
    "ipv4_address": address, "ipv6_address": one("2001:db8::5"), "link_local_ips.[]": one("169.254.0.5", "169.254.0.6"), "oom_score_adj": one("10", "-5", "${N}"),
    "pid": service_or("host", "container:x"), "pids_limit": integer, "platform": one("linux/amd64", "linux/arm64/v8", ""), "ports.[]": port,
    "ports.[].target": one("98", "${N}"), "ports.[].published": published, "ports.[].host_ip": address, "ports.[].protocol": one("tcp", "udp", "sctp"),
    "ports.[].mode": one("host", "ingress"), "pull_policy": one("always", "missing", "if_not_present", "daily", "weekly", "every_2h", "every_1d12h", "build", "never"),
    "pull_refresh_after": duration, "services.*.restart": one("no", "always", "on-failure", "on-failure:3", "unless-stopped"), "scale": one("1", "${N}"),
    "services.*.image": one(*IMAGES), "stop_grace_period": duration, "tmpfs": one("/t1", "/t2:size=1m"), "tmpfs.[]": one("/t1", "/t2:size=1m", "/t3:ro,exec"),
    "ulimits.*": integer, "soft": integer, "hard": integer, "volumes.[]": mount, "volumes.[].source": path, "volumes.[].target": target,
    "propagation": one("rslave", "private", "rshared"), "subpath": one("s", "s/t"), "tmpfs.size": size, "tmpfs.mode": one("0755", "493", "${N}"),
    "volumes_from.[]": from_where, "working_dir": one("/w", "rel", "~", "${V}"), "userns_mode": one("host", "keep-id", "auto"), "uts": one("host", "x"),
    "replicas": one("1", "${N}", "0"), "parallelism": integer, "delay": duration, "monitor": duration, "max_failure_ratio": decimal, "memory": size,
    "pids": integer, "max_attempts": integer, "window": duration, "max_replicas_per_node": integer, "discrete_resource_spec.value": integer,
    "watch.[].path": path, "watch.[].target": target, "secrets.[]": lambda d: d.secret(), "secrets.[].source": lambda d: d.secret(),
    "secrets.[].target": one("/t", "t", "/run/x"), "configs.[]": lambda d: d.config(), "configs.[].source": lambda d: d.config(),
    "configs.[].target": one("/t", "/u/v", "w"), "[].uid": one("0", "1000"), "[].gid": one("0", "5"), "[].mode": one("0400", "444"),
    "networks.*.external": boolean, "volumes.*.external": boolean, "secrets.*.external": boolean, "configs.*.external": boolean, "driver": one("local", "bridge", "d"),
    "ipam.config.[].subnet": one("10.9.0.0/16", "2001:db8::/64"), "ip_range": one("10.9.1.0/24"), "gateway": address, "aux_addresses.*": address,
    "secrets.*.file": path, "configs.*.file": path, "secrets.*.environment": one("V", "N"), "configs.*.environment": one("V", "N"),
    "credential_spec.file": path, "profiles.[]": one("p1", "p2", "p3"), "cgroup_parent": one("a.slice", "m-exec-abcd"), "name": one("n1", "n-2", "${V}", "${NONE:-n}"),
    "driver_opts.*": free_text, "stop_signal": one("SIGTERM", "9", "RTMIN+3"), "capabilities.[]": one("gpu", "compute", "utility"), "test.[]": free_text,
    "version": one("3.8", "2"), "tags.[]": one("t:1", "t:${V}"), "cache_from.[]": one("x:1", "type=registry,ref=x"), "cache_to.[]": one("type=inline", "y"),
    "kind": word, "spread": one("node.labels.x"), "security_opt.[]": one("no-new-privileges:true", "label=disable", "seccomp:unconfined", "seccomp=./p.json"),
    "ignore": word, "ignore.[]": word, "include": word, "include.[]": word,
}

PLAIN_NUMBERS = [0, 1, 5, 7, 100, 1000, Plain("0x10"), Plain("0o17"), Plain("017"), Plain("1_000"), Plain("0b11"), Plain("+7")]
NUMBERS = {
    "ports.[]": [80, 8080, 65535, 1], "ports.[].target": [1, 80, 65535], "ports.[].published": [80, 8080, Plain("0x50")], "expose.[]": [80, 443, Plain("0x51")],
    "mode": [0o400, 0o644, Plain("0444"), Plain("0o440"), Plain("0x124")], "count": [1, -1, 2], "scale": [0, 1, 2], "replicas": [0, 1, 2],
    "ulimits.*": [0, 5, -1, Plain("0x10")], "soft": [0, 5, -1], "hard": [0, 9, -1], "memswap_limit": [-1, 0, 1 << 30], "group_add.[]": [100, 0, 5],
    "cpus": [0, 0.5, 1, 2.25, Plain(".5"), Plain("1e1"), Plain("2.50")], "priority": [0, 5, -1, 100, 1.0], "gw_priority": [0, 5, -1], "cpu_percent": [0, 10, 100],
    "oom_score_adj": [-1000, 0, 1000, Plain("0x10")], "cpu_shares": [0, 2, 1024, 1.0, Plain("1e3")], "retries": [0, 3, 10, 1.0],
    "max_failure_ratio": [0, 0.5, 0.25, 1, Plain("1e-3")], "pids_limit": [0, -1, 100], "weight": [0, 10, 500], "mem_limit": [0, 1024, 1 << 30, Plain("0x400")],
}

KEYS = {
    "depends_on": lambda d: d.sample(d.services), "services.*.networks": lambda d: d.sample(d.networks), "services.*.models": lambda d: [],
    "ulimits": lambda d: d.sample(["nofile", "core", "nproc"]), "sysctls": lambda d: d.sample(["net.core.somaxconn", "kernel.shmmax"]),
    "storage_opt": lambda d: d.sample(["size", "a"]),
}


def consistent_mount(d, m):
    kind = m["type"]
    m.setdefault("target", target(d))
    for other in {"bind", "volume", "tmpfs", "image"} - {kind}:
        m.pop(other, None)
    if kind == "bind":
        m.setdefault("source", path(d))
    elif kind == "volume":
        m["source"] = d.volume()
        if d.random.random() < 0.2:
            del m["source"]
    elif kind == "tmpfs":
        m.pop("source", None)
    return m


def consistent_test(d, test):
    return [d.pick(["CMD", "CMD-SHELL"]), *(test or ["x"])] if isinstance(test, list) and d.random.random() < 0.95 else test


def settle_external(d, m):
    """An external one has a name at most, given once; an own one is not called external, most of the time."""
    outside = m.get("external")
    if "external" not in m or d.random.random() < 0.005:
        return m
    if outside in (False, "false", "no", "off", "${T:-false}", {}):
        return {k: v for k, v in m.items() if k != "external"} if d.random.random() < 0.8 else m
    return {k: m[k] for k in ("external", "name") if k in m and not (k == "name" and isinstance(outside, dict))}


def one_source(*keys):
    def fix(d, m):
        m = settle_external(d, m)
        if m.get("external") not in (None, False, "false", "no", "off", "${T:-false}", {}):
            return m
        present = [k for k in keys if k in m]
        if not present:
            m[keys[0]] = STRINGS.get("secrets.*." + keys[0], free_text)(d)
        for key in present[1:] if d.random.random() < 0.99 else []:
            del m[key]
        return m
    return fix


def consistent_service(d, s):
    """Without pairs of keys that exclude each other; a few are left in, since their refusal is a rule, too."""
    if d.random.random() < 0.02:
        return s
    if "network_mode" in s:
        s.pop("networks", None)
    if "provider" in s and d.random.random() < 0.5:
        del s["provider"]
    deploy = s.get("deploy") if isinstance(s.get("deploy"), dict) else {}
    resources = deploy.get("resources") or {}
    if "replicas" in deploy:
        s.pop("scale", None)
    if "replicas" in deploy or "scale" in s:
        s.pop("container_name", None)
    for mine, part, theirs in (("cpus", "limits", "cpus"), ("mem_limit", "limits", "memory"), ("pids_limit", "limits", "pids"),
                               ("mem_reservation", "reservations", "memory")):
        if mine in s:
            (resources.get(part) or {}).pop(theirs, None)
    if isinstance(s.get("build"), dict):
        s["build"].pop("platforms", None) if "platform" in s else None
        s["build"].pop(d.pick(["dockerfile", "dockerfile_inline"]), None)
    return s


def with_default(key, make):
    def fix(d, m):
        if d.random.random() < 0.98:
            m.setdefault(key, make(d))
        return m
    return fix


def consistent_request(d, request):
    request.pop(d.pick(["count", "device_ids"]), None)
    return request


def watch(d, w):
    if "sync" in w["action"]:
        w.setdefault("target", target(d))
    if w["action"] == "sync+exec":
        w.setdefault("exec", {"command": "x"})
    return w


def printable_keys(_d, keys):
    """Docker Compose resolves a key with a path, and cannot print it."""
    return keys if isinstance(keys, list) else {"default": None}


FIX = {"build.ssh": printable_keys, "volumes.[]": consistent_mount, "healthcheck.test": consistent_test, "/services.*": consistent_service, "/secrets.*": one_source("file", "environment"),
       "/configs.*": one_source("file", "content", "environment"), "/networks.*": settle_external, "/volumes.*": settle_external,
       "gpus.[]": consistent_request, "reservations.devices.[]": consistent_request, "watch.[]": watch,
       "devices.[]": with_default("target", lambda d: "/dev/x"), "ports.[]": with_default("target", lambda d: 80),
       "secrets.[]": with_default("source", lambda d: d.secret()), "configs.[]": with_default("source", lambda d: d.config())}

# The schema allows a string or a number, and only numbers go.
NUMBERS_ONLY = ("weight", "tmpfs.mode", "build.ulimits.*", "build.ulimits.*.soft", "build.ulimits.*.hard")
# The schema allows a number, and only strings go.
STRINGS_ONLY = ("driver_opts.*", "storage_opt.*", "additional_contexts.*")
