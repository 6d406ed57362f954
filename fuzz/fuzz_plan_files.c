// libFuzzer target: any bytes as a map or a list of movements. What is demanded: fuzz/plan_files.h.
//
//     fuzz_plan_files -max_total_time=120 out/corpus fuzz/corpus/plan_files
#include "fuzz/plan_files.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_plan_files(data, size);
    return 0;
}
