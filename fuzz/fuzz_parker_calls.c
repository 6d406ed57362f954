// libFuzzer target: any bytes as calls of a parker, or of a steering driver that goes to the same
// goal by behaviours of steer, seek and cars. What is demanded: fuzz/calls.h.
//
//     fuzz_parker_calls -max_total_time=600 -max_len=2000 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/cars.h"
#include "kerb/seek.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct parker_drivers {
    kerb_parker parker;
    kerb_steering_driver driver;
    kerb_trail trail;
} parker_drivers;

typedef struct parker_calls {
    parker_drivers drivers;
    fuzz_vehicle car;
    kerb_pose goal;
    int32_t by; // 0: the parker, else a behaviour
    float place_angle;
    kerb_vec3 origin;
} parker_calls;

static kerb_steering parker_wish(const parker_calls* calls, const parker_drivers* drivers,
                                 const kerb_agent* agent, const kerb_surroundings* around,
                                 float time_step) {
    kerb_vec3 to = {calls->goal.position.x, calls->goal.position.y, 0.0f};
    kerb_directed_goal goal = {
        to, {calls->goal.forward.x, calls->goal.forward.y, 0.0f}, 0.0f, agent->turning_radius};
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    settings.method = calls->by % 4;
    const kerb_cars_settings cars = kerb_cars_settings_default();
    const kerb_vec2 size = {calls->car.vehicle.length, calls->car.vehicle.width};
    const kerb_neighbour* others = around != NULL ? around->neighbours : NULL;
    int32_t count = around != NULL ? around->neighbour_count : 0;
    if (calls->by >= 8 && count > 0) {
        kerb_steering wish =
            calls->by == 8   ? kerb_chase(&cars, agent, &others[0], NULL, false, time_step, NULL)
            : calls->by == 9 ? kerb_block(&cars, agent, &others[0], NULL, true, size, time_step)
            : calls->by == 10
                ? kerb_convoy(&drivers->trail, &cars, agent, &others[0], &others[count - 1], 9.0f)
                : kerb_escape(&cars, agent, size, others, count, NULL, 0);
        return kerb_brake_for_cars(&cars, agent, size, &wish, others, count, -1);
    }
    if (calls->by >= 4)
        return kerb_directed_seek(&settings, agent, &goal, time_step, NULL);
    return kerb_arrive(agent, to, time_step);
}

static kerb_controls parker_drive(void* self, void* driver, const kerb_motion* motion,
                                  const kerb_surroundings* surroundings, float time_step) {
    const parker_calls* calls = self;
    parker_drivers* drivers = driver;
    if (calls->by == 0)
        return kerb_parker_drive(&drivers->parker, calls->goal, motion, surroundings, time_step);
    kerb_agent agent = kerb_agent_of(&drivers->driver.vehicle, motion);
    fuzz_demand_finite(&agent, sizeof agent);
    kerb_trail_record(&drivers->trail, motion->position);
    kerb_steering wish = parker_wish(calls, drivers, &agent, surroundings, time_step);
    fuzz_demand_finite(&wish, sizeof wish);
    return kerb_steering_driver_drive(&drivers->driver, &wish, motion, surroundings, time_step);
}

static void parker_place(void* self, fuzz_bytes* bytes) {
    parker_calls* calls = self;
    float sine, cosine;
    calls->place_angle += fuzz_between(bytes, 1.0f, 2.0f * KERB_PI - 1.0f);
    kerb_sin_cos(calls->place_angle, &sine, &cosine);
    calls->car = (fuzz_vehicle){.vehicle = calls->drivers.parker.vehicle, .gear = 1};
    calls->car.position = (kerb_vec3){60.0f * cosine - calls->origin.x,
                                      60.0f * sine - calls->origin.y, -calls->origin.z};
    calls->car.heading = fuzz_between(bytes, -KERB_PI, KERB_PI);
}

static void parker_change_settings(void* self, fuzz_bytes* bytes) {
    parker_calls* calls = self;
    if (fuzz_below(bytes, 2))
        fuzz_change_setting(bytes, &kerb_parker_settings_table, &calls->drivers.parker.settings);
    else
        fuzz_change_setting(bytes, &kerb_steering_driver_settings_table,
                            &calls->drivers.driver.settings);
}

static kerb_pose parker_goal(const parker_calls* calls) {
    return kerb_pose_make(-calls->origin.x, -calls->origin.y, 0.7f);
}

static void parker_settle(void* self) {
    parker_calls* calls = self;
    calls->drivers.parker.settings = kerb_parker_settings_default();
    calls->drivers.driver.settings = kerb_steering_driver_settings_default();
    calls->goal = parker_goal(calls);
    calls->by = calls->by == 0 ? 0 : 1;
}

static void parker_change_route(void* self, fuzz_bytes* bytes) {
    parker_calls* calls = self;
    bool odd = fuzz_below(bytes, 4) == 0;
    calls->by = fuzz_below(bytes, 12);
    calls->goal.position.x = fuzz_odd(bytes, odd, -50.0f, 50.0f);
    calls->goal.position.y = fuzz_odd(bytes, odd, -50.0f, 50.0f);
    calls->goal.forward.x = fuzz_odd(bytes, odd, -1.0f, 1.0f);
    calls->goal.forward.y = fuzz_odd(bytes, odd, -1.0f, 1.0f);
}

static void parker_shift_origin(void* self, kerb_vec3 new_origin) {
    parker_calls* calls = self;
    kerb_parker_shift_origin(&calls->drivers.parker, new_origin);
    kerb_steering_driver_shift_origin(&calls->drivers.driver, new_origin);
    kerb_trail_shift_origin(&calls->drivers.trail, new_origin);
    calls->origin = kerb_vec3_add(calls->origin, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
    calls->goal.position.x -= new_origin.x;
    calls->goal.position.y -= new_origin.y;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static parker_calls calls;
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    vehicle.kind = fuzz_below(&bytes, 3);
    kerb_parker_init(&calls.drivers.parker, &vehicle);
    kerb_steering_driver_init(&calls.drivers.driver, &vehicle);
    calls.by = fuzz_below(&bytes, 2);
    calls.goal = parker_goal(&calls);
    // Truth values that are followed by padding, which may hold anything.
    static const size_t doubles[] = {offsetof(parker_drivers, parker.controls.handbrake),
                                     offsetof(parker_drivers, parker.memory.left.known),
                                     offsetof(parker_drivers, parker.memory.pedals.last.known),
                                     offsetof(parker_drivers, driver.controls.handbrake),
                                     offsetof(parker_drivers, driver.memory.last.known)};
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.drivers,
                            .bytes = sizeof calls.drivers,
                            .doubles = doubles,
                            .double_count = 5,
                            .vehicle = &calls.car,
                            .speed_least = 1.0f,
                            .seconds_most = 20.0f,
                            .drive = parker_drive,
                            .place = parker_place,
                            .change_settings = parker_change_settings,
                            .settle = parker_settle,
                            .change_route = parker_change_route,
                            .shift_origin = parker_shift_origin};
    fuzz_calls(&subject, bytes);
    return 0;
}
