#!/bin/sh
# Builds the golden program through CMake, as users build, where our CMake files choose the flags or
# the kind of library, and compares its hashes with golden.txt.
#
#     through_cmake.sh TARGET…    i686 (32-bit x86), or windows (mingw-w64, Wine): the library once as
#                                 an archive, once as a DLL
#
# Those for i686 and of the DLL are Debug builds: they take less time, and square roots once differed
# in them (see src/base/assertion.h). JOBS in the environment says how many files are compiled at once
# (default 1). What is built stays in build-portable/.
set -eu
cd "$(dirname "$0")/../.."

golden=test/portable/golden.txt
log=$(mktemp)
wine=
passed=0 failed=0 skipped=0

finish() {
    # Its server outlives the program, and writes into the folder.
    [ -z "$wine" ] || "${wine%/*}/wineserver64" -k >/dev/null 2>&1 || true
    [ -z "$wine" ] || "${wine%/*}/wineserver64" -w >/dev/null 2>&1 || true
    [ -z "$wine" ] || rm -rf "$WINEPREFIX"
    rm -f "$log"
}
trap finish EXIT

# build OPTION…: into $folder.
build() {
    cmake -S . -B "$folder" -DKERB_BUILD_TOOL=OFF -DKERB_BUILD_TESTS=ON -DKERB_TEST_SOURCES=OFF \
        -DKERB_BULLET=OFF -DKERB_OMPL=OFF -DKERB_WARNINGS_ARE_ERRORS=ON "$@" &&
        cmake --build "$folder" --target golden --parallel "${JOBS:-1}"
}

# one NAME RUNNER PROGRAM OPTION…: builds PROGRAM, runs it under RUNNER (may be empty), compares.
one() {
    name=$1 runner=$2 program=$3
    shift 3
    folder=build-portable/$(echo "$name" | tr ' ' _)
    if ! build "$@" >"$log" 2>&1; then
        echo "golden: $name: does not build"
    elif WINEPATH=$folder $runner "$folder/test/portable/$program" "$golden" >"$log" 2>&1; then
        echo "golden: $name: the same"
        passed=$((passed + 1))
        return
    else
        echo "golden: $name: different"
    fi
    cat "$log"
    failed=$((failed + 1))
}

# Some kernels run no 32-bit programs; there qemu-user does.
runner_of_i686() {
    program=$(mktemp)
    echo 'int main(void) { return 0; }' | i686-linux-gnu-gcc -static -x c - -o "$program"
    "$program" 2>/dev/null || echo qemu-i386-static
    rm -f "$program"
}

# windows NAME OPTION…
windows() {
    name=$1
    shift
    one "windows $name" "$wine" golden.exe -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/mingw-w64.cmake" "$@"
}

case $(uname -m) in
x86_64) ;;
*)
    echo "golden: $*: skipped, this processor cannot run it"
    skipped=$# && set --
    ;;
esac
for target in "$@"; do
    case $target in
    i686)
        one i686 "$(runner_of_i686)" golden -DCMAKE_C_COMPILER=i686-linux-gnu-gcc -DCMAKE_BUILD_TYPE=Debug \
            -DCMAKE_EXE_LINKER_FLAGS=-static
        ;;
    windows)
        # Debian's wine64 has no command of its own.
        wine=/usr/lib/wine/wine64
        WINEPREFIX=$(mktemp -d) WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
        export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
        windows archive -DBUILD_SHARED_LIBS=OFF
        windows DLL -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug
        ;;
    *)
        echo "through_cmake.sh: unknown target '$target'" >&2
        exit 2
        ;;
    esac
done
echo "golden: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
