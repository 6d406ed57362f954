// A game in C++ with names of its own that Kerb also has inside.
#include <kerb/kerb.h>

void draw_text(const char* text);
void draw_text(const char* /*text*/) {
}
float plan_steer(float curvature);
float plan_steer(float curvature) {
    return curvature;
}

int main() {
    const kerb_vehicle car = kerb_vehicle_default();
    const kerb_follower driver = kerb_follower_make(&car);
    draw_text(kerb_reason_text(driver.controls.reason));
    return plan_steer(1.0f) == 1.0f ? 0 : 1;
}
