// libFuzzer target: any bytes as calls of a planner of kinds and of its driver. What is demanded:
// fuzz/kind_calls.h.
//
//     fuzz_kind_calls -max_total_time=120 -max_len=600 out/corpus
#include "fuzz/kind_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_kind_calls(data, size);
    return 0;
}
