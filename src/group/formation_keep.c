// Keeping a place in a formation.
//
// Who keeps a place that moves gets into its way and drives faster or slower than it. To one that
// stands, or hardly moves, that brings nobody who is abeam of it or ahead: nobody turns who stands.
// So these drive round to it, by directed seek, and come to stand facing as it does; who has only
// overrun it, as formations do that stop, backs up. O(1).
#include "kerb/group.h"
#include "kerb/seek.h"

#include "../steer/shared.h"

#include "../base/shared.h"

#define RETURN_TIME 1.5f // aims so far ahead of its place [s]

// In its place, as well as needed: so far aside, of its radius, and by the cosine of the angle.
#define ASIDE_MOST 0.5f
#define FACING_LEAST 0.8f
// So little ahead of its place, of its radius, it does not back up.
#define FORMATION_KEEP_AHEAD_LEAST 0.1f
#define METRES_LEAST 0.02f // of these, for agents without size

// An agent as its place sees it.
typedef struct formation_keep_keeper {
    const kerb_agent* agent;
    const kerb_formation_place* place;
    float behind; // its place; negative: ahead [m]
    float aside;  // [m] [>= 0]
    float facing; // cosine of the angle between both
    float moves;  // the place, in the time of two rounds and of there and back [m]
    float near;   // so little aside is in its place [m]
} formation_keep_keeper;

static formation_keep_keeper keeper_of(const kerb_agent* agent, const kerb_formation_place* place) {
    formation_keep_keeper k = {.agent = agent, .place = place};
    kerb_vec3 off = kerb_vec3_sub(place->position, agent->position);
    float rounds = 4.0f * KERB_PI * agent->turning_radius + 2.0f * kerb_vec3_length(off);
    k.behind = kerb_vec3_dot(off, place->forward);
    k.aside = kerb_vec3_length(kerb_vec3_along(off, place->forward, -k.behind));
    k.facing = kerb_vec3_dot(agent->forward, place->forward);
    k.moves = kerb_max(place->speed, 0.0f) * rounds / kerb_max(agent->speed_max, 1e-3f);
    k.near = kerb_max(ASIDE_MOST * agent->radius, METRES_LEAST);
    return k;
}

// --------------------------------------------------------------------------- a place that moves

// The place as it was or will be so many metres on, if it keeps to its circle.
static kerb_formation_place formation_keep_place_after(const kerb_formation_place* place,
                                                       float metres) {
    kerb_agent there = {0};
    there.position = place->position;
    there.forward = place->forward;
    return kerb_formation_place_of(&there, place->curvature, kerb_vec3_make(metres, 0.0f, 0.0f));
}

// How much faster than the place, as fast as it can still slow down to the place's own speed.
static float formation_keep_closing_speed(const formation_keep_keeper* k) {
    float metres = kerb_abs(k->behind);
    return kerb_min(kerb_sqrt(metres * k->agent->braking), metres / RETURN_TIME * 2.0f);
}

static kerb_steering get_on(const formation_keep_keeper* k) {
    float closing = formation_keep_closing_speed(k);
    float speed = k->place->speed + (k->behind >= 0.0f ? closing : -closing);
    float ahead = RETURN_TIME * kerb_max(k->place->speed, k->agent->speed);
    ahead = kerb_max(ahead, k->agent->turning_radius);
    // Along the way where it is itself, and across it as far as it is off: no chord of a bend.
    kerb_formation_place abreast =
        formation_keep_place_after(k->place, kerb_clamp(-k->behind, -ahead, ahead));
    kerb_vec3 aim = kerb_vec3_along(abreast.position, abreast.forward, ahead);
    kerb_vec3 way = kerb_vec3_sub(aim, k->agent->position);
    return steer_wish(kerb_vec3_unit(way, k->agent->forward),
                      kerb_clamp(speed, 0.0f, k->agent->speed_max));
}

// --------------------------------------------------------------------------- one that stands

static bool is_in_place(const formation_keep_keeper* k) {
    float along = k->behind >= 0.0f ? k->near : kerb_max(k->agent->turning_radius, k->near);
    return k->aside <= k->near && k->facing >= FACING_LEAST && kerb_abs(k->behind) <= along;
}

// To wait for a place, or to get into its way while getting on, takes metres that it moves.
static bool would_take_too_long(const formation_keep_keeper* k) {
    return k->moves <= k->near || k->aside - k->behind > k->moves;
}

// To the place as it is now, facing along it.
static kerb_steering drive_round(const formation_keep_keeper* k, float time_step) {
    const kerb_formation_place* place = k->place;
    kerb_directed_seek_settings settings = kerb_directed_seek_settings_default();
    kerb_directed_goal goal = {place->position, place->forward, kerb_max(place->speed, 0.0f),
                               k->agent->turning_radius};
    bool level = place->position.z == k->agent->position.z && place->forward.z == 0.0f;
    settings.method = KERB_DIRECTED_DUBINS;
    settings.space = level ? KERB_DIRECTED_LEVEL : KERB_DIRECTED_TWO_PLANES;
    return kerb_directed_seek(&settings, k->agent, &goal, time_step, NULL);
}

// Along the place's line, seen from its own back.
static kerb_steering back_up(const formation_keep_keeper* k) {
    float reach = k->behind - kerb_max(k->agent->turning_radius, 1.0f);
    kerb_vec3 aim = kerb_vec3_along(k->place->position, k->place->forward, reach);
    kerb_vec3 front = kerb_vec3_sub(k->agent->position, aim);
    float speed =
        kerb_clamp(k->place->speed - formation_keep_closing_speed(k), -k->agent->speed_max, 0.0f);
    return steer_wish(kerb_vec3_unit(front, k->agent->forward), speed);
}

kerb_steering kerb_formation_keep(const kerb_agent* agent, const kerb_formation_place* place,
                                  float time_step) {
    KERB_ASSERT(agent && place);
    if (!kerb_in_steer_is_usable(agent, time_step) || !kerb_vec3_is_finite(place->position) ||
        !kerb_vec3_is_finite(place->forward) || !kerb_is_finite(place->speed) ||
        !kerb_is_finite(place->curvature))
        return kerb_steering_none();
    formation_keep_keeper k = keeper_of(agent, place);
    if (!is_in_place(&k) && would_take_too_long(&k))
        return drive_round(&k, time_step);
    float least = kerb_max(FORMATION_KEEP_AHEAD_LEAST * agent->radius, METRES_LEAST);
    return k.moves <= k.near && k.behind < -least ? back_up(&k) : get_on(&k);
}
