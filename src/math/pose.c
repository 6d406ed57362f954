// Poses in the horizontal plane: made from a heading, and the heading of a pose.
#include "kerb/math.h"

kerb_pose kerb_pose_make(float x, float y, float heading) {
    kerb_pose pose = {{x, y}, {1.0f, 0.0f}};
    kerb_sin_cos(heading, &pose.forward.y, &pose.forward.x);
    return pose;
}

float kerb_pose_heading(kerb_pose pose) {
    return kerb_atan2(pose.forward.y, pose.forward.x);
}
