# Warnings, and the switches without which floats differ between machines.
# -fno-trapping-math and -fno-math-errno let loops with selects and square roots vectorise; they
# change no result. s390x needs -fexcess-precision=fast for FLT_EVAL_METHOD 0.
function(kerb_flags target)
    if(MSVC)
        target_compile_options(${target} PRIVATE /W4 /fp:precise)
        return()
    endif()
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion
        -ffp-contract=off -fno-math-errno -fno-trapping-math)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "s390x")
        target_compile_options(${target} PRIVATE -fexcess-precision=fast)
    endif()
endfunction()
