// Directed seek in space: with paths in one plane (paper, section 4), or in two planes (section 6).
//
// One plane: it is spanned by the goal's direction and the agent's position. Only the agent's
// heading may lie outside it. The heading is projected into the plane, and the desired direction
// lies in the plane, so the heading enters the plane step by step. Eq. 6 of the paper lacks the
// normalisation. An agent on the goal's line has no such plane: then its heading defines one. If
// the heading lies along the line too, any plane will do.
//
// Two planes: the first contains the heading and the straight line, the second the straight line
// and the goal's direction. The direction of the straight line decides the end of the first turn
// and the start of the last turn, and these two points give a better direction. The points move by
// about a radius for each radian, so each iteration reduces the error by the factor 2·radius /
// length of the straight line. The turns are below half a circle. When the iteration does not
// converge, one plane is used. O(1).
#include "kerb/seek.h"

#include "directed_seek.h"

#define ITERATIONS 24   // greatest number of iterations; then one plane is used
#define FULL_STEPS 6    // full steps of the iteration, before damped ones
#define CONVERGED 1e-4f // convergence: last change of the straight line's direction [rad]
// Within this angle of the straight line's direction the first turn is over. [rad]
#define SPACE_ALIGNED 0.01f

static kerb_vec3 space_zero(void) {
    return kerb_vec3_make(0.0f, 0.0f, 0.0f);
}

// The part of `a` at a right angle to the unit vector `axis`.
static kerb_vec3 space_across(kerb_vec3 a, kerb_vec3 axis) {
    return kerb_vec3_along(a, axis, -kerb_vec3_dot(a, axis));
}

// Any unit vector at a right angle to `axis`, horizontal if possible.
static kerb_vec3 any_across(kerb_vec3 axis) {
    kerb_vec3 left = kerb_vec3_make(-axis.y, axis.x, 0.0f);
    if (kerb_vec3_dot(left, left) < 1e-6f)
        left = kerb_vec3_make(1.0f, 0.0f, 0.0f);
    return kerb_vec3_unit(space_across(left, axis), kerb_vec3_make(0.0f, 1.0f, 0.0f));
}

// The unit vector across `axis` towards `a`, else towards `b`, else any. A vector shorter than
// `least` has no direction.
static kerb_vec3 unit_across(kerb_vec3 a, kerb_vec3 b, kerb_vec3 axis, float least) {
    kerb_vec3 side = space_across(a, axis);
    if (kerb_vec3_dot(side, side) <= least * least)
        side = space_across(b, axis);
    if (kerb_vec3_dot(side, side) <= 1e-10f)
        return any_across(axis);
    // Twice, because in a short vector rounding leaves a part along the axis.
    side = space_across(kerb_vec3_unit(side, space_zero()), axis);
    return kerb_vec3_unit(side, any_across(axis));
}

// --------------------------------------------------------------------------- one plane

// The result of the planar form.
typedef struct plane_way {
    seek_view view;
    seek_way way;
    kerb_vec3 forward, left; // axes of the plane at the agent
    float out;               // sine of the angle between heading and plane [>= 0]
} plane_way;

static plane_way way_in_plane(const seek_task* task) {
    const kerb_agent* agent = task->agent;
    plane_way plane;
    kerb_vec3 x = task->goal->forward;
    kerb_vec3 to_goal = kerb_vec3_sub(task->goal->position, agent->position);
    seek_view view;
    kerb_in_seek_measure(task, &view);
    kerb_vec3 y =
        unit_across(kerb_vec3_scale(to_goal, -1.0f), agent->forward, x, 0.1f * view.tolerance);
    float heading_x = kerb_vec3_dot(agent->forward, x),
          heading_y = kerb_vec3_dot(agent->forward, y);
    kerb_vec3 seen = kerb_vec3_along(kerb_vec3_scale(x, heading_x), y, heading_y);
    plane.out = kerb_abs(kerb_vec3_dot(agent->forward, kerb_vec3_cross(x, y)));
    // The heading is at a right angle to the plane: it counts as a heading to the goal.
    if (kerb_vec3_dot(seen, seen) < 1e-6f)
        seen = to_goal;
    plane.forward = kerb_vec3_unit(seen, x);
    plane.left = kerb_vec3_sub(kerb_vec3_scale(y, kerb_vec3_dot(plane.forward, x)),
                               kerb_vec3_scale(x, kerb_vec3_dot(plane.forward, y)));
    view.x = kerb_vec3_dot(to_goal, plane.forward);
    view.y = kerb_vec3_dot(to_goal, plane.left);
    view.cosine = kerb_vec3_dot(x, plane.forward);
    view.sine = kerb_vec3_dot(x, plane.left);
    view.heading = kerb_atan2(view.sine, view.cosine);
    float reach = kerb_abs(agent->speed) * task->time_step;
    plane.way = kerb_in_seek_best(&view, task->settings->method, reach);
    plane.view = view;
    return plane;
}

static kerb_steering wish_in_plane(const seek_task* task, const plane_way* plane,
                                   kerb_directed_decision* thoughts) {
    if (thoughts)
        kerb_in_seek_think(task, &plane->view, &plane->way, plane->forward, plane->left, thoughts);
    return kerb_in_seek_wish(task, &plane->view, &plane->way, plane->forward, plane->left);
}

// --------------------------------------------------------------------------- two planes

