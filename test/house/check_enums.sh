#!/bin/sh
# Every public enum has a function that puts its values in words, and a row in the test of them.
#
#     test/house/check_enums.sh [FOLDER-OF-HEADERS [TEST]]
set -eu
cd "$(dirname "$0")/../.."
headers=${1:-include/kerb}
test=${2:-test/base/test_texts.c}
complaints=0

complain() {
    echo "$1" >&2
    complaints=$((complaints + 1))
}

# Names are told by their _name function: their words are those of another table.
for enum in $(sed -n 's/^typedef enum \(kerb_[a-z0-9_]*\).*/\1/p' $(find "$headers" -name '*.h') | sort); do
    grep -rqE "const char\* ${enum}_(text|name)\(" "$headers" ||
        complain "$enum has no ${enum}_text"
    grep -qE "\b${enum}_(of|name)\b|TEXT_OF\($enum\)" "$test" ||
        complain "$enum is not tested in $test"
done
[ $complaints -eq 0 ]
