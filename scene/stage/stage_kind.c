// Purpose: a vehicle of a kind that is chosen plans ways among obstacles and drives them, in the
//          plane or in space.
// Idea:    What kerb plan --vehicle plans and drives (scene/plan/kind_drive.h), goal after goal. A
//          plan is found within one step and copied into the arena, so that planner and obstacles,
//          which never change, lie outside of snapshots.
// Cost:    a drive call and eight physics steps; now and then a plan, of milliseconds.
#include "scene/stage/stage_rooms.h"

#include "scene/plan/space_world.h"
#include "scene/stage/stage_kind.h"

#include <string.h>

#define STAGE_KIND_BOXES_PLANE 16
#define STAGE_KIND_BOXES_SPACE 24
#define STAGE_KIND_TRIES 200  // places that are tried for an end
#define STAGE_KIND_GOALS 20   // goals that are tried until one has a plan
#define STAGE_KIND_STANDS 1.5 // at a goal [s]
#define STAGE_KIND_RESTS 0.05f
#define STAGE_KIND_SAMPLES 160     // of a plan that is drawn
#define STAGE_KIND_POLES 8         // samples from one pole to the next
#define STAGE_KIND_SHIP_AREA 0.15f // of the radius of random goals, which takes long to see

typedef struct stage_kind {
    kerb_scene_kind* kind; // fixed, and these
    kerb_kind_planner* planner;
    kerb_scene_space_world* space;
    kerb_scene_kind_ride ride;
    kerb_random random;
    stage_kind_plan kept;
    float goal[KERB_KIND_STATES_MAX];
    float radius;
    bool moved; // the goal was put elsewhere: a plan to it is wanted
    float waited;
    int32_t arrivals, failures;
    float end_error;
} stage_kind;

// --------------------------------------------------------------------------- choices

static int32_t stage_kind_plane_count(void) {
    return KERB_SCENE_SPACECRAFT;
}

static const char* stage_kind_plane_text(int32_t index) {
    return kerb_scene_kind_text((kerb_scene_kind_name)index);
}

static int32_t stage_kind_space_count(void) {
    return KERB_SCENE_KIND_COUNT - KERB_SCENE_SPACECRAFT;
}

static const char* stage_kind_space_text(int32_t index) {
    return kerb_scene_kind_text((kerb_scene_kind_name)(KERB_SCENE_SPACECRAFT + index));
}

static const stage_choice stage_kind_plane_choices[] = {{.name = "kind",
                                                         .meaning = "what moves",
                                                         .count = stage_kind_plane_count,
                                                         .option = stage_kind_plane_text,
                                                         .fallback = KERB_SCENE_HOVERCRAFT}};
static const stage_choice stage_kind_space_choices[] = {
    {.name = "kind",
     .meaning = "what flies or dives",
     .count = stage_kind_space_count,
     .option = stage_kind_space_text,
     .fallback = KERB_SCENE_HELICOPTER - KERB_SCENE_SPACECRAFT}};
static const stage_figure stage_kind_figures[] = {{"time of the plan", "s"},
                                                  {"no plan is faster than", "s"},
                                                  {"goals reached", "1"},
                                                  {"last goal: off the place", "m"},
                                                  {"beside the plan", "m"},
                                                  {"height", "m"},
                                                  {"goals to which it found no plan", "1"}};

// How each kind looks; and its height where the look does not say it.
static int32_t stage_kind_look(kerb_scene_kind_name name) {
    static const int32_t looks[KERB_SCENE_KIND_COUNT] = {
        [KERB_SCENE_SHIP] = KERB_STAGE_SHIP,
        [KERB_SCENE_PEDESTRIAN] = KERB_STAGE_PEDESTRIAN,
        [KERB_SCENE_HOVERCRAFT] = KERB_STAGE_HOVERCRAFT,
        [KERB_SCENE_TRAILER] = KERB_STAGE_CAR,
        [KERB_SCENE_MOTORCYCLE] = KERB_STAGE_MOTORCYCLE,
        [KERB_SCENE_TANK] = KERB_STAGE_TANK,
        [KERB_SCENE_SPACECRAFT] = KERB_STAGE_SPACECRAFT,
        [KERB_SCENE_HELICOPTER] = KERB_STAGE_HELICOPTER,
        [KERB_SCENE_DRONE] = KERB_STAGE_DRONE,
        [KERB_SCENE_ROCKET] = KERB_STAGE_ROCKET,
        [KERB_SCENE_AIRPLANE] = KERB_STAGE_AIRPLANE,
        [KERB_SCENE_SUBMARINE] = KERB_STAGE_SUBMARINE,
    };
    return looks[name];
}

