// Purpose: the successors of a state in the search with speed.
// Idea:    A composite action is one of a few turns together with one of a few accelerations. It
//          lasts until the next state is one step away. The greatest curvature depends on the speed
//          at the faster end of the arc, so the tightest turn is computed for each acceleration.
//          The tightest turn, the greatest acceleration and the strongest braking are always among
//          the actions. An action that would exceed the greatest speed, or stop before its end,
//          gets a weaker acceleration that reaches that speed exactly at its end.
//
//          Actions are first stored in rows; then all of them are computed, several at a time.
// Cost:    O(successors).
// Source:  AIPATH 3.1 and 4.3.
#include "speed_space.h"

#include "../model/wheels.h"

#include "../../base/shared.h"
#include "../../curve/shared.h"

#define SPEED_ACTIONS_BLOCK CURVE_DUBINS_BLOCK

// Turns this near to the tightest one are left out, because they lead to nearly the same state.
// Over the setting turn_step. [1]
#define TOO_ALIKE 0.1f

// Data of all successors in one direction of travel.
typedef struct speed_actions_drive {
    const plan_speed_space* space;
    const plan_speed_node* from;
    plan_speed_rows* rows;
    int32_t reverse;                 // 0 or 1
    float square;                    // of the speed [m²/s²]
    bool turns_back;                 // the state was reached in the other direction
    int32_t first_pose, likely_pose; // see speed_actions_pose_of
} speed_actions_drive;

// Squared speed at the end of an arc.
static float square_after(const speed_actions_drive* d, float acceleration, float length) {
    float square = d->square + 2.0f * acceleration * length;
    return kerb_clamp(square, 0.0f, d->space->rates.speed_squared[d->reverse]);
}

// Share of the grip that is used along at most with a friction ellipse: a seventh of the lateral
// acceleration is left then, so that it can turn. [1]
#define SPEED_ACTIONS_ALONG 0.99f

// The lateral acceleration that an acceleration leaves. [m/s²]
static float speed_actions_lateral(const plan_rates* r, float acceleration) {
    if (r->grip == 0.0f)
        return r->lateral;
    float along = kerb_min(2.0f * kerb_abs(acceleration) / r->grip, SPEED_ACTIONS_ALONG);
    return r->lateral * kerb_sqrt(1.0f - along * along);
}

static float tightest_for(const plan_rates* r, float square, float acceleration) {
    float bend = r->curvature, lateral = speed_actions_lateral(r, acceleration);
    if (bend * square > lateral)
        bend = lateral / square;
    if (bend * bend * square > r->yaw_rate * r->yaw_rate)
        bend = r->yaw_rate / kerb_sqrt(square);
    return bend;
}

// The tightest arc that the speed at its faster end allows. That speed depends on the arc's length,
// and the length on its curvature. So an arc for the speed after a straight step is computed first;
// then the curvature for the speed at its end.
static plan_speed_arc tightest_arc(const speed_actions_drive* d, float acceleration) {
    const plan_speed_space* s = d->space;
    float near = kerb_max(d->square, square_after(d, acceleration, s->step));
    float bend = tightest_for(&s->rates, near, acceleration);
    plan_speed_arc arc =
        bend < s->rates.curvature ? kerb_in_plan_speed_arc_of(bend, s->step) : s->tightest;
    float far = kerb_max(d->square, square_after(d, acceleration, arc.length));
    float allowed = tightest_for(&s->rates, far, acceleration);
    return allowed < arc.curvature ? kerb_in_plan_speed_arc_of(allowed, s->step) : arc;
}

// Index of the pose at the end of an arc of this direction and signed curvature, if it has been
// stored; -1 otherwise. Actions of one acceleration come in the same order as those of the previous
// one and mostly have the same arcs, so `likely` is tried first.
static int32_t speed_actions_pose_of(const plan_speed_rows* r, int32_t first, int32_t likely,
                                     float bend) {
    if (likely < r->poses && r->bend[likely] == bend)
        return likely;
    for (int32_t i = first; i < r->poses; i++)
        if (r->bend[i] == bend)
            return i;
    return -1;
}

