#!/bin/sh
# Code lines about other vehicles: what drivers of vehicles on wheels do because of others near
# them. Lines of comments alone and empty lines do not count. Asked: 5,000.
#
#   bench/others_lines.sh           the sum for each room, and of all
#   bench/others_lines.sh --list    each file
set -eu
cd "$(dirname "$0")/.."

# The files, by rooms. What a room does about walls, lanes and its own line is not in them.
files() {
    ls src/others/*.[ch] src/racer/traffic/*.[ch]
    echo src/control/gap.c
    echo src/follow/others.c
    echo src/lane/company.c src/lane/stands.c src/lane/yield.c | tr ' ' '\n'
    echo src/group/clearance.c src/group/formation_keep.c src/group/queue.c | tr ' ' '\n'
    ls src/cars/*.c
}

# "LINES FILE" of each.
count() {
    files | while read -r file; do
        printf '%s %s\n' "$(grep -cvE '^[[:space:]]*(//.*)?$' "$file")" "$file"
    done
}

case "${1:-}" in
--list) count ;;
*) count | awk '{ split($2, part, "/"); sum[part[2]] += $1; all += $1 }
       END { for (room in sum) print sum[room], room; print all, "all" }' | LC_ALL=C sort -k2 ;;
esac
