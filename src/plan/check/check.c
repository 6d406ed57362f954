// Purpose: checks whether a plan keeps every limit. Shares no code with the planner.
// Idea:    The pieces are integrated in small steps of speed and direction, and every limit is
//          tested at every step. Each piece must begin where the previous one ends. Obstacles are
//          in check_world.c, wheels that take time to turn in check_wheels.c and check_rate.c,
//          moving obstacles in check_movers.c.
// Cost:    O(steps); a step is at most 2 cm, 5 ms and 0.02 rad.
#include "check_parts.h"
#include "check_world.h"

#include "../../base/shared.h"

// Greatest duration and turn of a step. The duration keeps steps short in speed as well; the turn
// keeps the series in kerb_in_plan_check_drive exact. [s], [rad]
#define STEP_TIME 0.005
#define CHECK_STEP_TURN 0.02

// --------------------------------------------------------------------------- a piece

static bool is_number(float x) {
    return x - x == 0.0f;
}

static kerb_result check_numbers(const plan_check* c, const kerb_plan_piece* p) {
    const float numbers[] = {p->start.position.x,
                             p->start.position.y,
                             p->start.forward.x,
                             p->start.forward.y,
                             p->time,
                             p->duration,
                             p->length,
                             p->speed,
                             p->acceleration,
                             p->curvature,
                             p->curvature_change};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!is_number(numbers[i]))
            return kerb_error_set(c->error, KERB_ERROR_NOT_FINITE, "pieces", 0, c->index,
                                  "must be finite numbers");
    }
    if (p->direction != 1 && p->direction != -1)
        return kerb_in_plan_check_unfit(c, "direction", "must be 1 or -1");
    if (p->duration < 0.0f || p->length < 0.0f)
        return kerb_in_plan_check_unfit(c, "length", "neither length nor duration may be negative");
    return KERB_OK;
}

static double greatest_bend(const kerb_plan_piece* p) {
    return plan_check_larger(plan_check_size((double)p->curvature),
                             plan_check_size((double)p->curvature + (double)p->curvature_change));
}

// Tests what does not change during a piece.
static kerb_result check_rates(const plan_check* c, const kerb_plan_piece* p) {
    const kerb_plan_limits* l = c->limits;
    bool back = p->direction < 0;
    double gain = (double)(back ? l->reverse_acceleration : l->acceleration);
    double loss = (double)(back ? l->reverse_braking : l->braking);
    if ((double)p->acceleration > gain * (1.0 + PLAN_CHECK_SHARE))
        return kerb_in_plan_check_broken(c, back ? "reverse_acceleration" : "acceleration",
                                         "gains speed too fast");
    if (-(double)p->acceleration > loss * (1.0 + PLAN_CHECK_SHARE))
        return kerb_in_plan_check_broken(c, back ? "reverse_braking" : "braking",
                                         "loses speed too fast");
    double bend = greatest_bend(p) * (double)l->turning_radius;
    if (bend > 1.0 + PLAN_CHECK_SHARE)
        return kerb_in_plan_check_broken(c, "turning_radius", "turns too tightly");
    return KERB_OK;
}

// Whether an acceleration and a lateral one together leave the friction ellipse.
static bool leaves_ellipse(const kerb_plan_limits* l, double lateral, double acceleration) {
    if (l->longitudinal_grip == 0.0f)
        return false;
    double across = lateral / (double)l->lateral_acceleration;
    double along = acceleration / (double)l->longitudinal_grip;
    double most = 1.0 + PLAN_CHECK_SHARE;
    return along * along + across * across > most * most;
}