// Stores the end of an arc as seen from its start. [side: 1 left, -1 right]
static int32_t note_pose(const speed_actions_drive* d, const plan_speed_arc* arc, float side) {
    plan_speed_rows* r = d->rows;
    float ahead = d->reverse ? -1.0f : 1.0f;
    int32_t at = r->poses++;
    r->x[at] = ahead * arc->end.x;
    r->y[at] = side * arc->end.y;
    r->forward_x[at] = arc->forward.x;
    r->forward_y[at] = ahead * side * arc->forward.y;
    r->heading[at] = ahead * side * arc->turn;
    r->bend[at] = side * arc->curvature;
    return at;
}

// Stores an action.
static void speed_actions_add_arc(speed_actions_drive* d, const plan_speed_arc* arc, float side,
                                  float acceleration) {
    plan_speed_rows* r = d->rows;
    float bend = side * arc->curvature;
    int32_t row = r->count++, at = speed_actions_pose_of(r, d->first_pose, d->likely_pose, bend);
    at = at < 0 ? note_pose(d, arc, side) : at;
    d->likely_pose = at + 1;
    r->at[row] = at;
    r->curvature[row] = bend;
    r->length[row] = d->reverse ? -arc->length : arc->length;
    r->acceleration[row] = acceleration;
    r->travel[row] = d->reverse ? -1 : 1;
}

// A heading after a turn of less than a circle, in [0 … 2π).
static inline float turned_by(float angle) {
    float turns = angle / PLAN_SPEED_TURN;
    int32_t whole = (int32_t)turns;
    whole -= (float)whole > turns;
    float rest = angle - PLAN_SPEED_TURN * (float)whole;
    rest = rest < PLAN_SPEED_TURN ? rest : 0.0f;
    bool is_in_turn = (angle >= 0.0f) & (angle < PLAN_SPEED_TURN);
    return is_in_turn ? angle : rest;
}

// Moves a block of stored poses from the axes of the state to those of the world.
static void place_block(const speed_actions_drive* d, plan_speed_rows* r, int32_t first) {
    const plan_speed_node from = *d->from;
    for (int32_t i = first; i < first + SPEED_ACTIONS_BLOCK; i++) {
        kerb_vec2 by = curve_turned(kerb_vec2_make(r->x[i], r->y[i]), from.pose.forward.x,
                                    from.pose.forward.y);
        kerb_vec2 forward =
            curve_unit_again(curve_turned(from.pose.forward, r->forward_x[i], r->forward_y[i]));
        r->x[i] = from.pose.position.x + by.x;
        r->y[i] = from.pose.position.y + by.y;
        r->forward_x[i] = forward.x;
        r->forward_y[i] = forward.y;
        r->heading[i] = turned_by(from.heading + r->heading[i]);
    }
}

// Computes final speed, cost and time of a block of actions.
static void time_block(const speed_actions_drive* d, plan_speed_rows* r, int32_t first) {
    const plan_speed_node from = *d->from;
    const plan_rates* rates = &d->space->rates;
    const float square = d->square, most = rates->speed_squared[d->reverse];
    const float wheel_time = rates->wheel_time, reversal_time = rates->reversal_time;
    const float stands = d->turns_back ? 1.0f : 0.0f;
    for (int32_t i = first; i < first + SPEED_ACTIONS_BLOCK; i++) {
        float length = kerb_abs(r->length[i]);
        float after = kerb_clamp(square + 2.0f * r->acceleration[i] * length, 0.0f, most);
        float speed = kerb_sqrt(after);
        float turning = wheel_time * kerb_abs(r->curvature[i] - from.curvature);
        float standing = kerb_max(reversal_time, turning - KERB_PLAN_STEERING_WHILE_ROLLING);
        float waits = stands > 0.0f ? standing : 0.0f;
        float rolls = 2.0f * length / (from.speed + speed);
        r->speed[i] = speed;
        r->acceleration[i] = (after - square) / (2.0f * length);
        r->cost[i] = from.cost + waits + rolls;
        r->time[i] = from.time + waits + rolls;
    }
}