// Turn, straight line, turn. Each turn lies in a plane of its own.
typedef struct space_way {
    float first, straight, last; // [rad] [m] [rad]
    kerb_vec3 along;             // direction of the straight line
    kerb_vec3 first_side;        // unit vector from the start to the first centre
    kerb_vec3 last_side;         // unit vector from the goal to the last centre
    kerb_vec3 from, to;          // ends of the straight line
} space_way;

// One end of a straight line along `along`, after a turn from the unit vector `forward`.
static kerb_vec3 space_end_of_turn(kerb_vec3 position, kerb_vec3 forward, kerb_vec3 along,
                                   float radius, kerb_vec3* side) {
    float cosine = kerb_clamp(kerb_vec3_dot(forward, along), -1.0f, 1.0f);
    kerb_vec3 off = space_across(along, forward);
    float sine = kerb_vec3_length(off);
    *side = kerb_vec3_unit(off, any_across(forward));
    kerb_vec3 end = kerb_vec3_along(position, forward, radius * sine);
    return kerb_vec3_along(end, *side, radius * (1.0f - cosine));
}

static kerb_vec3 backwards(kerb_vec3 a) {
    return kerb_vec3_scale(a, -1.0f);
}

// False when the iteration does not converge.
static bool find_way(const seek_task* task, const seek_view* view, space_way* way) {
    kerb_vec3 forward = task->agent->forward, there = task->goal->forward;
    kerb_vec3 between = kerb_vec3_sub(task->goal->position, task->agent->position);
    float change = 1.0f;
    *way = (space_way){.along = kerb_vec3_unit(between, forward)};
    for (int32_t i = 0; i < ITERATIONS && change > CONVERGED * CONVERGED; i++) {
        way->from = space_end_of_turn(task->agent->position, forward, way->along,
                                      view->first_radius, &way->first_side);
        way->to = space_end_of_turn(task->goal->position, backwards(there), backwards(way->along),
                                    view->last_radius, &way->last_side);
        kerb_vec3 better = kerb_vec3_unit(kerb_vec3_sub(way->to, way->from), way->along);
        kerb_vec3 step = kerb_vec3_sub(better, way->along);
        change = kerb_vec3_dot(step, step);
        // After the full steps, half steps damp oscillations.
        kerb_vec3 next = i < FULL_STEPS ? better : kerb_vec3_add(way->along, better);
        way->along = kerb_vec3_unit(next, better);
    }
    way->straight = kerb_vec3_length(kerb_vec3_sub(way->to, way->from));
    way->first = kerb_acos(kerb_vec3_dot(forward, way->along));
    way->last = kerb_acos(kerb_vec3_dot(there, way->along));
    return change <= CONVERGED * CONVERGED;
}

static void think_of_space(const seek_task* task, const seek_view* view, const space_way* way,
                           float length, kerb_directed_decision* thoughts) {
    thoughts->stage = KERB_DIRECTED_FIRST_TURN;
    thoughts->word[0] = thoughts->word[2] = 'C'; // neither left nor right
    thoughts->word[1] = 'S';
    thoughts->word[3] = '\0';
    thoughts->turning = way->first + way->last;
    thoughts->distance = length;
    thoughts->first_radius = view->first_radius;
    thoughts->last_radius = view->last_radius;
    thoughts->first_centre =
        kerb_vec3_along(task->agent->position, way->first_side, view->first_radius);
    thoughts->last_centre =
        kerb_vec3_along(task->goal->position, way->last_side, view->last_radius);
    thoughts->straight_from = way->from;
    thoughts->straight_to = way->to;
}

// Only the first turn is planned in space. After it, heading and straight line lie in the plane of
// section 4. The planar form has the tolerance that the straight line and the last turn need.
static kerb_steering seek_in_two_planes(const seek_task* task, kerb_directed_decision* thoughts) {
    plane_way plane = way_in_plane(task);
    const seek_view* view = &plane.view;
    space_way way;
    float metres = kerb_abs(task->agent->speed) * task->time_step;
    float little = kerb_max(metres / view->first_radius, SPACE_ALIGNED);
    bool aligned = plane.out <= little && kerb_abs(plane.way.first) <= little;
    if (aligned || !find_way(task, view, &way))
        return wish_in_plane(task, &plane, thoughts);
    float arc = view->first_radius * way.first;
    float length = arc + way.straight + view->last_radius * way.last;
    if (thoughts)
        think_of_space(task, view, &way, length, thoughts);
    bool two = task->settings->radius == KERB_DIRECTED_RADIUS_TWO;
    kerb_steering wish;
    wish.speed = kerb_in_seek_speed(task, task->goal->speed, two ? arc + way.straight : length);
    steer_travel travel = kerb_in_steer_travel_of(task->agent, wish.speed, task->time_step);
    seek_pieces pieces = {2, {way.first, 0.0f}, {arc, way.straight}};
    float turn = kerb_in_seek_turn(task, &pieces, kerb_max(travel.distance, 0.0f));
    wish.direction = kerb_in_seek_turned(task->agent->forward, way.first_side, turn);
    return wish;
}

kerb_steering kerb_in_seek_in_space(const seek_task* task, kerb_directed_decision* thoughts) {
    if (task->settings->space == KERB_DIRECTED_TWO_PLANES)
        return seek_in_two_planes(task, thoughts);
    plane_way plane = way_in_plane(task);
    return wish_in_plane(task, &plane, thoughts);
}
