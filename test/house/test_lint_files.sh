#!/bin/sh
# The files that clang-tidy looks at: all without history; else what changed and what includes it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v git >/dev/null; then
    echo "lint files: git is not installed: skipped"
    exit 77
fi
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failed=0
cd "$house"

# expect WHAT FILE…: what is to be linted now.
expect() {
    what=$1
    shift
    found=$("$here/lint_files.sh" "$house" | tr '\n' ' ')
    if [ "$found" != "${*:+$* }" ]; then
        echo "failed: $what: '$found' instead of '$*'"
        failed=1
    fi
}

commit() {
    git add -A
    git -c user.name=house -c user.email=house@localhost -c commit.gpgsign=false \
        commit -q -m change
}

mkdir -p include/kerb src/path/build src/draw test/path
: >include/kerb/path.h
echo '#include "path.h"' >include/kerb/draw.h
echo '#include "kerb/path.h"' >src/path/build/build.h
echo '#include "../build/build.h"' >src/path/build/build.c
echo '#include "kerb/draw.h"' >src/draw/draw.c
echo '#include "src/path/build/build.h"' >test/path/test_build.c
echo '#include <math.h>' >test/path/test_none.c
: >.clang-tidy
every="src/draw/draw.c src/path/build/build.c test/path/test_build.c test/path/test_none.c"

expect "without history everything" $every
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git init -q -b main
commit
expect "with a first commit alone everything" $every
: >README.md
commit
expect "on main what its last commit changed"
git checkout -q -b branch
expect "a branch that is still main's is as main"
echo >>test/path/test_none.c
commit
expect "on a branch what it changed" test/path/test_none.c
echo '#include "kerb/draw.h"' >src/draw/box.c
echo >>src/path/build/build.h
expect "what is not committed, and who includes a header" src/draw/box.c src/path/build/build.c \
    test/path/test_build.c test/path/test_none.c
git checkout -q src/path/build/build.h
rm src/draw/box.c
echo >>include/kerb/path.h
expect "and who includes it through others" src/draw/draw.c src/path/build/build.c \
    test/path/test_build.c test/path/test_none.c
git checkout -q include
git rm -q test/path/test_none.c
expect "what is gone is left out"
echo >>.clang-tidy
expect "other settings change everything" src/draw/draw.c src/path/build/build.c \
    test/path/test_build.c
exit $failed
