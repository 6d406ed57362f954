#!/bin/sh
# All tests of the playground, on what ./dev playground-test has built. Each says `N passed, M failed` or
# why it was skipped. With --long the browser drives every scene for a minute.
set -u
cd "$(dirname "$0")/../.."
failed=0
for test in playground/test/*_test.mjs; do
    node "$test" "$@"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 77 ] || failed=1
done
exit $failed
