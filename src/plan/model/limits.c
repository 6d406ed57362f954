// Purpose: the limits and settings of the planner: tables, defaults, and limits of a given vehicle.
// Idea:    A plan that is driven needs a reserve in every limit, because the driver corrects its
//          errors with what the plan leaves. The share of acceleration comes from the host; the
//          other reserves are the constants below.
// Cost:    O(1).
#include "kerb/plan.h"

#include "../../base/shared.h"

// Planned turning radius over the smallest one. The difference is for steering corrections; chosen
// by trial. [1]
#define RADIUS_LEFT 1.1f

#define LIMITS_ROW(field, ...) KERB_IN_SETTING(kerb_plan_limits, field, __VA_ARGS__)

static const kerb_setting limit_rows[] = {
    LIMITS_ROW(turning_radius, "m", 0.01f, 10000.0f, 5.0f, "smallest radius of the rear axle"),
    LIMITS_ROW(speed_max, "m/s", 0.01f, 200.0f, 13.8f, "greatest speed forwards"),
    LIMITS_ROW(reverse_speed_max, "m/s", 0.0f, 200.0f, 0.0f,
               "greatest speed in reverse; 0: never in reverse"),
    LIMITS_ROW(acceleration, "m/s²", 0.0001f, 100.0f, 1.5f, "greatest gain of speed forwards"),
    LIMITS_ROW(braking, "m/s²", 0.0001f, 100.0f, 5.0f, "greatest loss of speed forwards"),
    LIMITS_ROW(reverse_acceleration, "m/s²", 0.01f, 100.0f, 1.5f,
               "greatest gain of speed in reverse"),
    LIMITS_ROW(reverse_braking, "m/s²", 0.01f, 100.0f, 5.0f, "greatest loss of speed in reverse"),
    LIMITS_ROW(lateral_acceleration, "m/s²", 0.01f, 1000.0f, 10.0f,
               "greatest speed² times curvature"),
    LIMITS_ROW(longitudinal_grip, "m/s²", 0.0f, 1000.0f, 0.0f,
               "friction ellipse with lateral_acceleration; 0: none"),
    LIMITS_ROW(yaw_rate_max, "rad/s", 0.0001f, 1000.0f, 1000.0f, "greatest speed times curvature"),
    LIMITS_ROW(reversal_time, "s", 0.0f, 60.0f, 0.5f, "standstill at a change of direction"),
    LIMITS_ROW(steering_time, "s", 0.0f, 60.0f, 0.0f, "wheels from straight to the tightest turn"),
    LIMITS_ROW(curvature_rate, "1/(m s)", 0.0f, 1000.0f, 0.0f,
               "fastest change of curvature; 0: it jumps"),
    LIMITS_ROW(front, "m", -500.0f, 500.0f, 3.6f, "footprint: from the rear axle to the front end"),
    LIMITS_ROW(rear, "m", -500.0f, 500.0f, 0.9f, "footprint: from the rear axle to the rear end"),
    LIMITS_ROW(width, "m", 0.0f, 100.0f, 1.8f, "footprint: across"),
    LIMITS_ROW(margin, "m", 0.0f, 100.0f, 0.0f, "added to the footprint on all sides"),
};
const kerb_settings_table kerb_plan_limits_table = {
    "kerb_plan_limits", sizeof(kerb_plan_limits), limit_rows,
    (int32_t)(sizeof limit_rows / sizeof limit_rows[0])};

kerb_plan_limits kerb_plan_limits_default(void) {
    kerb_plan_limits limits;
    kerb_settings_set_defaults(&kerb_plan_limits_table, &limits);
    return limits;
}

// A vehicle that can turn on the spot has a greatest yaw rate. Wheels have no such limit. [rad/s]
static float yaw_rate_of(const kerb_vehicle* vehicle) {
    return vehicle->kind == KERB_VEHICLE_WHEELED ? 1000.0f : vehicle->yaw_rate_max;
}

// Time of wheels, tracks or rudder from straight to the tightest turn. [s]
static float steering_time_of(const kerb_vehicle* vehicle) {
    if (vehicle->kind == KERB_VEHICLE_WHEELED)
        return vehicle->steering_angle_max / vehicle->steering_rate_max;
    return vehicle->yaw_rate_max / vehicle->yaw_acceleration_max;
}

kerb_plan_limits kerb_plan_limits_with_grip(const kerb_plan_limits* limits, float grip) {
    KERB_ASSERT(limits && grip > 0.0f);
    float lower = kerb_min(grip, 1.0f);
    kerb_plan_limits left = *limits;
    left.acceleration *= lower;
    left.reverse_acceleration *= lower;
    left.braking *= grip;
    left.reverse_braking *= grip;
    left.lateral_acceleration *= grip;
    left.longitudinal_grip *= grip;
    return left;
}

