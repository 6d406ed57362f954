#!/bin/sh
# The check of symbols sees what it must, and lets pass what it may: small libraries.
set -eu
check=$(cd "$(dirname "$0")" && pwd)/check_symbols.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failed=0
mkdir -p "$house/include/kerb/io"
cat >"$house/include/kerb/room.h" <<'END'
/// Not a declaration: KERB_API in a comment.
KERB_API float kerb_room_speed(const struct kerb_room* room,
                               float distance);
KERB_API const struct kerb_settings_table
    kerb_room_settings_table;
#define KERB_API extern
END
echo 'KERB_API int kerb_read(void);' >"$house/include/kerb/io/text.h"
public='float kerb_room_speed(void) { return 1.0f; } const int kerb_room_settings_table = 1;'

# expect STATUS WHAT: of what lies in the build folder.
expect() {
    status=0
    "$check" "$house/build" "$house" >"$house/out" 2>&1 || status=1
    if [ $status -ne "$1" ]; then
        echo "failed: $2"
        cat "$house/out"
        failed=1
    fi
}

compile() {
    echo "$2" >"$house/source.c"
    "${CC:-cc}" -fPIC -fvisibility=hidden -c "$house/source.c" -o "$1"
}

# archive STATUS WHAT C
archive() {
    rm -rf "$house/build"
    mkdir "$house/build"
    compile "$house/build/source.o" "$3"
    ar rcs "$house/build/libkerb_part.a" "$house/build/source.o"
    expect "$1" "$2"
}

# shared STATUS WHAT C OBJECT-C: C is exported, what OBJECT-C defines is hidden.
shared() {
    rm -rf "$house/build"
    mkdir -p "$house/build/kerb.dir"
    compile "$house/build/kerb.dir/hidden.o" "$4"
    compile "$house/build/kerb.dir/public.o" "#pragma GCC visibility push(default)
        $3"
    "${CC:-cc}" -shared "$house/build/kerb.dir/hidden.o" "$house/build/kerb.dir/public.o" \
        -o "$house/build/libkerb.so"
    expect "$1" "$2"
}

archive 0 "what begins with kerb_ may be global" 'int kerb_plan_count; void kerb_in_draw(void) {}'
archive 0 "what is local has any name" 'static int draw(void) { return 1; }
    int kerb_draw(void); int kerb_draw(void) { return draw(); }'
archive 0 "others may be used" 'void game_draw(void); void kerb_draw(void) { game_draw(); }'
archive 1 "another function may not be global" 'void draw_text(void) {}'
archive 1 "nor a constant" 'extern const int draw_sizes[2]; const int draw_sizes[2] = {1, 2};'
archive 1 "nor a variable" 'int drawn;'
archive 1 "nor what only looks like it" 'int kerbside(void) { return 1; }'
if ! grep -q 'libkerb_part.a.*kerbside: does not begin with kerb_' "$house/out"; then
    echo "failed: it says which, and where"
    failed=1
fi
rm "$house/build/libkerb_part.a"
expect 1 "a build without libraries is no build to check"
mkdir "$house/build/test"
compile "$house/build/source.o" 'int main(void) { return 0; }'
ar rcs "$house/build/test/libkerb_test_parts.a" "$house/build/source.o"
compile "$house/build/source.o" 'int kerb_count;'
ar rcs "$house/build/libkerb.a" "$house/build/source.o"
expect 0 "tests may have their own names"

shared 0 "what headers declare is exported" "$public" 'int kerb_in_draw(void) { return 1; }'
shared 1 "nothing else is" "$public int kerb_in_draw(void) { return 1; }" 'int kerb_in_hidden;'
shared 1 "not even with the prefix" "$public int kerb_draw(void) { return 1; }" 'int kerb_in_hidden;'
shared 1 "but all of it" 'float kerb_room_speed(void) { return 1.0f; }' 'int kerb_in_hidden;'
shared 1 "file formats stay outside" "$public int kerb_read(void) { return 1; }" 'int kerb_in_hidden;'
shared 1 "and hidden names have the prefix, too" "$public" 'int draw(void) { return 1; }'
exit $failed
