#!/bin/sh
# The tally counts a report with every outcome that CTest and cmocka know: of cmocka's four tests
# one program fails one, skips one and crashes in the last; another passes three and skips one;
# then a skipped, a slow, a failing, a passing and a missing program.
set -eu
cd "$(dirname "$0")"
counted=$(awk -f tally.awk tally_example.xml)
if [ "$counted" != "5 4 3" ]; then
    echo "failed: counted '$counted' instead of 5 passed, 4 failed, 3 skipped"
    exit 1
fi
