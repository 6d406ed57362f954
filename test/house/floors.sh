#!/bin/sh
# Checks the floors of the house from the #include lines: floors.sh [ROOT]. See floors.txt.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
find include src io sim scene tool examples bench fuzz -name '*.[ch]' 2>/dev/null |
    LC_ALL=C sort | xargs awk -v whole="$([ -d test/house ] && echo 1)" -f "$here/floors.awk" "$here/floors.txt"
