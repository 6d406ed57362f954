// Purpose: courses scaled to a kind's turning circle, planned from place to place and driven.
// Idea:    The course is sampled densely. Places on it have the state that the kind has on a route,
//          with a speed within its limits; kerb/kind_course.h plans along them. They are spread
//          evenly: a ship that has to stop at the end of a longer leg swings out, because it brakes
//          faster in a bend.
// Cost:    a plan for each place, then the steps of the drive.
#include "scene/plan/kind_course.h"

#include "kerb/kind_course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COURSE_STROKES_MAX 16
#define COURSE_SAMPLES_MAX 4096
#define COURSE_SAMPLE 0.04f // between samples [radii]
#define COURSE_PLACES 1.0f  // between places of the plan, or a little more [radii]
#define COURSE_WINDOW 60    // samples to both sides that are searched for the nearest
// Share of the limits of a route, in the plane. At 0.7 four courses of the motorcycle have no plan;
// at 0.9 four, and the hovercraft loses its plan on three.
#define COURSE_SPEED_SHARE 0.5f
#define COURSE_PLANE_SPEED 0.25f // of the greatest speed, for the circle
#define COURSE_SPACE_SPEED 0.5f  // of the greatest speed, in space
#define COURSE_WAVE 16.0f        // greatest length of a rise and a fall, in space [radii]
#define COURSE_SLOPE 0.2f        // of it, where the kind has no other limit
#define COURSE_LONG 1e3f         // longer than anybody turns [s]
#define COURSE_FRAME 0.02f
#define COURSE_SHIP_FRAME 0.1f
#define COURSE_LIMIT 2.0f // of the planned time, and a minute

// --------------------------------------------------------------------------- courses

// A straight line, or an arc where it turns; left positive. [radii, degrees]
typedef struct course_stroke {
    float length, radius, turn;
} course_stroke;

typedef struct course_shape {
    const char* name;
    course_stroke strokes[COURSE_STROKES_MAX]; // the first of length and turn 0 ends them
} course_shape;

static const course_shape course_shapes[] = {
    {"circle", {{3, 0, 0}, {0, 2, 360}, {3, 0, 0}}},
    {"figure-eight", {{3, 0, 0}, {0, 2.5f, 360}, {0, 2.5f, -360}, {3, 0, 0}}},
    {"hairpins",
     {{6, 0, 0}, {0, 2.5f, 180}, {6, 0, 0}, {0, 2.25f, -180}, {6, 0, 0}, {0, 2, 180}, {6, 0, 0}}},
    {"slalom",
     {{3, 0, 0},
      {0, 2, 45},
      {0, 2, -90},
      {0, 2, 90},
      {0, 2, -90},
      {0, 2, 90},
      {0, 2, -45},
      {3, 0, 0}}},
    {"corners",
     {{5, 0, 0},
      {0, 2, 90},
      {4, 0, 0},
      {0, 2, -90},
      {4, 0, 0},
      {0, 2, -90},
      {4, 0, 0},
      {0, 2, 90},
      {5, 0, 0}}},
    {"lane-change",
     {{6, 0, 0}, {0, 3, 25}, {0, 3, -25}, {3, 0, 0}, {0, 3, -25}, {0, 3, 25}, {6, 0, 0}}},
};

int32_t kerb_scene_kind_course_count(void) {
    return (int32_t)(sizeof course_shapes / sizeof course_shapes[0]);
}

const char* kerb_scene_kind_course_name(int32_t index) {
    return index >= 0 && index < kerb_scene_kind_course_count() ? course_shapes[index].name : "";
}

// Of a kind that could turn on the spot: what it needs at a quarter of its speed, and at least its
// length.
static float course_circle_in_plane(const kerb_scene_kind* k) {
    kerb_plan_limits limits = k->kind.route_limits(k->kind.vehicle, 0);
    float speed = COURSE_PLANE_SPEED * limits.speed_max;
    float by_grip = speed * speed / (0.5f * limits.lateral_acceleration);
    float by_yaw = speed / (0.5f * limits.yaw_rate_max);
    float length = limits.front + limits.rear;
    return kerb_max(kerb_max(limits.turning_radius, length), kerb_max(by_grip, by_yaw));
}