static kerb_result check_speed(const plan_check* c, const kerb_plan_piece* p, double speed,
                               double curvature) {
    const kerb_plan_limits* l = c->limits;
    bool back = p->direction < 0;
    double most = (double)(back ? l->reverse_speed_max : l->speed_max);
    double bend = plan_check_size(curvature);
    if (speed < -c->speed_gap)
        return kerb_in_plan_check_unfit(c, "speed", "becomes negative");
    if (speed > most + c->speed_gap)
        return kerb_in_plan_check_broken(c, back ? "reverse_speed_max" : "speed_max",
                                         "is too fast");
    if (speed * speed * bend > (double)l->lateral_acceleration * (1.0 + PLAN_CHECK_SHARE))
        return kerb_in_plan_check_broken(c, "lateral_acceleration", "is too fast for the turn");
    if (leaves_ellipse(l, speed * speed * bend, (double)p->acceleration))
        return kerb_in_plan_check_broken(c, "longitudinal_grip",
                                         "gains or loses speed too fast for the turn");
    if (speed * bend > (double)l->yaw_rate_max * (1.0 + PLAN_CHECK_SHARE))
        return kerb_in_plan_check_broken(c, "yaw_rate_max", "turns too fast");
    return KERB_OK;
}

double kerb_in_plan_check_curvature(const kerb_plan_piece* p, double along) {
    double share = p->length > 0.0f ? along / (double)p->length : 0.0;
    return (double)p->curvature + (double)p->curvature_change * (share < 1.0 ? share : 1.0);
}

// Moves along a short arc by its chord, then turns. Sine and cosine are short series.
void kerb_in_plan_check_drive(plan_check_driven* at, double length, double curvature) {
    double half = 0.5 * length * curvature, square = half * half;
    double cosine = 1.0 - square * (0.5 - square / 24.0);
    double sine = half * (1.0 - square * (1.0 / 6.0 - square / 120.0));
    double chord = length * (1.0 - square / 6.0);
    double x = at->forward_x * cosine - at->forward_y * sine;
    double y = at->forward_x * sine + at->forward_y * cosine;
    at->x += chord * x;
    at->y += chord * y;
    at->forward_x = x * cosine - y * sine;
    at->forward_y = x * sine + y * cosine;
    at->length += plan_check_size(length);
}

int64_t kerb_in_plan_check_steps(const kerb_plan_piece* p) {
    double turn = greatest_bend(p) * (double)p->length;
    double most = plan_check_larger((double)p->length / PLAN_CHECK_STEP, turn / CHECK_STEP_TURN);
    most = plan_check_larger(most, (double)p->duration / STEP_TIME);
    return most < 1e8 ? 1 + (int64_t)most : 100000000;
}

static bool is_free_with(const plan_check* c, const plan_check_driven* at, double eased) {
    const kerb_plan_limits* l = c->limits;
    double reach = plan_check_size(at->x) + plan_check_size(at->y),
           less = PLAN_CHECK_LESS + 2e-6 * reach + eased;
    plan_check_box box = {.x = at->x,
                          .y = at->y,
                          .forward_x = at->forward_x,
                          .forward_y = at->forward_y,
                          .front = (double)l->front + (double)l->margin - less,
                          .rear = (double)l->rear + (double)l->margin - less,
                          .half_width = 0.5 * (double)l->width + (double)l->margin - less};
    return kerb_in_plan_check_is_free(c->world, &box);
}

// Allowances at a start that kerb_plan_check tries, evenly spaced, the least first. A plan may use
// the next one, because the planner's footprint is larger by PLAN_CHECK_LESS.
#define CHECK_EASED_STEPS 10

// Finds the least allowance with which the footprint is free at the start.
static void ease_start(plan_check* c, const plan_check_driven* start) {
    const kerb_plan_limits* l = c->limits;
    double most = (double)KERB_PLAN_STEERING_DEVIATION_MAX;
    most = 0.1 * (double)l->width < most ? 0.1 * (double)l->width : most;
    most += (double)l->margin;
    if (!c->world || is_free_with(c, start, 0.0))
        return;
    for (int32_t k = 1; k <= CHECK_EASED_STEPS && c->eased == 0.0; k++)
        if (is_free_with(c, start, most * k / CHECK_EASED_STEPS))
            c->eased = most * (k + 1) / CHECK_EASED_STEPS;
    c->eased_radius = 2.0 * ((double)l->front + (double)l->rear + 2.0 * (double)l->margin);
    c->start_x = start->x;
    c->start_y = start->y;
}

