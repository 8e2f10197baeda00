# SPDX-License-Identifier: LGPL-2.1-or-later
# fish completion for unitproof(1). A test keeps it in step with the table of subcommands.

# A name that no stack can have is not offered.
function __unitproof_stacks
        for dir in /etc/unitproof/*/
                string replace -rf '^/etc/unitproof/([a-z0-9][a-z0-9_-]*)/\z' '$1' -- $dir
        end
end

set -l compiling check config diff explain generate graph
set -l of_stack down drill exec logs prove restart status up

complete -c unitproof -n __fish_use_subcommand -f
complete -c unitproof -n __fish_use_subcommand -a check -d 'report what is wrong with a stack'
complete -c unitproof -n __fish_use_subcommand -a config -d 'print the resolved Compose model as JSON'
complete -c unitproof -n __fish_use_subcommand -a diff -d 'show what a reload would change'
complete -c unitproof -n __fish_use_subcommand -a down -d 'stop a stack'
complete -c unitproof -n __fish_use_subcommand -a drill -d 'try the kill switch while clients run'
complete -c unitproof -n __fish_use_subcommand -a engines -d 'show which container engines can be used'
complete -c unitproof -n __fish_use_subcommand -a exec -d 'run a command in a service\'s container'
complete -c unitproof -n __fish_use_subcommand -a explain -d 'say which line of the input made a unit'
complete -c unitproof -n __fish_use_subcommand -a facts -d 'show what the compiler knows of the host'
complete -c unitproof -n __fish_use_subcommand -a generate -d 'write quadlets, units and links'
complete -c unitproof -n __fish_use_subcommand -a graph -d 'show what waits for what'
complete -c unitproof -n __fish_use_subcommand -a help -d 'show help'
complete -c unitproof -n __fish_use_subcommand -a import -d 'take a stack over into /etc/unitproof'
complete -c unitproof -n __fish_use_subcommand -a logs -d 'show the journal of a stack'
complete -c unitproof -n __fish_use_subcommand -a prove -d 'run one proof now'
complete -c unitproof -n __fish_use_subcommand -a restart -d 'restart a stack'
complete -c unitproof -n __fish_use_subcommand -a status -d 'show services and proofs with their evidence'
complete -c unitproof -n __fish_use_subcommand -a up -d 'start a stack'

complete -c unitproof -l facts -r -F -d 'compile for the host that this file describes'
complete -c unitproof -s h -l help -d 'show help'
complete -c unitproof -l json -d 'print one JSON object'
complete -c unitproof -l no-color -d 'no colour'
complete -c unitproof -l root -x -a '(__fish_complete_directories)' -d 'look at the host below this directory'
complete -c unitproof -l version -d 'print the version'

complete -c unitproof -n "__fish_seen_subcommand_from $compiling" -l name -x -d 'name of the stack'
complete -c unitproof -n "__fish_seen_subcommand_from $compiling" -l profile -x -d 'activate a Compose profile'
complete -c unitproof -n '__fish_seen_subcommand_from diff generate status' -s o -l output -x -a '(__fish_complete_directories)' \
        -d 'directory that is written to, or compared with'
complete -c unitproof -n '__fish_seen_subcommand_from status' -l prometheus -d 'print metrics'
complete -c unitproof -n '__fish_seen_subcommand_from import' -l dry-run -d 'only say what would be done'
complete -c unitproof -n '__fish_seen_subcommand_from import' -l name -x -d 'name of the stack'
complete -c unitproof -n '__fish_seen_subcommand_from import' -l profile -x -d 'activate a Compose profile'
complete -c unitproof -n '__fish_seen_subcommand_from graph' -l dot -d 'print a graph for Graphviz'
complete -c unitproof -n '__fish_seen_subcommand_from logs' -s f -l follow -d 'go on with new entries'
complete -c unitproof -n '__fish_seen_subcommand_from logs' -s n -l lines -x -d 'show the last N entries'

complete -c unitproof -n "__fish_seen_subcommand_from $compiling $of_stack" -a '(__unitproof_stacks)'
complete -c unitproof -n "__fish_seen_subcommand_from $of_stack engines facts help" -f
complete -c unitproof -n '__fish_seen_subcommand_from prove' -a 'engine health killswitch egress binding dns hardlink'
complete -c unitproof -n '__fish_seen_subcommand_from drill' -a killswitch
complete -c unitproof -n '__fish_seen_subcommand_from drill' -s y -l yes -d 'do not ask'
