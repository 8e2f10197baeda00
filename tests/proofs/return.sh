# SPDX-License-Identifier: LGPL-2.1-or-later
# What the gate asks systemd: states of units, the return of clients, stops by hand. A small manager answers on the
# socket of systemd; the lab has the real one.
# shellcheck shell=bash

units=/run/manager
mkdir -p $units /run/systemd
background "$TOOLS/manager" /run/systemd/private $units
manager=$!
until [ -S /run/systemd/private ]; do sleep 0.02; done

# UNIT [PROPERTY=VALUE...]: a unit that is loaded, with these properties and no others.
unit() {
        local name=$1
        shift
        rm -rf "${units:?}/$name"
        mkdir -p "$units/$name"
        for p; do printf '%s\n' "${p#*=}" >"$units/$name/${p%%=*}"; done
}
gate() { "$GATE" start --stack $STACK --subject app "$@"; }

# Requirements that no proof stands behind.
need=(--require started:db:s-db.service)
expect "a unit that nobody knows" 3 'app may not start: db \(s-db.service\) is not known to systemd' gate "${need[@]}"
while read -r status pattern name properties; do
        # shellcheck disable=SC2086
        unit s-db.service $properties
        expect "started: ${name//_/ }" "$status" "${pattern//_/ }" gate "${need[@]}"
done <<'.'
0 ^$ active ActiveState=active SubState=running Result=success
0 ^$ reloading ActiveState=reloading SubState=reload Result=success
3 is_not_active.*systemctl_start_s-db.service inactive ActiveState=inactive SubState=dead Result=success
3 has_not_started_yet.*systemctl_status_s-db.service activating ActiveState=activating SubState=start Result=success
3 has_not_started_yet waits_for_its_restart ActiveState=activating SubState=auto-restart Result=exit-code
1 has_failed.*\(failed,_exit-code\).*systemctl_status_s-db.service failed ActiveState=failed SubState=failed Result=exit-code
1 has_failed ended_badly ActiveState=inactive SubState=dead Result=exit-code
3 is_not_active being_stopped ActiveState=deactivating SubState=stop Result=success
.
need=(--require ran:db:s-db.service)
began="InactiveExitTimestampMonotonic=100 ActiveEnterTimestampMonotonic=200"
well="Result=success ExecMainCode=1 ExecMainStatus=0"
while read -r status pattern name properties; do
        # shellcheck disable=SC2086
        unit s-db.service $properties
        expect "ran: ${name//_/ }" "$status" "${pattern//_/ }" gate "${need[@]}"
done <<.
0 ^$ runs ActiveState=active SubState=running Result=success
0 ^$ to_its_end ActiveState=inactive SubState=dead $began ActiveExitTimestampMonotonic=301 ExecMainExitTimestampMonotonic=300 $well
0 ^$ and_is_cleared_up ActiveState=deactivating SubState=stop $began ActiveExitTimestampMonotonic=301 ExecMainExitTimestampMonotonic=300 $well
3 is_not_active was_stopped ActiveState=inactive SubState=dead $began ActiveExitTimestampMonotonic=300 ExecMainExitTimestampMonotonic=301 $well
3 is_not_active never_ran ActiveState=inactive SubState=dead $well
1 has_failed ended_badly ActiveState=failed SubState=failed $began ActiveExitTimestampMonotonic=301 ExecMainExitTimestampMonotonic=300 Result=exit-code ExecMainCode=1 ExecMainStatus=1
3 has_not_started_yet activating ActiveState=activating SubState=start Result=success
.
need=(--require started:db:s-db.service)
unit s-db.service ActiveState=inactive SubState=dead $began ActiveExitTimestampMonotonic=301 ExecMainExitTimestampMonotonic=300 $well
expect "what is to be up does not do with an end" 3 'is not active' gate "${need[@]}"
need=(--require completed:db:s-db.service)
while read -r status pattern name properties; do
        # shellcheck disable=SC2086
        unit s-db.service $properties
        expect "completed: ${name//_/ }" "$status" "${pattern//_/ }" gate "${need[@]}"
