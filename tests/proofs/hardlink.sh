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
# What a proof has left that was killed with all its children goes; what another one still works with, and what is not ours, stays.
id=$(new_id)
for name in "$DATA/torrents/.unitproof-$id" "$DATA/torrents/.unitproof-held" "$DATA/torrents/.unitproof-${id//[0-9]/a}"; do
        setpriv --reuid 1000 --clear-groups touch -d '-1 minute' "$name"
done
ln "$DATA/torrents/.unitproof-$id" "$DATA/movies/.unitproof-$id~0"
background flock "$DATA/torrents/.unitproof-${id//[0-9]/a}" sleep 1000
held_pid=$!
until ! flock -n "$DATA/torrents/.unitproof-${id//[0-9]/a}" true; do sleep 0.02; done
expect "beside the files of others" 0 passed hardlink
check "what was left is gone, under both names" [ "$(leftovers | wc -l)" = 2 ]
check "what somebody works with is there" [ -e "$DATA/torrents/.unitproof-${id//[0-9]/a}" ]
check "and what has another name" [ -e "$DATA/torrents/.unitproof-held" ]
stop $held_pid
rm $DATA/torrents/.unitproof-*
ln -s $DATA /run/link
SOURCE=/run/link/torrents FROM=/run/link/torrents TO=/run/link/movies \
        expect "data root is a symbolic link" 0 passed hardlink
TO=/run/data/nowhere expect "directory is missing" 3 'cannot open /run/data/nowhere' hardlink
SOURCE=/run/data/nowhere expect "source is missing" 3 'cannot open' hardlink

restart eval 'contained torrent.service 1000 :; contained radarr.service 1000 "mount --bind $DATA/movies $DATA/movies"'
expect "one file system, two mounts" 1 'separate-mounts.*from /run \(tmpfs of tmpfs\) to /run/data/movies \(tmpfs' hardlink
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
        expect "another user, files not writable for it" 1 'protected-hardlinks.*belongs to 1000 with mode 0644.*works as 1001' hardlink
        expect "the remedy says what to do" 1 'UMASK=002' hardlink
fi
check "nothing is left" [ -z "$(leftovers)" ]
restart eval 'UMASK=000 contained torrent.service 1000 :; contained radarr.service 1001 :'
expect "another user, files writable for it" 0 passed hardlink
chmod 1777 $DATA/movies
expect "a sticky library" 0 passed hardlink
check "nothing is left in it" [ -z "$(leftovers)" ]
chmod 755 $DATA/movies
expect "the importer may not write in the library" 1 'forbidden.*Permission.*belongs to 1000:1000 with mode 0755.*works as 1001' hardlink
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