const kerb_vehicle* kerb_scene_stage_kind_vehicle(const kerb_scene_kind* k) {
    return k->name == KERB_SCENE_TANK         ? &k->tank
           : k->name == KERB_SCENE_HOVERCRAFT ? &k->hovercraft
           : k->name == KERB_SCENE_TRAILER    ? &k->towing.car
                                              : NULL;
}

// Length, width and height.
kerb_vec3 kerb_scene_stage_kind_size(const kerb_scene_kind* k) {
    const kerb_sim_hoverer_model* h = &k->hoverer_model;
    const kerb_vehicle* vehicle = kerb_scene_stage_kind_vehicle(k);
    switch (k->name) {
    case KERB_SCENE_SHIP:
        return kerb_vec3_make(k->ship.length, k->ship.width, 0.2f * k->ship.length);
    case KERB_SCENE_PEDESTRIAN:
        return kerb_vec3_make(k->pedestrian.depth, k->pedestrian.width, 1.75f);
    case KERB_SCENE_MOTORCYCLE:
        return kerb_vec3_make(k->motorcycle.length, k->motorcycle.width, k->motorcycle.height);
    case KERB_SCENE_SPACECRAFT:
        return kerb_vec3_make(k->spacecraft.length, 2.0f * k->spacecraft.radius,
                              2.0f * k->spacecraft.radius);
    case KERB_SCENE_ROCKET: // it stands on its engine
        return kerb_vec3_make(2.0f * h->rocket.radius, 2.0f * h->rocket.radius, h->rocket.length);
    case KERB_SCENE_AIRPLANE:
        return kerb_vec3_make(k->airplane.length, 1.4f * k->airplane.length,
                              0.32f * k->airplane.length);
    case KERB_SCENE_SUBMARINE:
        return kerb_vec3_make(k->submarine.length, 2.0f * k->submarine.radius,
                              2.0f * k->submarine.radius);
    default:
        return vehicle ? kerb_vec3_make(vehicle->length, vehicle->width, 0.0f)
                       : kerb_vec3_make(h->craft.length, h->craft.width, h->craft.height);
    }
}

// --------------------------------------------------------------------------- places

// Whether a rectangle of a footprint meets a box, seen from above, by the four axes of both.
static bool stage_kind_meets(const kerb_kind_box* r, float margin, const kerb_space_box* box) {
    kerb_vec2 f = r->pose.forward,
              half = {0.5f * (box->max.x - box->min.x), 0.5f * (box->max.y - box->min.y)};
    float length = 0.5f * (r->front + r->rear) + margin, width = 0.5f * r->width + margin;
    kerb_vec2 at = kerb_vec2_add(r->pose.position, kerb_vec2_scale(f, 0.5f * (r->front - r->rear)));
    float dx = at.x - 0.5f * (box->min.x + box->max.x),
          dy = at.y - 0.5f * (box->min.y + box->max.y);
    float fx = kerb_abs(f.x), fy = kerb_abs(f.y);
    return kerb_abs(dx) <= half.x + length * fx + width * fy &&
           kerb_abs(dy) <= half.y + length * fy + width * fx &&
           kerb_abs(dx * f.x + dy * f.y) <= length + half.x * fx + half.y * fy &&
           kerb_abs(dy * f.x - dx * f.y) <= width + half.x * fy + half.y * fx;
}

