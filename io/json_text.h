// JSON with line numbers: cJSON checks and decodes the text, and a cursor walks through the text in
// parallel with its tree.
//
//     cJSON* root;
//     if (kerb_io_json_parse(text, length, &host.allocator, &root, &error) == KERB_OK) {
//         kerb_io_json_cursor cursor = kerb_io_json_cursor_make(text, length);
//         kerb_io_json_enter(&cursor);     // from the value of the root into it
//         for each child of root:
//             kerb_io_json_next(&cursor);  // at the key of the child: cursor.line
//             kerb_io_json_pass(&cursor);  // after the key
//             kerb_io_json_next(&cursor);  // at the value; kerb_io_json_number(&cursor, …)
//             kerb_io_json_pass(&cursor);  // after the value
//         cJSON_Delete(root);
//     }
//
// Why not cJSON alone: it keeps no positions, and it reads numbers with strtod, which depends on
// the locale. So it gets a copy of the text in which each number is a plain 0, and the numbers are
// read from the text itself, to the nearest float.
//
// cJSON allocates with malloc, because its hooks are global and a library must not set them. If
// malloc fails, the error is a syntax error, because cJSON does not distinguish the two. cJSON also
// writes the place of its last error to a global variable (never read here), so parse on one thread
// at a time.
#ifndef KERB_IO_JSON_TEXT_H
#define KERB_IO_JSON_TEXT_H

#include "kerb/io/text.h"

#include <cjson/cJSON.h>

/// Longest text that is read. [bytes]
#define KERB_IO_JSON_BYTES_MAX (1 << 20)

/// Parses a whole text. On error nothing is left allocated and `error` (may be NULL) has the line:
/// SYNTAX (zero bytes, control characters, no UTF-8, a string that does not end on its line, deep
/// nesting, anything that is not JSON), TOO_MANY (bytes), OUT_OF_MEMORY. O(length)
kerb_result kerb_io_json_parse(const char* text, size_t length, const kerb_allocator* allocator,
                               cJSON** root, kerb_error* error);

/// A place in a text that kerb_io_json_parse has accepted.
typedef struct kerb_io_json_cursor {
    const char* at;
    const char* end;
    int32_t line; ///< from 1
} kerb_io_json_cursor;

/// At the root's value.
kerb_io_json_cursor kerb_io_json_cursor_make(const char* text, size_t length);

/// From the start of an object or array to behind its opening bracket.
void kerb_io_json_enter(kerb_io_json_cursor* cursor);

/// To the next key or value: over spaces, commas and colons.
void kerb_io_json_next(kerb_io_json_cursor* cursor);

/// From the start of a key or value to behind it, with all that it holds.
void kerb_io_json_pass(kerb_io_json_cursor* cursor);

/// The text of the number or word that the cursor stands at; returns its length.
size_t kerb_io_json_word(const kerb_io_json_cursor* cursor, const char** word);

/// Appends a string in quotes, with escapes where JSON wants them. [string: UTF-8]
void kerb_io_json_add_string(kerb_io_text* text, const char* string);

#endif
