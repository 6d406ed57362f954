// Bytes of a fuzzer, taken one by one.
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes of the fuzzer, from first to last; after the last one only zeros.
typedef struct fuzz_bytes {
    const uint8_t* at;
    const uint8_t* end;
} fuzz_bytes;

static inline fuzz_bytes fuzz_bytes_of(const uint8_t* data, size_t size) {
    return (fuzz_bytes){data, data + size};
}

static inline bool fuzz_has_more(const fuzz_bytes* bytes) {
    return bytes->at < bytes->end;
}

static inline uint8_t fuzz_byte(fuzz_bytes* bytes) {
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

#endif
