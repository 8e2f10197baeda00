# SPDX-License-Identifier: LGPL-2.1-or-later
# bash completion for unitproof(1). A test keeps it in step with the table of subcommands.

_unitproof_stacks() {
        local dir
        for dir in /etc/unitproof/*/; do
                dir=${dir%/}
                [[ -d $dir && ${dir##*/} != unitproof.conf.d ]] && printf '%s\n' "${dir##*/}"
        done
}

_unitproof() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word i n=0
        local common='--facts --help --json --no-color --root --version'
        local -A options=(
                [check]='--name --profile'
                [config]='--name --profile'
                [diff]='--name --output --profile'
                [down]=''
                [drill]='--yes'
                [engines]=''
                [exec]=''
                [explain]='--name --profile'
                [facts]=''
                [generate]='--name --output --profile'
                [graph]='--dot --name --profile'
                [help]=''
                [import]='--dry-run --name --profile'
                [logs]='--follow --lines'
                [prove]=''
                [restart]=''
                [status]='--output --prometheus'
                [up]=''
        )

        COMPREPLY=()
        case $prev in
        --root | --output | -o)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -d -- "$cur")
                return
                ;;
        --facts)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                return
                ;;
        --name | --profile | --lines | -n)
                return
                ;;
        esac

        for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                case $word in
                --root | --output | -o | --facts | --name | --profile | --lines | -n) ((i++)) ;;
                -*) ;;
                *)
                        if [[ -z $command ]]; then command=$word; else ((n++)); fi
                        ;;
                esac
        done

        if [[ $cur == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$common ${options[${command:-none}]-}" -- "$cur")
                return
        fi
        case $command:$n in
        :*)
                mapfile -t COMPREPLY < <(compgen -W "${!options[*]}" -- "$cur")
                ;;
        help:0)
                mapfile -t COMPREPLY < <(compgen -W "${!options[*]}" -- "$cur")
                ;;
        prove:0)
                mapfile -t COMPREPLY < <(compgen -W 'engine health killswitch egress binding dns hardlink' -- "$cur")
                ;;
        drill:0)
                mapfile -t COMPREPLY < <(compgen -W 'killswitch' -- "$cur")
                ;;
        up:0 | down:0 | restart:0 | exec:0 | logs:0 | prove:1 | drill:1 | status:*)
                mapfile -t COMPREPLY < <(compgen -W "$(_unitproof_stacks)" -- "$cur")
                ;;
        import:0)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                ;;
        check:* | config:0 | diff:* | generate:* | graph:0 | explain:1)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -W "$(_unitproof_stacks)" -- "$cur"; compgen -f -- "$cur")
                ;;
        esac
}

complete -F _unitproof unitproof
