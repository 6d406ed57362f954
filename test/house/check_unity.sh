#!/bin/sh
# Builds everything but the tests as CMAKE_UNITY_BUILD=ON does, one unit a target, with warnings as
# errors: no file-local name of a target may stand in two of its files, or shadow another's. Against
# a shared library, of which the command, benchmarks and examples find only what is public.
# check_unity.sh [FOLDER]: objects stay in FOLDER (build-unity).
set -eu
cd "$(dirname "$0")/../.."
folder=${1:-build-unity}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! {
    cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON \
        -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 -DBUILD_SHARED_LIBS=ON -DKERB_BUILD_TESTS=OFF \
        -DKERB_WARNINGS_ARE_ERRORS=ON &&
        cmake --build "$folder" --parallel 2
} >"$log" 2>&1; then
    grep -E 'error|warning' "$log" || cat "$log"
    echo "check_unity: the build as one unit a target fails"
    exit 1
fi
