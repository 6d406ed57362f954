#!/bin/sh
# Whether README and guides name what is there: check_guides.sh [ROOT]. The rooms of
# docs/architecture.md are those of floors.txt, docs/index.md names every guide and example, and every
# relative link leads to a file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
complaints=$(mktemp)
trap 'rm -f "$complaints" "$complaints".*' EXIT

# Rows "| 4 | `control` | … |", and further headers in the last column, as "floor room" and "header".
awk -F'|' '/^\| [0-9]+ \| `/ {
        gsub(/[ `]/, "", $3)
        print "floor", $2 + 0, $3
        count = split($5, header, "`")
        for (i = 2; i <= count; i += 2) print "header", header[i], $3
    }' docs/architecture.md | LC_ALL=C sort >"$complaints.told"
awk '$1 == "floor" { for (i = 3; i <= NF; i++) print "floor", $2, $i }
     $1 == "header" { print "header", $2, $3 }' test/house/floors.txt |
    while read -r kind name room; do
        # Some headers are for what drivers remember only: private/NAME_memory.h.
        [ "$kind" = floor ] || [ -e "include/kerb/$name.h" ] || continue
        echo "$kind $name $room"
    done | LC_ALL=C sort >"$complaints.true"
diff "$complaints.true" "$complaints.told" |
    sed -n -e 's/^</docs\/architecture.md lacks:/p' -e 's/^>/docs\/architecture.md has, and floors.txt has not:/p' \
        >>"$complaints"

for example in examples/*.c examples/*.cpp; do
    [ ! -e "$example" ] || grep -q "$example" docs/index.md ||
        echo "docs/index.md does not name $example" >>"$complaints"
done

for document in docs/*.md; do
    [ "$document" = docs/index.md ] || grep -q "(${document#docs/}" docs/index.md ||
        echo "docs/index.md does not name $document" >>"$complaints"
done

for document in *.md docs/*.md; do
    folder=$(dirname "$document")
    awk '/^ *```/ { code = !code } !code' "$document" | grep -o '\](\([^)]*\))' |
        sed -e 's/^](//' -e 's/)$//' -e 's/#.*//' | grep -v '^[a-z]*:' | LC_ALL=C sort -u |
        while read -r link; do
            [ -z "$link" ] || [ -e "$folder/$link" ] || echo "$document: there is no $link"
        done >>"$complaints"
done

cat "$complaints"
[ ! -s "$complaints" ]
