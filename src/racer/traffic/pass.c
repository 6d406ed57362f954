// Purpose: which cars a racing driver passes, and on which side.
// Idea:    It predicts its own motion as if alone, and that of the others. A car that it reaches in
//          the next seconds, and that would be in its path there, it passes or follows. A car that
//          brakes in a queue is not passed: the queue would still be there. An obstacle is always
//          passed. A competitor is passed if the racer would be clear of it before the next bend,
//          or at least beside it and then only on the inside. Of the gaps between the cars that it
//          reaches, it takes the one of least cost. If it may not pass, it falls back behind the
//          car. While it is too fast for that, it stays beside the car's path, since both brake as
//          hard as they can.
// Cost:    O(steps) for each car near ahead, only with a decision.
// Source:  Vamos 6; sides are chosen with the next corner in view, as the program does.
#include "traffic.h"

#include "kerb/control.h"

// A racer that is faster by this than it may be behind another car cannot be there yet. [m/s]
#define STAY_FASTER 0.5f
// Greatest number of cars ahead that are considered: the nearest.
#define FRONT_MOST 5
// A car that is slower by this than the racer would be there is an obstacle. [m/s]
#define OBSTACLE_SPEED 12.0f
// From this share of a bend's speed² on, a run is in the bend. [1]
#define RACER_PASS_BEND_SHARE 0.7f
// A car that is reached with a lower closing speed is not passed: it would take too long. [m/s]
#define CLOSING_LEAST 0.6f
// In bends it must be faster by this, and by what a path that far beside the line costs; from
// BEND_RUSH on its position before the bend does not matter. [m/s], [m/s], [m]
#define BEND_CLOSING 1.5f
#define BEND_RUSH 3.0f
#define BEND_ASIDE 2.0f
// A car is in a queue if it brakes harder than this … [m/s²]
#define QUEUE_BRAKES 3.0f
// … at less than this share of the line's speed² … [1]
#define QUEUE_SLOW 0.95f
// … as near as this behind another car … [s], [m]
#define QUEUE_TIME 0.5f
#define QUEUE_GAP 6.0f
// … that is not faster by more than this. [m/s]
#define QUEUE_FASTER 2.0f
// Cars that are as near to each other as this when reached are passed as one group. [m]
#define GROUP 20.0f
// The track's width is checked in this number of places, over this time when the end is not known.
// [s]
#define GAP_PLACES 4
#define GAP_TIME 1.5f
// Worth and cost of a gap, in metres of lateral offset. Chosen by trial.
#define WORTH_SAME_SIDE 2.0f
#define WORTH_INSIDE 2.0f
#define WORTH_WAY_OUT 10.0f
#define COST_OFF_LINE 0.6f
#define COST_TIGHT 3.0f

// The next bend on its own run.
typedef struct next_bend {
    int32_t step; // step of the run; TRAFFIC_STEPS: no bend is near
    float inside; // 1: the bend turns left, -1: right
} next_bend;

// A car that it reaches, and what decides about passing it.
typedef struct front_car {
    traffic_other* other;
    float lead_at_bend; // its middle before the racer's middle at the bend [m]
    float closing;      // closing speed when it is reached [m/s]
    float speed, bend;  // racer's speed then, and curvature of its path there [m/s], [1/m]
    bool obstacle;
} front_car;

static next_bend racer_pass_find_bend(const kerb_racer* racer, const racer_frame* frame,
                                      const traffic_run* own) {
    next_bend bend = {TRAFFIC_STEPS, 0.0f};
    for (int32_t i = 0; i < TRAFFIC_STEPS; i++) {
        racer_place p = racer_place_at(racer, frame->total + (double)own->at[i]);
        float square = own->speed[i] * own->speed[i];
        if (square > RACER_PASS_BEND_SHARE * p.free_corner &&
            p.free_corner < 0.95f * frame->limits.speed_max * frame->limits.speed_max) {
            bend.step = i;
            bend.inside = p.curvature > 0.0f ? 1.0f : -1.0f;
            break;
        }
    }
    return bend;
}

// A competitor so far ahead that it cannot be reached: all cars slow down for the same bends.
static bool is_out_of_reach(const traffic_view* view, const racer_frame* frame,
                            const traffic_other* o) {
    float faster = frame->along - o->speed;
    return traffic_gap(view, o) > traffic_reach(frame->along, faster) &&
           o->speed > TRAFFIC_OBSTACLE * frame->along;
}

