// libFuzzer target: any bytes as vehicles and as calls of the parts in room control: pedals, speed,
// steering, gears, stuck, other vehicles, speed profile. Demanded: finite answers in their ranges.
//
//     fuzz_control_calls -max_total_time=600 -max_len=2000 -timeout=20 out/corpus
#include "fuzz/calls.h"
#include "kerb/control.h"
#include "kerb/others.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct control_calls {
    kerb_vehicle vehicle;
    kerb_performance performance;
    kerb_speed_controller speed;
    kerb_gearbox gearbox;
    kerb_stuck stuck;
    kerb_avoid avoid;
    fuzz_around around;
} control_calls;

static float control_speed(fuzz_bytes* bytes) {
    return fuzz_between(bytes, -1.0f, 1.0f) * (fuzz_below(bytes, 8) == 0 ? 1.0e3f : 60.0f);
}

static void control_pedals(fuzz_bytes* bytes, control_calls* c) {
    static const kerb_speed_settings settings = {.proportional = 1.5f, .integral = 0.5f};
    float full = kerb_full_throttle_acceleration(&c->vehicle, control_speed(bytes), false);
    float coasts = kerb_coasting_deceleration(&c->vehicle, control_speed(bytes));
    FUZZ_DEMAND(kerb_is_finite(full) && kerb_is_finite(coasts) && coasts >= 0.0f);
    float force =
        kerb_speed_control(&c->speed, &settings, control_speed(bytes), control_speed(bytes), -12.0f,
                           6.0f, fuzz_between(bytes, 0.0001f, 0.25f));
    FUZZ_DEMAND(force >= -12.0f && force <= 6.0f);
    kerb_controls controls = kerb_controls_safe(KERB_REASON_NONE);
    kerb_pedals(&c->vehicle, force, full, &controls);
    fuzz_demand_controls(&controls);
}

static void control_steering(fuzz_bytes* bytes, const control_calls* c) {
    float curvature = fuzz_between(bytes, -3.0f, 3.0f), speed = control_speed(bytes);
    float steering = kerb_steering_for(&c->vehicle, curvature, speed);
    FUZZ_DEMAND(steering >= -1.0f && steering <= 1.0f);
    FUZZ_DEMAND(kerb_is_finite(kerb_curvature_of(&c->vehicle, steering, speed)));
    kerb_vec2 target = {fuzz_any_float(bytes), fuzz_any_float(bytes)};
    if (kerb_abs(target.x) < 1.0e9f && kerb_abs(target.y) < 1.0e9f)
        FUZZ_DEMAND(kerb_is_finite(kerb_pure_pursuit(target)));
}

static void control_gears(fuzz_bytes* bytes, control_calls* c) {
    kerb_motion motion = kerb_motion_default();
    motion.velocity.x = control_speed(bytes);
    motion.gear = fuzz_below(bytes, 14) - 2;
    motion.engine_speed = fuzz_between(bytes, 0.0f, 2000.0f);
    float clutch = 0.0f;
    int32_t gear = kerb_gearbox_drive(
        &c->gearbox, &c->vehicle, &motion, fuzz_below(bytes, 2) ? 1 : -1,
        fuzz_between(bytes, 0.0f, 1.0f), fuzz_between(bytes, 0.0f, 0.25f), &clutch);
    FUZZ_DEMAND(gear >= -1 && gear <= KERB_GEARS_MAX && clutch >= 0.0f && clutch <= 1.0f);
}

static void control_stuck(fuzz_bytes* bytes, control_calls* c) {
    kerb_stuck_settings settings = {.recovery = KERB_RECOVERY_FULL,
                                    .patience = 2.0f,
                                    .distance = 3.0f,
                                    .tries = 3,
                                    .request_time = 5.0f};
    kerb_stuck_phase phase =
        kerb_stuck_watch(&c->stuck, &settings, (double)fuzz_between(bytes, -1.0e3f, 1.0e3f),
                         control_speed(bytes), fuzz_below(bytes, 2) == 0,
                         fuzz_between(bytes, -3.0f, 3.0f), fuzz_between(bytes, 0.001f, 0.25f));
    FUZZ_DEMAND((int32_t)phase >= 0 && phase <= KERB_STUCK_GIVEN_UP);
    FUZZ_DEMAND(c->stuck.tries >= 0 && c->stuck.tries <= settings.tries);
}

