# Warnings, and the switches without which floats differ between machines.
# -fno-trapping-math and -fno-math-errno let loops with selects and square roots vectorise; they
# change no result. s390x needs -fexcess-precision=fast for FLT_EVAL_METHOD 0.
function(kerb_flags target)
    if(MSVC)
        target_compile_options(${target} PRIVATE /W4 /fp:precise /utf-8)
        return()
    endif()
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion
        -ffp-contract=off -fno-math-errno -fno-trapping-math)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "s390x")
        target_compile_options(${target} PRIVATE -fexcess-precision=fast)
    endif()
    if(KERB_WARNINGS_ARE_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# Sanitizers and fuzzing instrument everything that is linked together, tests included.
if(KERB_SANITIZE)
    add_compile_options(-fsanitize=${KERB_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${KERB_SANITIZE})
    # It links the test programs, large with all that the sanitizers need, in half the time.
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=lld KERB_LINKER_IS_LLD)
    if(KERB_LINKER_IS_LLD)
        add_link_options(-fuse-ld=lld)
    endif()
endif()
if(KERB_BUILD_FUZZERS)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