// Fills the last block with copies of its last element.
static void fill_poses(plan_speed_rows* r, int32_t first) {
    int32_t count = r->poses, last = count - 1;
    for (int32_t i = count; last >= first && (i - first) % SPEED_ACTIONS_BLOCK != 0; i++) {
        r->x[i] = r->x[last];
        r->y[i] = r->y[last];
        r->forward_x[i] = r->forward_x[last];
        r->forward_y[i] = r->forward_y[last];
        r->heading[i] = r->heading[last];
    }
}

static void speed_actions_fill_rows(plan_speed_rows* r, int32_t first) {
    int32_t count = r->count, last = count - 1;
    for (int32_t i = count; last >= first && (i - first) % SPEED_ACTIONS_BLOCK != 0; i++) {
        r->at[i] = r->at[last];
        r->curvature[i] = r->curvature[last];
        r->length[i] = r->length[last];
        r->acceleration[i] = r->acceleration[last];
    }
}

// Computes all stored poses and actions from `first` on.
static void drive_all(const speed_actions_drive* d, int32_t first) {
    plan_speed_rows* r = d->rows;
    fill_poses(r, d->first_pose);
    speed_actions_fill_rows(r, first);
    for (int32_t i = d->first_pose; i < r->poses; i += SPEED_ACTIONS_BLOCK)
        place_block(d, r, i);
    for (int32_t i = first; i < r->count; i += SPEED_ACTIONS_BLOCK)
        time_block(d, r, i);
}

// Adds the turn that ends at the goal's heading, if it is not too tight.
static void aim_turn(speed_actions_drive* d, const plan_speed_arc* tightest, float acceleration) {
    const plan_speed_space* s = d->space;
    float left = plan_speed_in_turn(s->goal_heading[d->from->goal] - d->from->heading);
    float turn = kerb_min(left, PLAN_SPEED_TURN - left);
    if (!(turn < tightest->turn) || turn < 1e-5f)
        return;
    plan_speed_arc arc = kerb_in_plan_speed_arc_of(2.0f * kerb_sin(0.5f * turn) / s->step, s->step);
    bool to_left = (left <= KERB_PI) == (d->reverse == 0);
    speed_actions_add_arc(d, &arc, to_left ? 1.0f : -1.0f, acceleration);
}

// Adds a turn with a signed curvature, if it is not too tight.
static void speed_actions_add_bend(speed_actions_drive* d, float bend, float tightest,
                                   float acceleration) {
    if (!(kerb_abs(bend) <= tightest))
        return;
    plan_speed_arc arc = kerb_in_plan_speed_arc_of(kerb_abs(bend), d->space->step);
    speed_actions_add_arc(d, &arc, bend < 0.0f ? -1.0f : 1.0f, acceleration);
}

// Adds the present curvature, and the curvatures on both sides of it that the wheels can still
// follow. Successors with jumps that are too great are removed later.
static void speed_actions_turn_wheels(speed_actions_drive* d, float tightest, float acceleration) {
    const plan_rates* rates = &d->space->rates;
    bool is_straight = d->from->length == 0.0f || d->from->speed == 0.0f;
    if (!(rates->wheel_time > 0.0f) || is_straight)
        return;
    float jump = kerb_in_plan_wheels_jump(rates, d->square), now = d->from->curvature;
    if (now != 0.0f)
        speed_actions_add_bend(d, now, tightest, acceleration);
    speed_actions_add_bend(d, now + jump, tightest, acceleration);
    speed_actions_add_bend(d, now - jump, tightest, acceleration);
}

