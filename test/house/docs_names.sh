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
{
    present | xargs -I{} find {}
    # Of the folders with packages from elsewhere, what a document may link to.
    find docs ./*.md ./LICENSE bindings playground -maxdepth 2 2>/dev/null | sed 's,^\./,,'
} >"$work/paths"

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

# What is in the tree, then each name once: one program, because a process for each name takes long.
sort -u "$work/found" | awk -v folders="$folders" -v work="$work" '
    function is_path(path) {
        sub(/\/$/, "", path)
        return path in paths || ("include/" path) in paths || (path ".h") in paths ||
            (path ".c") in paths || ("include/" path ".h") in paths
    }
    # Beginnings of words are few: a search of all is fast enough.
    function begins_word(beginning,    word) {
        for (word in words) if (index(word, beginning) == 1) return 1
        return 0
    }
    function are_words(name,    parts, count, i) {
        count = split(name, parts, ".")
        for (i = 1; i <= count; i++) if (!(parts[i] in words)) return 0
        return 1
    }
    # A path from a document, whose file may be empty before its heading.
    function is_link(to, from,    heading, at, path) {
        at = index(to, "#")
        heading = at ? substr(to, at) : ""
        path = at ? substr(to, 1, at - 1) : to
        if (path == "") path = from
        else {
            if (from ~ /\//) path = substr(from, 1, match(from, /[^\/]*$/) - 1) path
            while (sub(/[^\/]+\/\.\.\//, "", path)) ;
            sub(/^\.\//, "", path)
            sub(/\/$/, "", path)
        }
        return path in paths && (heading == "" || (path heading) in anchors)
    }
    function exists(kind, name, from,    folder) {
        if (kind == "link") return name ~ /:\/\// || is_link(name, from)
        if (kind == "word") {
            if (sub(/(_|…|\*)$/, "&", name)) {
                sub(/(…|\*)$/, "", name)
                return begins_word(name)
            }
            return name ~ /\.(h|c|hpp|cpp)$/ ? name in files : are_words(name)
        }
        if (name ~ /^\./ || name ~ /[A-Z][A-Z]\// || name ~ /\/[A-Z][A-Z].*\.h$/ ||
            name ~ /^docs\/html\//) return 1
        if (name ~ /^test_/)
            return name in files || (name ".c") in files || (name ".sh") in files || name in words
        if (name ~ /\//) {
            folder = substr(name, 1, index(name, "/") - 1)
            return !index(" " folders " kerb docs ", " " folder " ") || is_path(name)
        }
        if (name ~ /\.(c|h|cpp|sh)$/) return name in files
        if (name ~ /^[a-z].*_$/) return begins_word(name)
        if (name ~ /^[a-z].*_/ && name !~ /-/) return are_words(name)
        return 1
    }
    BEGIN {
        while ((getline line <(work "/words")) > 0) words[line]
        while ((getline line <(work "/anchors")) > 0) anchors[line]
        while ((getline line <(work "/paths")) > 0) {
            paths[line]
            sub(/.*\//, "", line)
            files[line]
        }
    }
    {
        from = $3
        sub(/:[0-9]+$/, "", from)
        if ($1 " " $2 != last || $1 == "link") known = exists($1, $2, from)
        last = $1 " " $2
        if (!known) print $3 ": there is no " $2
    }' >"$work/missing"
sort -t: -k1,1 -k2,2n "$work/missing"
[ ! -s "$work/missing" ] || exit 1
echo "docs_names: $(wc -l <"$work/found" | tr -d ' ') names of $# documents exist"
