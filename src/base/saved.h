// Saved objects: the block of bytes that a driver's _save writes and its _load reads. What a block
// promises stands in kerb/base.h.
#ifndef KERB_IN_BASE_SAVED_H
#define KERB_IN_BASE_SAVED_H

#include "kerb/base.h"

/// Greatest alignment of an object that can be saved, which kerb/base.h promises to hosts. [bytes]
#define KERB_IN_SAVED_ALIGNMENT 8

/// Size of the block of an object. Writes the block when it is not NULL and `capacity` suffices.
/// [kind: name of the type, at most 31 characters] [size: of the object] [bytes] O(size)
size_t kerb_in_save(const char* kind, const void* object, size_t size, void* block,
                    size_t capacity);

/// Reads an object from a block, or refuses the block and changes nothing but `error`, which may be
/// NULL. O(size)
kerb_result kerb_in_load(const char* kind, void* object, size_t size, const void* block,
                         size_t block_size, kerb_error* error);

#endif
