#!/bin/sh
# Checks that no file of the library reaches back to one that stands on it, but for the circles of
# circles.txt: check_circles.sh [BUILD-FOLDER [ROOT]]. Who uses whom is what the symbols of the
# objects say, so the build must be one of file by file, as Debug builds are. Without a folder that of
# a preset, which is brought up to date.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "${2:-$here/../..}" && pwd)

# Prints the folder of a build.
build() {
    cd "$root"
    preset=dev
    [ ! -e build-clang-dev/CMakeCache.txt ] || preset=clang-dev
    export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
    cmake --preset $preset >&2
    # To Ninja, `kerb` is the command of that name.
    cmake --build build-$preset --target libkerb.a --parallel 2 >&2 ||
        cmake --build build-$preset --target kerb --parallel 2 >&2
    echo "$root/build-$preset"
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ $# -gt 0 ]; then
    folder=$1
elif ! folder=$(build 2>"$log"); then
    cat "$log"
    exit 1
fi
# Objects whose sources are gone may lie about.
find "$folder" -path '*/kerb.dir/src/*.o' | LC_ALL=C sort | while read -r object; do
    source=${object##*/kerb.dir/}
    [ ! -e "$root/${source%.o}" ] || echo "$object"
done >"$log"
xargs -r nm -A -P <"$log" | awk -f "$here/circles.awk" "$root/test/house/circles.txt" -
