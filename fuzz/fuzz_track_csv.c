// libFuzzer target: any bytes as a track, beginning with those of one format. What is demanded:
// fuzz/track.h.
//
//     fuzz_track_csv -max_total_time=120 -dict=fuzz/track_csv.dict out/corpus fuzz/corpus/track_csv
#include "fuzz/track.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_track(data, size);
    return 0;
}