static kerb_result check_footprint(const plan_check* c, const plan_check_driven* at) {
    double x = at->x - c->start_x, y = at->y - c->start_y;
    double radius = c->eased_radius + c->place_gap;
    bool is_eased = c->eased > 0.0 && x * x + y * y <= radius * radius;
    if (!c->world)
        return KERB_OK;
    return is_free_with(c, at, is_eased ? c->eased : 0.0)
               ? KERB_OK
               : kerb_in_plan_check_broken(c, "world", "the footprint meets an obstacle");
}

// Cost of a metre here. [s/m]
static double check_price_at(const kerb_plan_world* w, const plan_check_driven* at) {
    if (!w || !w->cost_map)
        return 0.0;
    double x = (at->x - (double)w->origin.x) / (double)w->cell_size;
    double y = (at->y - (double)w->origin.y) / (double)w->cell_size;
    if (!(x >= 0.0 && y >= 0.0 && x < (double)w->columns && y < (double)w->rows))
        return 0.0;
    size_t cell = (size_t)y * (size_t)w->columns + (size_t)x;
    return (double)w->cost_per_metre * (double)w->cost_map[cell] / 255.0;
}

static kerb_result drive_piece(const plan_check* c, const kerb_plan_piece* p,
                               plan_check_driven* at) {
    int64_t steps = kerb_in_plan_check_steps(p);
    double step = (double)p->duration / (double)steps, begun = at->length;
    kerb_result result = check_speed(c, p, at->speed, (double)p->curvature);
    if (result == KERB_OK)
        result = check_footprint(c, at);
    for (int64_t i = 0; i < steps && result == KERB_OK; i++) {
        double next = at->speed + (double)p->acceleration * step;
        double length = 0.5 * (at->speed + next) * step, price = check_price_at(c->world, at);
        double driven = at->length - begun;
        kerb_in_plan_check_drive(at, length * (double)p->direction,
                                 kerb_in_plan_check_curvature(p, driven + 0.5 * length));
        at->toll += 0.5 * (price + check_price_at(c->world, at)) * length;
        at->speed = next;
        result = check_speed(c, p, next, kerb_in_plan_check_curvature(p, driven + length));
        if (result == KERB_OK)
            result = check_footprint(c, at);
    }
    at->time += (double)p->duration;
    if (result == KERB_OK && plan_check_size(at->length - begun - (double)p->length) > c->place_gap)
        return kerb_in_plan_check_unfit(c, "length", "is not what speed and duration make of it");
    return result;
}

// --------------------------------------------------------------------------- joints

static kerb_result plan_check_place(const plan_check* c, const plan_check_driven* at,
                                    kerb_pose pose, const char* field) {
    double x = at->x - (double)pose.position.x, y = at->y - (double)pose.position.y;
    double turn_x = at->forward_x - (double)pose.forward.x;
    double turn_y = at->forward_y - (double)pose.forward.y;
    if (plan_check_size(x) + plan_check_size(y) > c->place_gap)
        return kerb_in_plan_check_unfit(c, field, "is not where the pieces before it end");
    if (plan_check_size(turn_x) + plan_check_size(turn_y) > c->heading_gap)
        return kerb_in_plan_check_unfit(c, field,
                                        "has another heading than the pieces before it end with");
    return KERB_OK;
}

static kerb_result check_joint(const plan_check* c, const plan_check_driven* at,
                               const kerb_plan_piece* p) {
    kerb_result result = plan_check_place(c, at, p->start, "pose");
    if (result != KERB_OK)
        return result;
    if (plan_check_size(at->speed - (double)p->speed) > c->speed_gap)
        return kerb_in_plan_check_unfit(c, "speed", "jumps");
    if (plan_check_size(at->time - (double)p->time) > 1e-3 + 1e-5 * at->time)
        return kerb_in_plan_check_unfit(c, "time", "jumps");
    return KERB_OK;
}

// Sets the state to the start of a piece, so that errors do not add up.
void kerb_in_plan_check_set_out(plan_check_driven* at, const kerb_plan_piece* p) {
    at->x = (double)p->start.position.x;
    at->y = (double)p->start.position.y;
    at->forward_x = (double)p->start.forward.x;
    at->forward_y = (double)p->start.forward.y;
    at->speed = (double)p->speed;
}

