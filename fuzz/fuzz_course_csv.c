// libFuzzer target: any bytes as a course. What is demanded: fuzz/course_csv.h.
//
//     fuzz_course_csv -max_total_time=120 -dict=fuzz/course_csv.dict out/corpus
//     fuzz/corpus/course_csv
#include "fuzz/course_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz_course_csv(data, size);
    return 0;
}