# NAME TYPE OPTIONS MKFS-WORD... : a file system of its own on /run/other, with torrents and movies; false if there can be none.
disk() {
        local name=$1 type=$2 options=$3
        shift 3
        if ! command -v "mkfs.$type" >/dev/null; then lacks "$name" "no mkfs.$type"; return 1; fi
        rm -f /run/image
        truncate -s 320M /run/image
        if ! "mkfs.$type" -q "$@" /run/image >/dev/null 2>&1 && ! "mkfs.$type" "$@" /run/image >/dev/null 2>&1; then
                lacks "$name" "mkfs.$type $*"; return 1
        fi
        mkdir -p /run/other
        if ! mount -o "loop,$options" /run/image /run/other 2>/dev/null; then
                lacks "$name" "cannot mount $type with $options"; return 1
        fi
        [ "$type" = vfat ] || [ "$type" = exfat ] || { mkdir -p /run/other/{torrents,movies}; chown 1000:1000 /run/other/*; }
}
disk_off() { restart :; umount -R /run/other; rm -f /run/image; }
# NAME STATUS PATTERN : between the two directories of the disk.
on_disk() { SOURCE=/run/other/torrents FROM=/run/other/torrents TO=/run/other/movies expect "$@" hardlink; }

for fs in ext4 xfs btrfs; do
        disk "$fs" $fs rw || continue
        restart same_user
        on_disk "$fs" 0 passed
        check "the evidence names the mount point" [ "$(field hardlink-radarr '[.evidence.source.mount | .point, .type, .on_host] | join(" ")')" = \
                "/run/other $fs /run/other" ]
        disk_off
done

# One file system, two mounts: both mount points are said.
if disk "two mounts of one disk" ext4 rw; then
        mkdir /run/torrents /run/movies
        mount --bind /run/other/torrents /run/torrents
        mount --bind /run/other/movies /run/movies
        restart same_user
        SOURCE=/run/torrents FROM=/run/torrents TO=/run/movies \
                expect "two mounts of one disk" 1 'separate-mounts.*from /run/torrents \(ext4 of /dev/loop.*to /run/movies \(ext4 of /dev/loop' hardlink
        check "and where the host has it" [ "$(field hardlink-radarr .evidence.link_from.mount.on_host)" = /run/torrents ]
        SOURCE=/run/torrents FROM=/run/torrents TO=/run/data/movies \
                expect "two file systems, both named" 1 'other-file-system.*\(ext4 of /dev/loop.*\(tmpfs of tmpfs' hardlink
        restart :
        umount /run/torrents /run/movies
        disk_off
fi

if disk "two btrfs subvolumes" btrfs rw; then
        rmdir /run/other/*
        quiet btrfs subvolume create /run/other/torrents && quiet btrfs subvolume create /run/other/movies
        chown 1000 /run/other/*
        restart same_user
        on_disk "two btrfs subvolumes" 1 'subvolume'
        mkdir -p /run/torrents /run/movies
        mount -o subvol=torrents "$(findmnt -no SOURCE /run/other)" /run/torrents
        mount -o subvol=movies "$(findmnt -no SOURCE /run/other)" /run/movies
        restart same_user
        SOURCE=/run/torrents FROM=/run/torrents TO=/run/movies \
                expect "two btrfs subvolumes, each mounted" 1 'movies: subvolume.*from /run/torrents.*to /run/movies' hardlink
        restart :
        umount /run/torrents /run/movies
        disk_off
fi

# Project quotas: what is made in a directory gets its ID, and links only go where the ID is the same.
for fs in ext4 xfs; do
        words=(); [ $fs = xfs ] || words=(-O project)
        disk "two projects on $fs" $fs rw "${words[@]}" || continue
        if ! quiet chattr -p 41 +P /run/other/torrents || ! quiet chattr -p 42 +P /run/other/movies; then
                lacks "two projects on $fs" "no project IDs"
        else
                restart same_user
                on_disk "two projects on $fs" 1 'project-quota.*project 41 and project 42'
                quiet chattr -p 41 +P /run/other/movies
                on_disk "one project on $fs" 0 passed
        fi
        disk_off
done

if disk "over quota" btrfs rw; then
        if quiet btrfs quota enable /run/other && quiet btrfs qgroup limit 32k /run/other; then
                restart same_user
                on_disk "over quota" 1 ': quota, Disk quota exceeded'
        else
                lacks "over quota" "btrfs sets no limit"
        fi
        disk_off
fi

if disk "a read-only disk" ext4 rw; then
        mount -o remount,ro /run/other
        restart same_user
        on_disk "a read-only disk" 1 'read-only.*in /run/other \(ext4'
        disk_off
fi

for fs in vfat exfat; do
        disk "$fs" $fs uid=1000 || continue
        mkdir /run/other/{torrents,movies}
        restart same_user
        on_disk "$fs" 1 "unsupported.*\\($fs of"
        disk_off
done

# Union file systems: where the branch of the link is another one than that of the file.
rm -rf /run/other
mkdir -p /run/branch/{a/torrents,b/movies} /run/other /run/upper /run/work
chown -R 1000:1000 /run/branch
if ! command -v mergerfs >/dev/null || [ ! -c /dev/fuse ]; then
        lacks "mergerfs that preserves paths" "no mergerfs"
elif quiet mergerfs -o category.create=epmfs,allow_other /run/branch/a:/run/branch/b /run/other; then
        restart same_user
        on_disk "mergerfs that preserves paths" 1 'union.*fuse.mergerfs'
        restart :
        umount /run/other
else
        lacks "mergerfs that preserves paths" "it does not mount"
fi
if mount -t overlay overlay -o lowerdir=/run/branch/a:/run/branch/b,upperdir=/run/upper,workdir=/run/work /run/other 2>/dev/null; then
        restart same_user
        on_disk "an overlay with one upper directory" 0 passed
        restart :
        umount /run/other
else
        lacks "an overlay" "it does not mount"
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
