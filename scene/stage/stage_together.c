// Purpose: vehicles of a kind that is chosen fly, sail or walk in formation, or chase one another.
// Idea:    A leader keeps a place that goes round an oval. Each other vehicle plans to where its
//          slot is met first, drives that plan, and keeps the slot (kerb/kind_chase.h). In a
//          formation the slots change hands from time to time; a chase begins again elsewhere once
//          the leader has been caught. Plans are copied into the arena, so that planner and path,
//          which never change, lie outside of snapshots.
// Cost:    a drive call and eight physics steps a vehicle; now and then a plan, of milliseconds.
#include "scene/plan/kind_course.h"
#include "scene/plan/kind_formation.h"
#include "scene/stage/stage_kind.h"

#define TOGETHER_MOST 3 // vehicles that follow
#define TOGETHER_POINTS 240
#define TOGETHER_OVAL 0.15f   // of its radius, by which it is longer than wide
#define TOGETHER_CIRCLES 4.0f // its radius, in those of the kind's turning circle
#define TOGETHER_GAPS 10.0f   // the same, in gaps
// The slots of a formation change hands after a way of so many gaps, and at least so long.
#define TOGETHER_CHANGE 20.0f
#define TOGETHER_CHANGE_LEAST 15.0f // [s]
#define TOGETHER_CAUGHT 4.0f        // a chase begins again [s]
#define TOGETHER_AGAIN 2.0f         // who found no plan tries again [s]

typedef struct together_one {
    kerb_scene_kind_ride ride;
    kerb_vec3 slot;
    bool has_plan, keeps;
    float waited; // without a plan, or at its slot [s]
    stage_kind_plan kept;
} together_one;

typedef struct stage_together {
    kerb_scene_kind* kind; // fixed, and these
    kerb_kind_planner* planner;
    kerb_path* path;
    bool chases;
    int32_t count; // vehicles that follow
    float speed, gap;
    double station; // of the leader [m]
    kerb_random random;
    kerb_scene_kind_ride leader;
    together_one others[TOGETHER_MOST];
    float unchanged; // since the slots changed hands [s]
    int32_t turn, meetings, failures;
} stage_together;

// --------------------------------------------------------------------------- choices

// All kinds but the spacecraft, which coasts: it cannot keep a place by small corrections.
static int32_t together_count(void) {
    return KERB_SCENE_KIND_COUNT - 1;
}

static const char* together_text(int32_t index) {
    return kerb_scene_kind_text(
        (kerb_scene_kind_name)(index < KERB_SCENE_SPACECRAFT ? index : index + 1));
}

static int32_t together_tasks(void) {
    return 2;
}

static const char* together_task(int32_t index) {
    return index == 0 ? "formation" : "chase";
}

static const stage_choice together_choices[] = {
    {.name = "kind",
     .meaning = "what moves",
     .count = together_count,
     .option = together_text,
     .fallback = KERB_SCENE_DRONE - 1},
    {.name = "task", .meaning = "what they do", .count = together_tasks, .option = together_task}};

static const stage_figure together_figures[] = {{"in their places", "1"},
                                                {"farthest off its place", "m"},
                                                {"places reached", "1"},
                                                {"chases without a plan", "1"},
                                                {"speed of the leader", "m/s"}};

// --------------------------------------------------------------------------- places

static kerb_kind_place together_place(const stage_together* s, kerb_vec3 slot, float time) {
    double station = s->station + (double)(s->speed * time);
    while (station >= s->path->length)
        station -= s->path->length;
    kerb_path_location here = kerb_path_locate(s->path, station);
    kerb_formation_place p = kerb_formation_place_along(s->path, here, s->speed, slot);
    return (kerb_kind_place){p.position, p.forward, p.speed, p.curvature};
}

static kerb_kind_place together_leader_place(const stage_together* s) {
    return together_place(s, kerb_vec3_make(0.0f, 0.0f, 0.0f), 0.0f);
}

static float together_off(const stage_together* s, const together_one* one) {
    float state[KERB_KIND_STATES_MAX] = {0.0f};
    kerb_kind_place place = together_place(s, one->slot, 0.0f);
    kerb_scene_kind_ride_state(&one->ride, state);
    bool flies = s->kind->kind.space != NULL;
    return kerb_vec3_length(kerb_vec3_make(state[0] - place.position.x, state[1] - place.position.y,
                                           flies ? state[2] - place.position.z : 0.0f));
}

