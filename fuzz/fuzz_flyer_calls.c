// libFuzzer target: any bytes as calls of a flyer, along circles, to goals and by desired
// directions. What is demanded: fuzz/calls.h.
//
//     fuzz_flyer_calls -max_total_time=600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/fly.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { FLYER_POINTS = 64, FLYER_PATHS = 3 };

// How it is flown in the next frames.
typedef enum flyer_way { FLYER_ALONG, FLYER_TO, FLYER_BY, FLYER_WAYS } flyer_way;

typedef struct flyer_calls {
    kerb_flyer flyer;
    fuzz_vehicle plane; // position, heading and speed
    float climb, bank;  // of the nose, right side down positive [rad]
    kerb_vec3 rates;    // of the last frame, in world axes [rad/s]
    kerb_path paths[FLYER_PATHS];
    kerb_path_point points[FLYER_PATHS][FLYER_POINTS + 1];
    int32_t way, on; // flyer_way, index of the path
    kerb_directed_goal goal;
    kerb_steering desired;
    kerb_vec3 origin;
    float place_angle;
} flyer_calls;

static const float flyer_radii[FLYER_PATHS] = {500.0f, 900.0f, 0.5f};

// Path 0: a circle, 1: an open one that climbs, 2: so small that a frame flies many rounds.
static void flyer_build(int32_t which, kerb_path* path) {
    kerb_waypoint waypoints[FLYER_POINTS];
    for (int32_t i = 0; i < FLYER_POINTS; i++) {
        float angle = 2.0f * KERB_PI * (float)i / (float)FLYER_POINTS, sine, cosine;
        kerb_sin_cos(angle, &sine, &cosine);
        waypoints[i] = kerb_waypoint_at(flyer_radii[which] * cosine, flyer_radii[which] * sine,
                                        1000.0f + (which == 1 ? 4.0f * (float)i : 0.0f));
    }
    kerb_host host = kerb_host_default();
    kerb_error error;
    FUZZ_DEMAND(kerb_path_create(path, waypoints, which == 1 ? FLYER_POINTS / 2 : FLYER_POINTS,
                                 which != 1, &host, &error) == KERB_OK);
    FUZZ_DEMAND(path->count <= FLYER_POINTS + 1);
}

// The points are copies, because the origin moves.
static void flyer_paths(flyer_calls* calls) {
    static kerb_path built[FLYER_PATHS];
    static bool is_built;
    for (int32_t i = 0; i < FLYER_PATHS && !is_built; i++)
        flyer_build(i, &built[i]);
    is_built = true;
    for (int32_t i = 0; i < FLYER_PATHS; i++) {
        calls->paths[i] = built[i];
        memcpy(calls->points[i], built[i].points, (size_t)built[i].count * sizeof *built[i].points);
        calls->paths[i].points = calls->points[i];
    }
}

// --------------------------------------------------------------------------- the airplane

// An airplane whose path follows its nose at once.
static void flyer_move(void* self, const kerb_controls* controls, float time_step) {
    flyer_calls* calls = self;
    const kerb_aircraft* a = &calls->flyer.aircraft;
    float left = kerb_min(time_step, 3.0f);
    while (left > 0.0f) {
        float step = kerb_min(left, 1.0f / 120.0f), sine, cosine;
        left -= step;
        kerb_quat attitude =
            kerb_quat_from_angles(calls->plane.heading, -calls->climb, calls->bank);
        kerb_vec3 body = {controls->roll * a->roll_rate_max, controls->pitch * a->pitch_rate_max,
                          controls->yaw * a->yaw_rate_max};
        calls->rates = kerb_quat_rotate(attitude, body);
        float angle = kerb_vec3_length(body) * step;
        kerb_vec3 axis = kerb_vec3_unit(body, (kerb_vec3){1.0f, 0.0f, 0.0f});
        kerb_sin_cos(0.5f * angle, &sine, &cosine);
        kerb_quat turn = {axis.x * sine, axis.y * sine, axis.z * sine, cosine};
        attitude = kerb_quat_multiply(attitude, turn);
        kerb_vec3 nose = kerb_quat_forward(attitude);
        calls->plane.heading = kerb_atan2(nose.y, nose.x);
        calls->climb = kerb_asin(nose.z);
        calls->bank = kerb_atan2(kerb_quat_left(attitude).z, kerb_quat_up(attitude).z);
        float speed = kerb_max(calls->plane.speed, 5.0f);
        float gains = controls->throttle * kerb_aircraft_thrust(a, speed) -
                      kerb_aircraft_drag(a, speed, 1.0f) - KERB_GRAVITY * nose.z;
        calls->plane.speed = kerb_clamp(speed + gains * step, 5.0f, 150.0f);
        calls->plane.position =
            kerb_vec3_along(calls->plane.position, nose, calls->plane.speed * step);
    }
}

static kerb_motion flyer_motion(const void* self) {
    const flyer_calls* calls = self;
    kerb_motion motion = kerb_motion_default();
    motion.position = calls->plane.position;
    motion.rotation = kerb_quat_from_angles(calls->plane.heading, -calls->climb, calls->bank);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), calls->plane.speed);
    motion.angular_velocity = calls->rates;
    return motion;
}

// --------------------------------------------------------------------------- the subject