float kerb_scene_kind_circle(const kerb_scene_kind* k) {
    if (!k->kind.space)
        return course_circle_in_plane(k);
    float speed = COURSE_SPACE_SPEED;
    switch (k->name) {
    case KERB_SCENE_AIRPLANE:
        return kerb_aircraft_turning_radius(&k->airplane, k->airplane.cruise_speed);
    case KERB_SCENE_SUBMARINE:
        return k->submarine.turning_radius;
    case KERB_SCENE_SPACECRAFT:
        speed *= k->spacecraft.speed_max;
        return speed * speed / (0.5f * k->spacecraft.acceleration);
    case KERB_SCENE_ROCKET:
        speed *= k->hoverer_model.rocket.speed_max;
        return speed * speed / (0.5f * KERB_GRAVITY * kerb_tan(k->hoverer_model.rocket.tilt_max));
    default:
        speed *= k->hoverer_model.craft.speed_max;
        return speed * speed / (0.5f * KERB_GRAVITY * kerb_tan(k->hoverer_model.craft.tilt_max));
    }
}

// --------------------------------------------------------------------------- samples

typedef struct course_line {
    kerb_vec3 points[COURSE_SAMPLES_MAX];
    float headings[COURSE_SAMPLES_MAX]; // not wrapped
    int32_t count;
    float step;  // between samples, seen from above [m]
    float slope; // greatest, in space
    float wave;  // [m]
} course_line;

// Of all strokes. [radii]
static float course_length(const course_shape* shape) {
    float length = 0.0f;
    for (int32_t i = 0; i < COURSE_STROKES_MAX; i++) {
        const course_stroke* s = &shape->strokes[i];
        length += s->length + s->radius * kerb_abs(s->turn) * (KERB_PI / 180.0f);
    }
    return length;
}

static void course_draw(const course_shape* shape, float circle, course_line* line) {
    float x = 0.0f, y = 0.0f, heading = 0.0f, left = 0.0f;
    line->count = 0;
    line->step = COURSE_SAMPLE * circle;
    for (int32_t i = 0; i < COURSE_STROKES_MAX; i++) {
        const course_stroke* s = &shape->strokes[i];
        float turn = s->turn * (KERB_PI / 180.0f);
        float length = s->length + s->radius * kerb_abs(turn);
        while (left < length && line->count < COURSE_SAMPLES_MAX) {
            float sine, cosine, angle = heading + turn * left / length;
            // On an arc the chord has the mean of both headings.
            float chord = left, bend = turn * left / length;
            if (kerb_abs(bend) > 1e-3f)
                chord = 2.0f * s->radius * kerb_sin(0.5f * kerb_abs(bend));
            kerb_sin_cos(heading + 0.5f * bend, &sine, &cosine);
            float px = x + chord * cosine, py = y + chord * sine;
            float along = line->step * (float)line->count / line->wave;
            float z = line->slope * line->wave / (2.0f * KERB_PI) *
                      (1.0f - kerb_cos(2.0f * KERB_PI * along));
            line->headings[line->count] = angle;
            line->points[line->count++] = kerb_vec3_make(circle * px, circle * py, z);
            left += COURSE_SAMPLE;
        }
        float sine, cosine, chord = s->length;
        if (s->turn != 0.0f)
            chord = 2.0f * s->radius * kerb_sin(0.5f * kerb_abs(turn));
        kerb_sin_cos(heading + 0.5f * turn, &sine, &cosine);
        x += chord * cosine;
        y += chord * sine;
        heading += turn;
        left -= length;
    }
}

