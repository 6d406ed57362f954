// The fuzzers' corpus and thousands of mutations of it, through the same entry points, so that
// every compiler and sanitizer sees them without libFuzzer. What fails can be written to a file in
// fuzz/corpus once it is understood.
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // for dirent.h
#include <dirent.h>
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/course_csv.h"
#include "fuzz/plan_files.h"
#include "fuzz/sumo.h"
#include "fuzz/track.h"
#include "fuzz/vehicle_json.h"
#include "test/seed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS_MAX = 200, BYTES_MAX = 4096, MUTATIONS = 20000 };

typedef struct seed_text {
    size_t length;
    unsigned char bytes[BYTES_MAX];
} seed_text;

typedef struct corpus {
    int32_t count;
    seed_text seeds[SEEDS_MAX];
} corpus;

typedef void entry_point(const uint8_t* data, size_t size);

// --------------------------------------------------------------------------- corpus

static void add_file(corpus* all, const char* path) {
    FILE* file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    assert_true(all->count < SEEDS_MAX);
    seed_text* seed = &all->seeds[all->count];
    seed->length = fread(seed->bytes, 1, BYTES_MAX, file);
    all->count += seed->length > 0;
    fclose(file);
}

static void add_folder(corpus* all, const char* folder) {
#if defined(_WIN32)
    (void)all;
    (void)folder;
#else
    DIR* directory = opendir(folder);
    if (!directory)
        fail_msg("%s cannot be read", folder);
    for (struct dirent* entry; (entry = readdir(directory)) != NULL;) {
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        add_file(all, path);
    }
    closedir(directory);
#endif
}

// The order in which a folder is read is not the same everywhere, but a seed must give one run.
static int compare_seeds(const void* a, const void* b) {
    const seed_text *first = a, *second = b;
    if (first->length != second->length)
        return first->length < second->length ? -1 : 1;
    return memcmp(first->bytes, second->bytes, first->length);
}

static corpus* load_corpus(const char* name) {
    corpus* all = calloc(1, sizeof *all);
    char folder[256];
    assert_non_null(all);
    snprintf(folder, sizeof folder, "%s/fuzz/corpus/%s", KERB_SOURCE_DIR, name);
    add_folder(all, folder);
    qsort(all->seeds, (size_t)all->count, sizeof all->seeds[0], compare_seeds);
    return all;
}

// --------------------------------------------------------------------------- mutations

static size_t below(kerb_random* random, size_t count) {
    return (size_t)kerb_random_below(random, (int32_t)count);
}

static void replace_byte(seed_text* text, kerb_random* random) {
    static const char likely[] = "0123456789.,-+eE\"'#\\/{}[]:\n\r\t x_mnaif\xEF\xBB\xBF";
    if (text->length > 0)
        text->bytes[below(random, text->length)] =
            kerb_random_below(random, 4) ? (unsigned char)likely[below(random, sizeof likely)]
                                         : (unsigned char)kerb_random_bits(random);
}

static void remove_bytes(seed_text* text, kerb_random* random) {
    if (text->length == 0)
        return;
    size_t at = below(random, text->length);
    size_t length = 1 + below(random, text->length - at);
    if (kerb_random_below(random, 2) && length > 4)
        length = 1 + below(random, 4);
    memmove(text->bytes + at, text->bytes + at + length, text->length - at - length);
    text->length -= length;
}

// Puts a piece of another seed, or of this one, somewhere.
static void insert_piece(seed_text* text, const seed_text* from, kerb_random* random) {
    size_t start = below(random, from->length), at = below(random, text->length + 1);
    size_t length = 1 + below(random, from->length - start);
    if (length > 40)
        length = 40;
    if (text->length + length > BYTES_MAX)
        return;
    unsigned char piece[40];
    memcpy(piece, from->bytes + start, length);
    memmove(text->bytes + at + length, text->bytes + at, text->length - at);
    memcpy(text->bytes + at, piece, length);
    text->length += length;
}

static void mutate(seed_text* text, const corpus* all, kerb_random* random) {
    int32_t changes = 1 + kerb_random_below(random, 4);
    for (int32_t i = 0; i < changes; i++) {
        switch (kerb_random_below(random, 3)) {
        case 0:
            replace_byte(text, random);
            break;
        case 1:
            remove_bytes(text, random);
            break;
        default:
            insert_piece(text, &all->seeds[below(random, (size_t)all->count)], random);
        }
    }
}

// A block of just the right length lets the address sanitizer see a step too far.
static void call(entry_point* entry, const seed_text* text) {
    unsigned char* block = malloc(text->length ? text->length : 1);
    assert_non_null(block);
    memcpy(block, text->bytes, text->length);
    entry(block, text->length);
    free(block);
}

static void run(const char* name, entry_point* entry, kerb_random* random) {
    corpus* all = load_corpus(name);
    if (all->count == 0) {
        free(all);
        print_message("skipped: the corpus' folder cannot be listed on this system\n");
        skip();
        return;
    }
    for (int32_t i = 0; i < all->count; i++)
        call(entry, &all->seeds[i]);
    for (int32_t i = 0; i < MUTATIONS; i++) {
        seed_text text = all->seeds[below(random, (size_t)all->count)];
        mutate(&text, all, random);
        call(entry, &text);
    }
    free(all);
}

static void courses_survive_the_corpus_and_its_mutations(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    run("course_csv", fuzz_course_csv, &random);
}

static void vehicles_survive_the_corpus_and_its_mutations(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    run("vehicle_json", fuzz_vehicle_json, &random);
}

static void maps_and_scenarios_survive_the_corpus_and_its_mutations(void** state) {
    (void)state;
    kerb_random random = test_random("fuzz_plan_files");
    run("plan_files", fuzz_plan_files, &random);
}

static void tracks_survive_the_corpus_and_its_mutations(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    run("track_csv", fuzz_track, &random);
    run("track_torcs", fuzz_track, &random);
    run("track_maps", fuzz_track, &random);
}

static void networks_survive_the_corpus_and_its_mutations(void** state) {
    (void)state;
    kerb_random random = test_random(__func__);
    run("sumo", fuzz_sumo, &random);
}

int io_fuzz_corpus_tests(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courses_survive_the_corpus_and_its_mutations),
        cmocka_unit_test(vehicles_survive_the_corpus_and_its_mutations),
        cmocka_unit_test(maps_and_scenarios_survive_the_corpus_and_its_mutations),
        cmocka_unit_test(tracks_survive_the_corpus_and_its_mutations),
        cmocka_unit_test(networks_survive_the_corpus_and_its_mutations),
    };
    return cmocka_run_group_tests_name("io fuzz corpus", tests, NULL, NULL);
}
