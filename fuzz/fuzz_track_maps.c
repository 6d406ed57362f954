// libFuzzer target: any bytes as a track, beginning with centre lines of GPX, GeoJSON and
// OpenDRIVE. What is demanded: fuzz/track.h.
//
//     fuzz_track_maps -max_total_time=120 -dict=fuzz/track_maps.dict out/corpus
//     fuzz/corpus/track_maps
#include "fuzz/track.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_track(data, size);
    return 0;
}