// The standstill of the vehicle, which must last for reversal_time at a change of direction.
typedef struct check_standing {
    int32_t travel;   // last direction of travel; 0: none yet
    double curvature; // of the last piece with a length
    double time;      // at standstill since then [s]
} check_standing;

static kerb_result check_travel(const plan_check* c, const kerb_plan_piece* p, check_standing* s) {
    if (p->length == 0.0f) {
        s->time += (double)p->duration;
        return KERB_OK;
    }
    bool turns_back = s->travel != 0 && p->direction != s->travel;
    if (turns_back && (double)p->speed > c->speed_gap)
        return kerb_in_plan_check_unfit(c, "direction", "changes while it moves");
    if (turns_back && s->time < (double)c->limits->reversal_time * (1.0 - PLAN_CHECK_SHARE) - 1e-6)
        return kerb_in_plan_check_broken(c, "reversal_time", "changes direction too soon");
    double turning = kerb_in_plan_check_turning(c->limits, (double)p->curvature - s->curvature);
    if (turns_back && c->limits->curvature_rate == 0.0f &&
        s->time <
            (turning - (double)KERB_PLAN_STEERING_WHILE_ROLLING) * (1.0 - PLAN_CHECK_SHARE) - 1e-4)
        return kerb_in_plan_check_broken(c, "steering_time",
                                         "sets off before the wheels have turned");
    s->travel = p->direction;
    s->curvature = (double)p->curvature;
    s->time = 0.0;
    return KERB_OK;
}

// --------------------------------------------------------------------------- the whole plan

static kerb_result plan_check_pieces(plan_check* c, plan_check_driven* at, double wheels) {
    check_standing stood = {0, 0.0, 0.0};
    plan_check_turns turned = kerb_in_plan_check_turns_make();
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < c->plan->count && result == KERB_OK; i++) {
        const kerb_plan_piece* p = &c->plan->pieces[i];
        c->index = i;
        result = check_numbers(c, p);
        if (result == KERB_OK)
            result = check_rates(c, p);
        if (result == KERB_OK)
            result = check_joint(c, at, p);
        if (result == KERB_OK)
            result = check_travel(c, p, &stood);
        if (result == KERB_OK && c->limits->curvature_rate > 0.0f)
            result = kerb_in_plan_check_rate(c, i, wheels);
        else if (result == KERB_OK && c->limits->steering_time > 0.0f)
            result = kerb_in_plan_check_wheels(c, i, &turned);
        kerb_in_plan_check_set_out(at, p);
        if (result == KERB_OK)
            result = drive_piece(c, p, at);
    }
    return result;
}

static kerb_result check_sums(const plan_check* c, const plan_check_driven* at, double penalties) {
    const kerb_plan* plan = c->plan;
    double slack = 1e-3 + 1e-4 * at->time;
    if (plan_check_size(at->time - (double)plan->time) > slack)
        return kerb_in_plan_check_unfit(c, "time", "is not the sum of the pieces'");
    if (plan_check_size(at->length - (double)plan->length) > c->place_gap + 1e-4 * at->length)
        return kerb_in_plan_check_unfit(c, "length", "is not the sum of the pieces'");
    double price = c->world && c->world->cost_map ? (double)c->world->cost_per_metre : 0.0;
    double cell = c->world ? (double)c->world->cell_size : 0.0;
    double toll_slack = 1e-3 + 0.02 * at->toll + 0.5 * price * cell;
    if (c->world && plan_check_size((double)plan->ground_cost - at->toll) > toll_slack)
        return kerb_in_plan_check_unfit(c, "ground_cost", "is not what the cost map gives");
    // A float rounds the sum: with a great penalty by more than the time's own slack.
    double cost_slack = slack + 2.5e-7 * plan_check_size((double)plan->cost);
    if (plan_check_size((double)plan->cost - penalties - at->time - (double)plan->ground_cost) >
        cost_slack)
        return kerb_in_plan_check_unfit(c, "cost", "is not time, penalties and ground cost");
    return KERB_OK;
}

