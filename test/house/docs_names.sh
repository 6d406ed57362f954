#!/bin/sh
# What the documents name exists: docs_names.sh [FOLDER]. In README.md, docs, bench and sim of the
# folder (the tree's own unless given) these must be in the tree:
#   kerb_x, KERB_X       a word of the sources; kerb_x_... or kerb_x_* : the beginning of one
#   kerb_x.member        both are words of the sources
#   some_name            in backticks: a word of the sources, as are its parts where it has dots
#   test_x, name.c       a file of that name, for test_x with the ending .c or .sh
#   folder/name          in backticks: a path of the tree, or of include/, with or without .h or .c
#   [text](path#heading) the path, from the document, and the heading in it
# ROOM in a path stands for any room, and docs/html is made by ./dev docs.
# Names in code blocks count too. Paths count in inline code alone, because a block may show the
# files of a user.
set -eu
root=$(cd "${1:-$(dirname "$0")/../..}" && pwd)
cd "$root"
# shellcheck disable=SC2046 # the names of documents have no spaces
set -- $(find ./README.md docs bench sim -maxdepth 1 -name '*.md' 2>/dev/null | sed 's,^\./,,')
if [ ! -e docs ] || [ ! -e src ]; then
    echo "docs_names: $root has no docs or no sources: skipped"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders='bench cmake examples fuzz include io package scene sim src test tool'

present() {
    for name in $folders CMakeLists.txt CMakePresets.json dev .ci .clang-format .clang-tidy; do
        [ ! -e "$name" ] || echo "$name"
    done
}

present | xargs grep -rhoE '[A-Za-z_][A-Za-z0-9_]*' --include='*.[ch]' --include='*.cpp' \
    --include='*.txt' --include='*.cmake' --include='*.json' --include='*.in' \
    --include=dev 2>/dev/null | sort -u >"$work/words"
present | xargs -I{} find {} -type f >"$work/files"
find docs ./*.md -type f | sed 's,^\./,,' >>"$work/files"
sed 's,.*/,,' "$work/files" | sort -u >"$work/names"

# file#heading for each heading, as GitHub makes anchors of them.
awk '
    FNR == 1 { fenced = 0 }
    /^```/ { fenced = !fenced }
    !fenced && /^#+ / {
        anchor = tolower($0)
        sub(/^#+ /, "", anchor)
        gsub(/[][`*().,:;!?"\047\/&+=<>|]/, "", anchor)
        gsub(/ /, "-", anchor)
        print FILENAME "#" anchor
    }' "$@" >"$work/anchors"

# One line for each name: kind, name, file:line.
awk '
    FNR == 1 { fenced = 0 }
    /^```/ { fenced = !fenced; next }
    {
        place = FILENAME ":" FNR
        text = $0
        while (match(text, /(kerb|KERB)_[A-Za-z0-9_]*(\.[a-z][a-z_0-9]*)*(…|\*)?/)) {
            name = substr(text, RSTART, RLENGTH)
            # What stands before it belongs to another word: libkerb_x is not ours.
            before = RSTART > 1 ? substr(text, RSTART - 1, 1) : " "
            text = substr(text, RSTART + RLENGTH)
            if (before ~ /[A-Za-z0-9_]/) continue
            print "word", name, place
        }
        if (fenced) next
        text = $0
        while (match(text, /\]\([^) ]+/)) {
            print "link", substr(text, RSTART + 2, RLENGTH - 2), place
            text = substr(text, RSTART + RLENGTH)
        }
        text = $0
        while (match(text, /`[^`]+`/)) {
            code = substr(text, RSTART + 1, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
            if (code ~ /^[A-Za-z0-9_.\/-]+$/) print "code", code, place
        }
    }' "$@" >"$work/found"

is_word() { grep -qxF -e "$1" "$work/words"; }
is_name() { grep -qxF -e "$1" "$work/names"; }

is_path() {
    for path in "$1" "include/$1" "$1.h" "$1.c" "include/$1.h"; do
        [ ! -e "$path" ] || return 0
    done
    return 1
}

# begins_word PREFIX
begins_word() { grep -q "^$1" "$work/words"; }

# is_link PATH FROM: the path may be empty before its #.
is_link() {
    to=${1%%#*}
    folder=$(dirname "$2")
    [ -z "$to" ] || [ -e "$folder/$to" ] || return 1
    case $1 in
    *#*)
        if [ -z "$to" ]; then to=$2; else
            to=$(echo "$folder/$to" | sed -e ':a' -e 's,[^/]*/\.\./,,' -e 'ta' -e 's,^\./,,')
        fi
        grep -qxF -e "$to#${1#*#}" "$work/anchors" ;;
    esac
}

# exists KIND NAME FILE
exists() {
    case $1:$2 in
    word:*_) begins_word "$2" ;;
    word:*…) begins_word "${2%…}" ;;
    word:*\*) begins_word "${2%\*}" ;;
    word:*.h | word:*.c | word:*.hpp | word:*.cpp) is_name "$2" ;;
    word:*.*) for word in $(echo "$2" | tr . ' '); do is_word "$word" || return 1; done ;;
    word:*) is_word "$2" ;;
    link:*://*) true ;;
    link:*) is_link "$2" "$3" ;;
    code:.* | code:*[A-Z][A-Z]/* | code:*/[A-Z][A-Z]*.h | code:docs/html/*) true ;;
    code:test_*) is_name "$2" || is_name "$2.c" || is_name "$2.sh" || is_word "$2" ;;
    code:*/*)
        case " $folders kerb docs " in
        *" ${2%%/*} "*) is_path "$2" ;;
        esac ;;
    code:*.c | code:*.h | code:*.cpp | code:*.sh) is_name "$2" ;;
    code:[a-z]*_) begins_word "$2" ;;
    code:[a-z]*_*)
        case $2 in
        *-*) true ;;
        *) for word in $(echo "$2" | tr . ' '); do is_word "$word" || return 1; done ;;
        esac ;;
    esac
}

last=
sort -u "$work/found" | while read -r kind name place; do
    if [ "$kind $name" != "$last" ] || [ "$kind" = link ]; then
        last="$kind $name"
        known=yes
        exists "$kind" "$name" "${place%:*}" || known=no
    fi
    [ "$known" = yes ] || echo "$place: there is no $name"
done >"$work/missing"
sort -t: -k1,1 -k2,2n "$work/missing"
[ ! -s "$work/missing" ] || exit 1
echo "docs_names: $(wc -l <"$work/found" | tr -d ' ') names of $# documents exist"