// The cars ahead that it could reach, from the nearest.
static int32_t find_reachable(const racer_frame* frame, traffic_view* view,
                              traffic_other** reachable) {
    int32_t count = 0;
    for (int32_t i = 0; i < view->count; i++) {
        traffic_other* o = &view->others[i];
        bool before = o->ahead >= 0.0f && traffic_gap(view, o) >= 0.0f;
        bool within = before && !is_out_of_reach(view, frame, o);
        o->drops &= within;
        if (within)
            reachable[count++] = o;
        else if (before)
            o->side = 0;
    }
    return count;
}

// Where and how that car is reached; false: it is not.
static bool reaches(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                    const traffic_run* own, const traffic_run* run, const next_bend* bend,
                    traffic_other* o, front_car* car) {
    kerb_in_traffic_meet(view, own, run, o);
    if (o->catch > 1.0e5f) {
        o->side = 0;
        o->drops = false;
        return false;
    }
    *car = (front_car){o, 1.0e6f, 0.0f, 0.0f, 0.0f, false};
    if (bend->step < TRAFFIC_STEPS) { // somewhat before it, so that the other car can react
        int32_t before = bend->step > 0 ? bend->step - 1 : 0;
        car->lead_at_bend = run->at[before] - own->at[before];
    }
    int32_t step = (int32_t)(o->catch / TRAFFIC_STEP + 0.5f);
    car->closing = own->speed[step] - run->speed[step];
    car->speed = own->speed[step];
    car->bend = racer_place_at(racer, frame->total + (double)o->catch_at).curvature;
    car->obstacle =
        run->speed[step] < TRAFFIC_OBSTACLE * own->speed[step] || car->closing > OBSTACLE_SPEED;
    return true;
}

// `runs`: of the first of them; overwritten.
static int32_t find_front(const kerb_racer* racer, const racer_frame* frame,
                          const traffic_view* view, traffic_other* const* reachable, int32_t others,
                          const next_bend* bend, traffic_run* runs, front_car* front) {
    int32_t count = 0;
    const traffic_run* own = &view->own;
    for (int32_t i = 0; i < others && count < FRONT_MOST; i++) {
        int32_t left = others - i, k = i % TRAFFIC_RUNS;
        if (i > 0 && k == 0)
            kerb_in_traffic_run_others(racer, frame, &reachable[i],
                                       left < TRAFFIC_RUNS ? left : TRAFFIC_RUNS, runs);
        count += reaches(racer, frame, view, own, &runs[k], bend, reachable[i], &front[count]);
    }
    return count;
}

// A car that brakes where the line does not ask for it brakes for the car ahead of it. After
// passing it, the racer would meet that car, and the grip to move sideways is needed for braking.
static bool brakes_in_queue(const kerb_racer* racer, const racer_frame* frame,
                            const traffic_view* view, const traffic_other* o) {
    racer_place there = racer_place_at(racer, frame->total + (double)o->ahead);
    if (o->acceleration > -QUEUE_BRAKES || o->speed * o->speed > QUEUE_SLOW * there.free_squared)
        return false;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* p = &view->others[i];
        float gap = (p->ahead - o->ahead) * o->scale - p->half_length - o->half_length;
        if (p->ahead > o->ahead && gap < QUEUE_TIME * o->speed + QUEUE_GAP &&
            p->speed < o->speed + QUEUE_FASTER)
            return true;
    }
    return false;
}

// True: that car would be in its path where it is reached.
static bool racer_pass_is_in_the_way(const kerb_racer* racer, const racer_frame* frame,
                                     const traffic_view* view, const traffic_other* o) {
    float there = kerb_in_traffic_offset_at(racer, frame, o, o->catch_at, false);
    float way = racer_place_at(racer, frame->total + (double)o->catch_at).way;
    return kerb_abs(way - there) < traffic_width(view, o) + 0.7f * kerb_in_traffic_side_gap(racer);
}

// True: it may be passed before or in the next bend. `inside_only`: that bend is driven side by
// side.
static bool may_pass(const kerb_racer* racer, const traffic_view* view, const front_car* car,
                     const next_bend* bend, bool* inside_only) {
    *inside_only = false;
    if (car->obstacle)
        return true;
    bool going_on = car->other->side != 0;
    if (car->closing < (going_on ? 0.0f : CLOSING_LEAST))
        return false;
    if (bend->step >= TRAFFIC_STEPS)
        return true;
    float lengths = view->half_length + car->other->half_length;
    if (car->lead_at_bend < -lengths - 1.0f)
        return true;
    // Faster through bends by enough that a path beside the line still is.
    float bend_loss = kerb_abs(car->bend) * BEND_ASIDE * car->speed;
    // And nearly alongside at the bend: giving up there costs more than waiting would have.
    bool near_there = car->lead_at_bend < lengths * (going_on ? 1.3f : 1.0f);
    if ((near_there || car->closing > BEND_RUSH) &&
        car->closing > BEND_CLOSING * (1.5f - kerb_in_traffic_aggression(racer)) + bend_loss)
        return true;
    *inside_only = true;
    float beside = view->half_length * (0.6f + 0.8f * kerb_in_traffic_aggression(racer));
    return bend->step > 0 && car->lead_at_bend < (going_on ? 1.6f : 1.0f) * beside;
}

