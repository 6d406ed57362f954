// A text that grows: what every writer writes into.
//
//     io_text text = io_text_make(&host.allocator);
//     io_text_add(&text, "x_m,y_m\n");
//     io_text_add_fixed(&text, 12.5, 3);
//     if (text.out_of_memory) …             // asked once, at the end
//     … text.data, text.length …
//     io_text_free(&text);
#ifndef KERB_IO_TEXT_H
#define KERB_IO_TEXT_H

#include "kerb/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A growing text. Once an allocation fails it takes nothing more, and `out_of_memory` says so.
typedef struct io_text {
    char* data;    ///< ends with a zero that `length` does not count; NULL while empty
    size_t length; ///< [bytes]
    size_t capacity;
    bool out_of_memory;
    kerb_allocator allocator;
} io_text;

/// An empty text. Allocates nothing yet.
io_text io_text_make(const kerb_allocator* allocator);

/// Gives the memory back and leaves an empty text.
void io_text_free(io_text* text);

/// Adds a string. O(bytes) on the whole, as the capacity doubles.
void io_text_add(io_text* text, const char* string);
/// Adds `length` bytes.
void io_text_add_bytes(io_text* text, const char* bytes, size_t length);

/// Adds the shortest decimal number that reads back to the same float.
void io_text_add_float(io_text* text, float value);
/// Adds a number with that many decimals, rounded from the exact value. [decimals: 0 … 20]
void io_text_add_fixed(io_text* text, double value, int32_t decimals);
/// Adds a whole number.
void io_text_add_int(io_text* text, int32_t value);

/// KERB_OK or KERB_ERROR_OUT_OF_MEMORY, with `error` (may be NULL) filled.
kerb_result io_text_result(const io_text* text, kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