done <<'.'
0 ^$ completed ActiveState=active SubState=exited Result=success
3 still_runs runs ActiveState=active SubState=running Result=success
3 has_not_completed_yet activating ActiveState=activating SubState=start Result=success
1 did_not_complete_successfully failed ActiveState=failed SubState=failed Result=exit-code
1 did_not_complete_successfully exited,_but_not_well ActiveState=active SubState=exited Result=exit-code
3 did_not_run.*systemctl_start_s-db.service never_ran ActiveState=inactive SubState=dead Result=success
.
check "no directory of records was needed" [ ! -e $RECORDS ]
unit s-db.service ActiveState=active
expect "a record is asked for as well" 3 'directory of records .* is missing' gate --require started:db:s-db.service \
        --require health:db:s-db.service
expect "without a unit" 2 '' gate --require started:db:
mkdir -p $RECORDS; touch $RECORDS/held-app
expect "the held mark" 0 '' gate --require started:db:s-db.service
check "is gone with a start" [ ! -e $RECORDS/held-app ]

# A file has changed: told, or the tunnel is restarted.
changed() { TRIGGER_PATH=/etc/unitproof/s/wg0.conf "$GATE" changed --stack s "$@"; }
expect "the stack's own file" 0 'wg0.conf has changed: .*systemctl daemon-reload, then unitproof restart s' changed
expect "without its name" 0 'a file of it has changed' "$GATE" changed --stack s
TRIGGER_PATH=$'/etc/a\nb\e[31m' expect "a name that is no text" 0 '^unitproof-gate: /etc/a b.\[31m has changed' "$GATE" changed --stack s
unit s-tunnel.service ActiveState=active
expect "a tunnel's file" 0 'still runs with what it read at its start.*systemctl restart s-tunnel.service' \
        changed --subject tunnel --unit s-tunnel.service
check "nothing was restarted" [ ! -e $units/s-tunnel.service/restarts ]
expect "its operator wants a restart" 0 's-tunnel.service is restarted' changed --subject tunnel --unit s-tunnel.service --restart
check "it was asked for, and a stop would win" [ "$(cat $units/s-tunnel.service/restarts)" = fail ]
unit s-tunnel.service ActiveState=active refuse=yes
expect "a stop is queued" 1 'cannot be restarted: something else is on its way' changed --subject tunnel --unit s-tunnel.service --restart
expect "a restart of nothing" 2 '' changed --restart

# Return.
back() {
        "$GATE" return --stack $STACK --subject app --unit s-app.service --tunnel-unit s-vpn.service --target s.target "$@"
}
starts() { if [ -e $units/s-app.service/starts ]; then wc -l <$units/s-app.service/starts; else echo 0; fi; }
forget() { rm -f $RECORDS/.return-app $RECORDS/held-app; }
tunnel() { unit s-vpn.service ActiveState=active; mkdir -p /run/systemd/units
           ln -sfn "$(new_id)" /run/systemd/units/invocation:s-vpn.service; }
now() { awk '{ printf "%d\n", $1 * 1000000 }' /proc/uptime; }

tunnel; unit s-app.service ActiveState=inactive
expect "a client that is down" 0 'started again \(attempt 1\)' back
check "by one start" [ "$(starts)" = 1 ]
check "which takes no stop back" [ "$(cat $units/s-app.service/starts)" = fail ]
expect "one that is up already" 0 'active already' back
check "is not started" [ "$(starts)" = 1 ]
forget; unit s-app.service ActiveState=failed; printf '%s\n' failed dependency done >$units/s-app.service/start
before=$SECONDS
expect "fails twice" 0 'attempt 1\): failed; next attempt in 1.* s\..*' back
check "three starts" [ "$(starts)" = 3 ]
check "with growing pauses" [ $((SECONDS - before)) -ge 3 ]
forget; unit s-app.service ActiveState=failed start=silent
expect "nobody tells how the job ended" 0 'result unknown.*|active already' back
forget; unit s-app.service ActiveState=inactive; printf '%s\n' refuse done >$units/s-app.service/start
expect "a stop is queued" 0 'a stop is on its way; next attempt' back
forget; unit s-app.service ActiveState=inactive; touch $RECORDS/held-app
expect "held" 0 'was stopped by hand' back
check "is not started" [ "$(starts)" = 0 ]
forget
while read -r name properties; do
        # shellcheck disable=SC2086
        unit s-vpn.service $properties
        expect "the tunnel ${name//_/ }" 0 's-vpn.service is (not active|being stopped); it starts with its tunnel' back
        check "is not started" [ "$(starts)" = 0 ]