// Distance from the course near a sample, which follows. [m]
static float course_error(const course_line* line, kerb_vec3 at, int32_t* near) {
    float least = 1e12f;
    int32_t from = *near - COURSE_WINDOW, to = *near + COURSE_WINDOW;
    from = from < 0 ? 0 : from;
    to = to > line->count - 2 ? line->count - 2 : to;
    for (int32_t i = from; i <= to; i++) {
        kerb_vec3 way = kerb_vec3_sub(line->points[i + 1], line->points[i]);
        kerb_vec3 off = kerb_vec3_sub(at, line->points[i]);
        float share = kerb_vec3_dot(off, way) / kerb_max(kerb_vec3_dot(way, way), 1e-12f);
        float gap = kerb_vec3_length(kerb_vec3_along(off, way, -kerb_clamp(share, 0.0f, 1.0f)));
        if (gap < least) {
            least = gap;
            *near = i;
        }
    }
    return least;
}

// --------------------------------------------------------------------------- places

static float course_curvature(const course_line* line, int32_t sample, int32_t around) {
    int32_t from = sample - around < 0 ? 0 : sample - around;
    int32_t to = sample + around > line->count - 1 ? line->count - 1 : sample + around;
    return (line->headings[to] - line->headings[from]) / (line->step * (float)(to - from));
}

// The sample of a place: places are spread evenly, about COURSE_PLACES apart.
static int32_t course_sample(const course_line* line, int32_t place, int32_t places) {
    return (int32_t)((int64_t)place * (line->count - 1) / (places - 1));
}

// Speeds at places that the limits of a route allow.
static void course_speeds(const kerb_scene_kind* k, const course_line* line, int32_t places,
                          float* speeds) {
    kerb_plan_limits limits = k->kind.route_limits(k->kind.vehicle, 0);
    int32_t spacing = course_sample(line, 1, places);
    for (int32_t i = 0; i < places; i++) {
        float bend = kerb_abs(course_curvature(line, course_sample(line, i, places), spacing));
        float most = limits.speed_max;
        if (bend > 1e-6f)
            most = kerb_min(most, kerb_min(kerb_sqrt(limits.lateral_acceleration / bend),
                                           limits.yaw_rate_max / bend));
        speeds[i] = COURSE_SPEED_SHARE * most;
    }
    speeds[0] = speeds[places - 1] = 0.0f;
    float way = 2.0f * COURSE_SPEED_SHARE * line->step * (float)spacing;
    for (int32_t i = 1; i < places; i++)
        speeds[i] = kerb_min(speeds[i],
                             kerb_sqrt(speeds[i - 1] * speeds[i - 1] + way * limits.acceleration));
    for (int32_t i = places - 2; i >= 0; i--)
        speeds[i] =
            kerb_min(speeds[i], kerb_sqrt(speeds[i + 1] * speeds[i + 1] + way * limits.braking));
}

static void course_place(const kerb_scene_kind* k, const course_line* line, int32_t sample,
                         int32_t spacing, float speed, float* state) {
    kerb_vec3 at = line->points[sample];
    bool last = sample + 1 >= line->count;
    kerb_vec3 way = kerb_vec3_sub(line->points[last ? sample : sample + 1],
                                  line->points[last ? sample - 1 : sample]);
    memset(state, 0, sizeof(float) * KERB_KIND_STATES_MAX);
    if (k->kind.space) {
        kerb_vec3 direction = kerb_vec3_unit(way, kerb_vec3_make(1.0f, 0.0f, 0.0f));
        k->kind.space->via(&k->kind, at, direction, speed, state);
        if (k->kind.space->heading >= 0)
            state[k->kind.space->heading] = line->headings[sample];
        return;
    }
    kerb_plan_state on = {
        .pose = kerb_pose_make(at.x, at.y, line->headings[sample]), .speed = speed, .direction = 1};
    on.curvature = speed > 0.0f ? course_curvature(line, sample, spacing / 2) : 0.0f;
    float control[KERB_KIND_CONTROLS_MAX] = {0};
    // Halfway between ends that look along the course, so that a pedestrian looks ahead.
    const float ahead[KERB_KIND_STATES_MAX] = {at.x, at.y, line->headings[sample]};
    const kerb_kind_query query = {ahead, ahead, 2.0f * COURSE_LONG};
    on.time = COURSE_LONG;
    k->kind.on_route(k->kind.vehicle, &query, &on, state, control);
    state[2] = line->headings[sample] + kerb_wrap_angle(state[2] - line->headings[sample]);
}

