// A game that uses Kerb: drives one frame, and checks that headers and library agree. With an
// argument the vehicle is invalid, which builds with assertions say.
#include "kerb/follow.h"

#include <kerb/kerb.h>

#include <stdio.h>
#include <string.h>

int main(int count, char** arguments) {
    (void)arguments;
    const kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(100, 0, 0)};
    const kerb_host host = kerb_host_default();
    kerb_path path;
    if (kerb_path_create(&path, waypoints, 2, false, &host, NULL) != KERB_OK)
        return 1;
    const kerb_vehicle vehicle = kerb_vehicle_default();
    const kerb_motion motion = kerb_motion_default();
    kerb_follower follower = kerb_follower_make(&vehicle);
    if (count > 1)
        follower.vehicle.braking_max = 0.0f;
    kerb_controls controls = kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
    kerb_path_destroy(&path);
    printf("Kerb %s: throttle %.2f\n", kerb_version(), (double)controls.throttle);
    return strcmp(kerb_version(), KERB_VERSION) == 0 && controls.throttle > 0.0f ? 0 : 1;
}
