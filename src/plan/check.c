// Purpose: says whether a movement keeps every limit. Shares nothing with what makes movements.
// Idea:    the pieces are driven in small steps, speed and direction by their rates, and every
// limit
//          is asked at every step; where a piece ends must be where the next begins.
// Cost:    steps of at most 2 cm, 5 ms and 0.02 rad, some 10 ns each.
#include "check_world.h"

#include "../base/assertion.h"

#define STEP_LENGTH 0.02
#define STEP_TIME 0.005
#define STEP_TURN 0.02

// So much smaller is the footprint that is held against obstacles. [m]
#define FOOTPRINT_LESS 2e-3

// A share of a limit, for what floats cannot say. [1]
#define SHARE 1e-3

// Where the vehicle is while it is driven.
typedef struct driven {
    double x, y, forward_x, forward_y;
    double time, length;
    double speed; // of travel
    double toll;  // [s]
} driven;

typedef struct check {
    const kerb_plan_limits* limits;
    const kerb_plan* plan;
    const kerb_plan_world* world;             // NULL: nothing is in the way
    double speed_gap, place_gap, heading_gap; // that count as none
    int32_t index;                            // of the piece
    kerb_error* error;
} check;

static double size_of(double x) {
    return x < 0.0 ? -x : x;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static kerb_result broken(const check* c, const char* limit, const char* message) {
    return kerb_error_set(c->error, KERB_ERROR_OUT_OF_RANGE, limit, 0, c->index, message);
}

static kerb_result unfit(const check* c, const char* field, const char* message) {
    return kerb_error_set(c->error, KERB_ERROR_CONTRADICTION, field, 0, c->index, message);
}

// --------------------------------------------------------------------------- a piece

static bool is_number(float x) {
    return x - x == 0.0f;
}

static kerb_result check_numbers(const check* c, const kerb_plan_piece* p) {
    const float numbers[] = {p->start.position.x,
                             p->start.position.y,
                             p->start.forward.x,
                             p->start.forward.y,
                             p->time,
                             p->duration,
                             p->length,
                             p->speed,
                             p->acceleration,
                             p->curvature};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!is_number(numbers[i]))
            return kerb_error_set(c->error, KERB_ERROR_NOT_FINITE, "pieces", 0, c->index,
                                  "must be finite numbers");
    }
    if (p->travel != 1 && p->travel != -1)
        return unfit(c, "travel", "must be 1 or -1");
    if (p->duration < 0.0f || p->length < 0.0f)
        return unfit(c, "length", "neither length nor duration may be negative");
    return KERB_OK;
}

// What does not change during a piece.
static kerb_result check_rates(const check* c, const kerb_plan_piece* p) {
    const kerb_plan_limits* l = c->limits;
    bool back = p->travel < 0;
    double gain = (double)(back ? l->reverse_acceleration : l->acceleration);
    double loss = (double)(back ? l->reverse_braking : l->braking);
    if ((double)p->acceleration > gain * (1.0 + SHARE))
        return broken(c, back ? "reverse_acceleration" : "acceleration", "gains speed too fast");
    if (-(double)p->acceleration > loss * (1.0 + SHARE))
        return broken(c, back ? "reverse_braking" : "braking", "loses speed too fast");
    double bend = size_of((double)p->curvature) * (double)l->turning_radius;
    if (bend > 1.0 + SHARE)
        return broken(c, "turning_radius", "turns too tightly");
    return KERB_OK;
}

static kerb_result check_speed(const check* c, const kerb_plan_piece* p, double speed) {
    const kerb_plan_limits* l = c->limits;
    bool back = p->travel < 0;
    double most = (double)(back ? l->reverse_speed_max : l->speed_max);
    double bend = size_of((double)p->curvature);
    if (speed < -c->speed_gap)
        return unfit(c, "speed", "becomes negative");
    if (speed > most + c->speed_gap)
        return broken(c, back ? "reverse_speed_max" : "speed_max", "is too fast");
    if (speed * speed * bend > (double)l->lateral_acceleration * (1.0 + SHARE))
        return broken(c, "lateral_acceleration", "is too fast for the turn");
    if (speed * bend > (double)l->yaw_rate_max * (1.0 + SHARE))
        return broken(c, "yaw_rate_max", "turns too fast");
    return KERB_OK;
}

