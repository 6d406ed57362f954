// Short texts with numbers in them, for messages. Private to the library.
//
// printf is not used, because it writes "0,5" in some locales. Messages must be the same on every
// machine.
#ifndef KERB_IN_BASE_NUMBER_TEXT_H
#define KERB_IN_BASE_NUMBER_TEXT_H

#include "kerb/base.h"

/// A text under construction. Characters that do not fit are cut off.
typedef struct kerb_text {
    char text[144];
    size_t length;
} kerb_text;

kerb_text kerb_in_text_make(const char* start);
void kerb_in_text_add(kerb_text* text, const char* more);

/// A float with up to six significant digits, without trailing zeros: "0.05", "250", "1e8".
void kerb_in_text_add_number(kerb_text* text, float value);

#endif
