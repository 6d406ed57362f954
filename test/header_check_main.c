// Runs when every public header has compiled alone, as C.
#include "kerb/kerb.h"

#include <string.h>

int main(void) {
    return strcmp(kerb_version(), KERB_VERSION) != 0;
}