// A short way along an arc: its chord, and the turn.
static void drive(driven* at, double length, double curvature) {
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
    at->length += size_of(length);
}

static int64_t steps_for(const kerb_plan_piece* p) {
    double turn = size_of((double)p->curvature) * (double)p->length;
    double most = larger((double)p->length / STEP_LENGTH, turn / STEP_TURN);
    most = larger(most, (double)p->duration / STEP_TIME);
    return most < 1e8 ? 1 + (int64_t)most : 100000000;
}

static kerb_result check_footprint(const check* c, const driven* at) {
    const kerb_plan_limits* l = c->limits;
    double reach = size_of(at->x) + size_of(at->y), less = FOOTPRINT_LESS + 2e-6 * reach;
    if (!c->world)
        return KERB_OK;
    plan_check_box box = {.x = at->x,
                          .y = at->y,
                          .forward_x = at->forward_x,
                          .forward_y = at->forward_y,
                          .front = (double)l->front + (double)l->margin - less,
                          .rear = (double)l->rear + (double)l->margin - less,
                          .half_width = 0.5 * (double)l->width + (double)l->margin - less};
    return plan_check_is_free(c->world, &box)
               ? KERB_OK
               : broken(c, "world", "the footprint meets an obstacle");
}

// What a metre costs here. [s/m]
static double price_at(const kerb_plan_world* w, const driven* at) {
    if (!w || !w->prices)
        return 0.0;
    double x = (at->x - (double)w->origin.x) / (double)w->cell_size;
    double y = (at->y - (double)w->origin.y) / (double)w->cell_size;
    if (!(x >= 0.0 && y >= 0.0 && x < (double)w->columns && y < (double)w->rows))
        return 0.0;
    size_t cell = (size_t)y * (size_t)w->columns + (size_t)x;
    return (double)w->price * (double)w->prices[cell] / 255.0;
}

static kerb_result drive_piece(const check* c, const kerb_plan_piece* p, driven* at) {
    int64_t steps = steps_for(p);
    double step = (double)p->duration / (double)steps, begun = at->length;
    kerb_result result = check_speed(c, p, at->speed);
    if (result == KERB_OK)
        result = check_footprint(c, at);
    for (int64_t i = 0; i < steps && result == KERB_OK; i++) {
        double next = at->speed + (double)p->acceleration * step;
        double length = 0.5 * (at->speed + next) * step, price = price_at(c->world, at);
        drive(at, length * (double)p->travel, (double)p->curvature);
        at->toll += 0.5 * (price + price_at(c->world, at)) * length;
        at->speed = next;
        result = check_speed(c, p, next);
        if (result == KERB_OK)
            result = check_footprint(c, at);
    }
    at->time += (double)p->duration;
    if (result == KERB_OK && size_of(at->length - begun - (double)p->length) > c->place_gap)
        return unfit(c, "length", "is not what speed and duration make of it");
    return result;
}

// --------------------------------------------------------------------------- joints

static kerb_result check_place(const check* c, const driven* at, kerb_pose pose,
                               const char* field) {
    double x = at->x - (double)pose.position.x, y = at->y - (double)pose.position.y;
    double turn_x = at->forward_x - (double)pose.forward.x;
    double turn_y = at->forward_y - (double)pose.forward.y;
    if (size_of(x) + size_of(y) > c->place_gap)
        return unfit(c, field, "lies elsewhere than where the movement has come to");
    if (size_of(turn_x) + size_of(turn_y) > c->heading_gap)
        return unfit(c, field, "faces another way than the movement has come to");
    return KERB_OK;
}

static kerb_result check_joint(const check* c, const driven* at, const kerb_plan_piece* p) {
    kerb_result result = check_place(c, at, p->start, "pose");
    if (result != KERB_OK)
        return result;
    if (size_of(at->speed - (double)p->speed) > c->speed_gap)
        return unfit(c, "speed", "jumps");
    if (size_of(at->time - (double)p->time) > 1e-3 + 1e-5 * at->time)
        return unfit(c, "time", "jumps");
    return KERB_OK;
}

