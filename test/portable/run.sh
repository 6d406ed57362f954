#!/bin/sh
# Compiles the golden program for each way to run it, and compares its hashes with golden.txt.
#
#     run.sh TARGET…      gcc, clang, native (both), aarch64, riscv64, s390x (qemu-user) or wasm
#                         (clang, Node)
#     run.sh --write      writes golden.txt with the machine's own compiler
#
# JOBS in the environment says how many ways go at once (default 1).
#
# Not through CMake: a handful of files, nine or more compilers, and flags that are the point of
# the test. They are those of cmake/flags.cmake that bear on floats.
set -eu
cd "$(dirname "$0")/../.."

flags="-std=c17 -ffp-contract=off -fno-math-errno -fno-trapping-math -Iinclude -I."
sources="$(find src sim scene -name "*.c") test/flush_to_zero.c $(echo test/portable/*.c)"
golden=test/portable/golden.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
started=0 skipped=0

# attempt RESULT NAME RUNNER COMPILER FLAG…: compiles, runs under RUNNER (may be empty), compares.
# RESULT is the program's file, and with .passed behind it says that all went well.
attempt() {
    program=$1 name=$2 runner=$3
    shift 3
    if ! "$@" $flags $sources -o "$program" -lm; then
        echo "golden: $name: does not compile"
    elif $runner "$program" "$golden" >"$program.out" 2>&1; then
        echo "golden: $name: the same"
        : >"$program.passed"
    else
        echo "golden: $name: different"
        cat "$program.out"
    fi
}

# one NAME RUNNER COMPILER FLAG…: an attempt beside the others, JOBS at once.
one() {
    started=$((started + 1))
    attempt "$folder/$started" "$@" &
    [ $((started % ${JOBS:-1})) -ne 0 ] || wait
}

skip() {
    echo "golden: $1: skipped, $2"
    skipped=$((skipped + 1))
}

# native COMPILER [LEVEL]: wide vectors, and the level that no build of CMake's tests and no other
# processor has (they are at -O1, -O3 and -O2).
native() {
    compiler=$1 level=${2:-}
    if ! command -v $compiler >/dev/null; then
        skip $compiler "not installed"
        return
    fi
    [ -z "$level" ] || one "$compiler $level" "" $compiler $level
    if grep -qs ' avx2 .* fma\| fma .* avx2 ' /proc/cpuinfo; then
        one "$compiler -O3 -march=x86-64-v3" "" $compiler -O3 -march=x86-64-v3
    else
        skip "$compiler -march=x86-64-v3" "this processor cannot run it"
    fi
}

# cross PROCESSOR FLAG…
cross() {
    processor=$1
    shift
    one "$processor" "qemu-$processor-static" "$processor-linux-gnu-gcc" -O2 -static "$@"
}

# With its vectors, which is where a compiler could differ. The linker's own stack of 64 KB is less
# than the scenes and their races need.
wasm() {
    one wasm "node --no-warnings test/portable/run_wasm.mjs" clang --target=wasm32-wasi -O3 \
        -msimd128 -Wl,-z,stack-size=1048576
}

for target in "${@:-native}"; do
    case $target in
    --write)
        ${CC:-cc} -O2 $flags $sources -o "$folder/golden" -lm
        "$folder/golden" --write "$golden"
        echo "golden: wrote $golden"
        exit 0
        ;;
    gcc) native gcc -O0 ;;
    clang) native clang ;;
    native)
        native gcc -O0
        native clang
        ;;
    aarch64 | riscv64) cross "$target" ;;
    # With -std=c17 alone, floats are computed as doubles there.
    s390x) cross s390x -fexcess-precision=fast ;;
    wasm) wasm ;;
    *)
        echo "run.sh: unknown target '$target'" >&2
        exit 2
        ;;
    esac
done
wait
passed=$(find "$folder" -name '*.passed' | wc -l)
failed=$((started - passed))
echo "golden: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
