// Purpose: formations of any kind of vehicle.
// Idea:    Slots are places along the leader's path (kerb_formation_place_along). The leader keeps
//          the slot 0; the follower chases its slot, keeps it from the meeting on, and chases again
//          where it has lost it.
// Cost:    O(frames).
#include "scene/plan/kind_formation.h"

#include "scene/plan/kind_course.h"

#include <stdlib.h>
#include <string.h>

// Points of the path in each part, and its parts.
#define COMPANY_POINTS 100
#define COMPANY_PARTS 7
// Frames. Ships are slow. [s]
#define COMPANY_FRAME 0.02f
#define COMPANY_SHIP_FRAME 0.1f
// A follower that is lost so often is not led to its slot any more.
#define COMPANY_CHASES_MOST 8

typedef struct company_run {
    const kerb_scene_kind* kind;
    kerb_path path;
    float speed, bend; // [m/s], radius of the bend [m]
    double station;    // of the leader now [m]
    kerb_vec3 slot;
    kerb_kind_planner planner;
    kerb_kind_plan plan;
    kerb_scene_kind_ride leader, follower;
    bool keeps;
} company_run;

float kerb_scene_kind_pace(const kerb_scene_kind* k) {
    float state[KERB_KIND_STATES_MAX] = {0.0f}, rates[KERB_KIND_STATES_MAX] = {0.0f};
    const float none[KERB_KIND_CONTROLS_MAX] = {0.0f};
    const kerb_vec3 here = {0.0f, 0.0f, 0.0f}, ahead = {1.0f, 0.0f, 0.0f};
    if (!k->kind.space)
        return 0.4f * k->kind.route_limits(k->kind.vehicle, 0).speed_max;
    if (k->name == KERB_SCENE_AIRPLANE)
        return 0.9f * k->airplane.cruise_speed;
    k->kind.space->via(&k->kind, here, ahead, 1.0f, state);
    k->kind.rates(k->kind.vehicle, state, none, rates);
    return (k->name == KERB_SCENE_SUBMARINE ? 0.7f : 0.4f) * rates[0];
}

// --------------------------------------------------------------------------- the path

// A third of what a kind in space can climb at the speed.
static float company_slope(const kerb_scene_kind* k) {
    if (!k->kind.space)
        return 0.0f;
    bool glides = k->name == KERB_SCENE_AIRPLANE || k->name == KERB_SCENE_SUBMARINE;
    return glides ? 0.3f * kerb_min(k->kind.control_max[1], -k->kind.control_min[1]) : 0.06f;
}

// Straight on, into the bend, the bend, out of it, straight on, each as long as the radius.
static bool company_build_path(company_run* r) {
    const float bends[COMPANY_PARTS + 1] = {0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f, 0.0f};
    const kerb_host host = kerb_host_default();
    kerb_waypoint points[COMPANY_PARTS * COMPANY_POINTS];
    float step = r->bend / (float)COMPANY_POINTS, slope = company_slope(r->kind);
    kerb_kind_place at = {.forward = {1.0f, 0.0f, slope}, .speed = 1.0f};
    for (int32_t i = 0; i < COMPANY_PARTS * COMPANY_POINTS; i++) {
        int32_t part = i / COMPANY_POINTS;
        float share = (float)(i % COMPANY_POINTS) / (float)COMPANY_POINTS;
        points[i] = kerb_waypoint_at(at.position.x, at.position.y, at.position.z);
        at.curvature = (bends[part] + share * (bends[part + 1] - bends[part])) / r->bend;
        at = kerb_kind_place_after(&at, step);
    }
    return kerb_path_create(&r->path, points, COMPANY_PARTS * COMPANY_POINTS, false, &host, NULL) ==
           KERB_OK;
}

static kerb_kind_place company_place(const company_run* r, float time, kerb_vec3 slot) {
    double station = r->station + (double)(r->speed * time);
    kerb_path_location here = kerb_path_locate(&r->path, station);
    if (station > r->path.length) // straight on
        slot.x += (float)(station - r->path.length);
    kerb_formation_place p = kerb_formation_place_along(&r->path, here, r->speed, slot);
    return (kerb_kind_place){p.position, p.forward, p.speed, p.curvature};
}

static kerb_kind_place company_slot_at(void* context, float time) {
    const company_run* r = context;
    return company_place(r, time, r->slot);
}

// --------------------------------------------------------------------------- a frame

// Plans from where the follower is to its slot.
static bool company_chase(company_run* r) {
    float here[KERB_KIND_STATES_MAX];
    kerb_kind_target target = {.horizon = 3600.0f, .place_at = company_slot_at, .context = r};
    kerb_kind_chase chase;
    kerb_scene_kind_ride_state(&r->follower, here);
    if (kerb_kind_chase_begin(&chase, &r->planner, here, &target, NULL) != KERB_OK)
        return false;
    while (kerb_kind_chase_advance(&chase, &r->planner, 1000) == KERB_PLAN_RUNNING)
        continue;
    r->plan = kerb_kind_planner_get_plan(&r->planner);
    r->keeps = false;
    return r->plan.count > 0;
}

static kerb_vec3 company_where(const kerb_scene_kind_ride* ride) {
    float state[KERB_KIND_STATES_MAX];
    kerb_scene_kind_ride_state(ride, state);
    return kerb_vec3_make(state[0], state[1], ride->kind->kind.space ? state[2] : 0.0f);
}

