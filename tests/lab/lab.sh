# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
#
# Drives the lab's machines. Source it; `run` does so for the scenarios, `prepare` for the first boot.
#
# A machine is an overlay on the prepared root that systemd-nspawn boots. Container storage and /srv
# lie beside the overlay on the real file system, since an overlay cannot hold an overlay's upper
# layer, and hardlinks are to be tested on what operators have.

LAB_SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
LAB=${UNITPROOF_LAB:-/var/tmp/unitproof-lab}
LAB_BOOT_SECONDS=60
LAB_STOP_SECONDS=60

lab_say() { echo "# $*" >&2; }
lab_die() { echo "# lab: $*" >&2; exit 1; }

# --- roots -----------------------------------------------------------------------------------------

# The recipe's hashes name the roots: packages decide the base, everything else the layer above it.
lab_hash() { (cd "$LAB_SOURCE" && find "$@" -type f -print0 | sort -z | xargs -0 sha256sum |
        sha256sum | cut -c1-16); }
lab_base() { echo "$LAB/base-$(lab_hash packages)"; }
lab_prepared() {
        echo "$LAB/prepared-$(lab_hash packages prepare lab.sh echo.c beacon.c guest image)"
}

# --- machines --------------------------------------------------------------------------------------

# lab_machine NAME LOWER... : makes a machine's folder and mounts its root; LOWER as overlayfs wants.
lab_machine() {
        local dir=$LAB/machines/$1 lower=$2

        mkdir -p "$dir"/{upper,work,root,containers,srv}
        mountpoint -q "$dir/root" ||
                mount -t overlay "lab-$1" -o "lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work" \
                        "$dir/root"
}

# lab_new NAME : a fresh machine like the prepared one, not yet booted.
lab_new() {
        local prepared
        prepared=$(lab_prepared)
        [ -e "$prepared/done" ] || lab_die "no prepared root; run tests/lab/prepare"
        lab_remove "$1"
        mkdir -p "$LAB/machines/$1"
        cp -a --reflink=auto "$prepared/containers" "$LAB/machines/$1/containers"
        lab_machine "$1" "$prepared/upper:$(lab_base)"
}

# Each machine has a control group of its own: two in one would manage each other's units.
lab_group() { echo "$(findmnt -no TARGET -t cgroup2 | head -n 1)/unitproof-lab-$1"; }
lab_group_join() {
        mkdir -p "$(lab_group "$1")" && echo "$BASHPID" >"$(lab_group "$1")/cgroup.procs"
}

# lab_start NAME : boots the machine and waits until it has reached its default target. Stacks may still
# be on their way.
lab_start() {
        local dir=$LAB/machines/$1 deadline=$((SECONDS + LAB_BOOT_SECONDS)) left=/run/systemd/nspawn/unix-export/$1

        # Of a systemd-nspawn that was killed; the next one of that name would refuse it (since 256).
        ! mountpoint -q "$left" || umount "$left"
        (
                lab_group_join "$1"
                SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 exec setsid systemd-nspawn --quiet \
                        --register=no --keep-unit --machine="$1" -D "$dir/root" \
                        --private-network --console=read-only \
                        --bind=/dev/net/tun --bind=/dev/fuse \
                        --bind="$dir/containers:/var/lib/containers" --bind="$dir/srv:/srv" \
                        --capability=all --system-call-filter=@known -b \
                        >"$dir/console.log" 2>&1 </dev/null
        ) &
        echo $! >"$dir/nspawn.pid"
        disown $!
        while ! pgrep -x -P "$(cat "$dir/nspawn.pid")" systemd >"$dir/init.pid"; do
                lab_alive "$1" || lab_die "$1 did not boot: $(tail -n 3 "$dir/console.log")"
                [ $SECONDS -lt $deadline ] || lab_die "$1: no init after ${LAB_BOOT_SECONDS} s"
                sleep 0.05
        done
        until lab_run "$1" systemctl --quiet is-active default.target 2>/dev/null; do
                [ $SECONDS -lt $deadline ] || lab_die "$1: no default.target after ${LAB_BOOT_SECONDS} s"
                sleep 0.1
        done
}

# lab_boot NAME : a fresh machine, booted.
lab_boot() { lab_new "$1" && lab_start "$1"; }

lab_alive() { kill -0 "$(cat "$LAB/machines/$1/nspawn.pid")" 2>/dev/null; }

