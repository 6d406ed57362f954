// Texts of this room's enums. Choices of settings have the words of their settings tables. O(1)
#include "kerb/host_check.h"

#include "../base/shared.h"

const char* kerb_vehicle_kind_text(kerb_vehicle_kind value) {
    static const char* const texts[] = {
        [KERB_VEHICLE_WHEELED] = "wheeled",
        [KERB_VEHICLE_TRACKED] = "tracked",
        [KERB_VEHICLE_HOVER] = "hover",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_gear_told_text(kerb_gear_told value) {
    static const char* const texts[] = {
        [KERB_GEAR_TOLD_ENGAGED] = "engaged",
        [KERB_GEAR_TOLD_NOTHING] = "nothing",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_host_verdict_text(kerb_host_verdict value) {
    static const char* const texts[] = {
        [KERB_HOST_NOT_KNOWN] = "not known",
        [KERB_HOST_FINE] = "fine",
        [KERB_HOST_WRONG] = "wrong",
    };
    return KERB_ENUM_TEXT(texts, value);
}

const char* kerb_host_mistake_text(kerb_host_mistake which) {
    static const char* const texts[KERB_HOST_MISTAKE_COUNT] = {
        [KERB_HOST_NO_MISTAKE] = "no mistake is known",
        [KERB_HOST_ROTATION_CONSTANT] = "the rotation is constant",
        [KERB_HOST_HEADING_IN_DEGREES] = "the heading is in degrees",
        [KERB_HOST_AXES_MIXED] = "axes are mixed up",
        [KERB_HOST_VELOCITY_MISSING] = "the velocity is missing",
        [KERB_HOST_VELOCITY_IN_VEHICLE_AXES] = "the velocity is in the vehicle's own axes",
        [KERB_HOST_TIME_STEP_IN_MILLISECONDS] = "the time step is in milliseconds",
        [KERB_HOST_STEERING_REVERSED] = "the steering is reversed",
        [KERB_HOST_GEAR_MISSING] = "the gear is never told",
        [KERB_HOST_CONTROLS_LATE] = "the controls act later than described",
    };
    return KERB_ENUM_TEXT(texts, which);
}

const char* kerb_host_mistake_remedy(kerb_host_mistake which) {
    static const char* const remedies[KERB_HOST_MISTAKE_COUNT] = {
        [KERB_HOST_NO_MISTAKE] = "nothing is to be done",
        [KERB_HOST_ROTATION_CONSTANT] =
            "the vehicle turns, and kerb_motion.rotation stays the same: pass the rotation of the "
            "body in every frame, as a unit quaternion",
        [KERB_HOST_HEADING_IN_DEGREES] =
            "kerb_motion.rotation turns 57 times as fast as the vehicle: convert the heading from "
            "degrees to radians before kerb_quat_from_heading",
        [KERB_HOST_AXES_MIXED] =
            "position, rotation and velocity do not have the same axes: convert all of them, with "
            "kerb_position_from and kerb_rotation_from; x is forward, y left, z up, and a "
            "quaternion is x, y, z, w",
        [KERB_HOST_VELOCITY_MISSING] =
            "the vehicle moves, and kerb_motion.velocity stays the same: pass the velocity of the "
            "body in every frame",
        [KERB_HOST_VELOCITY_IN_VEHICLE_AXES] =
            "kerb_motion.velocity is given in the vehicle's own axes: rotate it by the rotation "
            "into the world, with kerb_quat_rotate",
        [KERB_HOST_TIME_STEP_IN_MILLISECONDS] =
            "the time step is 1000 times what position and velocity say: pass seconds",
        [KERB_HOST_STEERING_REVERSED] =
            "the vehicle steers to the other side than it is told: steering is positive to the "
            "left, in kerb_controls and in kerb_motion; change its sign, or convert positions and "
            "rotations from left-handed axes",
        [KERB_HOST_GEAR_MISSING] =
            "kerb_motion.gear never follows the commands: pass the engaged gear in every frame, 1 "
            "and more forward, -1 reverse",
        [KERB_HOST_CONTROLS_LATE] =
            "the wheels follow the controls later than kerb_vehicle says: apply the controls in "
            "the same frame, or raise steering_delay",
    };
    return KERB_ENUM_TEXT(remedies, which);
}
