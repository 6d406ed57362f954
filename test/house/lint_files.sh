#!/bin/sh
# The .c files that clang-tidy has to look at: lint_files.sh [--all] [ROOT]. Those that differ from
# the merge base with main, or on main itself from its first parent; those that include such a
# header, however many headers lie between; all where the settings of clang-tidy or CMake differ, or
# where there is no history to compare with.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
whole=no
if [ "${1:-}" = --all ]; then
    whole=yes
    shift
fi
cd "${1:-$here/../..}"

# The consumer is a project of its own, and the golden program is about bits.
all() {
    find src io sim scene tool test -name '*.c' ! -path 'test/consumer/*' \
        ! -path 'test/portable/*' 2>/dev/null | LC_ALL=C sort
}

# The commit to compare with; fails where there is none.
base() {
    [ -z "$(git rev-parse --show-prefix)" ] || return 1 # a folder in a repository of others
    for main in main origin/main; do
        found=$(git merge-base HEAD $main) || continue
        [ "$found" != "$(git rev-parse HEAD)" ] || found=$(git rev-parse --verify HEAD^) || return 1
        echo "$found"
        return 0
    done
    return 1
}

# Committed or not, tracked or not.
changed() {
    git diff --name-only "$1" && git ls-files --others --exclude-standard
}

if [ $whole = yes ] || ! since=$(base 2>/dev/null) || ! names=$(changed "$since"); then
    all
elif echo "$names" | grep -q '^\.clang-tidy$\|^CMakePresets\.json$\|CMakeLists\.txt$\|\.cmake$'; then
    all
else
    list=$(mktemp)
    trap 'rm -f "$list" "$list.all"' EXIT
    echo "$names" >"$list"
    all >"$list.all"
    find include src io sim scene tool test fuzz -name '*.[ch]' 2>/dev/null | LC_ALL=C sort |
        xargs awk -f "$here/includers.awk" "$list" | LC_ALL=C sort | LC_ALL=C comm -12 - "$list.all"
fi