done <<'.'
is_down ActiveState=failed
is_being_stopped ActiveState=active JobType=stop
is_on_its_way_down_by_a_stop ActiveState=deactivating JobType=stop
.
while read -r name properties; do
        # shellcheck disable=SC2086
        unit s-app.service ActiveState=inactive
        # shellcheck disable=SC2086
        unit s-vpn.service $properties
        background bash -c "sleep 0.5; rm -f $units/s-vpn.service/JobType; echo active >$units/s-vpn.service/ActiveState"
        expect "waits for a tunnel that ${name//_/ }" 0 'started again \(attempt 1\)' back
        check "with one start" [ "$(starts)" = 1 ]
        forget
done <<'.'
is_about_to_start ActiveState=inactive JobType=start
is_being_restarted ActiveState=deactivating JobType=restart
has_crashed ActiveState=deactivating
.
tunnel
unit s-app.service ActiveState=inactive
unit s-db.service ActiveState=inactive
expect "what it follows is down" 0 's-db.service is not active; it starts with that' back --follows s-db.service
check "is not started" [ "$(starts)" = 0 ]
unit s-db.service ActiveState=activating
background bash -c "sleep 0.5; echo active >$units/s-db.service/ActiveState"
expect "waits for what it follows" 0 'started again \(attempt 1\)' back --follows s-db.service
forget; unit s-app.service ActiveState=inactive
unit s-vpn.service ActiveState=activating
background bash -c "sleep 0.5; echo active >$units/s-vpn.service/ActiveState"
expect "waits for a tunnel that is coming" 0 'started again \(attempt 1\)' back
check "with one start" [ "$(starts)" = 1 ]
forget; unit s-app.service ActiveState=inactive JobType=start
background bash -c "sleep 0.5; echo active >$units/s-app.service/ActiveState; rm $units/s-app.service/JobType"
touch $RECORDS/held-app
expect "somebody else starts it" 0 'active already' back
check "which ends an earlier stop by hand" [ ! -e $RECORDS/held-app ]
check "which is not done twice" [ "$(starts)" = 0 ]
unit s-app.service ActiveState=activating JobType=restart
background bash -c "sleep 0.5; echo failed >$units/s-app.service/ActiveState; rm $units/s-app.service/JobType"
expect "and fails" 0 'started again \(attempt 1\)' back
check "then it is" [ "$(starts)" = 1 ]
forget; unit s-app.service ActiveState=inactive start=failed
background bash -c "sleep 1.5; touch $RECORDS/held-app"
expect "held while it waits" 0 'was stopped by hand' timeout 20 bash -c "$(declare -f back); STACK=$STACK back"

# A client that ends soon after each start: pauses grow from one process to the next.
forget; tunnel
short() { unit s-app.service ActiveState=inactive "ActiveEnterTimestampMonotonic=$(($(now) - $1 - 1000000))" \
                  "ActiveExitTimestampMonotonic=$(($(now) - 1000000))"; }
unit s-app.service ActiveState=inactive
expect "first start" 0 'attempt 1' back
short 2000000
expect "after two seconds of life" 0 'soon after its start; next attempt in 1' back
short 2000000
expect "and again" 0 'soon after its start; next attempt in 2' back
short 70000000
expect "after a minute and more" 0 '^[^;]*\(attempt 1\)$' back
short 2000000; tunnel
expect "the tunnel was restarted" 0 '^[^;]*\(attempt 1\)$' back
echo nonsense >$RECORDS/.return-app; short 2000000
expect "a note that is none" 0 'attempt 1' back