static kerb_controls flyer_drive(void* self, void* driver, const kerb_motion* motion,
                                 const kerb_surroundings* surroundings, float time_step) {
    const flyer_calls* calls = self;
    (void)surroundings;
    if (calls->way == FLYER_TO)
        return kerb_flyer_arrive(driver, &calls->goal, motion, time_step);
    if (calls->way == FLYER_BY) {
        kerb_agent agent = kerb_flyer_agent(driver, motion);
        fuzz_demand_finite(&agent, sizeof agent);
        return kerb_flyer_drive(driver, &calls->desired, motion, time_step);
    }
    return kerb_flyer_follow(driver, &calls->paths[calls->on], motion, time_step);
}

static void flyer_place(void* self, fuzz_bytes* bytes) {
    flyer_calls* calls = self;
    float sine, cosine;
    calls->place_angle += fuzz_between(bytes, 1.0f, 2.0f * KERB_PI - 1.0f);
    kerb_sin_cos(calls->place_angle, &sine, &cosine);
    calls->plane = (fuzz_vehicle){.vehicle = kerb_vehicle_default(), .gear = 1};
    calls->plane.position = (kerb_vec3){500.0f * cosine, 500.0f * sine, 1000.0f};
    calls->plane.position = kerb_vec3_sub(calls->plane.position, calls->origin);
    calls->plane.heading = kerb_wrap_angle(calls->place_angle + 0.5f * KERB_PI);
    calls->plane.speed = calls->flyer.aircraft.cruise_speed;
    calls->climb = calls->bank = 0.0f;
    calls->rates = (kerb_vec3){0.0f, 0.0f, 0.0f};
}

static void flyer_change_settings(void* self, fuzz_bytes* bytes) {
    flyer_calls* calls = self;
    fuzz_change_setting(bytes, &kerb_flyer_settings_table, &calls->flyer.settings);
}

static void flyer_settle(void* self) {
    flyer_calls* calls = self;
    calls->flyer.settings = kerb_flyer_settings_default();
    calls->way = FLYER_ALONG;
    calls->on = 0;
}

static float flyer_odd(fuzz_bytes* bytes, float min, float max) {
    return fuzz_odd(bytes, fuzz_below(bytes, 8) == 0, min, max);
}

static void flyer_change_route(void* self, fuzz_bytes* bytes) {
    flyer_calls* calls = self;
    calls->way = fuzz_below(bytes, FLYER_WAYS);
    calls->on = fuzz_below(bytes, FLYER_PATHS);
    calls->goal.position.x = flyer_odd(bytes, -3000.0f, 3000.0f);
    calls->goal.position.y = flyer_odd(bytes, -3000.0f, 3000.0f);
    calls->goal.position.z = flyer_odd(bytes, 500.0f, 1500.0f);
    calls->goal.forward.x = flyer_odd(bytes, -1.0f, 1.0f);
    calls->goal.forward.y = flyer_odd(bytes, -1.0f, 1.0f);
    calls->goal.forward.z = flyer_odd(bytes, -0.2f, 0.2f);
    calls->goal.speed = flyer_odd(bytes, 0.0f, 80.0f);
    calls->goal.turning_radius = flyer_odd(bytes, 1.0f, 500.0f);
    calls->desired.direction = calls->goal.forward;
    calls->desired.speed = calls->goal.speed;
}

static void flyer_shift_origin(void* self, kerb_vec3 new_origin) {
    flyer_calls* calls = self;
    kerb_flyer_shift_origin(&calls->flyer, new_origin);
    calls->origin = kerb_vec3_add(calls->origin, new_origin);
    calls->plane.position = kerb_vec3_sub(calls->plane.position, new_origin);
    calls->goal.position = kerb_vec3_sub(calls->goal.position, new_origin);
    for (int32_t i = 0; i < FLYER_PATHS; i++)
        for (int32_t k = 0; k < calls->paths[i].count; k++)
            calls->points[i][k].position = kerb_vec3_sub(calls->points[i][k].position, new_origin);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static flyer_calls calls; // large
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_aircraft aircraft = kerb_aircraft_default();
    kerb_flyer_init(&calls.flyer, &aircraft);
    flyer_paths(&calls);
    // Truth values that are followed by padding, and an id: they may look like anything.
    static const size_t doubles[] = {
        offsetof(kerb_flyer, controls.handbrake), offsetof(kerb_flyer, memory.last.known),
        offsetof(kerb_flyer, memory.left.known), offsetof(kerb_flyer, memory.path_id)};
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.flyer,
                            .bytes = sizeof calls.flyer,
                            .doubles = doubles,
                            .double_count = 4,
                            .vehicle = &calls.plane,
                            .speed_least = 30.0f,
                            .seconds_most = 20.0f,
                            .drive = flyer_drive,
                            .place = flyer_place,
                            .change_settings = flyer_change_settings,
                            .settle = flyer_settle,
                            .change_route = flyer_change_route,
                            .shift_origin = flyer_shift_origin,
                            .move = flyer_move,
                            .motion = flyer_motion};
    fuzz_calls(&subject, bytes);
    // It is on its circle again.
    FUZZ_DEMAND(calls.flyer.decision.cross_track_error < 60.0f);
    return 0;
}