// Where a piece begins, in numbers that do not drift.
static void set_out(driven* at, const kerb_plan_piece* p) {
    at->x = (double)p->start.position.x;
    at->y = (double)p->start.position.y;
    at->forward_x = (double)p->start.forward.x;
    at->forward_y = (double)p->start.forward.y;
    at->speed = (double)p->speed;
}

// The vehicle must have stood for reversal_time when its direction changes.
typedef struct standing {
    int32_t travel;   // last; 0: none yet
    double curvature; // last
    double time;      // stood since it last moved
} standing;

// What the wheels need to turn so far. [s]
static double turning_time(const kerb_plan_limits* l, double change) {
    return (double)l->steering_time * (double)l->turning_radius * size_of(change);
}

static kerb_result check_travel(const check* c, const kerb_plan_piece* p, standing* s) {
    if (p->length == 0.0f) {
        s->time += (double)p->duration;
        return KERB_OK;
    }
    bool turns_back = s->travel != 0 && p->travel != s->travel;
    if (turns_back && (double)p->speed > c->speed_gap)
        return unfit(c, "travel", "changes while it moves");
    if (turns_back && s->time < (double)c->limits->reversal_time * (1.0 - SHARE) - 1e-6)
        return broken(c, "reversal_time", "changes direction too soon");
    double turning = turning_time(c->limits, (double)p->curvature - s->curvature);
    if (turns_back && s->time < (turning - (double)KERB_PLAN_TURNS_ROLLING) * (1.0 - SHARE) - 1e-4)
        return broken(c, "steering_time", "sets off before the wheels have turned");
    s->travel = p->travel;
    s->curvature = (double)p->curvature;
    s->time = 0.0;
    return KERB_OK;
}

// --------------------------------------------------------------------------- wheels

// How far a vehicle drifts aside whose wheels turn by `change` at a speed.
static double drift_of(const check* c, double change, double speed) {
    double way = turning_time(c->limits, change) * speed;
    return size_of(change) * way * way / 24.0;
}

// The jump of curvature at the start of a piece, driven on in one direction.
static double change_into(const kerb_plan* plan, int32_t i) {
    if (i <= 0 || i >= plan->count)
        return 0.0;
    const kerb_plan_piece *p = &plan->pieces[i], *before = p - 1;
    if (before->travel != p->travel || before->length == 0.0f || p->length == 0.0f)
        return 0.0;
    return size_of((double)p->curvature - (double)before->curvature);
}

static double fastest_on(const kerb_plan_piece* p) {
    double end = (double)p->speed + (double)p->acceleration * (double)p->duration;
    return larger((double)p->speed, end);
}

// Pieces first … last begin with a jump that is turned through together with the others'.
typedef struct wheel_turn {
    int32_t first, last;
    double change; // in all [1/m]
} wheel_turn;

// Whether there is time for half of each of two turns between them.
static bool are_apart(const check* c, const wheel_turn* a, const wheel_turn* b) {
    const kerb_plan_piece* pieces = c->plan->pieces;
    double time = (double)pieces[b->first].time - (double)pieces[a->last].time;
    return time >= 0.5 * turning_time(c->limits, a->change + b->change) * (1.0 - 4.0 * SHARE);
}

static bool drifts_far(const check* c, const wheel_turn* t) {
    double fastest = (double)c->plan->pieces[t->first].speed;
    for (int32_t i = t->first; i < t->last; i++)
        fastest = larger(fastest, fastest_on(&c->plan->pieces[i]));
    double quick = larger(fastest - c->speed_gap, 0.0);
    return drift_of(c, t->change, quick) > (double)KERB_PLAN_DRIFT * (1.0 + 4.0 * SHARE);
}

// The turns of what is driven without standing, as far back as they may matter.
#define TURNS 64
typedef struct wheel_turns {
    wheel_turn list[TURNS];
    int32_t count;
    int32_t driven; // the last piece that was; -1: none yet
    double begun;   // when it set off after a change of direction [s]; else long ago
    double rolling; // for so long wheels turned on after that [s]
} wheel_turns;

