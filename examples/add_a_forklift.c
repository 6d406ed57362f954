// A kind of vehicle that Kerb does not know: a forklift, which steers behind. Its front axle goes
// where it points, and its rear swings out. One struct says what it is; the planner finds its way
// between two shelves, the checker checks it, and the driver drives it.
#include <kerb/kerb.h>
#include <stdio.h>

typedef struct forklift {
    float front, rear, width; // from the front axle to the ends; forks included [m]
    float wheelbase, lock;    // [m], greatest angle of the rear wheels [rad]
    float speed_max, push;    // both ways [m/s], [m/s²]
    float steering_time;      // in which the wheels come to their command [s]
} forklift;
enum { X, Y, HEADING, SPEED, CURVATURE, STATES }; // at the front axle

static float sharpest(const forklift* f) {
    return kerb_tan(f->lock) / f->wheelbase;
}

static void rates(const void* vehicle, const float* state, const float* control, float* rates) {
    const forklift* f = vehicle;
    float relative = state[SPEED] / f->speed_max;
    rates[X] = state[SPEED] * kerb_cos(state[HEADING]);
    rates[Y] = state[SPEED] * kerb_sin(state[HEADING]);
    rates[HEADING] = state[SPEED] * state[CURVATURE];
    rates[SPEED] = f->push * (control[0] - relative * relative * relative);
    rates[CURVATURE] = (control[1] * sharpest(f) - state[CURVATURE]) / f->steering_time;
}

static int32_t boxes(const void* vehicle, const float* state, kerb_kind_box* box) {
    const forklift* f = vehicle;
    box->pose = kerb_pose_make(state[X], state[Y], state[HEADING]);
    box->front = f->front;
    box->rear = f->rear;
    box->width = f->width;
    return 1;
}

// Routes of arcs are first guesses: gentle enough that the forklift can follow them.
static kerb_plan_limits route_limits(const void* vehicle, int32_t attempt) {
    const forklift* f = vehicle;
    kerb_plan_limits limits = kerb_plan_limits_default();
    limits.turning_radius = (1.3f + 0.4f * (float)attempt) / sharpest(f);
    limits.speed_max = limits.reverse_speed_max = 0.7f * f->speed_max;
    limits.acceleration = limits.reverse_acceleration = 0.5f * f->push;
    limits.front = f->front;
    limits.rear = f->rear;
    limits.width = f->width;
    return limits;
}

static kerb_plan_end route_end(const void* vehicle, const float* state, const float* other,
                               bool is_goal) {
    (void)vehicle, (void)other, (void)is_goal;
    return kerb_plan_end_make(state[X], state[Y], state[HEADING], state[SPEED]);
}

static void on_route(const void* vehicle, const kerb_kind_query* query, const kerb_plan_state* at,
                     float* state, float* control) {
    const forklift* f = vehicle;
    (void)query;
    state[X] = at->pose.position.x;
    state[Y] = at->pose.position.y;
    state[HEADING] = kerb_pose_heading(at->pose);
    state[SPEED] = at->speed;
    state[CURVATURE] = at->curvature;
    control[0] = at->acceleration / f->push * (at->speed < 0 ? -1.0f : 1.0f);
    control[1] = at->curvature / sharpest(f);
}

static float bound(const void* vehicle, const float* from, const float* to) {
    const forklift* f = vehicle;
    return kerb_vec2_length(kerb_vec2_make(to[X] - from[X], to[Y] - from[Y])) / f->speed_max;
}

// The reference point of kerb_motion is the front axle here.
static void state_of(const void* vehicle, const kerb_motion* motion, const float* told,
                     float* state) {
    const forklift* f = vehicle;
    (void)told;
    state[X] = motion->position.x;
    state[Y] = motion->position.y;
    state[HEADING] = kerb_quat_heading(motion->rotation);
    state[SPEED] = kerb_motion_forward_speed(motion);
    state[CURVATURE] = kerb_tan(motion->steering * f->lock) / f->wheelbase;
}

static kerb_controls controls_of(const void* vehicle, const float* state, const float* control) {
    const forklift* f = vehicle;
    (void)state;
    if (!control)
        return kerb_controls_safe(KERB_REASON_ARRIVED);
    // An electric motor: throttle in either gear, also against the motion.
    kerb_controls c = {.reason = KERB_REASON_CRUISE, .gear = control[0] < 0 ? -1 : 1};
    c.throttle = kerb_abs(control[0]);
    c.steering = kerb_atan(control[1] * sharpest(f) * f->wheelbase) / f->lock;
    return c;
}

static const forklift stacker = {1.4f, 2.0f, 1.2f, 1.5f, 1.2f, 3.0f, 1.5f, 0.3f};

static const kerb_kind kind = {.name = "forklift",
                               .vehicle = &stacker,
                               .states = STATES,
                               .controls = 2,
                               .state_names = {"x", "y", "heading", "speed", "curvature"},
                               .control_names = {"pedal", "steering"},
                               .control_min = {-1, -1},
                               .control_max = {1, 1},
                               .control_share = 0.8f,
                               .error = {0.2f, 0.2f, 0.2f, 1, 1},
                               .tolerance = {0.01f, 0.01f, 0.01f, 0.02f, 0.05f},
                               .step_max = 0.15f,
                               .smoothing = 0.5f,
                               .rates = rates,
                               .boxes = boxes,
                               .route_limits = route_limits,
                               .route_end = route_end,
                               .on_route = on_route,
                               .bound = bound,
                               .state_of = state_of,
                               .controls_of = controls_of};

int main(void) {
    // Two rows of shelves, and a pallet's place in the cross aisle behind them.
    static const kerb_vec2 corners[8] = {{0, 2},  {8, 2},   {8, 4},   {0, 4},
                                         {0, -4}, {12, -4}, {12, -2}, {0, -2}};
    static const int32_t counts[2] = {4, 4};
    const kerb_plan_world world = {
        .vertices = corners, .vertex_counts = counts, .polygon_count = 2};
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    const float from[STATES] = {2, 0, 0}, to[STATES] = {10, 6, KERB_PI / 2};
    kerb_kind_planner planner;
    kerb_error error;
    if (kerb_kind_planner_create(&planner, &kind, &settings, &host, &error) != KERB_OK ||
        kerb_kind_planner_set_world(&planner, &world, &error) != KERB_OK ||
        kerb_kind_planner_begin(&planner, from, to, &error) != KERB_OK) {
        printf("%s: %s\n", error.field, error.message);
        return 1;
    }
    while (kerb_kind_planner_advance(&planner, 100) == KERB_PLAN_RUNNING)
        continue; // one slice a frame
    kerb_kind_plan plan = kerb_kind_planner_get_plan(&planner);
    bool is_valid = kerb_kind_check(&kind, from, to, &world, &plan, &error) == KERB_OK;
    printf("%.1f s, %.1f m, %s\n", (double)plan.time, (double)plan.length,
           is_valid ? "checked" : "not possible");
    kerb_kind_planner_destroy(&planner);
    return is_valid ? 0 : 1;
}
