#!/bin/sh
# Compiles the golden program for each way to run it, and compares its hashes with golden.txt.
#
#     run.sh TARGET…      gcc, clang (each for wide vectors, then with the library as two files and
#                         without optimization), native (both); aarch64, riscv64, s390x (qemu-user)
#                         or wasm (clang, Node)
#     run.sh --write      writes golden.txt with the machine's own compiler
#
# JOBS in the environment says how many files are compiled at once (default 1). With more than one, a
# program runs while the next is compiled.
#
# For wide vectors gcc and clang compile src/. All others compile the amalgamated dist/kerb.c: half the
# work, and other optimization, since the compiler sees the library whole.
#
# Not through CMake: nine or more compilers, and flags that are the point of the test. They are those
# of cmake/flags.cmake that bear on floats. Objects stay in build-portable/, one folder for each
# compiler and its flags, and are used again.
set -eu
cd "$(dirname "$0")/../.."

flags="-std=c17 -ffp-contract=off -fno-math-errno -fno-trapping-math -Iinclude -I."
golden=test/portable/golden.txt
jobs=${JOBS:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
started=0 skipped=0
library=src
driven= # a folder with objects of all but the library, which need not be compiled again

# build NAME COMPILER FLAG…: compiles what has changed; says in $program where the program is.
build() {
    name=$1
    shift
    # A compiler or a flag that changes starts afresh.
    key=$(echo "$library $* $flags $("$1" --version | head -n 1)" | cksum | cut -d ' ' -f 1)
    objects=build-portable/$(echo "$name" | tr -c 'a-zA-Z0-9\n' _)-$key
    program=$objects/golden
    compile= link=
    for word in "$@" $flags; do
        case $word in
        -Wl,*) link="$link $word" ;;
        *) compile="$compile $word" ;;
        esac
    done
    make -s -j "$jobs" -f test/portable/golden.mk FOLDER="$objects" COMPILE="$compile" LINK="$link" \
        LIBRARY="$library" DRIVEN="$driven"
}

# compare RESULT NAME RUNNER PROGRAM: runs it under RUNNER (may be empty), compares. RESULT is a file
# for what it says, and with .passed behind it says that all went well.
compare() {
    if $3 "$4" "$golden" >"$1" 2>&1; then
        echo "golden: $2: the same"
        : >"$1.passed"
    else
        echo "golden: $2: different"
        cat "$1"
    fi
}

# one NAME RUNNER COMPILER FLAG…: compiles, then runs while the next is compiled.
one() {
    started=$((started + 1))
    name=$1 runner=$2
    shift 2
    if ! build "$name" "$@"; then
        echo "golden: $name: does not compile"
        return
    fi
    compare "$folder/$started" "$name" "$runner" "$program" &
    [ "$jobs" -gt 1 ] || wait
}

skip() {
    echo "golden: $1: skipped, $2"
    skipped=$((skipped + 1))
}

# native COMPILER: wide vectors, which no build of CMake's tests has; then the level that none of them
# has, with the two files of ./dev amalgamate, whose compilation gives no warning. There only the
# library is compiled anew: it is what users get.
native() {
    compiler=$1
    if ! command -v $compiler >/dev/null; then
        skip $compiler "not installed"
        skip "$compiler, amalgamation" "not installed"
        return
    fi
    driven= library=src
    if grep -qs ' avx2 .* fma\| fma .* avx2 ' /proc/cpuinfo; then
        one "$compiler -O3 -march=x86-64-v3" "" $compiler -O3 -march=x86-64-v3
        driven=$objects
    else
        skip "$compiler -march=x86-64-v3" "this processor cannot run it"
    fi
    library=dist/kerb.c
    one "$compiler, amalgamation" "" $compiler -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
        -Wdouble-promotion -Werror
    driven=
}

# cross PROCESSOR FLAG…
cross() {
    processor=$1
    shift
    one "$processor" "qemu-$processor-static" "$processor-linux-gnu-gcc" -O2 -static "$@"
}

# With its vectors, which is where a compiler could differ. But clang 14 for WebAssembly gives other
# bits for src/estimate/body_fit.c where it makes vectors of straight code at -O3 (not at -O2, not for
# other machines): those it must not make, as cmake/flags.cmake tells it, too. The linker's own stack of 64 KB is less
# than the scenes and their races need.
wasm() {
    one wasm "node --no-warnings test/portable/run_wasm.mjs" clang --target=wasm32-wasi -O3 \
        -msimd128 -fno-slp-vectorize -Wl,-z,stack-size=1048576
}

for target in "${@:-native}"; do
    case $target in
    --write) library=src ;;
    *)
        library=dist/kerb.c
        ./dev amalgamate >/dev/null
        ;;
    esac
    case $target in
    --write)
        build write ${CC:-cc} -O2
        "$program" --write "$golden"
        echo "golden: wrote $golden"
        exit 0
        ;;
    gcc | clang) native $target ;;
    native)
        native gcc
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