// Jumps that cannot be apart are one; it must not drift too far in any.
static kerb_result add_turn(const check* c, int32_t i, wheel_turns* t) {
    if (t->count == TURNS) {
        for (int32_t k = 1; k < TURNS; k++)
            t->list[k - 1] = t->list[k];
        t->count--;
    }
    t->list[t->count++] = (wheel_turn){i, i, change_into(c->plan, i)};
    while (t->count > 1 && !are_apart(c, &t->list[t->count - 2], &t->list[t->count - 1])) {
        wheel_turn *a = &t->list[t->count - 2], *b = &t->list[t->count - 1];
        a->last = b->last;
        a->change += b->change;
        t->count--;
    }
    const wheel_turn* last = &t->list[t->count - 1];
    if (drifts_far(c, last))
        return broken(c, "steering_time",
                      last->first == last->last ? "is too fast for the wheels to turn"
                                                : "leaves the wheels no time to turn");
    double since = (double)c->plan->pieces[last->first].time - t->begun;
    double needed = t->rolling + 0.5 * turning_time(c->limits, last->change);
    return t->count > 1 || since >= needed * (1.0 - 4.0 * SHARE) - 1e-4
               ? KERB_OK
               : broken(c, "steering_time", "leaves the wheels no time after it sets off");
}

// Sets off with piece `i` after standing, or at first.
static kerb_result begin_turns(const check* c, int32_t i, wheel_turns* t) {
    const kerb_plan_piece* p = &c->plan->pieces[i];
    const kerb_plan_piece* before = t->driven >= 0 ? &c->plan->pieces[t->driven] : NULL;
    kerb_result result = KERB_OK;
    double rolling = 0.0;
    bool turns_back = before && before->travel != p->travel;
    if (turns_back) {
        double stopped = (double)before->time + (double)before->duration;
        double turning = turning_time(c->limits, (double)p->curvature - (double)before->curvature);
        rolling = 0.5 * larger(turning - ((double)p->time - stopped), 0.0);
        const wheel_turn* last = t->count > 0 ? &t->list[t->count - 1] : NULL;
        double needed = last ? rolling + 0.5 * turning_time(c->limits, last->change) : 0.0;
        if (last && stopped - (double)c->plan->pieces[last->last].time <
                        needed * (1.0 - 4.0 * SHARE) - 1e-4)
            result = broken(c, "steering_time", "leaves the wheels no time before it turns back");
    }
    t->count = 0;
    t->begun = turns_back ? (double)p->time : -1e9;
    t->rolling = rolling;
    return result;
}

// Wheels that turn evenly about a jump of curvature make it drift aside; half of each turning needs
// its time between two of them, and beside a change of direction, where wheels still turn as well.
static kerb_result check_wheels(const check* c, int32_t i, wheel_turns* t) {
    const kerb_plan_piece* p = &c->plan->pieces[i];
    if (p->length == 0.0f)
        return KERB_OK;
    bool goes_on = t->driven == i - 1 && i > 0 && p[-1].travel == p->travel;
    kerb_result result = goes_on ? KERB_OK : begin_turns(c, i, t);
    t->driven = i;
    if (result == KERB_OK && change_into(c->plan, i) > 0.0)
        result = add_turn(c, i, t);
    return result;
}

// --------------------------------------------------------------------------- the whole

static kerb_result check_pieces(check* c, driven* at) {
    standing stood = {0, 0.0, 0.0};
    wheel_turns turned = {.driven = -1, .begun = -1e9};
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
        if (result == KERB_OK && c->limits->steering_time > 0.0f)
            result = check_wheels(c, i, &turned);
        set_out(at, p);
        if (result == KERB_OK)
            result = drive_piece(c, p, at);
    }
    return result;
}