// Error of the follower's offset from the leader.
static float company_error(const company_run* r) {
    kerb_vec3 is = kerb_vec3_sub(company_where(&r->follower), company_where(&r->leader));
    kerb_kind_place leader = company_place(r, 0.0f, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    kerb_kind_place slot = company_place(r, 0.0f, r->slot);
    return kerb_vec3_length(kerb_vec3_sub(is, kerb_vec3_sub(slot.position, leader.position)));
}

// What coasts is kept by plan after plan, as long as it is off.
static bool company_lost(const company_run* r) {
    if (r->follower.controls.reason != KERB_REASON_GIVEN_UP)
        return false;
    const kerb_kind* kind = &r->kind->kind;
    return !(kind->space && kind->space->coasts) || company_error(r) > r->kind->accepted;
}

static void company_follow(company_run* r, kerb_scene_kind_company* c, float frame) {
    if (!r->keeps) {
        kerb_scene_kind_ride_decide(&r->follower, &r->plan, frame);
        r->keeps = r->follower.controls.reason == KERB_REASON_ARRIVED;
        if (r->keeps && !c->met) {
            c->met = true;
            c->meeting = (float)(r->station / (double)r->speed);
            c->meeting_off = company_error(r);
        }
    }
    if (r->keeps) {
        kerb_kind_place slot = company_place(r, 0.0f, r->slot);
        kerb_scene_kind_ride_keep(&r->follower, &slot, frame);
    }
    bool is_lost = company_lost(r) || r->follower.controls.reason == KERB_REASON_NONE;
    if (is_lost && c->chases < COMPANY_CHASES_MOST && ++c->chases > 0 && company_chase(r))
        kerb_scene_kind_ride_decide(&r->follower, &r->plan, frame);
}

static void company_step(company_run* r, kerb_scene_kind_company* c, float frame) {
    kerb_kind_place own = company_place(r, 0.0f, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    kerb_scene_kind_ride_keep(&r->leader, &own, frame);
    company_follow(r, c, frame);
    kerb_scene_kind_ride_move(&r->leader, frame);
    kerb_scene_kind_ride_move(&r->follower, frame);
    r->station += (double)(r->speed * frame);
}

// --------------------------------------------------------------------------- a run

// The leader in its place; the follower some radii away from its slot.
static void company_begin(company_run* r, kerb_random* random) {
    const kerb_kind* kind = &r->kind->kind;
    float state[KERB_KIND_STATES_MAX], control[KERB_KIND_CONTROLS_MAX], sine, cosine;
    r->station = (double)kerb_max(-r->slot.x, 0.0f);
    kerb_kind_place own = company_place(r, 0.0f, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    kerb_kind_state_at(kind, &own, state, control);
    r->leader = kerb_scene_kind_ride_make(r->kind, state);
    kerb_kind_place begin = company_place(r, 0.0f, r->slot);
    float far = 0.3f * r->bend;
    kerb_sin_cos(kerb_random_between(random, -0.6f, 0.6f), &sine, &cosine);
    begin.position.x += kerb_random_between(random, -far, far);
    begin.position.y += kerb_random_between(random, -far, far);
    begin.forward = kerb_vec3_make(cosine, sine, 0.0f);
    begin.speed = r->speed;
    begin.curvature = 0.0f;
    kerb_kind_state_at(kind, &begin, state, control);
    r->follower = kerb_scene_kind_ride_make(r->kind, state);
}

static void company_drive(company_run* r, kerb_scene_kind_company* c) {
    float frame = r->kind->name == KERB_SCENE_SHIP ? COMPANY_SHIP_FRAME : COMPANY_FRAME;
    double sum = 0.0;
    int32_t counted = 0;
    c->chases = 1;
    if (!company_chase(r))
        return;
    while (r->station < r->path.length) {
        company_step(r, c, frame);
        float error = company_error(r);
        sum += c->met ? (double)error : 0.0;
        counted += c->met ? 1 : 0;
        if (c->met && r->station > 0.5 * r->path.length)
            c->error_max = kerb_max(c->error_max, error);
    }
    c->error_mean = counted > 0 ? (float)(sum / (double)counted) : 0.0f;
}

bool kerb_scene_kind_formation_drive(const kerb_scene_kind* kind, kerb_vec3 slot,
                                     kerb_random* random, kerb_scene_kind_company* company) {
    const kerb_host host = kerb_host_default();
    const kerb_kind_settings settings = kerb_kind_settings_default();
    company_run* r = calloc(1, sizeof *r);
    *company = (kerb_scene_kind_company){.met = false};
    if (!r)
        return false;
    r->kind = kind;
    r->slot = slot;
    r->speed = kerb_scene_kind_pace(kind);
    r->bend = kerb_max(3.0f * kerb_scene_kind_circle(kind), 4.0f * kerb_abs(slot.y));
    r->bend = kerb_max(r->bend, 2.0f * kerb_abs(slot.x));
    bool has_room =
        company_build_path(r) &&
        kerb_kind_planner_create(&r->planner, &kind->kind, &settings, &host, NULL) == KERB_OK;
    if (has_room) {
        company_begin(r, random);
        company_drive(r, company);
    }
    kerb_kind_planner_destroy(&r->planner);
    kerb_path_destroy(&r->path);
    free(r);
    return has_room;
}
