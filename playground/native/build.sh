#!/bin/sh
# Compiles the stage (scene/stage/stage.h) with all it stands on to stage.wasm, which imports nothing.
#
#     playground/native/build.sh [OUT]      default OUT: build-playground/stage.wasm
#
# JOBS in the environment says how many files are compiled at once (default 2). Exports: every function
# of stage.h, the names and colours of kerb/draw.h, the layout of the records (stage_wasm.c), malloc and
# free, memory. What nobody calls is left out by the linker. Needs clang with wasm-ld and wasi-libc.
# Exit code 3: one of them is missing.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build-playground/stage.wasm}
jobs=${JOBS:-2}
for tool in clang wasm-ld make; do
    command -v $tool >/dev/null || { echo "playground: no $tool" >&2; exit 3; }
done
if ! echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null; then
    echo "playground: clang has no C library for wasm32-wasi" >&2
    exit 3
fi
objects=build-playground/objects
mkdir -p "$objects" "$(dirname "$out")"

# The flags of test/portable/run.sh: the same bits as every other target. Bullet, OMPL and the thesis's
# experiments are no part of a stage, nor is what no scene of it uses: one that does misses it when
# linked.
cflags="--target=wasm32-wasi -std=c17 -O2 -DNDEBUG -msimd128 -fno-slp-vectorize -ffp-contract=off
    -fno-math-errno -fno-trapping-math -ffunction-sections -fdata-sections -Iinclude -I."
sources=$(find src sim scene playground/native -name '*.c' -not -path 'sim/bullet/*' \
    -not -path 'scene/ompl/*' -not -path 'scene/thesis/*' -not -path 'scene/flow/*' \
    -not -path 'src/calibrate/*' -not -path 'src/mesh/*' \
    -not -path 'scene/course/unseen_courses.c' -not -path 'src/base/assertion.c' -not -name 'stage_hashes.c' | sort)
{
    echo "objects := $(echo "$sources" | sed "s|\(.*\)\.c|$objects/\1.o|" | tr '\n' ' ')"
    echo 'all: $(objects)'
    printf '%s/%%.o: %%.c\n\t@mkdir -p $(@D)\n\tclang %s -MMD -MP -c $< -o $@\n' "$objects" \
        "$(echo $cflags)"
    echo '-include $(objects:.o=.d)'
} >"$objects/makefile"
# Other flags: all anew.
if [ "$(cat "$objects/flags" 2>/dev/null)" != "$(echo $cflags)" ]; then
    find "$objects" -name '*.o' -delete
    echo $cflags >"$objects/flags"
fi
make -s -j "$jobs" -f "$objects/makefile" all

exports=$(sed -n 's/^[a-z].*[ *]\(kerb_stage_[a-z_]*\)(.*/\1/p' scene/stage/stage.h playground/native/stage_wasm.c |
    grep -v '^kerb_stage_field_at$' | sort -u)
exports="$exports kerb_draw_role_text kerb_draw_color kerb_result_text kerb_reason_text kerb_version
    malloc free"
clang --target=wasm32-wasi -nostartfiles -Wl,-O2 -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all \
    -Wl,-z,stack-size=1048576 $(for name in $exports; do printf ' -Wl,--export=%s' "$name"; done) \
    $(find $(echo "$sources" | sed "s|\(.*\)\.c|$objects/\1.o|")) -o "$out"
echo "playground: $out: $(wc -c <"$out") bytes, $(gzip -9 -c "$out" | wc -c) gzipped"