static bool stage_kind_is_free(const stage_kind* s, const float* state) {
    const kerb_space_world* w = &s->space->world;
    const kerb_kind* kind = &s->kind->kind;
    if (kind->space)
        return kerb_scene_space_is_free(s->space, kind, state);
    if (state[0] < w->min.x || state[0] > w->max.x || state[1] < w->min.y || state[1] > w->max.y)
        return false;
    kerb_kind_box parts[KERB_KIND_BOXES_MAX];
    int32_t count = kind->boxes(kind->vehicle, state, parts);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < w->box_count; k++)
            if (stage_kind_meets(&parts[i], 0.02f * s->radius, &w->boxes[k]))
                return false;
    return true;
}

static void stage_kind_height(const stage_kind* s, kerb_random* random, float* state) {
    const kerb_space_world* w = &s->space->world;
    if (s->kind->kind.space)
        state[2] = kerb_random_between(random, w->min.z + 0.1f * (w->max.z - w->min.z),
                                       w->max.z - 0.1f * (w->max.z - w->min.z));
}

// A random free state: at rest, an airplane at its cruise speed. Far from `other` where it can.
static void stage_kind_place(stage_kind* s, const float* other, float* state) {
    for (int32_t i = 0; i < STAGE_KIND_TRIES; i++) {
        float from[KERB_KIND_STATES_MAX];
        kerb_scene_kind_ends(s->kind, &s->random, from, state);
        state[0] = kerb_random_between(&s->random, -s->radius, s->radius);
        state[1] = kerb_random_between(&s->random, -s->radius, s->radius);
        stage_kind_height(s, &s->random, state);
        kerb_vec2 way = {state[0] - other[0], state[1] - other[1]};
        if (kerb_vec2_length(way) > 0.7f * s->radius && stage_kind_is_free(s, state))
            return;
    }
}

// --------------------------------------------------------------------------- plans

void kerb_scene_stage_kind_keep_plan(stage_kind_plan* kept, const kerb_kind_plan* found) {
    size_t count = (size_t)found->count;
    memcpy(kept->states, found->states, (count + 1) * KERB_KIND_STATES_MAX * sizeof(float));
    memcpy(kept->controls, found->controls, count * KERB_KIND_CONTROLS_MAX * sizeof(float));
    memcpy(kept->gains, found->gains,
           count * KERB_KIND_CONTROLS_MAX * KERB_KIND_STATES_MAX * sizeof(float));
    memcpy(kept->times, found->times, (count + 1) * sizeof(float));
    kept->plan = *found;
    kept->plan.states = kept->states;
    kept->plan.controls = kept->controls;
    kept->plan.gains = kept->gains;
    kept->plan.times = kept->times;
}

