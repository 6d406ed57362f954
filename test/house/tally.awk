# Counts the tests in a JUnit file of CTest's: prints "passed failed skipped". A cmocka program
# counts with each of its tests, any other program as one.

/<testcase / { begin() }
/^\[       OK \] / { ok[$4] = 1 }
# cmocka lists failed and skipped tests a second time at the end.
/^\[  FAILED  \] / && NF == 4 { bad[$4] = 1 }
/^\[  SKIPPED \] / && NF == 4 { left_out[$4] = 1 }
/<skipped message="SKIP_/ { result = "skip" }
/<\/testcase>/ { finish() }
END { print passed + 0, failed + 0, skipped + 0 }

function begin() {
    split("", ok); split("", bad); split("", left_out)
    # "notrun" without a reason to skip is a program that is missing.
    result = /status="run"/ ? "run" : /status="disabled"/ ? "skip" : "fail"
}

function count(list,    name, total) {
    for (name in list) total++
    return total + 0
}

# A program may fail without one of its tests failing: by a crash, a sanitizer, a time limit.
function finish(    oks, bads, skips) {
    oks = count(ok); bads = count(bad); skips = count(left_out)
    if (oks + bads + skips == 0) { oks = result == "run"; skips = result == "skip" }
    if (result == "fail" && bads == 0) bads = 1
    passed += oks; failed += bads; skipped += skips
}
