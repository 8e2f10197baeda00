# SPDX-License-Identifier: LGPL-2.1-or-later
# Hardlink proof: real mounts, real file systems, real IDs.
# shellcheck shell=bash

DATA=/run/data
mkdir -p $DATA/{torrents,movies,tv}
ip netns attach host $$

# UNIT UID MOUNT-COMMANDS: a service with a mount namespace and a user of its own
contained() {
        local unit=$1 uid=$2 mounts=$3
        shift 3
        [ -e "/run/systemd/units/invocation:$unit" ] || unit_activate "$unit"
        background unshare --mount "$@" bash -c 'eval "$3"; echo $$ >"$1/libpod-payload-1/cgroup.procs" || exit
                umask "${UMASK:-022}"; touch "/run/ready-$4"
                exec setpriv --reuid "$2" --regid "$2" --clear-groups sleep 1000' - \
                "$CGROUP/$unit" "$uid" "$mounts" "$unit"
        until [ -e "/run/ready-$unit" ]; do sleep 0.01; done
        rm "/run/ready-$unit"
        sleep 0.1
}

hardlink() {
        "$PROVE" hardlink --stack $STACK --subject radarr --unit radarr.service --source-unit torrent.service \
                --engine podman --source "${SOURCE:-/run/data/torrents}" --link-from "${FROM:-/run/data/torrents}" \
                --link-to "${TO:-/run/data/movies}" "$@"
}
leftovers() { find /run/data /run/other /run/link -name '.unitproof*' 2>/dev/null; }
restart() { service_stop torrent.service; service_stop radarr.service; "$@"; }
same_user() { contained torrent.service 1000 :; contained radarr.service 1000 :; }

chown -R 1000:1000 $DATA
same_user
expect "honest world" 0 'one inode with two names' hardlink --link-to /run/data/tv
check "nothing is left" [ -z "$(leftovers)" ]
check "evidence names user and reason" [ "$(field hardlink-radarr '[.evidence.importer.uid, .evidence.links[0].links] | join(" ")')" = "1000 2" ]
ln -s $DATA /run/link
SOURCE=/run/link/torrents FROM=/run/link/torrents TO=/run/link/movies \
        expect "data root is a symbolic link" 0 passed hardlink
TO=/run/data/nowhere expect "directory is missing" 3 'cannot open /run/data/nowhere' hardlink
SOURCE=/run/data/nowhere expect "source is missing" 3 'cannot open' hardlink

restart eval 'contained torrent.service 1000 :; contained radarr.service 1000 "mount --bind $DATA/movies $DATA/movies"'
expect "one file system, two mounts" 1 'separate-mounts' hardlink
expect "the remedy says what to do" 1 'common parent directory once' hardlink
check "nothing is left" [ -z "$(leftovers)" ]
expect "the other directory is fine" 0 passed env TO=/run/data/tv bash -c '"$PROVE" hardlink --stack s --subject radarr \
        --unit radarr.service --source-unit torrent.service --engine podman --source /run/data/torrents \
        --link-from /run/data/torrents --link-to /run/data/tv'

restart eval 'contained torrent.service 1000 :
        contained radarr.service 1000 "mount -t tmpfs tmpfs $DATA/movies; chown 1000 $DATA/movies"'
expect "two file systems" 1 'other-file-system' hardlink

restart eval 'contained torrent.service 1000 :
        contained radarr.service 1000 "mount --bind $DATA $DATA; mount -o remount,bind,ro $DATA"'
expect "the importer's mount is read-only" 1 'read-only' hardlink

restart eval 'contained torrent.service 1000 :
        contained radarr.service 1000 "mkdir -p /run/other/torrents; mount -t tmpfs tmpfs /run/other; mkdir /run/other/torrents"'
FROM=/run/other/torrents expect "the importer sees another directory" 1 'not-seen' hardlink

echo 1 >/proc/sys/fs/protected_hardlinks 2>/dev/null
protected=$(cat /proc/sys/fs/protected_hardlinks)
restart eval 'contained torrent.service 1000 :; contained radarr.service 1001 :'
chmod -R 777 $DATA
if [ "$protected" = 1 ]; then
        expect "another user, files not writable for it" 1 'protected-hardlinks' hardlink
        expect "the remedy says what to do" 1 'UMASK=002' hardlink
