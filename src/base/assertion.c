// What happens when an assertion fails, unless the host says otherwise.
//
// Alone in its file on purpose: a linker takes a static library's object only for a symbol that is
// still missing, so a host that defines kerb_assert_failed gets its own and this one stays out.
#include "kerb/base.h"

#include <stdio.h>
#include <stdlib.h>

void kerb_assert_failed(const char* condition, const char* file, int line) {
    fprintf(stderr, "%s:%d: Kerb was used wrongly: required: %s\n", file, line, condition);
    abort();
}