static void control_others(fuzz_bytes* bytes, control_calls* c) {
    kerb_reference_line line = {.count = 2 + fuzz_below(bytes, KERB_REFERENCE_STATIONS_MAX - 1)};
    const float step = fuzz_between(bytes, 0.5f, 10.0f);
    for (int32_t i = 0; i < line.count; i++) {
        const float along = (float)i * step;
        line.stations[i] = (kerb_reference_station){
            .position = {along, 0.0f, 0.0f}, .direction = {1.0f, 0.0f}, .distance = along};
        line.stations[i].left = line.stations[i].right = fuzz_between(bytes, 0.0f, 6.0f);
    }
    line.width = 2.0f;
    line.lateral_offset = fuzz_between(bytes, -3.0f, 3.0f);
    line.heading_error = fuzz_between(bytes, -1.0f, 1.0f);
    line.response_distance = line.response_distance_min = 5.0f;
    line.offset_slope = 0.2f;
    line.braking_max = 9.0f;
    line.desired_speed = 20.0f;
    line.front = line.rear = 2.0f;
    line.speed = fuzz_between(bytes, 0.0f, 40.0f);
    line.braking = 5.0f;
    line.id = fuzz_byte(bytes);
    if (fuzz_below(bytes, 3) == 0)
        fuzz_around_fill(bytes, (kerb_vec3){0}, &c->around);
    kerb_intent intent = {.count = KERB_INTENT_POINTS_MAX,
                          .spacing = step,
                          .front = line.front,
                          .rear = line.rear,
                          .width = line.width};
    for (int32_t i = 0; i < intent.count; i++)
        intent.points[i].x = (float)i * step;
    kerb_avoid_tell(&c->avoid, &intent);
    kerb_intent_bound(&intent);
    if (fuzz_below(bytes, 2) == 0)
        line.intent = &intent;
    if (c->avoid.retreat > 0.0f)
        FUZZ_DEMAND(kerb_avoid_retreat(&c->avoid, fuzz_between(bytes, -3.0f, 3.0f),
                                       fuzz_between(bytes, 0.0f, 2.0f),
                                       fuzz_between(bytes, 0.001f, 0.25f)) >= 0.0f);
    kerb_avoid_settings settings = {.gap_time = 1.0f, .gap_min = 2.0f, .patience = 5.0f};
    kerb_avoid_answer answer =
        kerb_avoid_others(&c->avoid, &settings, &line, c->around.neighbours,
                          c->around.given.neighbour_count, fuzz_between(bytes, 0.001f, 0.25f));
    FUZZ_DEMAND(answer.speed >= 0.0f && kerb_is_finite(answer.speed));
    FUZZ_DEMAND(kerb_is_finite(answer.lateral_offset));
    FUZZ_DEMAND(answer.index >= -1 && answer.index < c->around.given.neighbour_count);
    fuzz_demand_finite(&c->avoid, sizeof c->avoid);
    FUZZ_DEMAND(
        !isnan(kerb_gap_behind(&line, c->around.neighbours, c->around.given.neighbour_count)));
}

static void control_profile(fuzz_bytes* bytes, const control_calls* c) {
    enum { POINTS = 64 };
    kerb_profile_point points[POINTS];
    float speed[POINTS + 1];
    int32_t count = 2 + fuzz_below(bytes, POINTS - 2);
    for (int32_t i = 0; i < count; i++) {
        points[i] = kerb_profile_point_level(fuzz_between(bytes, 0.01f, 20.0f),
                                             fuzz_between(bytes, -1.0f, 1.0f));
        points[i].grip = fuzz_between(bytes, 0.05f, 1.5f);
    }
    double time = kerb_speed_profile(&c->performance, points, count, fuzz_below(bytes, 2) == 0,
                                     fuzz_between(bytes, 0.0f, 80.0f),
                                     fuzz_between(bytes, 0.0f, 80.0f), speed);
    FUZZ_DEMAND(!isnan(time) && time > 0.0);
    for (int32_t i = 0; i < count; i++)
        FUZZ_DEMAND(speed[i] >= 0.0f && kerb_is_finite(speed[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static control_calls calls;
    fuzz_bytes bytes = fuzz_bytes_of(data, size);
    memset(&calls, 0, sizeof calls);
    calls.vehicle = kerb_vehicle_default();
    for (int32_t i = fuzz_below(&bytes, 6); i > 0; i--) {
        kerb_vehicle changed = calls.vehicle;
        fuzz_change_setting(&bytes, &kerb_vehicle_table, &changed);
        if (kerb_vehicle_validate(&changed, NULL) == KERB_OK)
            calls.vehicle = changed;
    }
    calls.performance = kerb_performance_of(&calls.vehicle);
    kerb_error error = {0};
    if (kerb_performance_validate(&calls.performance, &error) != KERB_OK) {
        fprintf(stderr, "%s %s\n", error.field, error.message);
        FUZZ_DEMAND(error.field[0] == 0);
    }
    for (int32_t i = 0; i < 500 && fuzz_has_more(&bytes); i++) {
        switch (fuzz_below(&bytes, 6)) {
        case 0:
            control_pedals(&bytes, &calls);
            break;
        case 1:
            control_steering(&bytes, &calls);
            break;
        case 2:
            control_gears(&bytes, &calls);
            break;
        case 3:
            control_stuck(&bytes, &calls);
            break;
        case 4:
            control_others(&bytes, &calls);
            break;
        default:
            control_profile(&bytes, &calls);
            break;
        }
    }
    return 0;
}
