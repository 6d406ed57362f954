#!/bin/sh
# Constants of the drivers: how many there are, and what each is worth.
#
#   bench/constants.sh                 code lines, and literals other than 0, ±1, 2 and 0.5, of the
#                                      folders below; rows of settings tables do not count, numbers
#                                      of look-up tables do. Asked: at most 20 per 1,000 code lines,
#                                      and 10,000 code lines
#   bench/constants.sh --list          each of them
#   bench/constants.sh --names         those that have a name: "#define NAME value"
#   bench/constants.sh --multiply NAME FACTOR… [-- FIRST LAST WORD…]
#                                      drives the family with the constant times each factor
#   bench/constants.sh --sweep FOLDER [-- …]
#                                      the same for all names of a folder, by 0.7 and 1.3
#
# Those two work on a copy of the tree, in build-constants/. What they print after each factor are
# figures of bench_family_drive (calm, trim, courses, parking), or "no effect" where no host drives otherwise. Usual hosts: 61000 to
# 61039, calm and courses.
set -eu
cd "$(dirname "$0")/.."
copy=build-constants

folders() {
    for folder in src/follow src/lane src/racer/drive src/plan_driver src/line src/track src/estimate; do
        [ ! -d "$folder" ] || echo "$folder"
    done
}

sources() {
    folders | while read -r folder; do
        find "$folder" -name '*.[ch]' | LC_ALL=C sort
    done
}

# A float's define, in one place.
names() {
    sources | grep "^${1:-src}" | xargs grep -hoE '^#define [A-Z][A-Z0-9_]* +-?[0-9.]+(e-?[0-9]+)?f?( |$)' |
        awk '$3 ~ /[.f]/ { print $2 }' | LC_ALL=C sort | uniq -u
}

copy_tree() {
    rm -rf "$copy/tree"
    mkdir -p "$copy/tree"
    # With the time of now: what an earlier run built of a changed file must not pass for new.
    git ls-files -co --exclude-standard | tar -cf - -T - | tar -xmf - -C "$copy/tree"
    # One unit would be compiled anew for each change.
    cmake -S "$copy/tree" -B "$copy/build" -DCMAKE_BUILD_TYPE=Release -DKERB_ONE_UNIT=OFF >"$copy/log"
}

drive() {
    cmake --build "$copy/build" -j2 --target bench_family_drive >"$copy/log" 2>&1 || return 1
    find "$copy/build" -name bench_family_drive -type f -exec {} "$@" -v \; >"$copy/now"
}

# The figures that matter, in one line.
figures() {
    awk '/^calm, command:/ { printf "calm %s %%, above 2 %s %%; ", after("changes a second in"), after("above 2 in") }
         /^courses, all/ { all = 1; printf "finished %s %%, stuck %s %%; ", after("of these finished"), after("stuck") }
         all && /mean error/ { printf "error %s %%, inside %s points less; ", after("0.1 m in"), after("%, mean") }
         all && /time over/ { printf "time %s", after("mean") }
         /corrective moves/ { printf "; parked %s %%", after("0.2 m and 4 degrees") }
         /^trim/ { printf "trim %s %%; ", after("within 0.1 m in") }
         function after(words,    rest) {
             rest = substr($0, index($0, words) + length(words) + 1)
             sub(/[ ,;].*/, "", rest)
             return rest
         }
         END { print "" }' "$copy/now"
}

multiply() {
    name=$1
    factor=$2
    shift 2
    file=$(cd "$copy/tree" && sources | xargs grep -lE "^#define $name +-?[0-9.]" | head -n 1)
    [ -n "$file" ] || { echo "constants.sh: no $name" >&2; return 1; }
    cp "$file" "$copy/tree/$file"
    # Only the literal: what follows stays.
    sed -E "s/^(#define $name +)(-?[0-9.]+(e-?[0-9]+)?f?)/\1(\2 * (float)${factor})/" "$file" >"$copy/tree/$file"
    printf '%-28s x %s: ' "$name" "$factor"
    if ! drive "$@"; then
        echo "does not build"
    elif cmp -s "$copy/now" "$copy/before"; then
        echo "no effect"
    else
        figures
    fi
    cp "$file" "$copy/tree/$file"
}

begin() {
    copy_tree
    drive "$@"
    cp "$copy/now" "$copy/before"
    printf '%-28s %s' "as it is" ": "
    figures
}

case ${1:-} in
'') sources | xargs awk -f bench/constants.awk ;;
--list) sources | xargs awk -v list=1 -f bench/constants.awk ;;
--names) names "${2:-src}" ;;
--multiply)
    name=$2
    shift 2
    factors=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        factors="$factors $1"
        shift
    done
    [ $# -eq 0 ] || shift
    [ $# -gt 0 ] || set -- 61000 61040 calm courses
    begin "$@"
    for factor in $factors; do
        multiply "$name" "$factor" "$@"
    done
    ;;
--sweep)
    folder=$2
    shift 2
    [ $# -eq 0 ] || shift
    [ $# -gt 0 ] || set -- 61000 61040 calm courses
    begin "$@"
    names "$folder" | while read -r name; do
        multiply "$name" 0.7 "$@" </dev/null
        multiply "$name" 1.3 "$@" </dev/null
    done
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