// --------------------------------------------------------------------------- the gap to take

typedef struct gap_to_take {
    float low, high;
} gap_to_take;

static float racer_pass_cost_of(const kerb_racer* racer, const racer_frame* frame,
                                const traffic_view* view, const front_car* car, gap_to_take gap,
                                const next_bend* bend, bool beside_in_bend) {
    const traffic_other* first = car->other;
    float base = kerb_clamp(0.0f, gap.low, gap.high);
    float cost = kerb_abs(base - view->offset) + COST_OFF_LINE * kerb_abs(base);
    float middle = kerb_in_traffic_offset_at(racer, frame, first, first->catch_at, false);
    float side = base > middle ? 1.0f : -1.0f;
    if ((float)first->side == side)
        cost -= WORTH_SAME_SIDE;
    if (bend->step < TRAFFIC_STEPS && bend->inside == side && !car->obstacle)
        cost -= WORTH_INSIDE;
    if (beside_in_bend && bend->inside != side)
        cost += 1.0e6f;
    if (racer->memory.stuck.tries > 0 && side == racer->memory.stuck.side)
        cost -= WORTH_WAY_OUT; // it has backed out to that side
    return cost + COST_TIGHT * kerb_max(1.5f - (gap.high - gap.low), 0.0f);
}

// True: a car is alongside between the racer and the gap.
static bool racer_pass_is_cut_off(const traffic_view* view, float target) {
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (traffic_gap(view, o) > 0.5f)
            continue;
        if ((o->offset - view->offset) * (o->offset - target) < 0.0f)
            return true;
    }
    return false;
}

// The group from the rightmost to the leftmost car, where each is reached.
static void sort_group(const kerb_racer* racer, const racer_frame* frame, const front_car* group,
                       int32_t count, traffic_other** sorted) {
    float offsets[FRONT_MOST];
    for (int32_t i = 0; i < count; i++) {
        traffic_other* o = group[i].other;
        float offset = kerb_in_traffic_offset_at(racer, frame, o, o->catch_at, false);
        int32_t k = i;
        for (; k > 0 && offsets[k - 1] > offset; k--) {
            offsets[k] = offsets[k - 1];
            sorted[k] = sorted[k - 1];
        }
        offsets[k] = offset;
        sorted[k] = o;
    }
}

static void narrow_by(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                      const traffic_other* o, float at, float side, gap_to_take* gap) {
    float his = kerb_in_traffic_offset_at(racer, frame, o, at, false);
    float width = traffic_width(view, o) + kerb_in_traffic_side_gap(racer);
    if (side > 0.0f)
        gap->low = kerb_max(gap->low, his + width);
    else
        gap->high = kerb_min(gap->high, his - width);
}

// The gap between two of them, or between one and an edge, where the first is reached.
static gap_to_take gap_between(const kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view, const traffic_other* first,
                               const traffic_other* right_of_it, const traffic_other* left_of_it) {
    float keep = racer->settings.margin + view->half_width, left, right, at = first->catch_at;
    racer_edges_at(racer, racer_bin_at(racer, frame->total + (double)at), &left, &right);
    gap_to_take gap = {keep - right, left - keep};
    if (right_of_it != NULL)
        narrow_by(racer, frame, view, right_of_it, at, 1.0f, &gap);
    if (left_of_it != NULL)
        narrow_by(racer, frame, view, left_of_it, at, -1.0f, &gap);
    return gap;
}

// True: the track is wide enough for two from where the first is reached until it is passed. That
// car moves over as far as it must once the racer is alongside.
static bool is_wide_enough(const kerb_racer* racer, const racer_frame* frame,
                           const traffic_view* view, const traffic_other* first) {
    float end = first->clear < 1.0e5f ? first->clear_at
                                      : first->catch_at + GAP_TIME * kerb_max(frame->along, 5.0f);
    float needs = 2.0f * (racer->settings.margin + view->half_width) + traffic_width(view, first) +
                  kerb_in_traffic_side_gap(racer);
    for (int32_t i = 0; i < GAP_PLACES; i++) {
        float share = (float)i / (float)(GAP_PLACES - 1), left, right;
        float at = first->catch_at + share * kerb_max(end - first->catch_at, 0.0f);
        racer_edges_at(racer, racer_bin_at(racer, frame->total + (double)at), &left, &right);
        if (left + right < needs)
            return false;
    }
    return true;
}

