#!/bin/sh
# The floor check sees what it must, and lets pass what it may: small houses, each with one file.
set -eu
floors=$(cd "$(dirname "$0")" && pwd)/floors.sh
house=$(mktemp -d)
trap 'rm -rf "$house"' EXIT
failed=0

# expect STATUS FILE INCLUDE WHAT
expect() {
    rm -rf "$house"
    mkdir -p "$house/${2%/*}"
    echo "#include $3" >"$house/$2"
    status=0
    "$floors" "$house" >"$house.out" 2>&1 || status=1
    if [ $status -ne "$1" ]; then
        echo "failed: $4 ($2 includes $3)"
        cat "$house.out"
        failed=1
    fi
    rm -f "$house.out"
}

expect 0 src/path/build.c '"../base/shared.h"' "a room may know what a lower one shares"
expect 0 src/racer/drive/ahead.c '"../../racing_line/shared.h"' "from a folder of its own, too"
expect 0 src/racer/drive/ahead.c '"../skill/skill.h"' "a room knows its own folders"
expect 0 src/plan_driver/driver.c '"kerb/plan_search.h"' "a room may have two public headers"
expect 1 src/path/build.c '"../base/assertion.h"' "but not what a lower one keeps to itself"
expect 0 src/path/build.c '"segment.h"' "a room knows itself"
expect 0 include/kerb/math.h '"base.h"' "math stands on base"
expect 0 include/kerb/kerb.h '"draw.h"' "the header of all headers knows all rooms"
expect 0 sim/car.c '"kerb/vehicle.h"' "the simulation knows vehicles"
expect 0 scene/trial.c '"sim/car.h"' "a scene knows the simulation"
expect 0 tool/main.c '<unistd.h>' "the command may use the system"
expect 1 src/path/build.c '"kerb/follow.h"' "a room does not know a higher one"
expect 1 include/kerb/path.h '"follow.h"' "nor does its header"
expect 1 include/kerb/path.h '"vehicle.h"' "rooms on the same floor do not know each other"
expect 1 include/kerb/base.h '"math.h"' "base does not know math"
expect 1 src/follow/drive.c '"../draw/draw.h"' "private headers count too"
expect 1 src/follow/drive.c '"kerb/kerb.h"' "no room takes the whole library"
expect 1 src/path/build.c '"sim/car.h"' "the library does not know the simulation"
expect 1 src/path/build.c '<stdio.h>' "the core does not print"
expect 1 src/math/vector.c '<pthread.h>' "the core needs nothing but the C library"
expect 1 sim/car.c '"kerb/follow.h"' "the simulation does not know drivers"
expect 1 sim/car.c '"kerb/io/text.h"' "nor file formats"
expect 1 io/text.c '"scene/trial.h"' "file formats do not know scenes"
expect 1 scene/trial.c '"tool/report.h"' "scenes do not know the command"
expect 1 src/attic/box.c '"kerb/base.h"' "a room that has no floor is found"
exit $failed
