#!/bin/sh
# The C that documents show is true: readme.sh LIBRARY DOCUMENT…  Each ```c block of a document is
# part of a file in examples/, which the tests compile and run, or a program that compiles and runs
# here. In a guide (docs/*.md) it may also be a piece that compiles after test/house/guide_piece.h,
# as declarations or as the body of a function, without a warning.
set -eu
library=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
compiler=${CC:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# is_shown_in FILE BLOCK: the block's lines stand in the file, one after the other.
is_shown_in() {
    awk 'NR == FNR { block = block $0 "\n"; next } { file = file $0 "\n" }
         END { exit index("\n" file, "\n" block) == 0 }' "$2" "$1"
}

is_example() {
    for example in "$root"/examples/*.c; do
        [ -e "$example" ] && is_shown_in "$example" "$1" && return 0
    done
    return 1
}

is_program() {
    grep -q '^int main' "$1" &&
        $compiler -std=c17 -I"$root/include" "$1" "$library" -o "$1.program" -lm && "$1.program"
}

# compiles BLOCK BEFORE AFTER: the block does between these two lines.
compiles() {
    {
        echo "#include \"$here/guide_piece.h\""
        echo "$2"
        echo "#line 1 \"block\""
        cat "$1"
        echo "$3"
    } >"$folder/piece.c"
    $compiler -std=c17 -fsyntax-only -Wall -Wextra -Wno-unused -Werror -I"$root/include" \
        "$folder/piece.c" 2>"$folder/errors"
}

is_piece() {
    case $document in
    */docs/*) ;;
    *) return 1 ;;
    esac
    ! grep -q '^int main' "$1" || return 1
    compiles "$1" "" "" || compiles "$1" "bool kerb_guide_piece(void) {" "return true; }"
}

for document in "$@"; do
    name=$(basename "$document")
    if [ ! -e "$document" ]; then
        echo "readme: there is no $document: skipped"
        exit 77
    fi
    rm -f "$folder"/block_*.c*
    # A block within a list is indented: its lines lose what the first ``` is indented by.
    awk -v folder="$folder" '
        /^ *```c$/ {
            indent = index($0, "`")
            block = sprintf("%s/block_%d.c", folder, ++count)
            printf "" > block
            next
        }
        /^ *```/ { block = "" }
        block { print substr($0, indent) > block }' "$document"
    blocks=0
    for block in "$folder"/block_*.c; do
        [ -e "$block" ] || break
        blocks=$((blocks + 1))
        if ! is_example "$block" && ! is_program "$block" && ! is_piece "$block"; then
            echo "readme: $name: this is neither part of an example nor C that works:"
            cat "$block"
            [ ! -e "$folder/errors" ] || cat "$folder/errors"
            exit 1
        fi
    done
    echo "readme: $name: $blocks blocks of C are true"
    [ $blocks -gt 0 ] || [ "$name" != README.md ]
done
