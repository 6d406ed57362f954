#!/bin/sh
# Every scene of the stage gives in Node the hash of the native build, and in a second run, a tenth as
# long, once more.
#
#     playground/native/test.sh STAGE_HASHES [FOLDER]
#
# STAGE_HASHES is the native program, FOLDER where stage.wasm goes (default build-playground). Exit code 77:
# skipped, with a line that says why.
set -eu
native=$1
folder=${2:-build-playground}
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null; then
    echo "playground: skipped, no node"
    exit 77
fi
code=0
playground/native/build.sh "$folder/stage.wasm" || code=$?
if [ $code -eq 3 ]; then
    echo "playground: skipped, see above"
    exit 77
fi
[ $code -eq 0 ] || exit 1
for steps in 600 60; do
    "$native" $steps >"$folder/native.txt"
    if ! node playground/native/run_stage.mjs "$folder/stage.wasm" $steps >"$folder/wasm.txt" 2>"$folder/wasm.log"; then
        cat "$folder/wasm.txt" "$folder/wasm.log"
        exit 1
    fi
    if ! diff "$folder/native.txt" "$folder/wasm.txt"; then
        echo "playground: $steps steps differ from the native build"
        exit 1
    fi
    echo "playground: $(wc -l <"$folder/native.txt") scenes, $steps steps: the hashes of the native build"
done
