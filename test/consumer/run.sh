#!/bin/sh
# Builds games against Kerb: run.sh BUILD-FOLDER. Once against the static library of that build, found
# by find_package and by pkg-config, from a tree that was moved after it was installed. Once with the
# sources in the game's own build (add_subdirectory), shared and for debugging, while the game has
# -ffast-math. Then against what that installs. What the command shows of itself is installed, too.
# kerb::io is used where BUILD-FOLDER has it.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "consumer: failed: $*"
    exit 1
}

quietly() {
    "$@" >"$folder/log" 2>&1 || {
        cat "$folder/log"
        fail "$@"
    }
}

io=OFF
[ ! -e "$build/io/libkerb_io.a" ] || io=ON
[ $io = ON ] || echo "consumer: kerb::io was not built: skipped"

# play FOLDER NAME: the programs of a game run.
play() {
    quietly "$1/consumer"
    [ $io = OFF ] || quietly "$1/reader"
    echo "consumer: $2 works"
}

# compile SOURCE PACKAGE: by hand, with what pkg-config says.
compile() {
    quietly ${CC:-cc} -std=c17 "$here/$1.c" $(pkg-config --cflags --libs "$2") -o "$folder/$1"
}

# shown BUILD-FOLDER: what the command shows of itself is installed: a manual page of each of its
# commands, completions.
shown() {
    [ -f "$1/kerb" ] || return 0 # within a game, kerb is a folder
    names=$("$1/kerb" manual | sed -n 's/^\\fBkerb\\-\([a-z]*\)\\fR(1)$/-\1/p')
    [ -n "$names" ] || fail "the manual names no command"
    for name in "" $names; do
        page="$folder/first/share/man/man1/kerb$name.1"
        [ -s "$page" ] || fail "no ${page##*/} is installed"
    done
    [ -s "$folder/first/share/bash-completion/completions/kerb" ] || fail "nothing for bash"
    [ -s "$folder/first/share/zsh/site-functions/_kerb" ] || fail "nothing for zsh"
    echo "consumer: manual pages and completions are installed"
}

# consume NAME BUILD-FOLDER SHARED-FLAG
consume() {
    quietly cmake --install "$2" --prefix "$folder/first"
    shown "$2"
    rm -rf "$folder/moved" "$folder/build"
    mv "$folder/first" "$folder/moved"

    quietly cmake -S "$here" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/moved"
    quietly cmake --build "$folder/build"
    play "$folder/build" "$1: find_package"

    if ! command -v pkg-config >/dev/null; then
        echo "consumer: $1: pkg-config is not installed: skipped"
        return
    fi
    pc=$(find "$folder/moved" -name kerb.pc)
    export PKG_CONFIG_PATH="${pc%/*}"
    compile main kerb
    mv "$folder/main" "$folder/consumer"
    [ $io = OFF ] || compile reader kerb-io
    LD_LIBRARY_PATH="${pc%/*/*}" play "$folder" "$1: pkg-config"
    defined=$(echo $(pkg-config --cflags-only-other kerb))
    [ "$defined" = "$3" ] || fail "$1: kerb.pc defines '$defined', not '$3'"
}

consume static "$build" ""

# What is asked is whether it links: the library is one unit, not optimized, without what a debugger
# reads, and the whole test takes a third of the time.
quietly cmake -S "$here" -B "$folder/game" -DKERB_SOURCE="$here/../.." -DKERB_BUILD_IO=$io \
    -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG= \
    -DKERB_ONE_UNIT=ON -DCMAKE_C_FLAGS=-ffast-math
quietly cmake --build "$folder/game" --parallel 2
play "$folder/game" "add_subdirectory"
# Only configured, because that is what can fail; its source is linked with the library of above.
if command -v "${CXX:-c++}" >/dev/null; then
    quietly cmake -S "$here/cpp" -B "$folder/cpp" -DKERB_SOURCE="$here/../.."
    quietly ${CXX:-c++} -std=c++20 -I"$here/../../include" "$here/cpp/main.cpp" \
        "$build/libkerb.a" -o "$folder/consumer_cpp"
    quietly "$folder/consumer_cpp"
    echo "consumer: a game of C++ alone works"
fi
quietly "$here/../house/check_symbols.sh" "$folder/game"

ulimit -c 0
aborted=no
{ "$folder/game/consumer" invalid >"$folder/log" 2>&1 || aborted=yes; } 2>/dev/null
[ $aborted = yes ] || fail "no assertion in Debug"
grep -q "follower->vehicle.braking_max must be from" "$folder/log" ||
    fail "the assertion does not name the field: $(cat "$folder/log")"
echo "consumer: assertions in a Debug build name the field"

quietly cmake --install "$folder/game" --prefix "$folder/first"
[ ! -e "$folder/first" ] || fail "add_subdirectory installs $(ls "$folder/first")"
quietly cmake "$folder/game" -DKERB_INSTALL=ON
quietly cmake --build "$folder/game" --parallel 2
consume shared "$folder/game" "-DKERB_SHARED"
