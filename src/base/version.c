// The version of the linked library, which may differ from that of the headers in use.
#include "kerb/base.h"

const char* kerb_version(void) {
    return KERB_VERSION;
}
