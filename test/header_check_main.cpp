// Runs when every public header has compiled alone, as C++20, and its functions link from there.
#include "kerb/kerb.h"

#include <cstring>

int main() {
    kerb_vec3 left = kerb_quat_left(kerb_quat_from_heading(0.0f));
    return std::strcmp(kerb_version(), KERB_VERSION) != 0 || left.y != 1.0f;
}
