// libFuzzer target: any bytes as calls of a planner. What is demanded: fuzz/plan_calls.h.
//
//     fuzz_plan_calls -max_total_time=120 out/corpus fuzz/corpus/plan_calls
#include "fuzz/plan_calls.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_plan_calls(data, size);
    return 0;
}
