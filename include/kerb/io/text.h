// A text that grows. Every writer appends to one.
//
//     kerb_io_text text = kerb_io_text_make(&host.allocator);
//     kerb_io_text_add(&text, "x_m,y_m\n");
//     kerb_io_text_add_fixed(&text, 12.5, 3);
//     if (text.out_of_memory) …             // asked once, at the end
//     … text.data, text.length …
//     kerb_io_text_destroy(&text);
//
// Threads: use a text from one thread at a time; different texts are independent. Lifetimes: `data`
// is valid until the next call that adds to the text or destroys it. The text keeps a copy of the
// allocator.
#ifndef KERB_IO_TEXT_H
#define KERB_IO_TEXT_H

#include "kerb/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A growing text. Once an allocation fails it takes nothing more, and `out_of_memory` says so.
typedef struct kerb_io_text {
    char* data;    ///< ends with a zero that `length` does not count; NULL while empty
    size_t length; ///< [bytes]
    size_t capacity;
    bool out_of_memory;
    kerb_allocator allocator;
} kerb_io_text;

/// An empty text. Allocates nothing yet.
kerb_io_text kerb_io_text_make(const kerb_allocator* allocator);

/// Gives the memory back and leaves an empty text.
void kerb_io_text_destroy(kerb_io_text* text);

/// Adds a string. O(bytes) on the whole, as the capacity doubles.
void kerb_io_text_add(kerb_io_text* text, const char* string);
/// Adds `length` bytes.
void kerb_io_text_add_bytes(kerb_io_text* text, const char* bytes, size_t length);

/// Adds the shortest decimal number that reads back to the same float.
void kerb_io_text_add_float(kerb_io_text* text, float value);
/// Adds a number with that many decimals, rounded from the exact value. [decimals: 0 … 20]
void kerb_io_text_add_fixed(kerb_io_text* text, double value, int32_t decimals);
/// Adds a whole number.
void kerb_io_text_add_int(kerb_io_text* text, int32_t value);

/// KERB_OK or KERB_ERROR_OUT_OF_MEMORY, with `error` (may be NULL) filled.
kerb_result kerb_io_text_result(const kerb_io_text* text, kerb_error* error);

#ifdef __cplusplus
}
#endif

#endif