# Stopped by hand, or not. The client began at 100 and was on its way down from 200 on.
stopped() {
        "$GATE" stopped --stack $STACK --subject app --unit s-app.service --target s.target "$@"
}
stop_of() { # CLIENT-JOB UNIT ACTIVE JOB LEFT TARGET-ACTIVE TARGET-JOB
        forget
        unit s-app.service ActiveState=deactivating "JobType=${1#-}" InactiveExitTimestampMonotonic=100 \
                ActiveEnterTimestampMonotonic=150 ActiveExitTimestampMonotonic=200
        unit "$2" "ActiveState=$3" "JobType=${4#-}" "ActiveExitTimestampMonotonic=$5"
        unit s.target "ActiveState=$6" "JobType=${7#-}"
}
came_of_it() { check "$1" [ "$([ -e $RECORDS/held-app ] && echo held || echo free)" = "$1" ]; }
while read -r held name words; do
        # shellcheck disable=SC2086
        stop_of ${words/VPN/s-vpn.service}
        expect "${name//_/ }" 0 '' stopped --tunnel-unit s-vpn.service
        came_of_it "$held"
done <<'.'
held systemctl_stop_of_the_client stop VPN active - 50 active -
free it_crashed - VPN active - 50 active -
free systemctl_restart_of_the_client restart VPN active - 50 active -
free the_tunnel_crashed stop VPN activating - 200 active -
free the_tunnel_crashed,_and_is_back stop VPN active - 200 active -
held the_tunnel_crashes_after_the_client_was_stopped stop VPN activating - 201 active -
free the_tunnel_restarts restart VPN active restart 50 active -
held the_tunnel_restarts,_and_the_client_is_stopped stop VPN active restart 50 active -
free the_tunnel_stops stop VPN active stop 50 active -
free the_target_stops stop VPN active stop 50 inactive -
free the_target_is_being_stopped stop VPN active - 50 active stop
free the_target_is_being_restarted stop VPN active - 50 active restart
held the_target_is_down stop VPN active - 50 inactive -
held the_target_is_on_its_way stop VPN active - 50 inactive start
.
# What it stands on or follows is looked at like the tunnel; without one the target itself has to be up.
while read -r held name option words; do
        # shellcheck disable=SC2086
        stop_of ${words/OTHER/s-other.mount}
        expect "${name//_/ }" 0 '' stopped --$option s-other.mount
        came_of_it "$held"
done <<'.'
held a_service_on_a_mount_is_stopped mount-unit stop OTHER active - 50 active -
held while_the_target_is_on_its_way mount-unit stop OTHER active - 50 inactive start
free the_target_is_down mount-unit stop OTHER active - 50 inactive -
free the_mount_goes mount-unit stop OTHER inactive - 199 active -
free the_mount_is_stopped mount-unit stop OTHER active stop 50 active -
free what_it_follows_is_stopped follows stop OTHER active stop 50 active -
held what_it_follows_is_up follows stop OTHER active - 50 active -
.

# Systemd is away while it is asked: the question is put again, on a host that has been booted with it (sd_booted(3)).
mkdir -p /run/systemd/system
stop_of stop s-vpn.service active - 50 active -
stop "$manager"
rm /run/systemd/private
background bash -c "sleep 1; exec $TOOLS/manager /run/systemd/private $units"
expect "systemd is away for a moment" 0 'was stopped by hand and' stopped --tunnel-unit s-vpn.service
came_of_it held
stop_of stop s-vpn.service active - 50 active -
touch $units/s-app.service/vanish
expect "or in the middle of the answer" 0 'was stopped by hand and' stopped --tunnel-unit s-vpn.service
came_of_it held

# No space is left: the mark needs none.
forget
rm -rf $RECORDS
mkdir -p $RECORDS
mount -t tmpfs -o size=4k,mode=0755 tmpfs $RECORDS
head -c 4096 /dev/zero >$RECORDS/full
stop_of stop s-vpn.service active - 50 active -
expect "no space is left" 0 'was stopped by hand and' stopped --tunnel-unit s-vpn.service
came_of_it held
umount $RECORDS
