// libFuzzer target: any bytes as a vehicle. What is demanded: fuzz/vehicle_json.h.
//
//     fuzz_vehicle_json -max_total_time=120 -dict=fuzz/vehicle_json.dict out/corpus
//     fuzz/corpus/vehicle_json
#include "fuzz/vehicle_json.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_vehicle_json(data, size);
    return 0;
}