// The slots of a formation: to both sides, and behind; in space above and below the leader. In a
// chase the one behind the leader.
static void together_set_slots(stage_together* s) {
    bool flies = s->kind->kind.space != NULL;
    float g = s->gap, up = flies ? 0.5f * g : 0.0f;
    const kerb_vec3 slots[TOGETHER_MOST] = {
        {-g, 0.8f * g, up}, {-g, -0.8f * g, -up}, {-2.0f * g, 0.0f, 0.0f}};
    for (int32_t i = 0; i < s->count; i++)
        s->others[i].slot =
            s->chases ? kerb_vec3_make(-g, 0.0f, 0.0f) : slots[(i + s->turn) % TOGETHER_MOST];
}

// --------------------------------------------------------------------------- chases

typedef struct together_target {
    const stage_together* s;
    kerb_vec3 slot;
} together_target;

static kerb_kind_place together_slot_at(void* context, float time) {
    const together_target* target = context;
    return together_place(target->s, target->slot, time);
}

// Plans from where a vehicle is to where it meets its slot first.
static void together_chase(stage_together* s, together_one* one) {
    float here[KERB_KIND_STATES_MAX] = {0.0f};
    together_target context = {s, one->slot};
    kerb_kind_target target = {
        .horizon = 3600.0f, .place_at = together_slot_at, .context = &context};
    kerb_kind_chase chase;
    kerb_scene_kind_ride_state(&one->ride, here);
    one->keeps = one->has_plan = false;
    one->waited = 0.0f;
    if (kerb_kind_chase_begin(&chase, s->planner, here, &target, NULL) != KERB_OK)
        return;
    while (kerb_kind_chase_advance(&chase, s->planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    kerb_kind_plan found = kerb_kind_planner_get_plan(s->planner);
    one->has_plan = found.count > 0;
    if (one->has_plan)
        kerb_scene_stage_kind_keep_plan(&one->kept, &found);
    else
        s->failures++;
}

// Somewhere in the oval, in any direction, as fast as the leader.
static void together_put(stage_together* s, together_one* one) {
    kerb_kind_place begin = together_leader_place(s);
    float far = 0.5f * TOGETHER_CIRCLES * kerb_scene_kind_circle(s->kind), sine, cosine;
    float state[KERB_KIND_STATES_MAX] = {0.0f}, control[KERB_KIND_CONTROLS_MAX];
    begin.position.x = kerb_random_between(&s->random, -far, far);
    begin.position.y = kerb_random_between(&s->random, -far, far);
    kerb_sin_cos(kerb_random_between(&s->random, -KERB_PI, KERB_PI), &sine, &cosine);
    begin.forward = kerb_vec3_make(cosine, sine, 0.0f);
    begin.curvature = 0.0f;
    kerb_kind_state_at(&s->kind->kind, &begin, state, control);
    one->ride = kerb_scene_kind_ride_make(s->kind, state);
    together_chase(s, one);
}

// --------------------------------------------------------------------------- making

// An oval; in space one side is higher than the other.
static kerb_result together_make_path(kerb_stage* stage, stage_together* s, kerb_error* error) {
    kerb_waypoint points[TOGETHER_POINTS];
    float radius = TOGETHER_CIRCLES * kerb_scene_kind_circle(s->kind);
    bool flies = s->kind->kind.space != NULL;
    radius = kerb_max(radius, TOGETHER_GAPS * s->gap);
    float rise = flies ? 0.04f * radius : 0.0f;
    for (int32_t i = 0; i < TOGETHER_POINTS; i++) {
        float angle = KERB_PI * 2.0f * (float)i / (float)TOGETHER_POINTS, sine, cosine;
        kerb_sin_cos(angle, &sine, &cosine);
        float r = radius * (1.0f + TOGETHER_OVAL * (cosine * cosine - sine * sine));
        float z = flies ? 3.0f * s->gap + rise * (1.0f + cosine) : 0.0f;
        points[i] = kerb_waypoint_at(r * cosine, r * sine, z);
    }
    return kerb_path_create(s->path, points, TOGETHER_POINTS, true, &stage->fixed, error);
}

static kerb_result together_make(kerb_stage* stage, kerb_error* error) {
    stage_together* s = kerb_scene_stage_allocate(stage, sizeof *s);
    if (s == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = s;
    s->kind = kerb_scene_stage_fix(stage, sizeof *s->kind);
    s->planner = kerb_scene_stage_fix(stage, sizeof *s->planner);
    s->path = kerb_scene_stage_fix(stage, sizeof *s->path);
    if (!s->kind || !s->planner || !s->path)
        return kerb_scene_stage_no_memory(error);
    kerb_scene_kind_make(together_text(stage->choices[0]), s->kind);
    const kerb_kind_settings settings = kerb_kind_settings_default();
    kerb_result result =
        kerb_kind_planner_create(s->planner, &s->kind->kind, &settings, &stage->fixed, error);
    if (result != KERB_OK)
        return result;
    kerb_vec3 size = kerb_scene_stage_kind_size(s->kind);
    bool tows = s->kind->name == KERB_SCENE_TRAILER;
    s->random = kerb_random_make(stage->seed, 43);
    s->chases = stage->choices[1] == 1;
    s->count = s->chases ? 1 : TOGETHER_MOST;
    s->speed = kerb_scene_kind_pace(s->kind);
    s->gap = (tows ? 3.5f : 2.0f) * kerb_max(size.x, kerb_max(size.y, size.z));
    result = together_make_path(stage, s, error);
    if (result != KERB_OK)
        return result;
    stage->vehicle_count = (s->count + 1) * (tows ? 2 : 1);
    float state[KERB_KIND_STATES_MAX] = {0.0f}, control[KERB_KIND_CONTROLS_MAX];
    kerb_kind_place place = together_leader_place(s);
    kerb_kind_state_at(&s->kind->kind, &place, state, control);
    s->leader = kerb_scene_kind_ride_make(s->kind, state);
    together_set_slots(s);
    for (int32_t i = 0; i < s->count; i++)
        together_put(s, &s->others[i]);
    return KERB_OK;
}

// --------------------------------------------------------------------------- stepping

static void together_drive(stage_together* s, together_one* one) {
    if (!one->keeps && one->has_plan) {
        kerb_scene_kind_ride_decide(&one->ride, &one->kept.plan, KERB_STAGE_STEP);
        one->keeps = one->ride.controls.reason == KERB_REASON_ARRIVED;
        s->meetings += one->keeps ? 1 : 0;
    }
    if (one->keeps || !one->has_plan) {
        kerb_kind_place place = together_place(s, one->slot, 0.0f);
        kerb_scene_kind_ride_keep(&one->ride, &place, KERB_STAGE_STEP);
        one->waited += KERB_STAGE_STEP;
    }
    bool is_lost = one->ride.controls.reason == KERB_REASON_GIVEN_UP;
    if (is_lost && (one->has_plan || one->waited > TOGETHER_AGAIN))
        together_chase(s, one);
    kerb_scene_kind_ride_move(&one->ride, KERB_STAGE_STEP);
}

// All vehicles are in their slots: each goes on to the next one.
static void together_change(stage_together* s) {
    float after = kerb_max(TOGETHER_CHANGE * s->gap / s->speed, TOGETHER_CHANGE_LEAST);
    s->unchanged += KERB_STAGE_STEP;
    for (int32_t i = 0; i < s->count; i++)
        if (!s->others[i].keeps || s->unchanged < after)
            return;
    s->unchanged = 0.0f;
    s->turn++;
    together_set_slots(s);
    for (int32_t i = 0; i < s->count; i++)
        together_chase(s, &s->others[i]);
}

static void together_step(kerb_stage* stage) {
    stage_together* s = stage->scene_data;
    kerb_kind_place own = together_leader_place(s);
    kerb_scene_kind_ride_keep(&s->leader, &own, KERB_STAGE_STEP);
    kerb_scene_kind_ride_move(&s->leader, KERB_STAGE_STEP);
    for (int32_t i = 0; i < s->count; i++)
        together_drive(s, &s->others[i]);
    s->station += (double)(s->speed * KERB_STAGE_STEP);
    if (s->station >= s->path->length)
        s->station -= s->path->length;
    if (!s->chases)
        together_change(s);
    else if (s->others[0].keeps && s->others[0].waited > TOGETHER_CAUGHT)
        together_put(s, &s->others[0]);
}

// --------------------------------------------------------------------------- showing it

// A vehicle of the stage, the leader first, each trailer behind its car. NULL: the leader.
static const together_one* together_at(const stage_together* s, int32_t vehicle) {
    int32_t index = vehicle / (s->kind->name == KERB_SCENE_TRAILER ? 2 : 1);
    return index == 0 ? NULL : &s->others[index - 1];
}

static void together_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_together* s = stage->scene_data;
    const together_one* one = together_at(s, vehicle);
    bool trailer = s->kind->name == KERB_SCENE_TRAILER && vehicle % 2 == 1;
    kerb_scene_stage_kind_show(one ? &one->ride : &s->leader, trailer, shown);
    shown->target_speed = s->speed;
    if (one && !trailer) {
        shown->role = s->chases ? KERB_STAGE_HERO : KERB_STAGE_TRAFFIC;
        shown->cross_track_error = one->keeps ? together_off(s, one) : 0.0f;
    }
}

static void together_shapes(kerb_stage* stage) {
    const stage_together* s = stage->scene_data;
    for (int32_t i = 0; i < TOGETHER_POINTS; i++) {
        double step = s->path->length / TOGETHER_POINTS;
        double to = i + 1 < TOGETHER_POINTS ? step * (double)(i + 1) : 0.0;
        kerb_path_location a = kerb_path_locate(s->path, step * (double)i);
        kerb_path_location b = kerb_path_locate(s->path, to);
        const kerb_vec3 none = {0.0f, 0.0f, 0.0f};
        kerb_scene_stage_add_line(
            stage, kerb_formation_place_along(s->path, a, 1.0f, none).position,
            kerb_formation_place_along(s->path, b, 1.0f, none).position, KERB_STAGE_SHAPE_MIDDLE);
    }
}

// Its plan while it drives it, and where its slot is.
static void together_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_together* s = stage->scene_data;
    const together_one* one = together_at(s, vehicle);
    if (!one)
        return;
    if (!one->keeps && one->has_plan)
        kerb_scene_stage_kind_draw_plan(&s->kind->kind, &one->kept.plan, buffer);
    kerb_kind_place slot = together_place(s, one->slot, 0.0f);
    kerb_scene_stage_draw_line(buffer, one->ride.motion.position, slot.position, KERB_DRAW_NEAREST);
}

static float together_figure(const kerb_stage* stage, int32_t figure) {
    const stage_together* s = stage->scene_data;
    float keep = 0.0f, most = 0.0f;
    for (int32_t i = 0; i < s->count; i++)
        if (s->others[i].keeps) {
            keep += 1.0f;
            most = kerb_max(most, together_off(s, &s->others[i]));
        }
    switch (figure) {
    case 0:
        return keep;
    case 1:
        return most;
    case 2:
        return (float)s->meetings;
    case 3:
        return (float)s->failures;
    default:
        return kerb_vec3_length(s->leader.motion.velocity);
    }
}

static const char* together_reason(const kerb_stage* stage, int32_t vehicle) {
    const stage_together* s = stage->scene_data;
    const together_one* one = together_at(s, vehicle);
    if (s->kind->name == KERB_SCENE_TRAILER && vehicle % 2 == 1)
        return "is towed";
    if (!one)
        return "leads";
    return one->keeps ? "keeps its place" : one->has_plan ? "drives to its place" : "has no plan";
}

// --------------------------------------------------------------------------- what it is

const stage_scene kerb_scene_stage_together = {
    .id = "plan/kinds-together",
    .group = "Planner",
    .title = "Drones, ships, persons … in formation, or after one another",
    .look = "Each vehicle plans to where it meets its place first, and arrives with the place's "
            "heading and speed. Then it keeps the place through bends, as its kind moves.",
    .try_this = "Choose another kind, and the chase: the hunter starts anywhere and cuts corners.",
    .choices = together_choices,
    .choice_count = 2,
    .figures = together_figures,
    .figure_count = 5,
    .arena_bytes = 1u << 18,
    .make = together_make,
    .step = together_step,
    .show = together_show,
    .shapes = together_shapes,
    .draw = together_draw,
    .figure = together_figure,
    .reason = together_reason,
};
