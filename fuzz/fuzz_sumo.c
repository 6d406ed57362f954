// libFuzzer target: any bytes as a network of SUMO, and after a zero byte as a demand. What is
// demanded: fuzz/sumo.h.
//
//     fuzz_sumo -max_total_time=120 -dict=fuzz/sumo.dict out/corpus fuzz/corpus/sumo
#include "fuzz/sumo.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_sumo(data, size);
    return 0;
}
