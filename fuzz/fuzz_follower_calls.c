// libFuzzer target: any bytes as calls of a follower, by each of its methods, on paths of all kinds
// that are replaced while it drives. What is demanded: fuzz/calls.h.
//
//     fuzz_follower_calls -max_total_time=3600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/follow.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { FOLLOWER_WAYPOINTS = 128 };

typedef struct follower_calls {
    kerb_follower follower;
    fuzz_vehicle car;
    kerb_path path;
    kerb_path_point points[FOLLOWER_WAYPOINTS];
    kerb_vec3 origin; // of the present coordinates, in the first ones [m]
} follower_calls;

// Waypoints of a path about `centre`. 0: a circle; 1: bends, corridors and hills; 2: to and fro;
// 3: a knot of points; 4: a lap as an open path; others: steps of any size in any direction.
static int32_t follower_waypoints(fuzz_bytes* bytes, int32_t kind, kerb_waypoint* waypoints) {
    int32_t count = kind == 3 ? 6 : kind == 2 ? 12 : 64;
    float x = 0.0f, y = 0.0f, heading = 0.0f, sine, cosine;
    for (int32_t i = 0; i < count; i++) {
        float angle = 2.0f * KERB_PI * (float)i / 63.0f;
        kerb_sin_cos(angle, &sine, &cosine);
        float radius = 60.0f * (1.0f + (kind == 1 ? 0.2f * kerb_sin(3.0f * angle) : 0.0f));
        waypoints[i] = kerb_waypoint_at(radius * cosine, radius * sine,
                                        kind == 1 ? 3.0f * kerb_sin(2.0f * angle) : 0.0f);
        if (kind == 2)
            waypoints[i] = kerb_waypoint_at(i % 2 == 0 ? 0.0f : 30.0f, (float)i, 0.0f);
        if (kind == 2)
            waypoints[i].direction = i % 2 == 0 ? 1 : -1;
        if (kind == 3)
            waypoints[i] = kerb_waypoint_at(fuzz_between(bytes, -3.0f, 3.0f),
                                            fuzz_between(bytes, -3.0f, 3.0f), 0.0f);
        if (kind > 4) {
            heading += fuzz_between(bytes, -1.6f, 1.6f);
            kerb_sin_cos(heading, &sine, &cosine);
            float step = fuzz_between(bytes, 0.01f, 25.0f);
            x += step * cosine;
            y += step * sine;
            waypoints[i] = kerb_waypoint_at(x, y, fuzz_between(bytes, -1.0f, 1.0f));
            waypoints[i].stop = fuzz_byte(bytes) < 8 ? 1.0f : 0.0f;
            waypoints[i].direction = fuzz_byte(bytes) < 16 ? -1 : 1;
            waypoints[i].bank = fuzz_between(bytes, -0.3f, 0.3f);
            waypoints[i].grip = fuzz_between(bytes, 0.1f, 1.2f);
            waypoints[i].speed_limit = fuzz_between(bytes, 1.0f, 60.0f);
        }
    }
    return count;
}

static void follower_build(follower_calls* calls, fuzz_bytes* bytes, int32_t kind) {
    kerb_waypoint waypoints[FOLLOWER_WAYPOINTS];
    int32_t count = follower_waypoints(bytes, kind, waypoints);
    for (int32_t i = 0; i < count; i++)
        waypoints[i].position = kerb_vec3_sub(waypoints[i].position, calls->origin);
    bool closed = kind <= 1;
    if (kerb_path_build(&calls->path, calls->points, waypoints, count - closed, closed, NULL) !=
        KERB_OK)
        follower_build(calls, bytes, 0); // such as a knot of equal points
}

// --------------------------------------------------------------------------- the subject

static kerb_controls follower_drive(void* self, void* driver, const kerb_motion* motion,
                                    const kerb_surroundings* surroundings, float time_step) {
    follower_calls* calls = self;
    return kerb_follower_drive(driver, &calls->path, motion, surroundings, time_step);
}

