// Texts of enums, for every room. Private to the library.
#ifndef KERB_IN_BASE_ENUM_TEXT_H
#define KERB_IN_BASE_ENUM_TEXT_H

#include "kerb/base.h"

/// The text at `index`, or "unknown" where there is none. Never NULL.
const char* kerb_in_enum_text(const char* const* texts, size_t count, size_t index);

/// The text of an enum's value in an array of texts. A negative value has none, either.
#define KERB_ENUM_TEXT(texts, value)                                                               \
    kerb_in_enum_text(texts, sizeof(texts) / sizeof *(texts), (size_t)(value))

#endif