// Checks the gaps of the group; true when one was taken.
static bool take_gap(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                     front_car* group, int32_t count, const next_bend* bend, bool inside_only) {
    traffic_other* first = group[0].other;
    traffic_other* sorted[FRONT_MOST];
    sort_group(racer, frame, group, count, sorted);
    float best_cost = 1.0e5f;
    int32_t best = -1;
    bool wide = is_wide_enough(racer, frame, view, first);
    for (int32_t k = 0; wide && k <= count; k++) {
        gap_to_take gap = gap_between(racer, frame, view, first, k > 0 ? sorted[k - 1] : NULL,
                                      k < count ? sorted[k] : NULL);
        if (gap.high < gap.low || racer_pass_is_cut_off(view, kerb_clamp(0.0f, gap.low, gap.high)))
            continue;
        float cost = racer_pass_cost_of(racer, frame, view, &group[0], gap, bend, inside_only);
        if (cost < best_cost) {
            best_cost = cost;
            best = k;
        }
    }
    for (int32_t i = 0; i < count; i++)
        sorted[i]->side = best < 0 ? 0 : (i < best ? 1 : -1);
    return best >= 0;
}

// --------------------------------------------------------------------------- deciding

// The cars that are reached soon after the first, and near it.
static int32_t group_with(front_car* front, int32_t count) {
    int32_t earliest = 0, group = 1;
    for (int32_t i = 1; i < count; i++)
        if (front[i].other->catch < front[earliest].other->catch)
            earliest = i;
    front_car swap = front[0];
    front[0] = front[earliest];
    front[earliest] = swap;
    for (int32_t i = 1; i < count; i++) {
        if (kerb_abs(front[i].other->ahead - front[0].other->ahead) > GROUP)
            continue;
        swap = front[group];
        front[group++] = front[i];
        front[i] = swap;
    }
    return group;
}

bool kerb_in_traffic_stays_aside(const kerb_racer* racer, const racer_frame* frame,
                                 const traffic_view* view, const traffic_other* o) {
    const kerb_racer_settings* s = &racer->settings;
    if (o->speed > frame->along - STAY_FASTER ||
        kerb_abs(view->offset - o->offset) < traffic_width(view, o))
        return false;
    float behind = kerb_gap_speed(traffic_gap(view, o), o->speed, s->gap_time, s->gap_min,
                                  frame->limits.braking);
    return behind < frame->along - STAY_FASTER;
}

void kerb_in_traffic_choose(kerb_racer* racer, const racer_frame* frame, traffic_view* view) {
    traffic_other* reachable[TRAFFIC_MOST] = {NULL};
    traffic_run runs[TRAFFIC_RUNS];
    if (view->count == 0)
        return;
    int32_t others = find_reachable(frame, view, reachable);
    int32_t first = others < TRAFFIC_RUNS ? others : TRAFFIC_RUNS;
    kerb_in_traffic_run_with(racer, frame, view->tow, reachable, first, &view->own, runs);
    if (others == 0)
        return;
    next_bend bend = racer_pass_find_bend(racer, frame, &view->own);
    front_car front[FRONT_MOST];
    int32_t count = find_front(racer, frame, view, reachable, others, &bend, runs, front);
    int32_t blocking = 0;
    for (int32_t i = 0; i < count; i++) {
        traffic_other* o = front[i].other;
        bool dropped = o->drops;
        o->drops = false;
        if (racer_pass_is_in_the_way(racer, frame, view, o) || o->side != 0 || dropped) {
            front_car swap = front[blocking];
            front[blocking++] = front[i];
            front[i] = swap;
        }
    }
    if (blocking == 0)
        return;
    int32_t group = group_with(front, blocking);
    bool inside_only;
    bool may = !brakes_in_queue(racer, frame, view, front[0].other) &&
               may_pass(racer, view, &front[0], &bend, &inside_only);
    if (!may || !take_gap(racer, frame, view, front, group, &bend, inside_only))
        for (int32_t i = 0; i < group; i++) {
            front[i].other->side = 0;
            front[i].other->drops = kerb_in_traffic_stays_aside(racer, frame, view, front[i].other);
        }
}
