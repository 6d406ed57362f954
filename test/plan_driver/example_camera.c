// The camera of the example, which moves at once as its controls say.
#define main camera_main
#include "examples/add_a_kind_in_space.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "test/plan_driver/example_kinds.h"

static const camera above_all = {.radius = 0.4f, .speed = 9.0f, .climb = 4.0f};
static kerb_motion moved;

static void camera_ends(const kerb_kind* kind, kerb_random* random, float* from, float* to) {
    (void)kind;
    float* ends[2] = {from, to};
    for (int32_t i = 0; i < 2; i++) {
        ends[i][0] = kerb_random_between(random, 1.0f, 119.0f);
        ends[i][1] = kerb_random_between(random, -29.0f, 39.0f);
        ends[i][2] = kerb_random_between(random, 2.0f, 39.0f);
    }
}

static void camera_place(void* body, const float* state) {
    kerb_motion* motion = body;
    *motion = kerb_motion_default();
    motion->position = kerb_vec3_make(state[0], state[1], state[2]);
}

static kerb_motion camera_motion(const void* body, float* told) {
    told[0] = 0.0f; // kerb_motion tells all
    return *(const kerb_motion*)body;
}

static void camera_step(void* body, const kerb_controls* c, float time_step) {
    kerb_motion* motion = body;
    const camera* a = &above_all;
    motion->velocity = kerb_vec3_make(c->pitch * a->speed, -c->roll * a->speed, c->lift * a->climb);
    motion->position = kerb_vec3_along(motion->position, motion->velocity, time_step);
}

kerb_kind_trial camera_trial(void) {
    static kerb_kind kind;
    static kerb_space_world air = {.min = {0, -30, 1}, .max = {120, 40, 40}};
    static const kerb_space_box masts[2] = {{{48, -30, 0}, {52, 20, 40}},
                                            {{80, -10, 0}, {84, 40, 40}}};
    static kerb_plan_world world;
    kind = kind_of_camera(&above_all);
    air.boxes = masts;
    air.box_count = 2;
    world.space = &air;
    return (kerb_kind_trial){.kind = &kind,
                             .world = &world,
                             .ends = camera_ends,
                             .body = &moved,
                             .place = camera_place,
                             .motion = camera_motion,
                             .step = camera_step,
                             .time_step = 0.02f};
}
