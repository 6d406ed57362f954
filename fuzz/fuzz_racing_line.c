// libFuzzer target: any bytes as a vehicle, settings and a track. What is demanded:
// fuzz/racing_line.h.
//
//     fuzz_racing_line -max_total_time=120 -max_len=600 out/corpus fuzz/corpus/racing_line
#include "fuzz/racing_line.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_racing_line(data, size);
    return 0;
}
