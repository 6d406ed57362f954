// Words of a file inside messages: shown so that any bytes are safe to print, and compared with
// the names that the format has.
#ifndef IO_QUOTE_H
#define IO_QUOTE_H

#include "kerb/base.h"

#define IO_QUOTE_MAX 32

/// Copies text for a message: bytes that are no printable ASCII become '?', long text is cut and
/// ends in "...". Ends with a zero.
void io_quote(char quoted[IO_QUOTE_MAX], const char* text, size_t length);

/// Looks for the known name that a misspelt word was meant to be.
typedef struct io_nearest {
    const char* word;
    size_t length;
    const char* name; ///< the nearest so far, or NULL while none is near
    int32_t distance;
} io_nearest;

/// Near is what up to a third of the word's letters changed, added or removed can make; case and
/// the kind of separator count as nothing changed.
io_nearest io_nearest_make(const char* word, size_t length);

/// Considers a name, which must outlive the search; true when it is the nearest so far.
/// O(length of word × length of name)
bool io_nearest_consider(io_nearest* nearest, const char* name);

#endif
