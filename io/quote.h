// Words of a file inside messages: written so that all bytes are safe to print, and compared with
// the names of the format.
#ifndef KERB_IO_QUOTE_H
#define KERB_IO_QUOTE_H

#include "kerb/base.h"

#define KERB_IO_QUOTE_MAX 32

/// Copies text for a message: bytes that are no printable ASCII become '?', long text is cut and
/// ends in "...". Ends with a zero.
void kerb_io_quote(char quoted[KERB_IO_QUOTE_MAX], const char* text, size_t length);

/// Looks for the known name that a misspelt word was meant to be.
typedef struct kerb_io_nearest {
    const char* word;
    size_t length;
    const char* name; ///< the nearest so far, or NULL while none is near
    int32_t distance;
} kerb_io_nearest;

/// Near is what up to a third of the word's letters changed, added or removed can make; case and
/// the kind of separator count as nothing changed.
kerb_io_nearest kerb_io_nearest_make(const char* word, size_t length);

/// Considers a name, which must outlive the search; true when it is the nearest so far.
/// O(length of word × length of name)
bool kerb_io_nearest_consider(kerb_io_nearest* nearest, const char* name);

#endif
