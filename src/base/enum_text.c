// Texts of enums: one look-up for all of them. O(1)
#include "enum_text.h"

const char* kerb_in_enum_text(const char* const* texts, size_t count, size_t index) {
    return index < count && texts[index] != NULL ? texts[index] : "unknown";
}
