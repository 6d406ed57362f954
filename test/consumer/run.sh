#!/bin/sh
# Installs Kerb and builds a game against it: run.sh BUILD-FOLDER. Once the static library of that
# build, once a shared one, each found by find_package and by pkg-config, from a tree that was moved
# after it was installed.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

quietly() {
    "$@" >"$folder/log" 2>&1 || {
        cat "$folder/log"
        echo "consumer: failed: $*"
        exit 1
    }
}

# consume NAME BUILD-FOLDER
consume() {
    quietly cmake --install "$2" --prefix "$folder/first"
    rm -rf "$folder/moved" "$folder/build"
    mv "$folder/first" "$folder/moved"

    quietly cmake -S "$here" -B "$folder/build" -DCMAKE_PREFIX_PATH="$folder/moved"
    quietly cmake --build "$folder/build"
    quietly "$folder/build/consumer"
    echo "consumer: $1: find_package works"

    if ! command -v pkg-config >/dev/null; then
        echo "consumer: $1: pkg-config is not installed: skipped"
        return
    fi
    pc=$(find "$folder/moved" -name kerb.pc)
    export PKG_CONFIG_PATH="${pc%/*}"
    quietly ${CC:-cc} -std=c17 "$here/main.c" $(pkg-config --cflags --libs kerb) -o "$folder/game"
    LD_LIBRARY_PATH="${pc%/*/*}" quietly "$folder/game"
    echo "consumer: $1: pkg-config works"
}

consume static "$build"
# What is asked is whether it links: not optimized, it is built in a third of the time.
quietly cmake -S "$here/../.." -B "$folder/shared" -DCMAKE_BUILD_TYPE=Debug -DBUILD_SHARED_LIBS=ON \
    -DKERB_BUILD_TOOL=OFF -DKERB_BUILD_TESTS=OFF
quietly cmake --build "$folder/shared" --parallel 2
consume shared "$folder/shared"