fi
check "nothing is left" [ -z "$(leftovers)" ]
restart eval 'UMASK=000 contained torrent.service 1000 :; contained radarr.service 1001 :'
expect "another user, files writable for it" 0 passed hardlink
chmod 1777 $DATA/movies
expect "a sticky library" 0 passed hardlink
check "nothing is left in it" [ -z "$(leftovers)" ]
chmod 755 $DATA/movies
expect "the importer may not write in the library" 1 'forbidden.*Permission' hardlink
chmod 700 $DATA/torrents
expect "the importer may not look into the downloads" 1 'forbidden' hardlink
chown 0:0 $DATA/torrents; chmod 755 $DATA/torrents
expect "the downloader may not write" 1 'source-forbidden' hardlink
chown -R 1000:1000 $DATA; chmod -R 755 $DATA
restart eval 'contained torrent.service 0 :; contained torrent.service 1000 :; contained radarr.service 1000 :'
expect "a supervisor as root beside the service" 0 passed hardlink
check "the service's user was taken" [ "$(field hardlink-radarr .evidence.downloader.uid)" = 1000 ]
# UNIT UID BASE: in a user namespace that maps 0.. to BASE..
shifted() {
        unit_activate "$1"
        background python3 -c '
import ctypes, os, sys, time
group, uid, base = sys.argv[1], int(sys.argv[2]), sys.argv[3]
r, w = os.pipe(); r2, w2 = os.pipe()
pid = os.fork()
if pid == 0:
    ctypes.CDLL(None).unshare(0x10000000 | 0x00020000)
    os.write(w, b"x"); os.read(r2, 1)
    os.setgroups([]); os.setgid(uid); os.setuid(uid); os.umask(0o022)
    os.execvp("sleep", ["sleep", "1000"])
os.read(r, 1)
for f in "uid_map", "gid_map":
    open(f"/proc/{pid}/{f}", "w").write(f"0 {base} 65536")
open(group + "/libpod-payload-1/cgroup.procs", "w").write(str(pid))
os.write(w2, b"x")
time.sleep(1000)' "$CGROUP/$1" "$2" "$3"
        until grep -q . "$CGROUP/$1/libpod-payload-1/cgroup.procs"; do sleep 0.01; done
        sleep 0.1
}
chown -R 101000:101000 $DATA
restart eval 'shifted torrent.service 1000 100000; shifted radarr.service 1000 100000'
expect "user namespaces with one map" 0 passed hardlink
check "IDs are those inside" [ "$(field hardlink-radarr '[.evidence.downloader.uid, .evidence.downloader.host_uid] | join(" ")')" = "1000 101000" ]
chown 1101000:1101000 $DATA/movies; chmod 777 $DATA/movies
restart eval 'shifted torrent.service 1000 100000; shifted radarr.service 1000 1100000'
expect "user namespaces that shift IDs apart" 1 'protected-hardlinks' hardlink
check "nothing is left" [ -z "$(leftovers)" ]
chown -R 1000:1000 $DATA

restart eval 'contained torrent.service 1000 "mount -t tmpfs -o size=8k,nr_inodes=3 tmpfs $DATA/torrents;
        chown 1000 $DATA/torrents; touch $DATA/torrents/a $DATA/torrents/b"; contained radarr.service 1000 :'
expect "no space" 1 'no-space' hardlink

fs_case() {          # TYPE
        local image=/run/image-$1
        truncate -s 320M "$image"
        "mkfs.$1" -q "$image" >/dev/null 2>&1 || mkfs."$1" "$image" >/dev/null 2>&1 || return
        mkdir -p /run/other
        mount -o loop "$image" /run/other || return
        mkdir -p /run/other/torrents /run/other/movies
        chown 1000 /run/other/* 2>/dev/null
        restart same_user
        SOURCE=/run/other/torrents FROM=/run/other/torrents TO=/run/other/movies expect "$1" "$2" "$3" hardlink
        restart :
        umount /run/other
        rm "$image"
}
for fs in ext4 xfs btrfs; do command -v mkfs.$fs >/dev/null && fs_case $fs 0 passed; done
if command -v mkfs.btrfs >/dev/null; then
        truncate -s 320M /run/image
        mkfs.btrfs -q /run/image && mkdir -p /run/other && mount -o loop /run/image /run/other &&
                btrfs -q subvolume create /run/other/torrents && btrfs -q subvolume create /run/other/movies &&
                chown 1000 /run/other/* && restart same_user &&
                SOURCE=/run/other/torrents FROM=/run/other/torrents TO=/run/other/movies \
                        expect "two btrfs subvolumes" 1 'subvolume' hardlink
        restart :
        umount /run/other
fi

# Killed in the middle: the files go all the same.
restart same_user
for signal in TERM KILL INT; do
        for delay in 0.01 0.02 0.03 0.05 0.08; do
                hardlink >/dev/null 2>&1 &
                sleep $delay
                quiet kill -$signal $!
                { wait $!; } 2>/dev/null
        done
done
sleep 0.3
check "nothing is left after kills" [ -z "$(leftovers)" ]
restart :
expect "units are not active" 3 'torrent.service is not active' hardlink