static kerb_result check_sums(const check* c, const driven* at, double penalties) {
    const kerb_plan* plan = c->plan;
    double slack = 1e-3 + 1e-4 * at->time;
    if (size_of(at->time - (double)plan->time) > slack)
        return unfit(c, "time", "is not the sum of the pieces'");
    if (size_of(at->length - (double)plan->length) > c->place_gap + 1e-4 * at->length)
        return unfit(c, "length", "is not the sum of the pieces'");
    double price = c->world && c->world->prices ? (double)c->world->price : 0.0;
    double cell = c->world ? (double)c->world->cell_size : 0.0;
    double toll_slack = 1e-3 + 0.02 * at->toll + 0.5 * price * cell;
    if (c->world && size_of((double)plan->toll - at->toll) > toll_slack)
        return unfit(c, "toll", "is not what the world's prices come to");
    if (size_of((double)plan->cost - penalties - at->time - (double)plan->toll) > slack)
        return unfit(c, "cost", "is not time, penalties and toll");
    return KERB_OK;
}

// Within a goal's tolerances of place and heading, and what floats cannot say.
static kerb_result check_end(const check* c, const driven* at, const kerb_plan_end* to) {
    if (to->position_tolerance == 0.0f && to->heading_tolerance == 0.0f)
        return check_place(c, at, to->pose, "goal");
    double x = at->x - (double)to->pose.position.x, y = at->y - (double)to->pose.position.y;
    double room = (double)to->position_tolerance + c->place_gap;
    double fx = (double)to->pose.forward.x, fy = (double)to->pose.forward.y;
    float turn = kerb_atan2((float)(fx * at->forward_y - fy * at->forward_x),
                            (float)(fx * at->forward_x + fy * at->forward_y));
    if (x * x + y * y > room * room)
        return unfit(c, "goal", "lies farther away than its tolerance allows");
    if (size_of((double)turn) > (double)to->heading_tolerance + c->heading_gap)
        return unfit(c, "goal", "faces farther away than its tolerance allows");
    return KERB_OK;
}

static double along_of(const kerb_plan_end* end, int32_t travel) {
    return travel < 0 ? -(double)end->speed : (double)end->speed;
}

// Direction of the last piece that moves, or of the first; where none does, of the first piece.
static int32_t travel_at(const kerb_plan* plan, bool is_last) {
    int32_t travel = plan->pieces[0].travel;
    for (int32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].length > 0.0f) {
            travel = plan->pieces[i].travel;
            if (!is_last)
                break;
        }
    }
    return travel;
}

static check begin_check(const kerb_plan_limits* limits, const kerb_plan_world* world,
                         const kerb_plan* plan, const kerb_plan_end* from, const kerb_plan_end* to,
                         kerb_error* error) {
    double reach = size_of((double)from->pose.position.x) + size_of((double)from->pose.position.y) +
                   size_of((double)to->pose.position.x) + size_of((double)to->pose.position.y);
    double fastest = larger((double)limits->speed_max, (double)limits->reverse_speed_max);
    check c = {limits, plan, world, 1e-3 + 2e-4 * fastest, 2e-3, 5e-4, -1, error};
    c.place_gap += 1e-5 * (reach + size_of((double)plan->length));
    return c;
}

kerb_result kerb_plan_check(const kerb_plan_limits* limits, const kerb_plan_query* query,
                            const kerb_plan_world* world, const kerb_plan* plan,
                            kerb_error* error) {
    KERB_ASSERT(limits && query && plan);
    if (plan->count < 1 || !plan->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no movement");
    if (plan->start < 0 || plan->start >= query->start_count || plan->goal < 0 ||
        plan->goal >= query->goal_count)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "goal", 0, -1,
                              "is not one of the query's");
    const kerb_plan_end *from = &query->starts[plan->start], *to = &query->goals[plan->goal];
    check c = begin_check(limits, world, plan, from, to, error);
    kerb_pose start = from->pose;
    driven at = {.x = (double)start.position.x,
                 .y = (double)start.position.y,
                 .forward_x = (double)start.forward.x,
                 .forward_y = (double)start.forward.y,
                 .speed = along_of(from, travel_at(plan, false))};
    kerb_result result = check_pieces(&c, &at);
    c.index = -1;
    if (result == KERB_OK)
        result = check_end(&c, &at, to);
    if (result == KERB_OK && size_of(at.speed - along_of(to, travel_at(plan, true))) >
                                 (double)to->speed_tolerance + c.speed_gap)
        return unfit(&c, "goal", "is reached at another speed");
    if (result != KERB_OK)
        return result;
    return check_sums(&c, &at, (double)from->penalty + (double)to->penalty);
}

