// Purpose: whether a plan meets a moving obstacle.
// Idea:    A piece is tested in its middle. The vehicle's box is enlarged by the distance that both
//          can move until the ends of the piece. If the boxes are apart even then, the piece is
//          free. Otherwise both halves are tested, until the enlargement is only a few centimetres.
// Cost:    One test of two boxes for a mover that is far away; some twenty for one that passes
//          close.
#include "movers.h"

#include "../model/piece.h"

// Clearance that a plan keeps from movers. Larger than the tolerance of kerb_plan_check_movers, so
// that a plan passes the check. [m]
#define MOVERS_CLEAR 0.05f
// Enlargement at which a box that still overlaps counts as met. Half of it takes one test more per
// close pass; twice as much refuses clearances up to 0.25 m. [m]
#define MOVERS_CLOSE 0.1f
// Shortest part of a piece, which limits the tests for very fast movers. [s]
#define SHORTEST 1e-3f

static kerb_result check_mover(const kerb_plan_mover* m, int32_t index, kerb_error* error) {
    const float numbers[9] = {m->pose.position.x, m->pose.position.y, m->pose.forward.x,
                              m->pose.forward.y,  m->velocity.x,      m->velocity.y,
                              m->length,          m->width,           m->speed_max};
    const float most[9] = {1e6f, 1e6f, 1.001f, 1.001f, 200.0f, 200.0f, 1e4f, 1e4f, 400.0f};
    static const char* const names[9] = {"pose",     "pose",   "pose",  "pose",     "velocity",
                                         "velocity", "length", "width", "speed_max"};
    for (int32_t i = 0; i < 9; i++) {
        if (!kerb_is_finite(numbers[i]))
            return kerb_error_set(error, KERB_ERROR_NOT_FINITE, names[i], 0, index,
                                  "must be a finite number");
        bool is_side = i == 6 || i == 7;
        if (kerb_abs(numbers[i]) > most[i] || (is_side && numbers[i] <= 0.0f) ||
            (i == 8 && numbers[i] < 0.0f))
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, names[i], 0, index,
                                  is_side  ? "must be more than 0 and at most 1e4 m"
                                  : i == 8 ? "must be 0 to 400 m/s"
                                           : "is too great");
    }
    float unit = kerb_vec2_dot(m->pose.forward, m->pose.forward);
    return kerb_abs(unit - 1.0f) <= 2e-3f
               ? KERB_OK
               : kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "pose", 0, index,
                                "its direction must have unit length");
}

kerb_result kerb_in_plan_movers_take(plan_movers* movers, const kerb_plan_limits* limits,
                                     const kerb_plan_mover* given, int32_t count,
                                     kerb_error* error) {
    movers->count = 0;
    movers->outline = (plan_outline){limits->front + limits->margin, limits->rear + limits->margin,
                                     0.5f * limits->width + limits->margin};
    if (count > KERB_PLAN_MOVERS_MAX)
        return kerb_error_set(error, KERB_ERROR_TOO_MANY, "count", 0, -1, "must be at most 32");
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = check_mover(&given[i], i, error);
        if (result != KERB_OK)
            return result;
        movers->mover[i] = given[i];
    }
    movers->count = count;
    return KERB_OK;
}

// --------------------------------------------------------------------------- two boxes

static kerb_pose movers_pose_at(const kerb_plan_mover* m, float time) {
    if (m->pose_at)
        return m->pose_at(m->context, time);
    kerb_pose pose = m->pose;
    pose.position = kerb_vec2_add(pose.position, kerb_vec2_scale(m->velocity, time));
    return pose;
}

static float movers_speed_of(const kerb_plan_mover* m) {
    return m->pose_at ? m->speed_max : kerb_sqrt(kerb_vec2_dot(m->velocity, m->velocity));
}

static bool apart_along(kerb_vec2 axis, kerb_vec2 between, const kerb_vec2 halves[4]) {
    float reach = 0.0f;
    for (int32_t i = 0; i < 4; i++)
        reach += kerb_abs(kerb_vec2_dot(axis, halves[i]));
    return kerb_abs(kerb_vec2_dot(axis, between)) > reach;
}

// Whether two boxes overlap, by separating axes. The vehicle's box is `further` wider on all sides.
// A position that is not a number counts as an overlap.
static bool movers_meets(const plan_outline* o, kerb_pose pose, const kerb_plan_mover* m,
                         kerb_pose there, float further) {
    kerb_vec2 f = pose.forward, g = there.forward;
    float own = 0.5f * (o->front + o->rear) + further, half = o->half_width + further;
    kerb_vec2 middle =
        kerb_vec2_add(pose.position, kerb_vec2_scale(f, 0.5f * (o->front - o->rear)));
    kerb_vec2 between = kerb_vec2_sub(there.position, middle);
    kerb_vec2 left = kerb_vec2_left(f), aside = kerb_vec2_left(g);
    const kerb_vec2 halves[4] = {kerb_vec2_scale(f, own), kerb_vec2_scale(left, half),
                                 kerb_vec2_scale(g, 0.5f * m->length),
                                 kerb_vec2_scale(aside, 0.5f * m->width)};
    return !apart_along(f, between, halves) && !apart_along(left, between, halves) &&
           !apart_along(g, between, halves) && !apart_along(aside, between, halves);
}

// --------------------------------------------------------------------------- a piece

// A piece, and the greatest speed of any point of the outline on it.
typedef struct movers_drive {
    const plan_movers* movers;
    const kerb_plan_piece* piece;
    float outline_speed; // [m/s]
} movers_drive;

static kerb_pose driven(const kerb_plan_piece* p, float passed) {
    float way = (p->speed + 0.5f * p->acceleration * passed) * passed;
    return plan_piece_pose(p, way);
}

static bool is_clear_of(const movers_drive* d, const kerb_plan_mover* m, float from, float to) {
    const kerb_plan_piece* p = d->piece;
    float middle = 0.5f * (from + to);
    float moves = 0.5f * (to - from) * (d->outline_speed + movers_speed_of(m));
    kerb_pose there = movers_pose_at(m, p->time + middle);
    if (!movers_meets(&d->movers->outline, driven(p, middle), m, there, MOVERS_CLEAR + moves))
        return true;
    if (moves <= MOVERS_CLOSE || to - from <= SHORTEST)
        return false;
    return is_clear_of(d, m, from, middle) && is_clear_of(d, m, middle, to);
}

bool kerb_in_plan_movers_piece_is_free(const plan_movers* movers, const kerb_plan_piece* piece) {
    const kerb_plan_piece* p = piece;
    float reach =
        kerb_max(movers->outline.front, movers->outline.rear) + movers->outline.half_width;
    float fastest = kerb_max(p->speed, p->speed + p->acceleration * p->duration);
    movers_drive d = {movers, p, fastest * (1.0f + reach * plan_piece_bend(p))};
    for (int32_t i = 0; i < movers->count; i++)
        if (!is_clear_of(&d, &movers->mover[i], 0.0f, p->duration))
            return false;
    return true;
}

bool kerb_in_plan_movers_are_clear(const plan_movers* movers, const kerb_plan_piece* pieces,
                                   int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (!kerb_in_plan_movers_piece_is_free(movers, &pieces[i]))
            return false;
    return true;
}