// --------------------------------------------------------------------------- the plan

// Memory of a plan along a course, and the states at its places and at rest there.
typedef struct course_plan {
    kerb_kind_course_memory memory;
    float *at, *resting;
} course_plan;

static void course_free(course_plan* p) {
    free(p->memory.states);
    free(p->memory.controls);
    free(p->memory.gains);
    free(p->memory.times);
    free(p->at);
    free(p->resting);
}

static bool course_allocate(course_plan* p, int32_t places) {
    const size_t row = KERB_KIND_STATES_MAX, control = KERB_KIND_CONTROLS_MAX;
    size_t count = (size_t)places * KERB_KIND_PIECES_MAX, rows = (size_t)places * row;
    kerb_kind_course_memory* m = &p->memory;
    m->pieces = (int32_t)count;
    m->states = malloc((count + 1) * row * sizeof(float));
    m->controls = malloc(count * control * sizeof(float));
    m->gains = malloc(count * control * row * sizeof(float));
    m->times = calloc(count + 1, sizeof(float));
    p->at = malloc(rows * sizeof(float));
    p->resting = malloc(rows * sizeof(float));
    return m->states && m->controls && m->gains && m->times && p->at && p->resting;
}

static void course_set_places(const kerb_scene_kind* k, const course_line* line, int32_t places,
                              const float* speeds, course_plan* p) {
    int32_t spacing = course_sample(line, 1, places);
    for (int32_t i = 0; i < places; i++) {
        int32_t sample = course_sample(line, i, places);
        size_t at = (size_t)i * KERB_KIND_STATES_MAX;
        course_place(k, line, sample, spacing, speeds[i], p->at + at);
        course_place(k, line, sample, spacing, 0.0f, p->resting + at);
    }
}

// False: some place and those after it could not be reached.
static bool course_find(kerb_kind_planner* planner, const course_plan* p, int32_t places,
                        kerb_kind_course* course) {
    if (kerb_kind_course_begin(course, planner, p->at, p->resting, places, &p->memory, NULL) !=
        KERB_OK)
        return false;
    kerb_plan_outcome outcome = KERB_PLAN_RUNNING;
    while (outcome == KERB_PLAN_RUNNING)
        outcome = kerb_kind_course_advance(course, planner, 1000);
    return outcome == KERB_PLAN_FOUND;
}

// --------------------------------------------------------------------------- driving

static kerb_vec3 course_position(const kerb_scene_kind* k, const float* state) {
    return kerb_vec3_make(state[0], state[1], k->kind.space ? state[2] : 0.0f);
}

static float course_half_width(const kerb_scene_kind* k) {
    float state[KERB_KIND_STATES_MAX] = {0}, most = 0.0f;
    if (!k->kind.space)
        return 0.5f * k->kind.route_limits(k->kind.vehicle, 0).width;
    kerb_kind_ball balls[KERB_KIND_BALLS_MAX];
    int32_t count = k->kind.space->balls(k->kind.vehicle, state, balls);
    for (int32_t i = 0; i < count; i++)
        most = kerb_max(most, balls[i].radius);
    return most;
}

static float course_planned_error(const kerb_scene_kind* k, const course_line* line,
                                  const kerb_kind_plan* plan) {
    float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX];
    double sum = 0.0;
    int32_t near = 0, count = 400;
    for (int32_t i = 0; i <= count; i++) {
        kerb_kind_plan_at(&k->kind, plan, plan->time * (float)i / (float)count, state, control);
        sum += (double)course_error(line, course_position(k, state), &near);
    }
    return (float)(sum / (count + 1));
}