// Plans from where the vehicle is to the goal, and takes the plan where there is one.
static bool stage_kind_find(stage_kind* s) {
    float here[KERB_KIND_STATES_MAX] = {0};
    kerb_scene_kind_ride_state(&s->ride, here);
    if (kerb_kind_planner_begin(s->planner, here, s->goal, NULL) != KERB_OK)
        return false;
    while (kerb_kind_planner_advance(s->planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    kerb_kind_plan found = kerb_kind_planner_get_plan(s->planner);
    if (found.count < 1)
        return false;
    kerb_scene_stage_kind_keep_plan(&s->kept, &found);
    s->waited = 0.0f;
    return true;
}

// A random goal that has a plan. An airplane that has no way on begins elsewhere.
static void stage_kind_next(kerb_stage* stage, stage_kind* s) {
    float here[KERB_KIND_STATES_MAX] = {0};
    s->waited = 0.0f;
    s->moved = false;
    for (int32_t i = 0; i < STAGE_KIND_GOALS; i++) {
        kerb_scene_kind_ride_state(&s->ride, here);
        stage_kind_place(s, here, s->goal);
        if (stage_kind_find(s))
            break;
        s->failures++;
        if (s->kind->name == KERB_SCENE_AIRPLANE && i % 4 == 3) {
            stage_kind_place(s, s->goal, here);
            s->ride = kerb_scene_kind_ride_make(s->kind, here);
        }
    }
    kerb_scene_stage_reshape(stage);
}

// --------------------------------------------------------------------------- making

// Boxes of random sizes; in the plane as walls, in space above the ground.
static void stage_kind_obstacles(stage_kind* s) {
    const kerb_scene_kind* k = s->kind;
    bool flies = k->kind.space != NULL;
    float height = flies ? k->height : 0.2f * s->radius;
    kerb_scene_space_make(s->space, KERB_SCENE_SPACE_BOXES,
                          flies ? STAGE_KIND_BOXES_SPACE : STAGE_KIND_BOXES_PLANE, s->radius,
                          height, &s->random);
    kerb_space_world* w = &s->space->world;
    float up = -w->min.z;
    for (int32_t i = 0; i < w->box_count; i++) {
        kerb_space_box* box = &s->space->boxes[i];
        box->min.z = flies ? box->min.z + up : 0.0f;
        box->max.z = flies ? box->max.z + up : 0.06f * s->radius;
    }
    w->max.z += up;
    w->min.z = 0.0f;
}

static kerb_result stage_kind_set_world(stage_kind* s, kerb_error* error) {
    const kerb_space_world* w = &s->space->world;
    kerb_vec2 corners[4 * KERB_SCENE_SPACE_BOXES_MAX];
    int32_t counts[KERB_SCENE_SPACE_BOXES_MAX];
    for (int32_t i = 0; i < w->box_count; i++) {
        const kerb_space_box* b = &w->boxes[i];
        counts[i] = 4;
        kerb_vec2* corner = &corners[4 * (size_t)i];
        corner[0] = kerb_vec2_make(b->min.x, b->min.y);
        corner[1] = kerb_vec2_make(b->max.x, b->min.y);
        corner[2] = kerb_vec2_make(b->max.x, b->max.y);
        corner[3] = kerb_vec2_make(b->min.x, b->max.y);
    }
    const kerb_plan_world plane = {
        .vertices = corners, .vertex_counts = counts, .polygon_count = w->box_count};
    const kerb_plan_world space = {.space = w};
    return kerb_kind_planner_set_world(s->planner, s->kind->kind.space ? &space : &plane, error);
}

static kerb_result stage_kind_make_with(kerb_stage* stage, const char* name, kerb_error* error) {
    stage_kind* s = kerb_scene_stage_allocate(stage, sizeof *s);
    if (s == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = s;
    s->kind = kerb_scene_stage_fix(stage, sizeof *s->kind);
    s->planner = kerb_scene_stage_fix(stage, sizeof *s->planner);
    s->space = kerb_scene_stage_fix(stage, sizeof *s->space);
    if (!s->kind || !s->planner || !s->space)
        return kerb_scene_stage_no_memory(error);
    kerb_scene_kind_make(name, s->kind);
    s->radius = s->kind->radius * (s->kind->name == KERB_SCENE_SHIP ? STAGE_KIND_SHIP_AREA : 1.0f);
    s->random = kerb_random_make(stage->seed, 41);
    s->end_error = -1.0f;
    stage->vehicle_count = s->kind->name == KERB_SCENE_TRAILER ? 2 : 1;
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_result result =
        kerb_kind_planner_create(s->planner, &s->kind->kind, &settings, &stage->fixed, error);
    if (result != KERB_OK)
        return result;
    stage_kind_obstacles(s);
    result = stage_kind_set_world(s, error);
    if (result != KERB_OK)
        return result;
    float start[KERB_KIND_STATES_MAX], far[2] = {2.0f * s->radius, 2.0f * s->radius};
    stage_kind_place(s, far, start);
    s->ride = kerb_scene_kind_ride_make(s->kind, start);
    stage_kind_next(stage, s);
    return KERB_OK;
}

static kerb_result stage_kind_make_plane(kerb_stage* stage, kerb_error* error) {
    return stage_kind_make_with(stage, stage_kind_plane_text(stage->choices[0]), error);
}

static kerb_result stage_kind_make_space(kerb_stage* stage, kerb_error* error) {
    return stage_kind_make_with(stage, stage_kind_space_text(stage->choices[0]), error);
}

// --------------------------------------------------------------------------- stepping

static void stage_kind_note_arrival(stage_kind* s) {
    const kerb_scene_kind* k = s->kind;
    const float* at = s->ride.driver.decision.state;
    const float* goal = s->kept.states + (size_t)s->kept.plan.count * KERB_KIND_STATES_MAX;
    kerb_vec3 off = {at[0] - goal[0], at[1] - goal[1], k->kind.space ? at[2] - goal[2] : 0.0f};
    s->end_error = kerb_vec3_length(off);
    s->arrivals++;
}

static void stage_kind_step(kerb_stage* stage) {
    stage_kind* s = stage->scene_data;
    if (s->moved && !stage_kind_find(s))
        s->failures++;
    s->moved = false;
    kerb_scene_kind_ride_decide(&s->ride, &s->kept.plan, KERB_STAGE_STEP);
    kerb_scene_kind_ride_move(&s->ride, KERB_STAGE_STEP);
    kerb_reason reason = s->ride.controls.reason;
    bool flies_on = s->kind->name == KERB_SCENE_AIRPLANE;
    if (reason == KERB_REASON_ARRIVED && s->waited <= 0.0f)
        stage_kind_note_arrival(s);
    // What has lost its plan stops first.
    bool rests = kerb_vec3_length(s->ride.motion.velocity) < STAGE_KIND_RESTS;
    if (reason == KERB_REASON_ARRIVED || (reason == KERB_REASON_GIVEN_UP && (rests || flies_on)))
        s->waited += KERB_STAGE_STEP;
    if (s->waited > (flies_on ? 0.0f : (float)STAGE_KIND_STANDS))
        stage_kind_next(stage, s);
}

// --------------------------------------------------------------------------- showing it

// The trailer, whose axle is the first point of the state.
static void stage_kind_show_trailer(const kerb_scene_kind_ride* ride, stage_shown* shown) {
    const kerb_towing* towing = &ride->kind->towing;
    float state[KERB_KIND_STATES_MAX] = {0}, sine, cosine;
    kerb_scene_kind_ride_state(ride, state);
    kerb_sin_cos(state[2], &sine, &cosine);
    float ahead = 0.5f * (towing->trailer_front - towing->trailer_rear);
    shown->motion = ride->motion;
    shown->motion.position =
        kerb_vec3_make(state[0] + ahead * cosine, state[1] + ahead * sine, 0.0f);
    shown->motion.rotation = kerb_quat_from_heading(state[2]);
    shown->look = KERB_STAGE_TRAILER;
    shown->role = KERB_STAGE_TRAFFIC;
    shown->length = towing->trailer_front + towing->trailer_rear;
    shown->width = towing->trailer_width;
}

void kerb_scene_stage_kind_show(const kerb_scene_kind_ride* ride, bool trailer,
                                stage_shown* shown) {
    if (trailer) {
        stage_kind_show_trailer(ride, shown);
        return;
    }
    kerb_vec3 size = kerb_scene_stage_kind_size(ride->kind);
    shown->vehicle = kerb_scene_stage_kind_vehicle(ride->kind);
    shown->motion = ride->motion;
    shown->controls = ride->controls;
    shown->look = stage_kind_look(ride->kind->name);
    shown->role = KERB_STAGE_HERO;
    shown->length = size.x;
    shown->width = size.y;
    shown->height = size.z;
    shown->target_speed = kerb_vec3_length(ride->motion.velocity);
}

static void stage_kind_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_kind* s = stage->scene_data;
    kerb_scene_stage_kind_show(&s->ride, vehicle == 1, shown);
    if (vehicle == 1)
        return;
    shown->cross_track_error = s->ride.driver.decision.cross_track;
    shown->progress = (float)s->arrivals;
}

// The pose of a mark for a state, and the other way round: the middle of what stands there.
static kerb_pose stage_kind_pose(const stage_kind* s, const float* state) {
    const kerb_kind* kind = &s->kind->kind;
    float heading = kind->space ? 0.0f : state[2];
    if (kind->space && kind->space->heading >= 0)
        heading = state[kind->space->heading];
    if (s->kind->name == KERB_SCENE_SPACECRAFT)
        heading = kerb_atan2(state[7], state[6]);
    return kerb_pose_make(state[0], state[1], heading);
}

static void stage_kind_turn(const stage_kind* s, kerb_pose pose, float* state) {
    const kerb_kind* kind = &s->kind->kind;
    state[0] = pose.position.x;
    state[1] = pose.position.y;
    if (!kind->space)
        state[2] = kerb_pose_heading(pose);
    else if (kind->space->heading >= 0)
        state[kind->space->heading] = kerb_pose_heading(pose);
    if (s->kind->name != KERB_SCENE_SPACECRAFT)
        return;
    float level = kerb_sqrt(kerb_max(1.0f - state[8] * state[8], 0.0f));
    state[6] = level * pose.forward.x;
    state[7] = level * pose.forward.y;
}

static void stage_kind_shapes(kerb_stage* stage) {
    const stage_kind* s = stage->scene_data;
    const kerb_space_world* w = &s->space->world;
    for (int32_t i = 0; i < w->box_count; i++) {
        const kerb_space_box* b = &w->boxes[i];
        const kerb_stage_solid solid = {.shape = KERB_STAGE_SHAPE_WALL,
                                        .x = 0.5f * (b->min.x + b->max.x),
                                        .y = 0.5f * (b->min.y + b->max.y),
                                        .z = b->min.z,
                                        .length = b->max.x - b->min.x,
                                        .width = b->max.y - b->min.y,
                                        .height = b->max.z - b->min.z};
        kerb_scene_stage_add_solid(stage, &solid);
    }
    kerb_vec3 size = kerb_scene_stage_kind_size(s->kind);
    kerb_pose goal = stage_kind_pose(s, s->goal);
    const kerb_stage_mark mark = {.kind = 1,
                                  .movable = 1,
                                  .x = goal.position.x,
                                  .y = goal.position.y,
                                  .z = s->kind->kind.space ? s->goal[2] : 0.0f,
                                  .heading = kerb_pose_heading(goal),
                                  .length = kerb_max(size.x, 0.02f * s->radius),
                                  .width = kerb_max(size.y, 0.02f * s->radius),
                                  .vehicle = 0};
    kerb_scene_stage_add_mark(stage, &mark);
}

static kerb_result stage_kind_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                   kerb_error* error) {
    stage_kind* s = stage->scene_data;
    if (kind == KERB_STAGE_ITEM_VEHICLE && index > 0)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "index", 0, index,
                              "cannot be moved without its car");
    float state[KERB_KIND_STATES_MAX];
    memcpy(state, s->goal, sizeof state);
    if (kind == KERB_STAGE_ITEM_VEHICLE && s->kind->kind.space) // it stays as high as it is
        state[2] = s->ride.motion.position.z;
    stage_kind_turn(s, pose, state);
    if (!stage_kind_is_free(s, state))
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "x", 0, -1, "an obstacle is there");
    if (kind == KERB_STAGE_ITEM_VEHICLE)
        s->ride = kerb_scene_kind_ride_make(s->kind, state);
    else
        memcpy(s->goal, state, sizeof state);
    s->moved = true;
    kerb_scene_stage_reshape(stage);
    return KERB_OK;
}