static void follower_place(void* self, fuzz_bytes* bytes) {
    follower_calls* calls = self;
    // Not where an open path ends.
    double at = (double)fuzz_between(bytes, 0.0f, calls->path.closed ? 1.0f : 0.5f);
    kerb_path_location location = kerb_path_locate(&calls->path, at * calls->path.length);
    const kerb_path_point* segment = &calls->path.points[location.segment];
    float turned = segment->travel > 0 ? 0.0f : KERB_PI;
    calls->car = (fuzz_vehicle){.vehicle = calls->follower.vehicle,
                                .position = kerb_path_position(&calls->path, location),
                                .heading = kerb_wrap_angle(segment->heading + turned),
                                .gear = segment->travel};
}

static void follower_change_settings(void* self, fuzz_bytes* bytes) {
    follower_calls* calls = self;
    fuzz_change_setting(bytes, &kerb_follower_settings_table, &calls->follower.settings);
}

static void follower_change_route(void* self, fuzz_bytes* bytes) {
    follower_build(self, bytes, fuzz_below(bytes, 8));
}

static void follower_settle(void* self) {
    follower_calls* calls = self;
    fuzz_bytes none = {NULL, NULL};
    int32_t method = calls->follower.settings.method;
    calls->follower.settings = kerb_follower_settings_default((kerb_follower_method)method);
    follower_build(calls, &none, 0);
}

static void follower_shift_origin(void* self, kerb_vec3 new_origin) {
    follower_calls* calls = self;
    kerb_path_shift_origin(&calls->path, new_origin);
    kerb_follower_shift_origin(&calls->follower, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
    calls->origin = kerb_vec3_add(calls->origin, new_origin);
}

static void follower_check(const void* self, const void* driver) {
    const follower_calls* calls = self;
    kerb_intent intent;
    kerb_follower_intent(driver, &calls->path, &intent);
    fuzz_demand_finite(&intent, sizeof intent);
}

// In rising order.
static const size_t follower_doubles[] = {
    offsetof(kerb_follower, decision.distance),
    offsetof(kerb_follower, memory.path_length),
    offsetof(kerb_follower, memory.rounds),
    offsetof(kerb_follower, memory.distance),
    offsetof(kerb_follower, memory.line_distance),
    offsetof(kerb_follower, memory.stop_scan_distance),
    offsetof(kerb_follower, memory.stop_distance),
    offsetof(kerb_follower, memory.goal_station),
    offsetof(kerb_follower, memory.knot_looked),
    offsetof(kerb_follower, memory.stuck.progress_mark),
    offsetof(kerb_follower, memory.stuck.stuck_progress),
    offsetof(kerb_follower, memory.line.per_metre),
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static follower_calls calls; // large
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    int32_t kind = fuzz_byte(&bytes);
    vehicle.kind = kind % 4 == 0   ? KERB_VEHICLE_TRACKED
                   : kind % 4 == 1 ? KERB_VEHICLE_HOVER
                                   : KERB_VEHICLE_WHEELED;
    kerb_follower_init(&calls.follower, &vehicle);
    static const kerb_follower_method methods[] = {KERB_FOLLOWER_KERB, KERB_FOLLOWER_KERB,
                                                   KERB_FOLLOWER_PAPER, KERB_FOLLOWER_BASELINE};
    calls.follower.settings = kerb_follower_settings_default(methods[kind / 4 % 4]);
    follower_build(&calls, &bytes, fuzz_below(&bytes, 8));
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.follower,
                            .bytes = sizeof calls.follower,
                            .doubles = follower_doubles,
                            .double_count =
                                (int32_t)(sizeof follower_doubles / sizeof *follower_doubles),
                            .vehicle = &calls.car,
                            .speed_least = 3.0f,
                            .seconds_most = 20.0f,
                            .drive = follower_drive,
                            .place = follower_place,
                            .change_settings = follower_change_settings,
                            .settle = follower_settle,
                            .change_route = follower_change_route,
                            .shift_origin = follower_shift_origin,
                            .check = follower_check};
    fuzz_calls(&subject, bytes);
    return 0;
}