# lab_run NAME COMMAND... : runs the command in the machine, with its status. It joins a control group
# of the machine too: Podman, called from outside of one, cannot make its own.
lab_run() (
        init=$(cat "$LAB/machines/$1/init.pid")
        lab_group_join "$1/payload/lab.scope"
        shift
        exec nsenter -t "$init" -m -u -i -n -p -C -r -w -- \
                env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/root LANG=C.UTF-8 \
                SYSTEMD_PAGER= SYSTEMD_COLORS=0 "$@"
)

# lab_poweroff NAME : an orderly end; lab_crash NAME : the plug pulled.
lab_poweroff() {
        local deadline=$((SECONDS + LAB_STOP_SECONDS))

        lab_alive "$1" || return 0
        lab_run "$1" systemctl poweroff >/dev/null 2>&1
        while lab_alive "$1"; do
                [ $SECONDS -lt $deadline ] || { lab_say "$1 hangs at shutdown"; lab_crash "$1"; return 1; }
                sleep 0.1
        done
}

lab_crash() {
        lab_alive "$1" || return 0
        kill -KILL "$(cat "$LAB/machines/$1/init.pid")" "$(cat "$LAB/machines/$1/nspawn.pid")" \
                2>/dev/null
        while lab_alive "$1"; do sleep 0.05; done
}

lab_reboot() { lab_poweroff "$1" && lab_start "$1"; }

# lab_remove NAME : takes the machine away, running or not.
lab_remove() {
        local dir=$LAB/machines/$1

        [ -d "$dir" ] || return 0
        [ -e "$dir/nspawn.pid" ] && lab_crash "$1"
        while mountpoint -q "$dir/root" && ! umount "$dir/root" 2>/dev/null; do sleep 0.1; done
        find "$(lab_group "$1")" -depth -type d -exec rmdir {} + 2>/dev/null
        rm -rf "$dir"
}

# --- what operators put on a machine ----------------------------------------------------------------

# lab_install NAME BUILD : the product, as `meson install` lays it out.
lab_install() { DESTDIR=$LAB/machines/$1/root meson install --quiet --no-rebuild -C "$2" >/dev/null; }

# lab_stack NAME DIRECTORY STACK : a copy of the directory as /etc/unitproof/STACK.
lab_stack() {
        local to=$LAB/machines/$1/root/etc/unitproof/$3
        mkdir -p "$to" && cp -r "$2/." "$to/"
}

# lab_file NAME PATH : writes stdin to the path on the machine.
lab_file() {
        local to=$LAB/machines/$1/root$2
        mkdir -p "${to%/*}" && cat >"$to"
}

# lab_env NAME STACK [KEY=VALUE...] : sets values in the stack's .env, those of the lab's provider first.
lab_env() {
        local file=$LAB/machines/$1/root/etc/unitproof/$2/.env name=$1 pair
        shift 2
        touch "$file" && chmod 600 "$file"
        { lab_provider "$name"; [ $# = 0 ] || printf '%s\n' "$@"; } | while IFS= read -r pair; do
                [ -z "$(tail -c 1 "$file")" ] || echo >>"$file"
                sed -i "/^${pair%%=*}=/d" "$file"
                echo "$pair" >>"$file"
        done
}

# lab_provider NAME : what the provider tells its customer, in gluetun's words.
lab_provider() (
        etc=$LAB/machines/$1/root/etc/lab
        . "$etc/world.conf"
        echo "VPN_SERVICE_PROVIDER=custom"
        echo "VPN_TYPE=wireguard"
        echo "WIREGUARD_ENDPOINT_IP=$PROVIDER4"
        echo "WIREGUARD_ENDPOINT_PORT=$PROVIDER_PORT"
        echo "WIREGUARD_PUBLIC_KEY=$(wg pubkey <"$etc/keys/provider")"
        echo "WIREGUARD_PRIVATE_KEY=$(cat "$etc/keys/client")"
        echo "WIREGUARD_ADDRESSES=$TUNNEL4/32,$TUNNEL6/128"
)

# lab_images NAME FROM IMAGE... : one of the lab's images (app, client, tunnel…) under other names.
lab_images() {
        local name=$1 from=$2 image
        shift 2
        for image; do lab_run "$name" podman tag "localhost/lab/$from" "$image"; done
}

# lab_count NAME COUNTER... : sum of the capture point's counters, packets since boot.
lab_count() {
        local name=$1
        shift
        lab_run "$name" /usr/local/lib/lab/counters |
                awk -v want="$*" '{ n[$1] = $2 } END { split(want, w, " "); for (i in w) {
                        if (!(w[i] in n)) exit 1; sum += n[w[i]] } print sum }'
}
lab_outside() { lab_count "$1" outside_beacon outside_inner outside_private; }
lab_tunnelled() { lab_count "$1" tunnelled; }
