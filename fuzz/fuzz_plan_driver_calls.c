// libFuzzer target: any bytes as calls of a driver of plans. What is demanded: fuzz/calls.h.
//
//     fuzz_plan_driver_calls -max_total_time=600 -max_len=300 -timeout=60 out/corpus
#include "fuzz/calls.h"
#include "kerb/plan_driver.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { PLANS = 4, PLAN_PIECES = 400 };

// A plan of a run: its pieces are a copy, because the origin moves.
typedef struct driver_plan {
    kerb_plan plan;
    kerb_plan_piece pieces[PLAN_PIECES];
} driver_plan;

typedef struct plan_calls {
    kerb_plan_driver driver;
    fuzz_vehicle car;
    driver_plan plans[PLANS];
    int32_t on; // index of its plan
} plan_calls;

// Forwards and long; round a corner; parking beside; and turning round.
static void plan_find(int32_t which, const kerb_vehicle* vehicle, driver_plan* found) {
    const kerb_plan_end goals[PLANS] = {
        kerb_plan_end_make(80.0f, 5.0f, 0.0f, 0.0f), kerb_plan_end_make(30.0f, 30.0f, 1.6f, 0.0f),
        kerb_plan_end_make(0.5f, 4.0f, 0.0f, 0.0f), kerb_plan_end_make(-20.0f, 6.0f, 3.1f, 0.0f)};
    kerb_host host = kerb_host_default();
    kerb_error error;
    kerb_planner planner;
    kerb_plan_limits limits = kerb_plan_limits_to_drive(vehicle, 0.3f);
    kerb_planner_settings settings = kerb_planner_settings_default();
    FUZZ_DEMAND(kerb_planner_create(&planner, &limits, &settings, &host, &error) == KERB_OK);
    kerb_plan_end start = kerb_plan_end_make(0.0f, 0.0f, 0.0f, 0.0f);
    kerb_plan_query query = {
        .starts = &start, .start_count = 1, .goals = &goals[which], .goal_count = 1};
    FUZZ_DEMAND(kerb_planner_begin(&planner, &query, &error) == KERB_OK);
    for (int32_t i = 0; i < 200 && kerb_planner_advance(&planner, 100) == KERB_PLAN_RUNNING; i++)
        continue;
    found->plan = kerb_planner_get_plan(&planner);
    FUZZ_DEMAND(found->plan.count > 0 && found->plan.count <= PLAN_PIECES);
    memcpy(found->pieces, found->plan.pieces, (size_t)found->plan.count * sizeof *found->pieces);
    kerb_planner_destroy(&planner);
}

static void plans_copy(const kerb_vehicle* vehicle, driver_plan* plans) {
    static driver_plan found[PLANS];
    static bool is_found;
    for (int32_t i = 0; i < PLANS && !is_found; i++)
        plan_find(i, vehicle, &found[i]);
    is_found = true;
    memcpy(plans, found, sizeof found);
    for (int32_t i = 0; i < PLANS; i++)
        plans[i].plan.pieces = plans[i].pieces;
}

static kerb_controls plan_drive(void* self, void* driver, const kerb_motion* motion,
                                const kerb_surroundings* surroundings, float time_step) {
    plan_calls* calls = self;
    return kerb_plan_driver_drive(driver, &calls->plans[calls->on].plan, motion, surroundings,
                                  time_step);
}

// At the start of the plan, or where one of its pieces begins.
static void plan_place_at(void* self, fuzz_bytes* bytes) {
    plan_calls* calls = self;
    const kerb_plan* plan = &calls->plans[calls->on].plan;
    kerb_pose at = plan->pieces[fuzz_byte(bytes) % ((plan->count + 1) / 2)].start;
    float back = calls->driver.vehicle.reference_to_rear_axle;
    calls->car = (fuzz_vehicle){.vehicle = calls->driver.vehicle, .gear = 1};
    calls->car.heading = kerb_atan2(at.forward.y, at.forward.x);
    calls->car.position =
        (kerb_vec3){at.position.x + back * at.forward.x, at.position.y + back * at.forward.y, 0.0f};
}

static void plan_change_settings(void* self, fuzz_bytes* bytes) {
    plan_calls* calls = self;
    fuzz_change_setting(bytes, &kerb_plan_driver_settings_table, &calls->driver.settings);
}

static void plan_settle(void* self) {
    plan_calls* calls = self;
    calls->driver.settings = kerb_plan_driver_settings_default();
    calls->on = 0;
}

static void plan_change(void* self, fuzz_bytes* bytes) {
    plan_calls* calls = self;
    calls->on = fuzz_below(bytes, PLANS);
}

static void plan_shift(void* self, kerb_vec3 new_origin) {
    plan_calls* calls = self;
    for (int32_t i = 0; i < PLANS; i++) {
        for (int32_t k = 0; k < calls->plans[i].plan.count; k++) {
            calls->plans[i].pieces[k].start.position.x -= new_origin.x;
            calls->plans[i].pieces[k].start.position.y -= new_origin.y;
        }
    }
    kerb_plan_driver_shift_origin(&calls->driver, new_origin);
    calls->car.position = kerb_vec3_sub(calls->car.position, new_origin);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static plan_calls calls;
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    kerb_vehicle vehicle = kerb_vehicle_default();
    plans_copy(&vehicle, calls.plans);
    kerb_plan_driver_init(&calls.driver, &vehicle);
    calls.on = fuzz_below(&bytes, PLANS);
    fuzz_subject subject = {.self = &calls,
                            .driver = &calls.driver,
                            .bytes = sizeof calls.driver,
                            .vehicle = &calls.car,
                            .speed_least = 1.0f,
                            .seconds_most = 20.0f,
                            .drive = plan_drive,
                            .place = plan_place_at,
                            .change_settings = plan_change_settings,
                            .settle = plan_settle,
                            .change_route = plan_change,
                            .shift_origin = plan_shift};
    fuzz_calls(&subject, bytes);
    return 0;
}
