#!/bin/sh
# Every scene of the stage gives in Node the hash of the native build, and once more in a second run.
#
#     playground/native/test.sh STAGE_HASHES [FOLDER]
#
# STAGE_HASHES is the native program, FOLDER where stage.wasm goes (default build-playground). Exit code 77:
# skipped, with a line that says why.
set -eu
native=$1
folder=${2:-build-playground}
steps=600
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
"$native" $steps >"$folder/native.txt"
for round in 1 2; do
    if ! node playground/native/run_stage.mjs "$folder/stage.wasm" $steps >"$folder/wasm.txt" 2>"$folder/wasm.log"; then
        cat "$folder/wasm.txt" "$folder/wasm.log"
        exit 1
    fi
    if ! diff "$folder/native.txt" "$folder/wasm.txt"; then
        echo "playground: round $round differs from the native build"
        exit 1
    fi
done
echo "playground: $(wc -l <"$folder/native.txt") scenes, $steps steps: the hashes of the native build"
