// Keeping a place in a formation.
//
// An agent that keeps a moving place gets onto the line of the place and drives faster or slower
// than the place. For a place that stands or hardly moves, this does not help an agent beside it or
// ahead of it, because an agent at standstill does not turn. Such an agent drives round to the
// place by directed seek and stops with the heading of the place. An agent that has only overshot
// its place, as happens when a formation stops, reverses. O(1).
#include "kerb/group.h"
#include "kerb/seek.h"

#include "../steer/shared.h"

#include "../base/shared.h"

#define RETURN_TIME 1.5f // look-ahead beyond its place [s]

// An agent is in its place with at most this lateral offset [of its radius], and at least this
// cosine (37 degrees) of the heading error.
#define ASIDE_MOST 0.5f
#define FACING_LEAST 0.8f
// With a smaller lead over its place it does not reverse. [of its radius]
#define FORMATION_KEEP_AHEAD_LEAST 0.1f
// Smallest value of these distances, for agents without size. [m]
#define METRES_LEAST 0.02f

// An agent in the axes of its place.
typedef struct formation_keep_keeper {
    const kerb_agent* agent;
    const kerb_formation_place* place;
    float behind; // distance behind its place; negative: ahead [m]
    float aside;  // lateral distance to its place [m] [>= 0]
    float facing; // cosine of the heading error
    float moves;  // distance that the place moves while the agent drives two circles and to the
                  // place and back [m]
    float near;   // lateral distance that counts as in its place [m]
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

// --------------------------------------------------------------------------- a moving place

// The place after `metres`, if it keeps to its circle; negative: before.
static kerb_formation_place formation_keep_place_after(const kerb_formation_place* place,
                                                       float metres) {
    kerb_agent there = {0};
    there.position = place->position;
    there.forward = place->forward;
    return kerb_formation_place_of(&there, place->curvature, kerb_vec3_make(metres, 0.0f, 0.0f));
}

// Speed relative to the place, from which it can still brake to the speed of the place in time.
static float formation_keep_closing_speed(const formation_keep_keeper* k) {
    float metres = kerb_abs(k->behind);
    return kerb_min(kerb_sqrt(metres * k->agent->braking), metres / RETURN_TIME * 2.0f);
}

static kerb_steering get_on(const formation_keep_keeper* k) {
    float closing = formation_keep_closing_speed(k);
    float speed = k->place->speed + (k->behind >= 0.0f ? closing : -closing);
    float ahead = RETURN_TIME * kerb_max(k->place->speed, k->agent->speed);
    ahead = kerb_max(ahead, k->agent->turning_radius);
    // The aim is along the line beside the agent itself, shifted to the line. A chord to the place
    // would cut the bend.
    kerb_formation_place abreast =
        formation_keep_place_after(k->place, kerb_clamp(-k->behind, -ahead, ahead));
    kerb_vec3 aim = kerb_vec3_along(abreast.position, abreast.forward, ahead);
    kerb_vec3 way = kerb_vec3_sub(aim, k->agent->position);
    return steer_wish(kerb_vec3_unit(way, k->agent->forward),
                      kerb_clamp(speed, 0.0f, k->agent->speed_max));
}

// --------------------------------------------------------------------------- a place at standstill

static bool is_in_place(const formation_keep_keeper* k) {
    float along = k->behind >= 0.0f ? k->near : kerb_max(k->agent->turning_radius, k->near);
    return k->aside <= k->near && k->facing >= FACING_LEAST && kerb_abs(k->behind) <= along;
}

// True when waiting for the place, or moving to its line while driving on, needs more distance than
// the place moves.
static bool would_take_too_long(const formation_keep_keeper* k) {
    return k->moves <= k->near || k->aside - k->behind > k->moves;
}

// To the present place, with its heading.
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

// In reverse along the line of the place.
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
    if (!kerb_in_steer_is_usable(agent, time_step) || !steer_is_place(place->position) ||
        !(kerb_vec3_dot(place->forward, place->forward) <= STEER_FORWARD_MOST) ||
        !steer_is_number(place->speed) || !steer_is_number(place->curvature))
        return kerb_steering_none();
    formation_keep_keeper k = keeper_of(agent, place);
    if (!is_in_place(&k) && would_take_too_long(&k))
        return drive_round(&k, time_step);
    float least = kerb_max(FORMATION_KEEP_AHEAD_LEAST * agent->radius, METRES_LEAST);
    return k.moves <= k.near && k.behind < -least ? back_up(&k) : get_on(&k);
}
