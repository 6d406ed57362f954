// Golden hashes: every kernel and driver, run over fixed inputs and boiled down to one number each,
// which must be the same on every compiler and processor.
//
// To add one: write a function `uint64_t name(void)`, list it in golden_rows.h, and write the new
// numbers with `./dev test-portable --write`.
#ifndef GOLDEN_H
#define GOLDEN_H

#include "kerb/kerb.h"

/// FNV-1a, 64 bits, over values in little-endian order whatever the machine's own.
typedef struct golden_hash {
    uint64_t value;
} golden_hash;

golden_hash golden_start(void);
/// Ends the program unless a step that cannot fail went well: a hash of nothing agrees everywhere.
void golden_require(bool went_well, const char* step);
void golden_add_bits(golden_hash* hash, uint64_t bits, int bytes);
void golden_add_int(golden_hash* hash, int32_t value);
/// By its bits, so that -0 differs from 0; but every NaN counts as the same one, because IEEE 754
/// leaves the sign and payload of a fresh NaN to the processor.
void golden_add_float(golden_hash* hash, float value);
void golden_add_double(golden_hash* hash, double value);
void golden_add_vec3(golden_hash* hash, kerb_vec3 value);
void golden_add_quat(golden_hash* hash, kerb_quat value);

#define GOLDEN_ROW(name) uint64_t name(void);
#include "golden_rows.h"
#undef GOLDEN_ROW

#endif