kerb_plan_limits kerb_plan_limits_of(const kerb_vehicle* vehicle, float grip) {
    KERB_ASSERT(vehicle && grip > 0.0f);
    kerb_plan_limits limits = {.turning_radius = kerb_vehicle_turning_radius(vehicle),
                               .speed_max = vehicle->speed_max,
                               .reverse_speed_max = vehicle->reverse_speed_max,
                               .acceleration = vehicle->acceleration_max,
                               .braking = vehicle->braking_max,
                               .reverse_acceleration = vehicle->reverse_acceleration_max,
                               .reverse_braking = vehicle->braking_max,
                               .lateral_acceleration = vehicle->lateral_acceleration_max,
                               .yaw_rate_max = yaw_rate_of(vehicle),
                               .reversal_time = 0.5f,
                               .steering_time = steering_time_of(vehicle),
                               .width = vehicle->width};
    limits.front = vehicle->reference_to_front + vehicle->reference_to_rear_axle;
    limits.rear = vehicle->length - limits.front;
    return kerb_plan_limits_with_grip(&limits, grip);
}

// Acceleration at full throttle over the planned one, at the greatest planned speed. The difference
// lets the driver make up for lost time; chosen by trial. [1]
#define PULL_LEFT 1.15f
// Share of the yaw rate of tracked vehicles that plans use; the rest is for corrections. Chosen by
// trial. [1]
#define YAW_USED 0.6f
// Times that the understeer counts. The gradient holds for small slip; near the limit of grip tyres
// slip about twice as much. [1]
#define UNDERSTEER_COUNTS 2.0f
// Share of the steering angle that is kept however much the vehicle understeers, so that the radius
// stays finite; chosen by trial. [1]
#define LOCK_KEPT 0.3f
// Share of the wheels' steering rate that plans use; the rest is for corrections. Chosen by trial.
// [1]
#define LIMITS_RATE_USED 0.9f
// Shares of what the vehicle can do that plans use at most; the rest is for corrections. Tyres: of
// what they hold along and sideways together. Chosen by trial: with tyres of 0.8, 0.7 and 0.64, and
// neither of the others, 39, 78 and 87 of 100 plans for a share of 0.8 were kept to. [1]
#define LIMITS_TYRES 0.6f
#define LIMITS_DRIVE 0.68f
// … of an acceleration that may be what the tyres of one axle hold: at least this share of the
// lateral one. With 0.6 of the tyres in a bend, 0.52 leaves a fifth of that axle, 0.68 a tenth.
#define LIMITS_ONE_AXLE 0.45f
#define LIMITS_DRIVE_TYRES 0.52f
#define LIMITS_REVERSE_BRAKES 0.45f
// Further time for wheels to turn, over how much greater the share is than one that needs no
// ellipse; chosen by trial: twice the time with a share of 0.8. [1]
#define LIMITS_SLOWER_WHEELS 2.7f
// Share of the braking that is left in reverse: the axle that brakes most then carries least, and
// steers. Chosen by trial. [1]
#define LIMITS_BRAKES_IN_REVERSE 0.7f
// Share of the full-throttle acceleration at rest that suffices at the greatest speed. It holds
// where the planned acceleration with its reserve is more than the vehicle has even at rest. Chosen
// by trial. [1]
#define PULL_KEPT 0.95f
// Margin of a vehicle of a car's size. Mirrors stand out by 0.1 to 0.15 m beside the body, and a
// driver leaves its plan by up to 0.1 m, mostly where mirrors are far from any wall. [m]
#define LIMITS_MARGIN 0.15f

// Acceleration that full throttle has left after resistance. [m/s²]
static float surplus(const kerb_vehicle* vehicle, float speed, bool reverse) {
    return kerb_full_throttle_acceleration(vehicle, speed, reverse) -
           kerb_coasting_deceleration(vehicle, speed);
}

// A plan has one acceleration for all speeds; an engine has less at higher speeds. This is the
// speed up to which the engine still has the planned acceleration and the reserve. The acceleration
// never rises with speed, so bisection finds it. [m/s]
static float speed_with(const kerb_vehicle* vehicle, float planned, float most, bool reverse) {
    float wanted = kerb_min(PULL_LEFT * planned, PULL_KEPT * surplus(vehicle, 0.0f, reverse));
    float least = 0.0f;
    if (most <= 0.0f || surplus(vehicle, most, reverse) >= wanted)
        return most;
    for (int32_t i = 0; i < 24; i++) {
        float middle = 0.5f * (least + most);
        if (surplus(vehicle, middle, reverse) >= wanted)
            least = middle;
        else
            most = middle;
    }
    return kerb_max(least, 0.01f);
}

