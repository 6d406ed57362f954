#!/bin/sh
# The C that README.md shows is true: readme.sh README LIBRARY. Each ```c block is part of a file in
# examples/, which the tests compile and run, or else a program that compiles and runs here.
set -eu
readme=$1
library=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -e "$readme" ]; then
    echo "readme: there is no $readme: skipped"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk -v folder="$folder" '
    /^```c$/ { block = sprintf("%s/block_%d.c", folder, ++count); printf "" > block; next }
    /^```/ { block = "" }
    block { print > block }' "$readme"

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
        ${CC:-cc} -std=c17 -I"$root/include" "$1" "$library" -o "$1.program" -lm && "$1.program"
}

blocks=0
for block in "$folder"/block_*.c; do
    [ -e "$block" ] || break
    blocks=$((blocks + 1))
    if ! is_example "$block" && ! is_program "$block"; then
        echo "readme: this is neither part of an example nor a program that works:"
        cat "$block"
        exit 1
    fi
done
echo "readme: $blocks blocks of C are true"
[ $blocks -gt 0 ]
