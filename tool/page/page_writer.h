// What pages that replay something share: the embedded page round its data, and the data's texts,
// numbers and columns. The bytes are equal in every locale and on every machine.
#ifndef KERB_TOOL_PAGE_PAGE_WRITER_H
#define KERB_TOOL_PAGE_PAGE_WRITER_H

#include "kerb/math.h"

#include <stdio.h>

/// Writes the page with its title, style, scripts, and the data that `put_data` writes, a JSON
/// object. False when `out` could not be written to; the reason is in errno.
bool tool_page_write(FILE* out, const char* title, void (*put_data)(FILE* out, const void* context),
                     const void* context);

/// Text between tags.
void tool_page_html_text(FILE* out, const char* text);

/// A JSON string that may stand inside a script element; what is not UTF-8 is replaced.
void tool_page_text(FILE* out, const char* text);

/// `value` with so many decimals; null when it is not finite.
void tool_page_number(FILE* out, double value, int32_t decimals);

/// `"name":value,`
void tool_page_field_text(FILE* out, const char* name, const char* text);
void tool_page_field_number(FILE* out, const char* name, double value, int32_t decimals);

/// Bytes on their way out, three at a time: begin with {out, 0, 0}. (RFC 4648)
typedef struct tool_base64 {
    FILE* out;
    uint32_t bits;
    int32_t count; ///< bytes in bits
} tool_base64;

void tool_base64_byte(tool_base64* stream, uint32_t byte);
void tool_base64_int16(tool_base64* stream, int32_t value);
/// Little-endian; 0 for what is not finite.
void tool_base64_float(tool_base64* stream, float value);
void tool_base64_end(tool_base64* stream);

/// A step of 1, 2 or 5 times a power of ten, of which a column of int16 counts.
typedef struct tool_decimal_step {
    int32_t digit;
    int32_t exponent; ///< -5 … 0
} tool_decimal_step;

double tool_decimal_step_value(tool_decimal_step step);
/// The finest step with which `greatest` fits into 16 bits.
tool_decimal_step tool_decimal_step_for(double greatest);

#endif