// Tracks change the yaw rate, not the curvature: the faster the vehicle drives, the longer a jump
// of curvature takes. Force that turns the vehicle is also missing for its drive. So jumps get the
// time that they take at the greatest speed, and plans use a share of the yaw rate.
static void leave_turning(const kerb_vehicle* vehicle, kerb_plan_limits* limits) {
    limits->yaw_rate_max *= YAW_USED;
    float most = limits->speed_max / (limits->turning_radius * vehicle->yaw_acceleration_max);
    limits->steering_time = kerb_max(limits->steering_time, most);
}

// A driver does not turn the wheels at their greatest rate all the time, and at speed understeer
// takes the same share of the rate as of the angle. [s]
static float steering_time_in_bends(const kerb_vehicle* vehicle, const kerb_plan_limits* limits) {
    float square = limits->lateral_acceleration * limits->turning_radius;
    float lost = kerb_max(vehicle->understeer_gradient, 0.0f) * square / vehicle->wheelbase;
    return limits->steering_time * (1.0f + lost) / LIMITS_RATE_USED;
}

// Share of the acceleration that plans use. Where the tyres of one driven axle are its limit, as a
// bend takes its part of them, they have less left than all four.
static float drive_used(const kerb_vehicle* vehicle) {
    bool tyres = vehicle->acceleration_max > LIMITS_ONE_AXLE * vehicle->lateral_acceleration_max;
    return tyres ? LIMITS_DRIVE_TYRES : LIMITS_DRIVE;
}

// How late controls act for which the shares above were chosen: a delay of the pedals, and two
// frames of a sixtieth of a second. One passes until the driver sees an error, for one more each
// command holds. [s], [1]
#define LIMITS_USUAL_DELAY 0.1f
#define LIMITS_USUAL_FRAME (1.0f / 60.0f)
#define LIMITS_FRAMES 2.0f
// Beyond that: the time by which controls are later that needs as great a reserve as what the plan
// uses, and times of it by which wheels turn more slowly. Chosen by trial on hosts of the family.
// [s], [1]
#define LIMITS_LATE 1.0f
#define LIMITS_LATE_WHEELS 2.0f

// Controls that act late, or seldom, leave a plan by what they cannot correct in the meantime.
static void leave_late(const kerb_vehicle* vehicle, float frame, kerb_plan_limits* limits) {
    float frames = kerb_max(frame - LIMITS_USUAL_FRAME, 0.0f);
    float pedals = kerb_max(vehicle->throttle_delay - LIMITS_USUAL_DELAY, 0.0f);
    float wheels = kerb_max(vehicle->steering_delay - LIMITS_USUAL_DELAY, 0.0f);
    float share = 1.0f / (1.0f + (pedals + LIMITS_FRAMES * frames) / LIMITS_LATE);
    float* const lower[] = {
        &limits->acceleration,    &limits->reverse_acceleration, &limits->braking,
        &limits->reverse_braking, &limits->lateral_acceleration, &limits->longitudinal_grip};
    for (size_t i = 0; i < sizeof lower / sizeof lower[0]; i++)
        *lower[i] *= share;
    limits->steering_time += LIMITS_LATE_WHEELS * (wheels + frames);
}

// With a small share, tyres that are asked for all of it along and sideways at once have enough
// left. With a greater one, both together keep to an ellipse, and wheels get more time to turn:
// tyres near their limit follow them later.
static void leave_tyres(const kerb_vehicle* vehicle, float share, float frame,
                        kerb_plan_limits* limits) {
    const float corner = 1.41421356f; // of a square over its side
    float excess = share - LIMITS_TYRES / corner,
          drive = kerb_min(drive_used(vehicle) / share, 1.0f);
    if (excess <= 0.0f)
        return;
    limits->longitudinal_grip = LIMITS_TYRES / share * limits->braking;
    limits->lateral_acceleration *= kerb_min(LIMITS_TYRES / share, 1.0f);
    limits->acceleration *= drive;
    limits->reverse_acceleration *= drive;
    limits->reverse_braking =
        kerb_min(limits->reverse_braking, LIMITS_REVERSE_BRAKES / share * limits->braking);
    limits->steering_time *= 1.0f + LIMITS_SLOWER_WHEELS * excess;
    leave_late(vehicle, frame, limits);
}

