// A kind of vehicle of your own in space: a camera that hangs on cables over a stadium. It moves at
// once, along each axis with a speed of its own. The planner leads it round the masts; the
// independent checker checks the plan.
#include <kerb/kerb.h>
#include <stdio.h>
#include <string.h>

// The numbers of the vehicle. A kerb_kind points to them.
typedef struct camera {
    float radius, speed, climb; // [m, m/s, m/s]
} camera;

// State: x, y, z. Controls: the velocity along each.
static void rates(const void* vehicle, const float* state, const float* control, float* rates) {
    (void)vehicle;
    (void)state;
    memcpy(rates, control, 3 * sizeof(float));
}

static int32_t balls(const void* vehicle, const float* state, kerb_kind_ball* ball) {
    const camera* c = vehicle;
    ball[0] = (kerb_kind_ball){{state[0], state[1], state[2]}, c->radius};
    return 1;
}

// Seen from above, for pictures.
static int32_t boxes(const void* vehicle, const float* state, kerb_kind_box* box) {
    const camera* c = vehicle;
    box[0] = (kerb_kind_box){kerb_pose_make(state[0], state[1], 0.0f), c->radius, c->radius,
                             2.0f * c->radius};
    return 1;
}

// No plan takes less time than the slowest axis needs.
static float bound(const void* vehicle, const float* from, const float* to) {
    const camera* c = vehicle;
    float level = kerb_max(kerb_abs(to[0] - from[0]), kerb_abs(to[1] - from[1]));
    return kerb_max(level / c->speed, kerb_abs(to[2] - from[2]) / c->climb);
}

// A state on the way: only the place counts.
static void via(const kerb_kind* kind, kerb_vec3 position, kerb_vec3 direction, float share,
                float* state) {
    (void)kind;
    (void)direction;
    (void)share;
    state[0] = position.x;
    state[1] = position.y;
    state[2] = position.z;
}

// The leg between two states: one straight line, as fast as possible.
static bool connect(const kerb_kind* kind, const float* from, const float* to, bool passes,
                    kerb_kind_leg* leg) {
    (void)passes;
    float time = bound(kind->vehicle, from, to) / kind->control_share;
    leg->count = 1;
    leg->times[0] = time;
    for (int32_t i = 0; i < 3; i++)
        leg->controls[0][i] = time > 0.0f ? (to[i] - from[i]) / time : 0.0f;
    return true;
}

static void state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                     float* state) {
    (void)vehicle;
    (void)told;
    state[0] = motion->position.x;
    state[1] = motion->position.y;
    state[2] = motion->position.z;
}

// What kerb_controls means is yours to choose: here shares of the greatest speeds.
static kerb_controls controls_of(const void* vehicle, const kerb_motion* motion, const float* state,
                                 const float* control) {
    const camera* c = vehicle;
    kerb_controls controls = {.gear = 1, .reason = KERB_REASON_CRUISE};
    (void)motion;
    (void)state;
    controls.pitch = control ? control[0] / c->speed : 0.0f;
    controls.roll = control ? -control[1] / c->speed : 0.0f;
    controls.lift = control ? control[2] / c->climb : 0.0f;
    return controls;
}

static kerb_kind kind_of_camera(const camera* c) {
    static const kerb_kind_space space = {-1, true, balls, via, connect, controls_of, false, NULL};
    kerb_kind kind = {
        .name = "camera",
        .vehicle = c,
        .states = 3,
        .controls = 3,
        .state_names = {"x_m", "y_m", "z_m"},
        .control_names = {"vx_mps", "vy_mps", "vz_mps"},
        .control_min = {-c->speed, -c->speed, -c->climb},
        .control_max = {c->speed, c->speed, c->climb},
        .control_share = 0.8f,
        .error = {1.0f, 1.0f, 1.0f},
        .tolerance = {0.02f, 0.02f, 0.02f},
        .step_max = 1.0f,
        .rates = rates,
        .boxes = boxes,
        .bound = bound,
        .state_of = state_of,
        .space = &space,
    };
    return kind;
}

int main(void) {
    const camera above = {.radius = 0.4f, .speed = 9.0f, .climb = 4.0f};
    const kerb_space_box masts[2] = {{{48, -30, 0}, {52, 20, 40}}, {{80, -10, 0}, {84, 40, 40}}};
    kerb_space_world air = {.min = {0, -30, 1}, .max = {120, 40, 40}};
    air.boxes = masts;
    air.box_count = 2;
    const kerb_plan_world world = {.space = &air};
    const float here[3] = {20, 0, 10}, there[3] = {110, 5, 20};
    kerb_kind kind = kind_of_camera(&above);
    kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_host host = kerb_host_default();
    kerb_kind_planner planner;
    kerb_error error;
    if (kerb_kind_planner_create(&planner, &kind, &settings, &host, &error) != KERB_OK ||
        kerb_kind_planner_set_world(&planner, &world, &error) != KERB_OK ||
        kerb_kind_planner_begin(&planner, here, there, &error) != KERB_OK) {
        printf("%s %s\n", error.field, error.message);
        return 1;
    }
    while (kerb_kind_planner_advance(&planner, 100) == KERB_PLAN_RUNNING)
        continue; // one slice per frame
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    bool valid = kerb_kind_check(&kind, here, there, &world, &plan, &error) == KERB_OK;
    printf("%.1f m in %.1f s, %s; no plan takes less than %.1f s\n", (double)plan.length,
           (double)plan.time, valid ? "checked" : error.message, (double)plan.lower_bound);
    kerb_kind_planner_destroy(&planner);
    return valid ? 0 : 1;
}
