#!/bin/sh
# No source of the library compiles with -ffast-math: each stops with our words. A game's file may
# have the flag and include every public header.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
words="without -ffast-math"

# refuses FILE FLAG…: at the first complaint no more is read.
refuses() {
    ! ${CC:-cc} -std=c17 -Iinclude -ffast-math -E -Wfatal-errors "$@" >/dev/null 2>"$folder/said" &&
        grep -q -e "$words" "$folder/said"
}

checked=0
for source in $(find src -name '*.c'); do
    checked=$((checked + 1))
    if ! refuses "$source" -DKERB_BUILDING; then
        echo "fast math: $source is compiled: it has to include kerb/base.h"
        exit 1
    fi
done
# Builds by hand do not define KERB_BUILDING, and stop at the files with assertions.
if ! refuses src/base/settings.c; then
    echo "fast math: src/base/assertion.h does not refuse it"
    exit 1
fi
echo '#include "kerb/kerb.h"' >"$folder/game.c"
${CC:-cc} -std=c17 -Iinclude -ffast-math -Werror -fsyntax-only "$folder/game.c"
echo "fast math: $checked sources refuse it, the headers do not"
