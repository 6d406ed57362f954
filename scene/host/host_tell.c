// What a host tells of the truth when it makes a mistake. Each variant is one that hosts make.
#include "scene/host/host_tell.h"

#define HOST_DEGREES (180.0f / KERB_PI)

enum { HOST_AXES_VARIANTS = 12, HOST_ROTATION_VARIANTS = 3 };

int32_t kerb_scene_host_variants(kerb_host_mistake mistake) {
    switch (mistake) {
    case KERB_HOST_AXES_MIXED:
        return HOST_AXES_VARIANTS;
    case KERB_HOST_ROTATION_CONSTANT:
        return HOST_ROTATION_VARIANTS;
    case KERB_HOST_HEADING_IN_DEGREES:
    case KERB_HOST_VELOCITY_MISSING:
    case KERB_HOST_GEAR_MISSING:
        return 2;
    case KERB_HOST_STEERING_REVERSED:
        return 3;
    default:
        return 1;
    }
}

static void host_tell_raw_places(kerb_motion* told, const kerb_axes* axes) {
    told->position = kerb_position_to(axes, told->position);
    told->velocity = kerb_position_to(axes, told->velocity);
}

static void host_tell_raw_rotation(kerb_motion* told, const kerb_axes* axes) {
    told->rotation = kerb_rotation_to(axes, told->rotation);
    told->angular_velocity = kerb_angular_velocity_to(axes, told->angular_velocity);
}

static void host_tell_raw(kerb_motion* told, kerb_axes axes) {
    axes.unit = 1.0f;
    host_tell_raw_places(told, &axes);
    host_tell_raw_rotation(told, &axes);
}

static kerb_vec3 host_swapped_up(kerb_vec3 v) {
    return kerb_vec3_make(v.x, v.z, v.y);
}

static void host_turn_model(kerb_motion* told, float heading) {
    told->rotation = kerb_quat_multiply(told->rotation, kerb_quat_from_heading(heading));
}

static void host_tell_axes(kerb_motion* told, int32_t variant) {
    const kerb_axes unity = kerb_axes_unity();
    kerb_quat* q = &told->rotation;
    switch (variant) {
    case 0: // all raw, as Unity has them
        host_tell_raw(told, kerb_axes_unity());
        break;
    case 1:
        host_tell_raw(told, kerb_axes_godot());
        break;
    case 2:
        host_tell_raw(told, kerb_axes_gltf());
        break;
    case 3: // only the rotation is converted
        host_tell_raw_places(told, &unity);
        break;
    case 4: // only the rotation is not converted
        host_tell_raw_rotation(told, &unity);
        break;
    case 5: // y up given as z up
        told->position = host_swapped_up(told->position);
        told->velocity = host_swapped_up(told->velocity);
        break;
    case 6: // places of a left-handed world, rotation converted
        told->position.y = -told->position.y;
        told->velocity.y = -told->velocity.y;
        break;
    case 7: // places converted, rotation of a left-handed world
        q->x = -q->x;
        q->z = -q->z;
        break;
    case 8: { // the quaternion begins with w
        const kerb_quat first = {q->w, q->x, q->y, q->z};
        *q = first;
        break;
    }
    case 9: // the model looks back
        host_turn_model(told, KERB_PI);
        break;
    case 10: // the model looks along y
        host_turn_model(told, -0.5f * KERB_PI);
        break;
    default: // only the velocity is not converted
        told->velocity = kerb_position_to(&unity, told->velocity);
        break;
    }
}

static void host_tell_left_handed(kerb_motion* told) {
    kerb_axes unreal = kerb_axes_unreal();
    host_tell_raw(told, unreal);
}

static void host_tell_degrees(kerb_motion* told, int32_t variant) {
    const float heading = kerb_quat_heading(told->rotation) * HOST_DEGREES;
    const kerb_vec3 forward = kerb_quat_forward(told->rotation);
    told->rotation =
        variant == 0 ? kerb_quat_from_heading(heading)
                     : kerb_quat_from_angles(heading, -kerb_asin(forward.z) * HOST_DEGREES, 0.0f);
}

static void host_tell_rotation(kerb_scene_host_drive* drive) {
    static const kerb_quat constant[HOST_ROTATION_VARIANTS] = {
        {0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.6f, 0.8f}};
    drive->told.rotation = constant[drive->variant];
}

void kerb_scene_host_tell(kerb_scene_host_drive* drive) {
    kerb_motion* told = &drive->told;
    switch (drive->mistake) {
    case KERB_HOST_ROTATION_CONSTANT:
        host_tell_rotation(drive);
        break;
    case KERB_HOST_HEADING_IN_DEGREES:
        host_tell_degrees(told, drive->variant);
        break;
    case KERB_HOST_AXES_MIXED:
        host_tell_axes(told, drive->variant);
        break;
    case KERB_HOST_VELOCITY_MISSING:
        told->velocity = kerb_vec3_make(drive->variant ? 2.0f : 0.0f, 0.0f, 0.0f);
        break;
    case KERB_HOST_VELOCITY_IN_VEHICLE_AXES:
        told->velocity = kerb_quat_rotate(kerb_quat_conjugate(told->rotation), told->velocity);
        break;
    case KERB_HOST_TIME_STEP_IN_MILLISECONDS:
        drive->told_step *= 1000.0f;
        break;
    case KERB_HOST_STEERING_REVERSED:
        if (drive->variant == 1)
            told->steering = -told->steering;
        else if (drive->variant == 2)
            host_tell_left_handed(told);
        break;
    case KERB_HOST_GEAR_MISSING:
        told->gear = drive->variant;
        break;
    default:
        break;
    }
}

// Time by which a host is late that applies the controls late. [s]
#define HOST_LATE 0.4f

kerb_controls kerb_scene_host_apply(const kerb_scene_host_drive* drive) {
    kerb_controls applied = drive->controls;
    if (drive->mistake == KERB_HOST_STEERING_REVERSED && drive->variant == 0)
        applied.steering = -applied.steering;
    if (drive->mistake == KERB_HOST_CONTROLS_LATE) {
        const int32_t late = (int32_t)(HOST_LATE / drive->frame_time + 0.5f);
        const int32_t kept = (int32_t)(sizeof drive->late / sizeof *drive->late);
        applied = drive->late[(drive->frames + kept - (late < kept ? late : kept - 1)) % kept];
    }
    return applied;
}
