# practice/chinese.sh, for practice/run to source: where the environment's language is Chinese, as gettext decides it, runs it
# again and prints its lines in Chinese. chinese.txt has a row for each, "English => 中文": {} stands for anything, {:} for
# anything without a colon, {#} for a number; {1} in Chinese is the first of them, itself translated. The first row that fits
# counts. A line without a row stays as it is: what the simulator and the compiler say, and commands.
# shellcheck shell=bash
chinese_table=${BASH_SOURCE[0]%.sh}.txt
is_chinese() {
    local locale=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} first=${LANGUAGE:-}
    case $locale in '' | C | C.* | POSIX) return 1 ;; *[Uu][Tt][Ff]8* | *[Uu][Tt][Ff]-8*) ;; *) return 1 ;; esac
    first=${first%%:*}
    [[ ${first:-$locale} = zh* ]]
}

read_chinese() {
    local pattern row
    declare -gA exact=()
    patterns=() templates=()
    while IFS=$'\t' read -r pattern row; do
        case ${row%% => *} in
        *'{'[':#}']*) patterns+=("^$pattern\$") templates+=("${row#* => }") ;;
        *) exact[${row%% => *}]=${row#* => } ;;
        esac
    done < <(sed -n '/ => /{h;s/ => .*//;s/[][\\.*^$+?()|]/\\&/g;s/{}/(.+)/g;s/{:}/([^:]+)/g;s/{#}/(-?[0-9][0-9.]*)/g;G;s/\n/\t/;p}' "$chinese_table")
}

# Sets REPLY to this text in Chinese.
in_chinese() {
    local text=$1 i k found out
    REPLY=$text
    if [[ $text =~ ^[0-9]+(', '[0-9]+)*$ ]]; then
        REPLY=${text//, /、}
        return
    fi
    [ -n "$text" ] || return 0
    [ -z "${exact[$text]:-}" ] || { REPLY=${exact[$text]} && return; }
    for i in "${!patterns[@]}"; do
        [[ $text =~ ${patterns[i]} ]] || continue
        found=("${BASH_REMATCH[@]}") out=${templates[i]}
        for ((k = 1; k < ${#found[@]}; k++)); do
            in_chinese "${found[k]}"
            out=${out//"{$k}"/"$REPLY"}
        done
        REPLY=$out
        return
    done
    REPLY=$text
}

chinese_page() { [ -n "${PRACTICE_LANGUAGE:-}" ] && [ -f "practice/exercises/${1%/*}/README.zh-CN.md" ]; }
# The task of an exercise, from its Chinese page: what is below the heading.
chinese_task() {
    chinese_page "$1" && awk -v slug="${1#*/}" '
        /^<details>/ { here = 0 }
        /^## / && (here = index($0, "## " slug "：") == 1) { found = 1; sub(/^## /, "") }
        here && !/^<!--/ { print "  " $0 }
        END { exit !found }' "practice/exercises/${1%/*}/README.zh-CN.md"
}

# Standard input, line by line; with the argument 1 verdicts are coloured.
lines_in_chinese() {
    local line before word after colour plain=''
    read_chinese
    [ "${1:-}" != 1 ] || plain=$'\033[0m'
    while IFS= read -r line; do
        if [[ $line =~ ^'  '(ok|WRONG|-)' '+(.*)$ ]]; then
            word=${BASH_REMATCH[1]}
            in_chinese "${BASH_REMATCH[2]}"
            case $word in ok) word='对' colour=32 ;; WRONG) word='错' colour='1;31' ;; *) word='- ' colour=33 ;; esac
            printf '  %s%s%s    %s\n' "${plain:+$'\033['${colour}m}" "$word" "$plain" "$REPLY"
        else
            [[ $line =~ ^(($'\033'\[[0-9;]*m|' ')*)(.*[^m]|.*[^0-9;]m|)(($'\033'\[0m)?)$ ]] || BASH_REMATCH=("$line" '' '' "$line" '')
            before=${BASH_REMATCH[1]} after=${BASH_REMATCH[4]}
            in_chinese "${BASH_REMATCH[3]}"
            printf '%s%s%s\n' "$before" "$REPLY" "$after"
        fi
    done
}

if [ -z "${PRACTICE_LANGUAGE:-}" ] && [[ ${1:-} != --* ]] && is_chinese; then
    export PRACTICE_LANGUAGE=zh-CN PRACTICE_TERMINAL=''
    [ ! -t 1 ] || PRACTICE_TERMINAL=1
    "$0" "$@" | (trap '' INT && lines_in_chinese "$PRACTICE_TERMINAL")
    exit "${PIPESTATUS[0]}"
fi
