// What must hold for any sequence of calls of a planner of kinds and its driver. Two planners get
// the same queries: one does its work at once, the other in slices. Called by the fuzz target, and
// by a test with random bytes.
//
// What is demanded: no crash and no assertion; bad ends get a named error; what is found takes no
// less time than its bound and has the same bits for any slices; between states that a vehicle can
// have it passes the independent checker; a driver's controls are finite and in range whatever the
// host tells it.
//
// Ends are refused or at most about 1 km away, because a step of the planner takes in proportion to
// the way: a trailer's goal at 10 km took 44 steps of up to 0.3 s.
// Numbers of a state beyond its position are refused or at most 10: a start of an airplane at a
// speed of -1000 m/s does not end within 8 s.
#ifndef FUZZ_KIND_CALLS_H
#define FUZZ_KIND_CALLS_H

#include "fuzz/bytes.h"
#include "fuzz/demand.h"
#include "scene/plan/kind_drive.h"

#include <math.h>
#include <string.h>

enum {
    FUZZ_KIND_QUERIES = 3, // of an input, at most
    FUZZ_KIND_BOXES = 4,
    FUZZ_KIND_FRAMES = 200, // that a plan is driven, at most
    FUZZ_KIND_SLICES = 100000
};

// A number from -`far` to `far`; sometimes one that no host should give.
static inline float fuzz_kind_number(fuzz_bytes* b, float far, bool is_hostile) {
    static const float odd[] = {0.0f,   -0.0f,    1e-30f, 1e3f,     -1e3f,
                                1.5e6f, INFINITY, NAN,    3.4e+38f, -INFINITY};
    uint8_t first = fuzz_byte(b);
    if (is_hostile && first % 16 == 15)
        return odd[fuzz_byte(b) % (sizeof odd / sizeof *odd)];
    uint32_t whole = (uint32_t)first << 8 | fuzz_byte(b);
    return far * ((float)whole / 32767.5f - 1.0f);
}

static inline void fuzz_kind_end(fuzz_bytes* b, const kerb_scene_kind* k, bool is_hostile,
                                 float* state) {
    kerb_random random = kerb_random_make(fuzz_byte(b), fuzz_byte(b));
    float other[KERB_KIND_STATES_MAX];
    kerb_scene_kind_ends(k, &random, other, state);
    for (int32_t i = 0; i < (k->kind.space ? 3 : 2); i++)
        state[i] = fuzz_kind_number(b, i < 2 ? k->radius : k->height, is_hostile);
    for (int32_t i = 3; i < k->kind.states && is_hostile; i++)
        if (fuzz_byte(b) % 8 == 7) {
            float number = fuzz_kind_number(b, 10.0f, true);
            state[i] = kerb_abs(number) == 1e3f ? 0.01f * number : number;
        }
}

// Boxes, as polygons in the plane.
typedef struct fuzz_kind_world {
    kerb_space_box boxes[FUZZ_KIND_BOXES];
    kerb_vec2 corners[4 * FUZZ_KIND_BOXES];
    int32_t counts[FUZZ_KIND_BOXES];
    kerb_space_world space;
    kerb_plan_world world;
} fuzz_kind_world;

static inline void fuzz_kind_fill(fuzz_bytes* b, const kerb_scene_kind* k, fuzz_kind_world* w) {
    const float far = 4.0f * kerb_max(k->radius, k->height);
    memset(w, 0, sizeof *w);
    int32_t count = fuzz_byte(b) % (FUZZ_KIND_BOXES + 1);
    for (int32_t i = 0; i < count; i++) {
        kerb_vec3 middle, half;
        middle.x = fuzz_kind_number(b, k->radius, false);
        middle.y = fuzz_kind_number(b, k->radius, false);
        middle.z = fuzz_kind_number(b, k->height, false);
        half.x = 0.01f * k->radius + 0.1f * kerb_abs(fuzz_kind_number(b, k->radius, false));
        half.y = 0.01f * k->radius + 0.1f * kerb_abs(fuzz_kind_number(b, k->radius, false));
        half.z = 0.01f + kerb_abs(fuzz_kind_number(b, k->height, false));
        kerb_vec3 low = kerb_vec3_sub(middle, half), high = kerb_vec3_add(middle, half);
        w->boxes[i] = (kerb_space_box){low, high};
        w->corners[4 * i] = kerb_vec2_make(low.x, low.y);
        w->corners[4 * i + 1] = kerb_vec2_make(high.x, low.y);
        w->corners[4 * i + 2] = kerb_vec2_make(high.x, high.y);
        w->corners[4 * i + 3] = kerb_vec2_make(low.x, high.y);
        w->counts[i] = 4;
    }
    w->space = (kerb_space_world){.min = {-far, -far, -far}, .max = {far, far, far}};
    w->space.boxes = w->boxes;
    w->space.box_count = count;
    if (k->kind.space)
        w->world.space = &w->space;
    else
        w->world = (kerb_plan_world){
            .vertices = w->corners, .vertex_counts = w->counts, .polygon_count = count};
}

static inline void fuzz_kind_demand_controls(const kerb_controls* c) {
    const float numbers[] = {c->throttle, c->brake, c->steering, c->pitch,
                             c->roll,     c->yaw,   c->lift};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        FUZZ_DEMAND(isfinite(numbers[i]) && kerb_abs(numbers[i]) <= 1.0f);
    FUZZ_DEMAND(c->throttle >= 0.0f && c->brake >= 0.0f);
}

