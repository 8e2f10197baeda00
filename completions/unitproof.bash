# SPDX-License-Identifier: LGPL-2.1-or-later
# bash completion for unitproof(1). A test keeps it in step with the table of subcommands.

# Nothing here goes through compgen -W: it expands its words, so that a directory named "$(command)" would be run.
# A name that no stack can have is not offered; those that can need no quotes.
_unitproof_stacks() {
        local LC_ALL=C dir name
        for dir in /etc/unitproof/*/; do
                name=${dir%/}
                name=${name##*/}
                [[ $name == [a-z0-9]* && $name != *[!a-z0-9_-]* && $name == "$cur"* ]] && COMPREPLY+=("$name")
        done
}

# Of the words, those that go on from what is written.
_unitproof_words() {
        local word
        for word; do
                [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
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
                # shellcheck disable=SC2086 # words of the tables above
                _unitproof_words $common ${options[${command:-none}]-}
                return
        fi
        case $command:$n in
        :*)
                _unitproof_words "${!options[@]}"
                ;;
        help:0)
                _unitproof_words "${!options[@]}"
                ;;
        prove:0)
                _unitproof_words engine health killswitch egress binding dns hardlink
                ;;
        drill:0)
                _unitproof_words killswitch
                ;;
        up:0 | down:0 | restart:0 | exec:0 | logs:0 | prove:1 | drill:1 | status:*)
                _unitproof_stacks
                ;;
        import:0)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                ;;
        check:* | config:0 | diff:* | generate:* | graph:0 | explain:1)
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$cur")
                _unitproof_stacks
                ;;
        esac
}

complete -F _unitproof unitproof