// Tests whether the end is within the goal's tolerances of position and heading, and rounding.
static kerb_result plan_check_end(const plan_check* c, const plan_check_driven* at,
                                  const kerb_plan_end* to) {
    if (to->position_tolerance == 0.0f && to->heading_tolerance == 0.0f)
        return plan_check_place(c, at, to->pose, "goal");
    double x = at->x - (double)to->pose.position.x, y = at->y - (double)to->pose.position.y;
    double room = (double)to->position_tolerance + c->place_gap;
    double fx = (double)to->pose.forward.x, fy = (double)to->pose.forward.y;
    float turn = kerb_atan2((float)(fx * at->forward_y - fy * at->forward_x),
                            (float)(fx * at->forward_x + fy * at->forward_y));
    if (x * x + y * y > room * room)
        return kerb_in_plan_check_unfit(c, "goal", "lies farther away than its tolerance allows");
    if (plan_check_size((double)turn) > (double)to->heading_tolerance + c->heading_gap)
        return kerb_in_plan_check_unfit(c, "goal", "faces farther away than its tolerance allows");
    return KERB_OK;
}

static double along_of(const kerb_plan_end* end, int32_t travel) {
    return travel < 0 ? -(double)end->speed : (double)end->speed;
}

// Direction of the last piece that moves, or of the first; where none does, of the first piece.
static int32_t travel_at(const kerb_plan* plan, bool is_last) {
    int32_t travel = plan->pieces[0].direction;
    for (int32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].length > 0.0f) {
            travel = plan->pieces[i].direction;
            if (!is_last)
                break;
        }
    }
    return travel;
}

static plan_check begin_check(const kerb_plan_limits* limits, const kerb_plan_world* world,
                              const kerb_plan* plan, const kerb_plan_end* from,
                              const kerb_plan_end* to, kerb_error* error) {
    double reach = plan_check_size((double)from->pose.position.x) +
                   plan_check_size((double)from->pose.position.y) +
                   plan_check_size((double)to->pose.position.x) +
                   plan_check_size((double)to->pose.position.y);
    double fastest =
        plan_check_larger((double)limits->speed_max, (double)limits->reverse_speed_max);
    plan_check c = {.limits = limits,
                    .plan = plan,
                    .world = world,
                    .speed_gap = 1e-3 + 2e-4 * fastest,
                    .place_gap = 2e-3,
                    .heading_gap = 5e-4,
                    .index = -1,
                    .error = error};
    c.place_gap += 1e-5 * (reach + plan_check_size((double)plan->length));
    return c;
}

// Curvature of the wheels at the start; beyond what the limits allow it counts as that.
static double check_wheels_at(const kerb_plan_limits* l, const kerb_plan_end* from) {
    double most = 1.0 / (double)l->turning_radius, k = (double)from->curvature;
    return k > most ? most : k < -most ? -most : k;
}

kerb_result kerb_plan_check(const kerb_plan_limits* limits, const kerb_plan_query* query,
                            const kerb_plan_world* world, const kerb_plan* plan,
                            kerb_error* error) {
    KERB_ASSERT(limits && query && plan);
    if (plan->count < 1 || !plan->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no plan");
    if (plan->start < 0 || plan->start >= query->start_count || plan->goal < 0 ||
        plan->goal >= query->goal_count)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "goal", 0, -1,
                              "is not one of the query's");
    const kerb_plan_end *from = &query->starts[plan->start], *to = &query->goals[plan->goal];
    plan_check c = begin_check(limits, world, plan, from, to, error);
    kerb_pose start = from->pose;
    plan_check_driven at = {.x = (double)start.position.x,
                            .y = (double)start.position.y,
                            .forward_x = (double)start.forward.x,
                            .forward_y = (double)start.forward.y,
                            .speed = along_of(from, travel_at(plan, false))};
    ease_start(&c, &at);
    kerb_result result = plan_check_pieces(&c, &at, check_wheels_at(limits, from));
    c.index = -1;
    if (result == KERB_OK)
        result = plan_check_end(&c, &at, to);
    if (result == KERB_OK && plan_check_size(at.speed - along_of(to, travel_at(plan, true))) >
                                 (double)to->speed_tolerance + c.speed_gap)
        return kerb_in_plan_check_unfit(&c, "goal", "is reached at another speed");
    if (result != KERB_OK)
        return result;
    return check_sums(&c, &at, (double)from->penalty + (double)to->penalty);
}
