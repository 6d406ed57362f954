# Warnings, and the switches without which floats differ between machines.
# -fno-trapping-math and -fno-math-errno let loops with selects and square roots vectorise; they
# change no result. A project around this one may build with -ffast-math; the library does not.
# s390x needs -fexcess-precision=fast for FLT_EVAL_METHOD 0, 32-bit x86 the SSE2 unit.
include(CheckCSourceCompiles)
check_c_source_compiles("
#ifndef __i386__
#error
#endif
int main(void) { return 0; }" KERB_X86_32)

function(kerb_flags target)
    if(MSVC)
        target_compile_options(${target} PRIVATE /W4 /fp:precise /utf-8)
        if(CMAKE_C_COMPILER_ID MATCHES "Clang") # clang-cl, whose /fp:precise contracts
            target_compile_options(${target} PRIVATE /clang:-ffp-contract=off)
        endif()
        return()
    endif()
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion
        -fno-fast-math -ffp-contract=off -fno-math-errno -fno-trapping-math)
    if(KERB_X86_32)
        target_compile_options(${target} PRIVATE -msse2 -mfpmath=sse)
    endif()
    # Clang 14 for WebAssembly makes other bits of src/estimate/body_fit.c with it.
    if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND CMAKE_SYSTEM_PROCESSOR MATCHES "wasm")
        target_compile_options(${target} PRIVATE -fno-slp-vectorize)
    endif()
    # mingw-w64's sqrt rounds twice. GCC calls it only where it does not optimize.
    if(MINGW)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-Og>)
    endif()
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
