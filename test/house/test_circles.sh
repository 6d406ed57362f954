#!/bin/sh
# The check of circles sees what it must, and lets pass what it may: small libraries, built file by
# file, each function of which is in a file of its own.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_circles.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failed=0

# expect STATUS LIST WHAT FILE:USED…: each file, ROOM/NAME, defines kerb_in_NAME and uses
# kerb_in_USED.
expect() {
    status=$1 what=$3
    rm -rf "$house"
    mkdir -p "$house/test/house"
    echo "$2" >"$house/test/house/circles.txt"
    shift 3
    for pair in "$@"; do
        file=${pair%:*} used=${pair#*:}
        object=$house/build/CMakeFiles/kerb.dir/src/$file.c.o
        mkdir -p "$house/src/${file%/*}" "${object%/*}"
        echo "int kerb_in_$used(void); int kerb_in_${file#*/}(void);
            int kerb_in_${file#*/}(void) { return kerb_in_$used() + 1; }" >"$house/src/$file.c"
        "${CC:-cc}" -c "$house/src/$file.c" -o "$object"
    done
    expect_again "$status" "$what"
}

# The same house.
expect_again() {
    is=0
    "$check" "$house/build" "$house" >"$house/out" 2>&1 || is=1
    if [ $is -ne "$1" ]; then
        echo "failed: $2"
        cat "$house/out"
        failed=1
    fi
}

expect 0 "" "files may stand on others" path/top:middle path/middle:ground path/ground:ground
expect 1 "" "two files may not need one another" path/a:b path/b:a
if ! grep -q "src/path/a.c uses of src/path/b.c: kerb_in_b" "$house/out"; then
    echo "failed: it says who uses what"
    failed=1
fi
rm "$house/src/path/b.c"
expect_again 0 "objects without a source do not count"
expect 1 "" "nor three, with others above and below" \
    path/top:a path/a:b path/b:c path/c:a path/d:ground path/ground:ground
expect 1 "" "nor across rooms" path/a:b follow/b:a
expect 0 "circle follow 2" "a listed one may" follow/a:b follow/b:a path/c:d
expect 1 "circle follow 2" "but not in another room" path/a:b path/b:a follow/c:d
expect 1 "circle follow 2" "nor across rooms, even so" path/a:b follow/b:a
expect 1 "circle follow 2" "nor grow" follow/a:b follow/b:c follow/c:a
expect 1 "circle follow 3" "where it has shrunk, the list must, too" follow/a:b follow/b:a
expect 1 "circle follow 2" "where it is gone, it is taken off the list" follow/a:b follow/b:c
expect 1 "circle follow 2" "a second one is not listed" \
    follow/a:b follow/b:a follow/c:d follow/d:c
expect 1 "" "a build without objects of files is no build to check"
exit $failed