// Smallest radius at the planned lateral acceleration, where understeer takes a part of the
// steering angle. In a bend that needs all of the angle the vehicle would drift wide with nothing
// left to correct it. [m]
static float radius_in_bends(const kerb_vehicle* vehicle, float lateral) {
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_vehicle_turning_radius(vehicle);
    float lost = UNDERSTEER_COUNTS * kerb_max(vehicle->understeer_gradient, 0.0f) * lateral;
    float radius = 0.0f;
    // A wider bend is driven faster, and where the lock falls with speed, with less of it: from
    // below, the radius rises to the least one that holds.
    for (int32_t i = 0; i < (vehicle->steering_lock.count > 0 ? 16 : 1); i++) {
        float speed = kerb_min(kerb_sqrt(lateral * radius), vehicle->speed_max);
        float most = kerb_vehicle_steering_lock(vehicle, speed);
        radius = vehicle->wheelbase / kerb_tan(kerb_max(most - lost, LOCK_KEPT * most));
    }
    return radius;
}

kerb_result kerb_plan_drivable(const kerb_vehicle* vehicle, kerb_error* error) {
    KERB_ASSERT(vehicle);
    if (vehicle->kind == KERB_VEHICLE_HOVER)
        return kerb_error_set(
            error, KERB_ERROR_OUT_OF_RANGE, "kind", 0, -1,
            "a HOVER vehicle does not move where it points: it slides off a plan with bends");
    return KERB_OK;
}

kerb_plan_limits kerb_plan_limits_to_drive(const kerb_vehicle* vehicle, float share) {
    return kerb_plan_limits_to_drive_in_frames(vehicle, share, 0.0f);
}

kerb_plan_limits kerb_plan_limits_to_drive_in_frames(const kerb_vehicle* vehicle, float share,
                                                     float frame) {
    KERB_ASSERT(vehicle && share > 0.0f && share <= 1.0f && frame >= 0.0f && frame <= 1.0f);
    kerb_plan_limits limits = kerb_plan_limits_of(vehicle, share);
    limits.turning_radius = RADIUS_LEFT * radius_in_bends(vehicle, limits.lateral_acceleration);
    limits.speed_max = speed_with(vehicle, limits.acceleration, limits.speed_max, false);
    limits.reverse_speed_max =
        speed_with(vehicle, limits.reverse_acceleration, limits.reverse_speed_max, true);
    if (vehicle->kind == KERB_VEHICLE_WHEELED) {
        limits.reverse_braking *= LIMITS_BRAKES_IN_REVERSE;
        limits.steering_time = steering_time_in_bends(vehicle, &limits);
        leave_tyres(vehicle, share, frame, &limits);
    } else {
        leave_turning(vehicle, &limits);
    }
    limits.margin = LIMITS_MARGIN * kerb_vehicle_scale(vehicle);
    return limits;
}

kerb_result kerb_plan_limits_validate(const kerb_plan_limits* limits, kerb_error* error) {
    KERB_ASSERT(limits);
    return kerb_settings_validate(&kerb_plan_limits_table, limits, error);
}

kerb_plan_end kerb_plan_end_make(float x, float y, float heading, float speed) {
    kerb_plan_end end = {.pose = kerb_pose_make(x, y, heading), .speed = speed};
    return end;
}

// --------------------------------------------------------------------------- settings

static const kerb_setting planner_rows[] = {
    {"improvement", offsetof(kerb_planner_settings, improvement), KERB_SETTING_INT, "1", 0.0f, 1e7f,
     5000.0f, NULL, "steps that improve the first plan"},
    {"seed", offsetof(kerb_planner_settings, seed), KERB_SETTING_INT, "1", 0.0f, 1e7f, 0.0f, NULL,
     "seed of the random numbers of the improvement"},
    {"expansions", offsetof(kerb_planner_settings, expansions), KERB_SETTING_INT, "1", 0.0f, 1e8f,
     100000.0f, NULL, "greatest number of node expansions"},
    {"nodes", offsetof(kerb_planner_settings, nodes), KERB_SETTING_INT, "1", 0.0f, 1e7f, 131072.0f,
     NULL, "greatest number of nodes of a search"},
    {"field_cells", offsetof(kerb_planner_settings, field_cells), KERB_SETTING_INT, "1", 0.0f, 1e8f,
     8388608.0f, NULL, "greatest number of cells of the distance field"},
};
const kerb_settings_table kerb_planner_settings_table = {
    "kerb_planner_settings", sizeof(kerb_planner_settings), planner_rows,
    (int32_t)(sizeof planner_rows / sizeof planner_rows[0])};

kerb_planner_settings kerb_planner_settings_default(void) {
    kerb_planner_settings settings;
    kerb_settings_set_defaults(&kerb_planner_settings_table, &settings);
    return settings;
}