// Drives the plan in the model; some frames tell the driver what cannot be.
static inline void fuzz_kind_drive(fuzz_bytes* b, const kerb_scene_kind* k,
                                   const kerb_kind_plan* plan) {
    kerb_scene_kind_ride ride = kerb_scene_kind_ride_make(k, plan->states);
    for (int32_t i = 0; i < FUZZ_KIND_FRAMES && fuzz_has_more(b); i++) {
        uint8_t what = fuzz_byte(b);
        if (what % 8 == 7) {
            kerb_motion motion = ride.motion;
            float told = fuzz_kind_number(b, 2.0f, true);
            motion.position.x = fuzz_kind_number(b, k->radius, true);
            motion.velocity.y = fuzz_kind_number(b, 30.0f, true);
            motion.angular_velocity.z = fuzz_kind_number(b, 3.0f, true);
            kerb_controls controls = kerb_kind_driver_drive(&ride.driver, plan, &motion, &told,
                                                            fuzz_kind_number(b, 0.2f, true));
            fuzz_kind_demand_controls(&controls);
            continue;
        }
        kerb_scene_kind_ride_decide(&ride, plan, 0.02f);
        fuzz_kind_demand_controls(&ride.controls);
        kerb_scene_kind_ride_move(&ride, 0.02f);
    }
}

static inline void fuzz_kind_query_once(fuzz_bytes* b, const kerb_scene_kind* k,
                                        const kerb_plan_world* world, kerb_kind_planner* whole,
                                        kerb_kind_planner* sliced) {
    float from[KERB_KIND_STATES_MAX] = {0}, to[KERB_KIND_STATES_MAX] = {0};
    kerb_error error = {0};
    bool is_hostile = fuzz_byte(b) % 4 == 3;
    fuzz_kind_end(b, k, is_hostile, from);
    fuzz_kind_end(b, k, is_hostile, to);
    kerb_result result = kerb_kind_planner_begin(whole, from, to, &error);
    FUZZ_DEMAND(result == kerb_kind_planner_begin(sliced, from, to, NULL));
    if (result != KERB_OK) {
        FUZZ_DEMAND(result == KERB_ERROR_NOT_FINITE || result == KERB_ERROR_OUT_OF_RANGE);
        FUZZ_DEMAND(strcmp(error.field, "from") == 0 || strcmp(error.field, "to") == 0);
        return;
    }
    kerb_plan_outcome one = KERB_PLAN_RUNNING, other = KERB_PLAN_RUNNING;
    for (int32_t i = 0; one == KERB_PLAN_RUNNING && i < FUZZ_KIND_SLICES; i++)
        one = kerb_kind_planner_advance(whole, 100000);
    for (int32_t i = 0; other == KERB_PLAN_RUNNING && i < FUZZ_KIND_SLICES; i++)
        other = kerb_kind_planner_advance(sliced, 1 + fuzz_byte(b) % 60);
    FUZZ_DEMAND(one != KERB_PLAN_RUNNING && one == other);
    kerb_kind_plan plan = kerb_kind_planner_get_plan(whole);
    kerb_kind_plan again = kerb_kind_planner_get_plan(sliced);
    FUZZ_DEMAND((plan.count > 0) == (one == KERB_PLAN_FOUND) && plan.count == again.count);
    if (plan.count < 1)
        return;
    size_t row = KERB_KIND_STATES_MAX * sizeof(float);
    FUZZ_DEMAND(memcmp(plan.states, again.states, (size_t)(plan.count + 1) * row) == 0);
    // Hostile ends may be states that no vehicle of the kind has, such as one that accelerates
    // harder than it can: the bound does not hold for them, and the checker may refuse them.
    FUZZ_DEMAND(plan.lower_bound <= 1.001f * plan.time + 0.01f || is_hostile);
    result = kerb_kind_check(&k->kind, from, to, world, &plan, &error);
    FUZZ_DEMAND(result == KERB_OK || is_hostile);
    fuzz_kind_drive(b, k, &plan);
}

static inline void fuzz_kind_calls(const uint8_t* data, size_t size) {
    static kerb_scene_kind k;
    static fuzz_kind_world world;
    const kerb_host host = kerb_host_default();
    kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner whole, sliced;
    fuzz_bytes b = fuzz_bytes_of(data, size);
    int32_t name = fuzz_byte(&b) % KERB_SCENE_KIND_COUNT;
    FUZZ_DEMAND(kerb_scene_kind_make(kerb_scene_kind_text((kerb_scene_kind_name)name), &k));
    settings.attempts = 2;
    settings.route_steps = 200;
    settings.improvement = 20;
    FUZZ_DEMAND(kerb_kind_planner_create(&whole, &k.kind, &settings, &host, NULL) == KERB_OK);
    FUZZ_DEMAND(kerb_kind_planner_create(&sliced, &k.kind, &settings, &host, NULL) == KERB_OK);
    fuzz_kind_fill(&b, &k, &world);
    FUZZ_DEMAND(kerb_kind_planner_set_world(&whole, &world.world, NULL) == KERB_OK);
    FUZZ_DEMAND(kerb_kind_planner_set_world(&sliced, &world.world, NULL) == KERB_OK);
    for (int32_t i = 0; i < FUZZ_KIND_QUERIES && fuzz_has_more(&b); i++)
        fuzz_kind_query_once(&b, &k, &world.world, &whole, &sliced);
    kerb_kind_planner_destroy(&whole);
    kerb_kind_planner_destroy(&sliced);
}

#endif
