// A growing text, to which every function that writes a format appends; and notes, to which the
// functions that read a format add what they assumed.
//
//     kerb_io_text text = kerb_io_text_make(&host.allocator);
//     kerb_io_text_add(&text, "x_m,y_m\n");
//     kerb_io_text_add_fixed(&text, 12.5, 3);
//     if (!text.out_of_memory) // checked once, at the end
//         fwrite(text.data, 1, text.length, stdout);
//     kerb_io_text_destroy(&text);
//
//     kerb_io_notes notes = {0};
//     kerb_io_notes_add(&notes, "origin", 4, "assumed yaw 0 for nan");
//     for (int32_t i = 0; i < notes.count; i++)
//         printf("line %d: %s\n", notes.rows[i].line, notes.rows[i].message);
//
// Threads: use a text from one thread at a time; different texts are independent; so are notes.
// Lifetimes: `data` is valid until the next call that adds to the text or destroys it. The text
// keeps a copy of the allocator.
#ifndef KERB_IO_TEXT_H
#define KERB_IO_TEXT_H

#include "kerb/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A growing text. When an allocation fails, `out_of_memory` becomes true, and from then on adding
/// has no effect.
typedef struct kerb_io_text {
    char* data;         ///< ends with a zero that `length` does not count; NULL while empty
    size_t length;      ///< [bytes]
    size_t capacity;    ///< size of the memory [bytes]
    bool out_of_memory; ///< an allocation has failed
    kerb_allocator allocator;
} kerb_io_text;

/// An empty text. Allocates nothing.
kerb_io_text kerb_io_text_make(const kerb_allocator* allocator);

/// Releases the memory and leaves an empty text.
void kerb_io_text_destroy(kerb_io_text* text);

/// Adds a string. Many additions cost O(all bytes) together, because the capacity doubles.
void kerb_io_text_add(kerb_io_text* text, const char* string);
/// Adds `length` bytes.
void kerb_io_text_add_bytes(kerb_io_text* text, const char* bytes, size_t length);

/// Adds the shortest decimal number that reads back to the same float.
void kerb_io_text_add_float(kerb_io_text* text, float value);
/// Adds a number with `decimals` digits after the point, correctly rounded. [decimals: 0 … 20]
void kerb_io_text_add_fixed(kerb_io_text* text, double value, int32_t decimals);
/// Adds a whole number.
void kerb_io_text_add_int(kerb_io_text* text, int32_t value);

/// KERB_OK or KERB_ERROR_OUT_OF_MEMORY, with `error` (may be NULL) filled.
kerb_result kerb_io_text_result(const kerb_io_text* text, kerb_error* error);

/// Greatest number of notes that kerb_io_notes keeps.
#define KERB_IO_NOTES_MAX 8

/// What a reader assumed about a text, or ignored in it, where the text does not say.
typedef struct kerb_io_note {
    int32_t line;      ///< in the input text, from 1; 0: the whole text
    char field[48];    ///< name of the key or column; may be empty
    char message[144]; ///< one sentence without a full stop: "assumed yaw 0 for nan"
} kerb_io_note;

/// Notes of one or more readers, in the order in which they were added. Zero it before the first
/// reader; readers only add. Contains its texts and allocates nothing.
typedef struct kerb_io_notes {
    int32_t count;    ///< notes in `rows` [0 … KERB_IO_NOTES_MAX]
    int32_t left_out; ///< further notes, which had no room [>= 0]
    kerb_io_note rows[KERB_IO_NOTES_MAX];
} kerb_io_notes;

/// Adds a note. `notes` may be NULL: then it has no effect. Texts that are too long for the note
/// are truncated at the end of a UTF-8 character. A note that equals one in `rows` is added once.
void kerb_io_notes_add(kerb_io_notes* notes, const char* field, int32_t line, const char* message);

#ifdef __cplusplus
}
#endif

#endif
