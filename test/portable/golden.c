// Prints the golden hashes, compares them with a file, or writes that file:
//
//     golden                      prints "name hash" lines
//     golden FILE                 compares with FILE; exit status 1 where they differ
//     golden --write FILE         writes FILE
//     golden --flush-to-zero …    the same while denormal numbers count as zero
//
// Uses only the library, the simulation and the scenes, so that it runs wherever they do.
#include "golden.h"
#include "test/flush_to_zero.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

golden_hash golden_start(void) {
    golden_hash hash = {UINT64_C(0xcbf29ce484222325)};
    return hash;
}

void golden_require(bool went_well, const char* step) {
    if (went_well)
        return;
    fprintf(stderr, "golden: failed: %s\n", step);
    exit(2);
}

void golden_add_bits(golden_hash* hash, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        hash->value ^= (bits >> (8 * i)) & 0xff;
        hash->value *= UINT64_C(0x100000001b3);
    }
}

void golden_add_int(golden_hash* hash, int32_t value) {
    golden_add_bits(hash, (uint32_t)value, 4);
}

void golden_add_float(golden_hash* hash, float value) {
    uint32_t bits = 0x7fc00000;
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    golden_add_bits(hash, bits, 4);
}

void golden_add_double(golden_hash* hash, double value) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    golden_add_bits(hash, bits, 8);
}

void golden_add_vec3(golden_hash* hash, kerb_vec3 value) {
    golden_add_float(hash, value.x);
    golden_add_float(hash, value.y);
    golden_add_float(hash, value.z);
}

void golden_add_quat(golden_hash* hash, kerb_quat value) {
    golden_add_float(hash, value.x);
    golden_add_float(hash, value.y);
    golden_add_float(hash, value.z);
    golden_add_float(hash, value.w);
}

typedef struct golden_row {
    const char* name;
    uint64_t (*run)(void);
} golden_row;

#define GOLDEN_ROW(name) {#name, name},
static const golden_row rows[] = {
#include "golden_rows.h"
};
#undef GOLDEN_ROW
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void print_rows(FILE* file) {
    for (int i = 0; i < ROW_COUNT; i++)
        fprintf(file, "%s %016" PRIx64 "\n", rows[i].name, rows[i].run());
}

static int write_rows(const char* path) {
    FILE* file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "golden: cannot write %s\n", path);
        return 1;
    }
    print_rows(file);
    return fclose(file) == 0 ? 0 : 1;
}

// The hash that the file gives for a name; false when it gives none.
static bool find_hash(FILE* file, const char* name, uint64_t* hash) {
    char found[64];
    rewind(file);
    while (fscanf(file, "%63s %" SCNx64, found, hash) == 2)
        if (strcmp(found, name) == 0)
            return true;
    return false;
}

static bool row_agrees(FILE* file, const golden_row* row) {
    uint64_t expected = 0;
    if (!find_hash(file, row->name, &expected)) {
        fprintf(stderr, "golden: %s is not in the file\n", row->name);
        return false;
    }
    uint64_t hash = row->run();
    if (hash != expected)
        fprintf(stderr, "golden: %s gives %016" PRIx64 ", not %016" PRIx64 "\n", row->name, hash,
                expected);
    return hash == expected;
}

static int compare_rows(const char* path) {
    FILE* file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "golden: cannot read %s\n", path);
        return 1;
    }
    int different = 0;
    for (int i = 0; i < ROW_COUNT; i++)
        different += !row_agrees(file, &rows[i]);
    fclose(file);
    printf("golden: %d of %d agree\n", ROW_COUNT - different, ROW_COUNT);
    return different == 0 ? 0 : 1;
}

int main(int count, char** arguments) {
    if (count > 1 && strcmp(arguments[1], "--flush-to-zero") == 0) {
        if (!test_flush_to_zero(true))
            printf("golden: this build cannot flush to zero, so denormals stay\n");
        count--;
        arguments++;
    }
    if (count == 3 && strcmp(arguments[1], "--write") == 0)
        return write_rows(arguments[2]);
    if (count == 2)
        return compare_rows(arguments[1]);
    print_rows(stdout);
    return 0;
}
