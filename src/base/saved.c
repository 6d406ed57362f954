// Saved objects: a header that says what the bytes are, and the bytes of the object.
//
// The header is compared with the header that this build would write, field by field, so that each
// difference has a name. The object's own bytes are trusted: no check of every field of every
// driver could tell a possible memory from an impossible one. O(bytes), no allocation. A block may
// lie at any address, so memcpy is the one way into it and out of it.
#include "saved.h"

#include "assertion.h"

#include <string.h>

// Never changes: whatever else changes in a header, a later version can still say what is wrong.
#define SAVED_MAGIC "kerbsave"
// Every order of its bytes is another number.
#define SAVED_BYTE_ORDER UINT32_C(0x01020304)

// Every field is aligned by its place, so it has the same layout everywhere: 64 bytes.
typedef struct saved_header {
    char magic[8]; // SAVED_MAGIC, without an end
    uint32_t byte_order;
    uint8_t layout[4]; // what compilers choose: see saved_lay_out
    uint16_t version[4];
    uint64_t size; // of the struct
    char kind[32]; // name of the type, filled up with zeros
} saved_header;
_Static_assert(sizeof(saved_header) == 64, "a header has no padding");

typedef enum saved_enum { SAVED_ENUM_FIRST } saved_enum;

// Two builds that agree on these and on the size of a struct agree on where its fields lie.
static void saved_lay_out(uint8_t layout[4]) {
    layout[0] = (uint8_t) _Alignof(double);
    layout[1] = (uint8_t) _Alignof(uint64_t);
    layout[2] = (uint8_t)sizeof(saved_enum);
    layout[3] = (uint8_t)sizeof(void*);
}

static saved_header saved_header_of(const char* kind, size_t size) {
    KERB_ASSERT(strlen(kind) < sizeof(((saved_header*)NULL)->kind));
    saved_header header = {
        .byte_order = SAVED_BYTE_ORDER,
        .version = {KERB_VERSION_MAJOR, KERB_VERSION_MINOR, KERB_VERSION_PATCH, 0},
        .size = size};
    memcpy(header.magic, SAVED_MAGIC, sizeof header.magic);
    saved_lay_out(header.layout);
    memcpy(header.kind, kind, strlen(kind));
    return header;
}

size_t kerb_in_save(const char* kind, const void* object, size_t size, void* block,
                    size_t capacity) {
    KERB_ASSERT(object);
    const size_t bytes = sizeof(saved_header) + size;
    if (block == NULL || capacity < bytes)
        return bytes;
    const saved_header header = saved_header_of(kind, size);
    memcpy(block, &header, sizeof header);
    memcpy((unsigned char*)block + sizeof header, object, size);
    return bytes;
}

static kerb_result saved_contradict(kerb_error* error, const char* field, const char* message) {
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, field, 0, -1, message);
}

// In this order: what comes later can only be read where what comes before is right.
static kerb_result saved_compare(const saved_header* given, const saved_header* own,
                                 kerb_error* error) {
    if (memcmp(given->magic, own->magic, sizeof own->magic) != 0)
        return kerb_error_set(error, KERB_ERROR_SYNTAX, "magic", 0, -1,
                              "is not a saved object of Kerb");
    if (given->byte_order != own->byte_order)
        return saved_contradict(error, "byte_order", "was saved by a machine with another one");
    if (memcmp(given->kind, own->kind, sizeof own->kind) != 0)
        return saved_contradict(error, "kind", "is an object of another type");
    if (memcmp(given->version, own->version, sizeof own->version) != 0)
        return saved_contradict(error, "version", "was saved by another version of the library");
    if (given->size != own->size)
        return saved_contradict(error, "size",
                                "was saved by a build with a struct of another size");
    if (memcmp(given->layout, own->layout, sizeof own->layout) != 0)
        return saved_contradict(error, "layout", "was saved by a build with another struct layout");
    return KERB_OK;
}

kerb_result kerb_in_load(const char* kind, void* object, size_t size, const void* block,
                         size_t block_size, kerb_error* error) {
    KERB_ASSERT(object && (block || block_size == 0));
    saved_header given;
    if (block_size < sizeof given)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "size", 0, -1,
                              "the block is shorter than its header");
    memcpy(&given, block, sizeof given);
    const saved_header own = saved_header_of(kind, size);
    const kerb_result result = saved_compare(&given, &own, error);
    if (result != KERB_OK)
        return result;
    if (block_size - sizeof given < size)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "size", 0, -1,
                              "the block is shorter than its object");
    memcpy(object, (const unsigned char*)block + sizeof given, size);
    return KERB_OK;
}
