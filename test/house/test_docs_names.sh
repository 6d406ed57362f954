#!/bin/sh
# The check of names in documents sees what it must, and lets pass what it may: a small tree.
# shellcheck disable=SC2016 # backticks are those of Markdown
set -eu
check=$(cd "$(dirname "$0")" && pwd)/docs_names.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/include/kerb" "$tree/src/lane" "$tree/test/lane"
echo 'typedef struct kerb_lane { int edge_distance; } kerb_lane; void kerb_lane_drive(void);' \
    >"$tree/include/kerb/lane.h"
echo '#define KERB_LANE_RAYS 10' >"$tree/src/lane/rays.c"
: >"$tree/test/lane/test_lane_drive.c"
printf '# Lanes\n\n## A road: `kerb lane`\n' >"$tree/docs/lanes.md"
failed=0

# expect STATUS TEXT WHAT
expect() {
    printf '%s\n' "$2" >"$tree/README.md"
    status=0
    "$check" "$tree" >"$tree/out" 2>&1 || status=1
    if [ "$status" -ne "$1" ]; then
        echo "failed: $3: $2"
        cat "$tree/out"
        failed=1
    fi
}

expect 0 '`kerb_lane_drive` and `KERB_LANE_RAYS`' "names of functions and macros"
expect 1 '`kerb_lane_steer`' "a function that is gone"
expect 1 'kerb_lane_steer' "in plain text, too"
expect 0 '`kerb_lane.edge_distance`, `edge_distance`' "members"
expect 1 '`kerb_lane.side_distance`' "a member that is gone"
expect 1 '`side_distance`' "alone, too"
expect 0 '`kerb_lane_…` and `kerb_lane_*`' "beginnings of names"
expect 1 '`kerb_land_…`' "a beginning that none has"
expect 0 '`src/lane/rays.c`, `src/lane/`, `kerb/lane.h`, `rays.c`, `test_lane_drive`' "paths"
expect 1 '`src/lane/ray.c`' "a path that is gone"
expect 0 '`src/ROOM/`, `include/kerb/ROOM.h`, `docs/html/index.html`, `.c`' "what stands for others, and what is made"
expect 1 '`test_lane_drives`' "a test that is gone"
expect 0 '`city.map`, `kerb lane --png lane.png`, `1.5 m`' "what is no name of the tree"
expect 0 '[lanes](docs/lanes.md#a-road-kerb-lane), [here](https://example.org/x)' "links"
expect 1 '[lanes](docs/lane.md)' "a link to no file"
expect 1 '[lanes](docs/lanes.md#roads)' "a link to no heading"
[ "$failed" -eq 0 ] && echo "docs_names: sees what it must"