// The plan, in space with poles that stand on the ground.
void kerb_scene_stage_kind_draw_plan(const kerb_kind* kind, const kerb_kind_plan* plan,
                                     kerb_draw_buffer* buffer) {
    float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX];
    kerb_vec3 before = {0};
    for (int32_t i = 0; i <= STAGE_KIND_SAMPLES; i++) {
        float time = plan->time * (float)i / (float)STAGE_KIND_SAMPLES;
        kerb_kind_plan_at(kind, plan, time, state, control);
        kerb_vec3 at = {state[0], state[1], kind->space ? state[2] : 0.0f};
        if (i > 0)
            kerb_scene_stage_draw_line(buffer, before, at, KERB_DRAW_PLANNED_PATH);
        if (kind->space && i % STAGE_KIND_POLES == 0)
            kerb_scene_stage_draw_line(buffer, kerb_vec3_make(at.x, at.y, 0.0f), at,
                                       KERB_DRAW_PATH);
        before = at;
    }
}

// The plan, and where the vehicle should be.
static void stage_kind_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_kind* s = stage->scene_data;
    const kerb_kind* kind = &s->kind->kind;
    (void)vehicle;
    if (s->kept.plan.count < 1)
        return;
    kerb_scene_stage_kind_draw_plan(kind, &s->kept.plan, buffer);
    const kerb_kind_driver_decision* d = &s->ride.driver.decision;
    kerb_vec3 planned = {d->planned[0], d->planned[1], kind->space ? d->planned[2] : 0.0f};
    kerb_vec3 here = {d->state[0], d->state[1], kind->space ? d->state[2] : 0.0f};
    kerb_scene_stage_draw_line(buffer, here, planned, KERB_DRAW_NEAREST);
}

