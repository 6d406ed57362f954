// The version of the linked library. It may differ from the version of the headers.
#include "kerb/base.h"

const char* kerb_version(void) {
    return KERB_VERSION;
}