static void course_drive(const kerb_scene_kind* k, const course_line* line,
                         const kerb_kind_plan* plan, float corridor, kerb_scene_kind_trial* t) {
    float frame = k->name == KERB_SCENE_SHIP ? COURSE_SHIP_FRAME : COURSE_FRAME;
    int32_t most = (int32_t)((COURSE_LIMIT * plan->time + 60.0f) / frame), near = 0;
    kerb_scene_kind_ride ride = kerb_scene_kind_ride_make(k, plan->states);
    double errors = 0.0, inside = 0.0, way = 0.0;
    float half = course_half_width(k);
    for (int32_t i = 0; i < most && !t->arrived; i++) {
        kerb_scene_kind_ride_decide(&ride, plan, frame);
        if (ride.controls.reason == KERB_REASON_GIVEN_UP)
            break;
        t->arrived = ride.controls.reason == KERB_REASON_ARRIVED;
        const kerb_kind_driver_decision* d = &ride.driver.decision;
        float error = course_error(line, course_position(k, d->state), &near);
        double moved = (double)(kerb_vec3_length(ride.motion.velocity) * frame);
        way += moved;
        errors += moved * (double)error;
        inside += error + half <= corridor ? moved : 0.0;
        t->error_max = kerb_max(t->error_max, error);
        t->plan_error_max = kerb_max(t->plan_error_max, kerb_abs(d->cross_track));
        t->time = frame * (float)i;
        kerb_scene_kind_ride_move(&ride, frame);
    }
    t->error_mean = way > 0.0 ? (float)(errors / way) : 0.0f;
    t->inside = way > 0.0 ? (float)(inside / way) : 0.0f;
}

static bool course_run(const kerb_scene_kind* k, kerb_kind_planner* planner, course_line* line,
                       kerb_scene_kind_trial* t, float circle) {
    int32_t places = (int32_t)((float)(line->count - 1) * COURSE_SAMPLE / COURSE_PLACES) + 1;
    float* speeds = calloc((size_t)places, sizeof(float));
    course_plan p = {.at = NULL};
    bool has_room = course_allocate(&p, places) && speeds;
    if (has_room) {
        for (int32_t i = 0; i < places && k->kind.space; i++)
            speeds[i] = i == 0 || i == places - 1 ? 0.0f : COURSE_SPACE_SPEED;
        if (!k->kind.space)
            course_speeds(k, line, places, speeds);
        course_set_places(k, line, places, speeds, &p);
        t->length = line->step * (float)(line->count - 1);
        kerb_kind_course course;
        t->planned = course_find(planner, &p, places, &course);
        t->planned_time = course.plan.time;
        if (t->planned) {
            t->planned_error = course_planned_error(k, line, &course.plan);
            course_drive(k, line, &course.plan, KERB_SCENE_KIND_CORRIDOR * circle, t);
        }
    }
    course_free(&p);
    free(speeds);
    return has_room;
}

bool kerb_scene_kind_course_drive(const kerb_scene_kind* k, int32_t course,
                                  kerb_scene_kind_trial* trial) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_kind_planner planner = {0};
    *trial = (kerb_scene_kind_trial){.planned = false};
    // Legs pass their places: the reserve for the driver is kept, but not the straight flight that
    // a plan which is driven alone ends with.
    kerb_kind kind = k->kind;
    for (int32_t j = 0; j < kind.controls && kind.space; j++) {
        kind.control_min[j] *= kind.control_share;
        kind.control_max[j] *= kind.control_share;
    }
    if (kind.space)
        kind.control_share = 1.0f;
    course_line* line = malloc(sizeof *line);
    bool has_room =
        line && kerb_kind_planner_create(&planner, &kind, &settings, &host, NULL) == KERB_OK;
    if (has_room) {
        float circle = kerb_scene_kind_circle(k);
        bool glides = k->name == KERB_SCENE_AIRPLANE || k->name == KERB_SCENE_SUBMARINE;
        float steepest = kerb_min(k->kind.control_max[1], -k->kind.control_min[1]);
        line->slope = glides ? kerb_min(0.5f * steepest, COURSE_SLOPE) : COURSE_SLOPE;
        line->slope = kind.space ? line->slope : 0.0f;
        // Whole waves, so that both ends are level.
        float length = course_length(&course_shapes[course]);
        line->wave = circle * length / (floorf(length / COURSE_WAVE) + 1.0f);
        course_draw(&course_shapes[course], circle, line);
        has_room = course_run(k, &planner, line, trial, circle);
    }
    kerb_kind_planner_destroy(&planner);
    free(line);
    return has_room;
}
