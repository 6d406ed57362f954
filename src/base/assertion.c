// The default reaction to a failed assertion: print a line and abort.
//
// The function is alone in its file on purpose. A linker takes an object from a static library only
// for a symbol that is still missing. When the host defines kerb_assert_failed, the linker uses the
// host's function and leaves this file out.
#include "kerb/base.h"

#include <stdio.h>
#include <stdlib.h>

void kerb_assert_failed(const char* condition, const char* file, int line) {
    fprintf(stderr, "%s:%d: Kerb was used wrongly: required: %s\n", file, line, condition);
    abort();
}
