# SPDX-License-Identifier: LGPL-2.1-or-later
# A stack that builds its images, runs hooks, asks for a GPU, keeps and takes over volumes; and a build that fails later.
# machine: vpn

STACK=shop
lab_file "$M" /etc/unitproof/shop/.env <<'ENV'
LICENSE_KEY=lab-license-4711
API_TOKEN=lab-token-0815
ENV
lab_file "$M" /etc/unitproof/shop/web/Dockerfile <<'FILE'
FROM docker.io/library/caddy:2.10
ARG GREETING
ARG API_TOKEN
RUN --mount=type=secret,id=license printf '%s\n' "$GREETING" "$(cat /run/secrets/license)" "${#API_TOKEN}" >/built
FILE
# A device that stands where a GPU stands.
lab_file "$M" /etc/cdi/lab.yaml <<'YAML'
cdiVersion: "0.6.0"
kind: nvidia.com/gpu
devices:
  - name: all
    containerEdits: {env: [LAB_GPU=all of them]}
YAML
lab_file "$M" /etc/unitproof/shop/compose.yaml <<'YAML'
services:
  web:
    build:
      context: ./web
      network: none
      ulimits: {nofile: 1024, nproc: 1024} # the lab may raise none
      args: {GREETING: "a  \"b\" %n $$x é", API_TOKEN: "${API_TOKEN}"}
      secrets: [license]
    gpus: all
    volumes:
      - /srv/shop:/data
      - /var/lib/web
      - {type: volume, source: parts, target: /whole}
    post_start:
      - command: ["/bin/sh", "-c", "echo \"$$# $$1 $$3 $$(id -u) $$(pwd) $$A\" >/tmp/hook", "x", "two words", "", "; %n $$y"]
        user: "1000:1000"
        working_dir: /tmp
        environment: {A: "${API_TOKEN}"}
    pre_stop:
      - command: ["/bin/sh", "-c", "echo gone >/data/stopped"]
      - command: ["/bin/false"]
    stop_grace_period: 1s
  worker:
    image: shop-web
    volumes_from: ["web:ro"]
    stop_grace_period: 1s
  reader:
    image: keeper
    command: [sleep, inf]
    user: "1000:5"
    volumes:
      - {type: volume, source: parts, target: /part, read_only: true, volume: {subpath: a/b}}
      - parts:/mounted/
    tmpfs: ["/etc", "/own:uid=1000,gid=5,mode=0700,noatime"]
    depends_on: [web]
    stop_grace_period: 1s
  child:
    build:
      additional_contexts: {parent: "service:web"}
      network: none
      ulimits: {nofile: 1024, nproc: 1024} # the lab may raise none
      dockerfile_inline: |
        FROM parent
        RUN echo "grown on $$(head -n 1 /built)" >/child
    stop_grace_period: 1s
secrets:
  license: {environment: LICENSE_KEY}
volumes: {parts: {}}
YAML
# A part of a volume has to be there.
on sh -c 'mkdir -p $(podman volume create shop_parts >/dev/null; podman volume inspect -f "{{.Mountpoint}}" shop_parts)/a/b'
on sh -c 'echo part >$(podman volume inspect -f "{{.Mountpoint}}" shop_parts)/a/b/file'
on chmod 0600 /etc/unitproof/shop/.env
on sh -c "printf '%s\n' 'FROM docker.io/library/busybox:1.37' 'VOLUME [\"/keep\", \"/mounted\"]' |
        podman build --quiet --network none --ulimit nofile=1024 --ulimit nproc=1024 -t docker.io/library/keeper - >/dev/null"
keeps() { on unitproof check shop 2>&1 | grep -q "image of 'reader' keeps data in $1,"; }
expect "what an image keeps where nothing is mounted is named" keeps /keep
expect_not "and what is mounted is not" keeps /mounted
reload
start_target
for service in web worker child reader; do eventually 120 "$service runs from what was built" active "shop-$service.service"; done

inside() { on podman exec "shop-$1" "${@:2}"; }
expect_equal "build arguments and secrets arrive byte for byte" $'a  "b" %n $x é\nlab-license-4711\n14' "$(inside web cat /built)"
expect_equal "an inline Dockerfile stands on another service's image" 'grown on a  "b" %n $x é' "$(inside child cat /child)"
expect_equal "post_start ran with its words, user, directory and environment" '3 two words ; %n $y 1000 /tmp lab-token-0815' \
        "$(inside web cat /tmp/hook)"
expect_equal "the GPU is there" "all of them" "$(inside web sh -c "tr '\\0' '\\n' </proc/1/environ | sed -n s/^LAB_GPU=//p")"
expect "volumes are taken over" inside worker test -d /data
expect_not "read-only" inside worker touch /data/x
expect_equal "a part of a volume is mounted" part "$(inside reader cat /part/file)"
expect_equal "memory is empty, whatever the image has there" "" "$(inside reader ls /etc | grep -v -e ^hosts$ -e ^resolv.conf$ -e ^hostname$ -e ^mtab$)"
expect "and runs no programs" inside reader grep -q '^tmpfs /etc .*noexec' /proc/mounts
expect_equal "it belongs to whom it is given" "1000:5 700" "$(inside reader stat -c '%u:%g %a' /own)"
inside web sh -c 'echo kept >/var/lib/web/file'
expect_not "no unit, property or command line has a secret of .env" \
        on sh -c "systemctl cat 'shop-*' | grep -E 'lab-(license|token)' ||
                  systemctl show --all 'shop-*' | grep -E 'lab-(license|token)' ||
                  cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -E '[l]ab-(license|token)'"
expect_equal "nor a file that others may read" "" \
        "$(on find /run/systemd/generator -perm /044 -type f -path '*shop*' -not -path '*/unitproof-shop.env/*' \
                -exec grep -lE 'lab-(license|token)' '{}' +)"

build=$(invocation shop-web-build.service) web=$(invocation shop-web.service)
on systemctl restart shop-web.service
expect "a restart is another invocation" renewed shop-web.service "$web"
expect_equal "a volume without a name is still what it was" kept "$(inside web cat /var/lib/web/file)"
expect_equal "which builds nothing" "$build" "$(invocation shop-web-build.service)"
expect_equal "pre_stop ran, and one that fails holds no stop up" gone "$(on cat /srv/shop/stopped)"

on sed -i 's/^FROM.*/FROM localhost\/lab\/missing:1/' /etc/unitproof/shop/web/Dockerfile
on systemctl restart --no-block shop.target
eventually 60 "a build that fails is a failed unit" state shop-web-build.service failed
eventually 60 "and what was built before runs on" active shop-web.service

on systemctl stop shop.target
on sh -c 'systemctl reset-failed; rm -r /etc/unitproof/shop /etc/cdi/lab.yaml /srv/shop; podman image rm -f shop-web shop-child keeper; podman volume rm -f shop_parts shop_web-anonymous-var-lib-web'
reload
expect_equal "removed, nothing of it is left" "" "$(on systemctl list-unit-files --no-legend 'shop*')"