static void turn_all(speed_actions_drive* d, float acceleration) {
    static const plan_speed_arc none = {0};
    const plan_speed_space* s = d->space;
    plan_speed_arc straight = none, tightest = tightest_arc(d, acceleration);
    d->likely_pose = d->first_pose;
    straight.length = straight.end.x = s->step;
    straight.forward.x = 1.0f;
    speed_actions_add_arc(d, &straight, 1.0f, acceleration);
    for (int32_t i = 0; i < s->turn_count; i++) {
        if (!(s->turns[i].turn < tightest.turn - TOO_ALIKE * s->settings.turn_step))
            break;
        speed_actions_add_arc(d, &s->turns[i], 1.0f, acceleration);
        speed_actions_add_arc(d, &s->turns[i], -1.0f, acceleration);
    }
    speed_actions_add_arc(d, &tightest, 1.0f, acceleration);
    speed_actions_add_arc(d, &tightest, -1.0f, acceleration);
    speed_actions_turn_wheels(d, tightest.curvature, acceleration);
    if (s->settings.goal_actions)
        aim_turn(d, &tightest, acceleration);
}

static float speed_actions_acceleration_of(const speed_actions_drive* d, float share) {
    const kerb_plan_limits* l = &d->space->limits;
    float gain = d->reverse ? l->reverse_acceleration : l->acceleration;
    float loss = d->reverse ? l->reverse_braking : l->braking;
    float most = share > 0.0f ? gain : loss;
    if (l->longitudinal_grip > 0.0f)
        most = kerb_min(most, SPEED_ACTIONS_ALONG * l->longitudinal_grip);
    return share * most;
}

// Adds the acceleration that ends at the goal's speed on a straight step, with all turns.
static void aim_speed(speed_actions_drive* d) {
    const plan_speed_space* s = d->space;
    float goal = s->goals[d->from->goal].speed * (d->reverse ? -1.0f : 1.0f);
    float needed = (goal * goal - d->square) / (2.0f * s->step);
    bool is_possible = goal > 0.0f && needed < speed_actions_acceleration_of(d, 1.0f) &&
                       needed != 0.0f && needed > speed_actions_acceleration_of(d, -1.0f);
    if (is_possible)
        turn_all(d, needed);
}

// Adds all accelerations, the greatest first: of equal estimates the faster state is then expanded
// first.
static void accelerate_all(speed_actions_drive* d) {
    const plan_speed_space* s = d->space;
    int32_t count = s->settings.accelerations;
    for (int32_t i = count; i >= -count; i--) {
        bool is_useless = i > 0 ? d->square >= s->rates.speed_squared[d->reverse]
                                : d->square == 0.0f; // it would stay at standstill
        if (!is_useless)
            turn_all(d, speed_actions_acceleration_of(d, (float)i / (float)count));
    }
    if (s->settings.goal_actions)
        aim_speed(d);
}

void kerb_in_plan_speed_successors(const plan_speed_space* s, const plan_speed_node* node,
                                   plan_speed_rows* rows) {
    speed_actions_drive d = {
        .space = s, .from = node, .rows = rows, .square = node->speed * node->speed};
    rows->count = rows->poses = 0;
    for (int32_t reverse = 0; reverse < 2; reverse++) {
        int32_t travel = reverse ? -1 : 1, first = rows->count;
        bool turns_back = node->travel == -travel;
        if (!(s->rates.speed_squared[reverse] > 0.0f) || (turns_back && node->speed > 0.0f))
            continue;
        d.reverse = reverse;
        d.turns_back = turns_back;
        d.first_pose = d.likely_pose = rows->poses;
        accelerate_all(&d);
        drive_all(&d, first);
    }
    KERB_ASSERT(rows->count <= PLAN_SPEED_SUCCESSORS_MAX);
}

plan_speed_node kerb_in_plan_speed_waited(const plan_speed_node* node, float seconds) {
    plan_speed_node waited = {.pose = node->pose,
                              .heading = node->heading,
                              .cost = node->cost + seconds,
                              .time = node->time + seconds,
                              .curvature = node->curvature,
                              .travel = node->travel};
    return waited;
}