// --------------------------------------------------------------------------- those who cross

// Half of what a box reaches along an axis.
static double reach_of(double ax, double ay, double fx, double fy, double along, double across) {
    return size_of(ax * fx + ay * fy) * along + size_of(ay * fx - ax * fy) * across;
}

static bool meets_mover(const check* c, const driven* at, const kerb_plan_mover* m) {
    const kerb_plan_limits* l = c->limits;
    double less = FOOTPRINT_LESS + 2e-6 * (size_of(at->x) + size_of(at->y));
    double front = (double)l->front + (double)l->margin - less;
    double rear = (double)l->rear + (double)l->margin - less;
    double half = 0.5 * (double)l->width + (double)l->margin - less;
    double ahead = 0.5 * (front - rear), along = 0.5 * (front + rear);
    kerb_pose there = m->pose_at ? m->pose_at(m->context, (float)at->time) : m->pose;
    double passed = m->pose_at ? 0.0 : at->time;
    double gx = (double)there.forward.x, gy = (double)there.forward.y;
    double x =
        (double)there.position.x + (double)m->velocity.x * passed - (at->x + ahead * at->forward_x);
    double y =
        (double)there.position.y + (double)m->velocity.y * passed - (at->y + ahead * at->forward_y);
    const double axes[4][2] = {
        {at->forward_x, at->forward_y}, {-at->forward_y, at->forward_x}, {gx, gy}, {-gy, gx}};
    for (int32_t i = 0; i < 4; i++) {
        double ax = axes[i][0], ay = axes[i][1];
        double reach = reach_of(ax, ay, at->forward_x, at->forward_y, along, half) +
                       reach_of(ax, ay, gx, gy, 0.5 * (double)m->length, 0.5 * (double)m->width);
        if (size_of(ax * x + ay * y) >= reach)
            return false;
    }
    return true;
}

static kerb_result check_meetings(const check* c, const driven* at, const kerb_plan_mover* movers,
                                  int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (meets_mover(c, at, &movers[i]))
            return broken(c, "movers", "the footprint meets one of them");
    return KERB_OK;
}

// Steps in which nobody moves further than the vehicle's own steps are, but for the very fastest.
static int64_t steps_among(const kerb_plan_piece* p, const kerb_plan_mover* movers, int32_t count) {
    double fastest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const kerb_plan_mover* m = &movers[i];
        double along = m->pose_at ? (double)m->speed_max : size_of((double)m->velocity.x);
        double across = m->pose_at ? 0.0 : size_of((double)m->velocity.y);
        fastest = larger(fastest, along + across);
    }
    double steps = fastest * (double)p->duration / STEP_LENGTH;
    int64_t least = steps_for(p);
    return steps < 1e8 && (int64_t)steps > least ? (int64_t)steps : least;
}

kerb_result kerb_plan_check_movers(const kerb_plan_limits* limits, const kerb_plan_mover* movers,
                                   int32_t count, const kerb_plan* plan, kerb_error* error) {
    KERB_ASSERT(limits && plan && (movers || count == 0));
    if (plan->count < 1 || !plan->pieces)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "count", 0, -1, "there is no movement");
    check c = {.limits = limits, .plan = plan, .error = error};
    kerb_result result = KERB_OK;
    for (int32_t i = 0; i < plan->count && result == KERB_OK; i++) {
        const kerb_plan_piece* p = &plan->pieces[i];
        int64_t steps = steps_among(p, movers, count);
        double step = (double)p->duration / (double)steps;
        driven at = {0};
        set_out(&at, p);
        at.time = (double)p->time;
        at.speed = (double)p->speed;
        c.index = i;
        result = check_meetings(&c, &at, movers, count);
        for (int64_t k = 0; k < steps && result == KERB_OK; k++) {
            double next = at.speed + (double)p->acceleration * step;
            drive(&at, 0.5 * (at.speed + next) * step * (double)p->travel, (double)p->curvature);
            at.speed = next;
            at.time += step;
            result = check_meetings(&c, &at, movers, count);
        }
    }
    return result;
}