static float stage_kind_figure(const kerb_stage* stage, int32_t figure) {
    const stage_kind* s = stage->scene_data;
    switch (figure) {
    case 0:
        return s->kept.plan.time;
    case 1:
        return s->kept.plan.lower_bound;
    case 2:
        return (float)s->arrivals;
    case 3:
        return s->end_error;
    case 4:
        return kerb_abs(s->ride.driver.decision.cross_track);
    case 5:
        return s->ride.motion.position.z;
    default:
        return (float)s->failures;
    }
}

static const char* stage_kind_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_kind* s = stage->scene_data;
    if (vehicle == 1)
        return "is towed";
    switch (s->ride.controls.reason) {
    case KERB_REASON_ARRIVED:
        return "has arrived";
    case KERB_REASON_GIVEN_UP:
        return "has left its plan and stops";
    default:
        return "drives its plan";
    }
}

// --------------------------------------------------------------------------- what they are

const stage_scene kerb_scene_stage_kinds = {
    .id = "plan/kinds",
    .group = "Planner",
    .title = "Ship, pedestrian, hovercraft, trailer, motorcycle, tank",
    .look = "Each kind plans as it moves: the hovercraft begins to turn long before its bend, the "
            "trailer backs without folding, the ship counts the lengths that it needs to turn.",
    .try_this = "Choose another kind, or drag the goal while it is on its way.",
    .choices = stage_kind_plane_choices,
    .choice_count = 1,
    .figures = stage_kind_figures,
    .figure_count = 7,
    .arena_bytes = 1u << 18,
    .make = stage_kind_make_plane,
    .step = stage_kind_step,
    .show = stage_kind_show,
    .shapes = stage_kind_shapes,
    .drag = stage_kind_drag,
    .draw = stage_kind_draw,
    .figure = stage_kind_figure,
    .reason = stage_kind_reason,
};

const stage_scene kerb_scene_stage_kinds_in_space = {
    .id = "plan/kinds-in-space",
    .group = "Planner",
    .title = "Helicopter, drone, airplane, rocket, spacecraft, submarine",
    .look = "The plan leads over, under and round the boxes; poles show how high it is. The "
            "spacecraft flips halfway, because it can only brake with the engine at its tail.",
    .try_this = "Choose another kind, or drag the goal while it is on its way.",
    .choices = stage_kind_space_choices,
    .choice_count = 1,
    .figures = stage_kind_figures,
    .figure_count = 7,
    .arena_bytes = 1u << 18,
    .make = stage_kind_make_space,
    .step = stage_kind_step,
    .show = stage_kind_show,
    .shapes = stage_kind_shapes,
    .drag = stage_kind_drag,
    .draw = stage_kind_draw,
    .figure = stage_kind_figure,
    .reason = stage_kind_reason,
};
