#!/bin/sh
# Checks the symbols of the libraries of a build: check_symbols.sh [BUILD-FOLDER [ROOT]]. Those of
# archives that others could collide with begin with kerb_; a shared library exports what the headers
# declare with KERB_API, and nothing else. Without a folder that of check_unity.sh, which has both.
# What tests alone link is left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "${2:-$here/../..}" && pwd)
if [ $# -gt 0 ]; then
    folder=$1
else
    folder=$root/build-unity
    "$here/check_unity.sh" "$folder"
fi
cd "$folder"
list=$(mktemp) headers=$(mktemp)
trap 'rm -f "$list" "$headers"' EXIT
complaints=0
# Those of file formats belong to an archive of their own.
find "$root/include/kerb" -name '*.h' ! -path "$root/include/kerb/io/*" -exec cat {} + >"$headers"

# symbols EXPORTS NM-OPTION: of the libraries in the list.
symbols() {
    xargs -r nm -P "$2" <"$list" |
        awk -v "exports=$1" -f "$here/symbols.awk" "$headers" libraries=1 - || complaints=1
}

shared=$(find . -name libkerb.so)
find . -name '*.a' ! -path './test/*' >"$list"
# Beside a shared library its objects are what an archive would hold.
[ -z "$shared" ] || find . -path '*/kerb.dir/*.o' >>"$list"
symbols 0 -g
if [ -n "$shared" ]; then
    echo "$shared" >"$list"
    symbols 1 -D
fi
exit $complaints
