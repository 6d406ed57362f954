// Purpose: a way beside the line that leaves others their room.
// Idea:    For every bin of the way ahead, from where to where the car's middle may be: between the
//          edges, and clear of who is beside it or is being passed, never squeezing him to less
//          than his width and a margin. The line, or the lane that the host wants, is clamped to
//          that; then it is drawn as a car can drive it: sideways no faster, and turning no
//          harder, than some of the grip allows, and begun early enough. Who is beside is taken to
//          keep his share of the track's width, also through bends, as both will do.
// Cost:    10 ns a bin, some times a second.
// Source:  Vamos 6, lane shift.
#include "racer_traffic.h"

// Moving aside, and coming back to the line. [m/s], [1] of the grip
#define ASIDE_SPEED 2.6f
#define BACK_SPEED 1.4f
#define ASIDE_GRIP 0.2f
#define URGENT 2.2f
// A car does not move aside without rolling. [1], [1/m]
#define SLOPE_MOST 0.25f
#define BEND_MOST 0.03f
// Near an edge it turns as sharply as its tyres allow, and at least so. [1/m]
#define EDGE_BEND 0.03f
// It takes so long to come back to a way that it has left, and no more of it counts. [s], [m]
#define ERROR_TIME 1.0f
#define ERROR_MOST 1.0f
// Of the brakes, when it asks how slow it can be somewhere; and no slower than this. [1],
// [m²/s²]
#define BRAKES_USED 0.8f
#define SLOWEST 9.0f
// So much of what is free between two that are side by side each leaves alone.
#define FREE_SHARE 0.6f
// Where there is room for it the gap is larger by so much. [m]
#define SPARE 0.4f
// So near in length counts as side by side, and with so much more for speed. [m], [s]
#define BESIDE_GAP 0.8f
#define BESIDE_TIME 0.3f
#define BEHIND_GAP 3.0f
#define BEHIND_TIME 1.5f
#define COMES_TIME 1.2f
// The car is this far from its way: the way begins anew where it is. [m]
#define LOST 2.0f
// Differing by less the way is the line. [m]
#define SAME 0.03f
// Room is missing within this time: somebody must give way. [s]
#define SQUEEZED_TIME 1.5f

// Letting by it leaves so many gaps between the sides. [1]
#define YIELD_GAPS 2.4f
// It is laid so far. [s], [m]
#define REACH_TIME 4.0f
#define REACH_LEAST 60.0f

typedef struct way_plan {
    int32_t first, count;
    float spacing;
    float low[KERB_RACER_BINS], high[KERB_RACER_BINS];           // for the reference point [m]
    float rightmost[KERB_RACER_BINS], leftmost[KERB_RACER_BINS]; // between the edges alone [m]
    float must_low[KERB_RACER_BINS], must_high[KERB_RACER_BINS]; // without whom it passes [m]
    float base[KERB_RACER_BINS];
    float target[KERB_RACER_BINS], square[KERB_RACER_BINS]; // and of the speed there
    float offset[KERB_RACER_BINS];
    bool bound; // by anybody
} way_plan;

static void begin(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                  way_plan* plan) {
    plan->first = racer_bin_at(racer, frame->total);
    plan->spacing = racer->ahead.spacing;
    plan->count = 1 + (int32_t)(kerb_max(REACH_TIME * frame->pace, REACH_LEAST) / plan->spacing);
    if (plan->count > racer->ahead.end - plan->first)
        plan->count = racer->ahead.end - plan->first;
    plan->bound = false;
    float keep = racer->settings.margin + view->half_width;
    for (int32_t i = 0; i < plan->count; i++) {
        float left, right;
        racer_edges_at(racer, plan->first + i, &left, &right);
        float base = racer_lane_offset(racer, left, right);
        base = traffic_defended(racer, view, plan->first + i, base, left, right);
        if (racer->traffic.yields != 0) { // the line is the other's
            float aside = 2.0f * view->half_width + YIELD_GAPS * traffic_side_gap(racer);
            base = racer->traffic.yields > 0 ? kerb_min(aside, kerb_max(left - keep, 0.0f))
                                             : -kerb_min(aside, kerb_max(right - keep, 0.0f));
        }
        plan->base[i] = base;
        plan->low[i] = plan->rightmost[i] = kerb_min(keep - right, base);
        plan->high[i] = plan->leftmost[i] = kerb_max(left - keep, base);
    }
}

// --------------------------------------------------------------------------- room for others

// How much room another is given.
typedef enum room_kind {
    ROOM_BESIDE, // he is beside: his, and some of what is free between
    ROOM_COMES,  // he will be in a moment: it comes no nearer to his part of the track
    ROOM_BEHIND, // he comes from behind: not what the racer does not need for its line
    ROOM_AHEAD   // he is being passed
} room_kind;

// What the racer keeps to, to his left (side 1) or right, in some bins.
typedef struct room_bound {
    room_kind kind;
    float side, need, edge;
    traffic_lane lane;
    int32_t from, end;
} room_bound;

static room_bound bound_for(const kerb_racer* racer, const racer_frame* frame,
                            const traffic_view* view, const traffic_other* o, float side,
                            room_kind kind) {
    float gap = traffic_side_gap(racer), need = traffic_width(view, o) + gap + SPARE;
    if (kind == ROOM_BESIDE)
        need += FREE_SHARE * kerb_max(kerb_abs(view->offset - o->offset) - need, 0.0f);
    float edge = 2.0f * o->half_width + 0.5f * racer->settings.margin + gap + view->half_width;
    traffic_lane lane = traffic_lane_of(racer, frame, o, kind != ROOM_AHEAD);
    room_bound bound = {kind, side, need, edge, lane, 0, KERB_RACER_BINS};
    if (kind == ROOM_AHEAD) {
        float reach = view->half_length + o->half_length;
        if (!traffic_pulls_out(racer, frame, view, o))
            bound.from = (int32_t)(kerb_max(o->catch_at - reach, 0.0f) / racer->ahead.spacing);
        float end =
            o->clear < 1.0e5f ? o->clear_at : o->ahead + kerb_max(o->speed, 0.0f) * TRAFFIC_SPAN;
        bound.end = 1 + (int32_t)((end + reach) / racer->ahead.spacing);
    }
    return bound;
}

static float bound_at(const kerb_racer* racer, const traffic_view* view, const room_bound* bound,
                      const way_plan* plan, int32_t i) {
    float left, right;
    racer_edges_at(racer, plan->first + i, &left, &right);
    float his = traffic_lane_at(&bound->lane, left, right);
    float to = bound->side > 0.0f ? kerb_max(his + bound->need, bound->edge - right)
                                  : kerb_min(his - bound->need, left - bound->edge);
    if (bound->kind != ROOM_BEHIND && bound->kind != ROOM_COMES)
        return to;
    float own = view->offset;
    if (bound->kind == ROOM_BEHIND)
        own = bound->side > 0.0f ? kerb_min(plan->base[i], own) : kerb_max(plan->base[i], own);
    return bound->side > 0.0f ? kerb_min(to, own) : kerb_max(to, own);
}

static void leave_room(const kerb_racer* racer, const traffic_view* view, const room_bound* bound,
                       way_plan* plan) {
    for (int32_t i = bound->from; i < plan->count && i < bound->end; i++) {
        float to = bound_at(racer, view, bound, plan, i);
        if (bound->side > 0.0f)
            plan->low[i] = kerb_max(plan->low[i], to);
        else
            plan->high[i] = kerb_min(plan->high[i], to);
    }
    plan->bound = true;
}

// Is there room for it beside the others, in the next moments?
static bool has_room(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                     const room_bound* bound, const way_plan* plan) {
    int32_t last = bound->from + (int32_t)((SQUEEZED_TIME * frame->pace + 5.0f) / plan->spacing);
    for (int32_t i = bound->from; i < plan->count && i < last && i < bound->end; i++) {
        float to = bound_at(racer, view, bound, plan, i);
        float over = bound->side > 0.0f ? to - plan->high[i] : plan->low[i] - to;
        if (over > SPARE)
            return false;
    }
    return true;
}

// Overlapping in length, or nearly so and to the side.
static bool is_beside(const racer_frame* frame, const traffic_view* view, const traffic_other* o) {
    float closing = o->ahead < 0.0f ? o->speed - frame->along : frame->along - o->speed;
    float near = BESIDE_GAP + BESIDE_TIME * kerb_clamp(closing, 0.0f, 10.0f);
    float gap = traffic_gap(view, o);
    float room = kerb_abs(view->offset - o->offset) - traffic_width(view, o);
    return gap < 0.0f || (gap < near && room > -0.2f);
}

// Will he soon be beside it, coming from behind on another part of the track? In so many seconds.
static float comes_beside_in(const racer_frame* frame, const traffic_view* view,
                             const traffic_other* o) {
    float closing = kerb_max(o->speed - frame->along, 0.1f);
    float room = kerb_abs(view->offset - o->offset) - traffic_width(view, o);
    float gap = traffic_gap(view, o);
    if (o->ahead > 0.0f || room < -0.2f || (gap > BEHIND_GAP && gap > BEHIND_TIME * closing))
        return 1.0e6f;
    return gap / closing;
}

// Those beside it and behind; true: he is one of them.
static bool leave_beside(const kerb_racer* racer, const racer_frame* frame, traffic_view* view,
                         traffic_other* o, way_plan* plan) {
    float side = view->offset > o->offset ? 1.0f : -1.0f;
    room_kind kind = ROOM_BESIDE;
    if (!is_beside(frame, view, o)) {
        float time = comes_beside_in(frame, view, o);
        if (time > 1.0e5f) {
            if (o->ahead < 0.0f)
                o->side = 0;
            return o->ahead < 0.0f;
        }
        kind = time < COMES_TIME ? ROOM_COMES : ROOM_BEHIND;
    } else {
        o->side = side > 0.0f ? 1 : -1;
    }
    room_bound bound = bound_for(racer, frame, view, o, side, kind);
    leave_room(racer, view, &bound, plan);
    return true;
}

// First those who are there; whom to pass comes after them, and only where there is room.
static void leave_all_room(const kerb_racer* racer, const racer_frame* frame, traffic_view* view,
                           way_plan* plan) {
    bool ahead[TRAFFIC_MOST];
    for (int32_t i = 0; i < view->count; i++)
        ahead[i] = !leave_beside(racer, frame, view, &view->others[i], plan);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->must_low[i] = plan->low[i];
        plan->must_high[i] = plan->high[i];
    }
    for (int32_t i = 0; i < view->count; i++) {
        traffic_other* o = &view->others[i];
        if (!ahead[i] || o->side == 0)
            continue;
        room_bound bound = bound_for(racer, frame, view, o, (float)o->side, ROOM_AHEAD);
        if (has_room(racer, frame, view, &bound, plan))
            leave_room(racer, view, &bound, plan);
        else
            o->side = 0;
    }
}

// Where no room is left the middle of what is asked, but never beyond the edges; true when that is
// near.
static bool settle_conflicts(const kerb_racer* racer, const racer_frame* frame,
                             const traffic_view* view, way_plan* plan) {
    bool squeezed = false;
    float near = SQUEEZED_TIME * frame->pace + 5.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        if (plan->low[i] <= plan->high[i])
            continue;
        squeezed |= plan->spacing * (float)i < near && plan->low[i] > plan->high[i] + 0.5f * SPARE;
        float left, right, keep = racer->settings.margin + view->half_width;
        racer_edges_at(racer, plan->first + i, &left, &right);
        float middle = 0.5f * (plan->low[i] + plan->high[i]);
        middle = kerb_max(middle, kerb_min(keep - right, plan->base[i]));
        middle = kerb_min(middle, kerb_max(left - keep, plan->base[i]));
        plan->low[i] = plan->high[i] = middle;
    }
    return squeezed;
}

// --------------------------------------------------------------------------- drawing it

// The way goes on from where it is; when the bins were filled anew, from where it was a frame ago.
static void start_state(const kerb_racer* racer, const racer_frame* frame, float* offset,
                        float* slope) {
    racer_place here = racer_place_at(racer, frame->total);
    *offset = here.way;
    *slope = here.slope;
    if (racer->ahead.anew && racer->traffic.active) {
        *slope = racer->traffic.way_slope;
        *offset = racer->traffic.way_offset + *slope * frame->along * frame->time_step;
    }
    if (kerb_abs(frame->offset - *offset) > LOST) {
        *offset = frame->offset;
        *slope = kerb_clamp(kerb_sin(frame->course), -0.3f, 0.3f);
    }
}

// Speed² that may be driven there.
static float square_at(const kerb_racer* racer, const racer_frame* frame, int32_t bin, float on) {
    float now = frame->along * frame->along + 8.0f * on;
    return kerb_max(kerb_min(now, racer->ahead.free_squared[racer_slot_of(bin)]), 25.0f);
}

// What is asked in each bin, begun so early that a car can follow.
static void aim(const kerb_racer* racer, const racer_frame* frame, float error, way_plan* plan) {
    float h = plan->spacing, low = -1.0e6f, high = 1.0e6f, leftmost = 1.0e6f, rightmost = -1.0e6f;
    float fades = 1.0f / (ERROR_TIME * kerb_max(frame->pace, 5.0f));
    if (plan->count <= 0)
        return;
    for (int32_t i = plan->count - 1; i >= 0; i--) {
        // Beside its way now it will be so a while: what counts is where the car will be.
        float off = error * kerb_max(1.0f - fades * h * (float)i, 0.0f);
        plan->square[i] = square_at(racer, frame, plan->first + i, h * (float)i);
        float step = 0.8f * h * kerb_min(ASIDE_SPEED / kerb_sqrt(plan->square[i]), SLOPE_MOST);
        low = kerb_max(plan->low[i] - kerb_min(off, 0.0f), low - step);
        high = kerb_min(plan->high[i] - kerb_max(off, 0.0f), high + step);
        rightmost = kerb_max(plan->rightmost[i] - kerb_min(off, 0.0f), rightmost - step);
        leftmost = kerb_min(plan->leftmost[i] - kerb_max(off, 0.0f), leftmost + step);
        if (low > high)
            low = high = 0.5f * (low + high);
        // Whatever the others do, the track ends there.
        low = kerb_clamp(low, rightmost, kerb_max(leftmost, rightmost));
        high = kerb_clamp(high, rightmost, kerb_max(leftmost, rightmost));
        plan->rightmost[i] = rightmost;
        plan->leftmost[i] = leftmost;
        plan->low[i] = low;
        plan->high[i] = high;
        plan->target[i] = kerb_clamp(plan->base[i], low, high);
    }
}

// By how much what is asked changes per metre.
static float slope_of_target(const way_plan* plan, int32_t i) {
    int32_t before = i > 2 ? i - 2 : 0, after = i + 2 < plan->count ? i + 2 : plan->count - 1;
    float slope = plan->target[after] - plan->target[before];
    slope /= plan->spacing * (float)(after > before ? after - before : 1);
    return kerb_clamp(slope, -SLOPE_MOST, SLOPE_MOST);
}

// The tyres there, at the speed that braking from here leaves at least.
typedef struct way_tyres {
    float square;     // of that speed [m²/s²]
    float grip, bank; // what they hold aside, and what of it a bank takes [m/s²]
} way_tyres;

// In one bin; then it is braked on to the next one.
static void hold(const kerb_racer* racer, const racer_frame* frame, int32_t bin, float bend,
                 way_tyres* tyres) {
    const kerb_performance* p = &frame->limits;
    int32_t slot = racer_slot_of(bin);
    float u = tyres->square;
    float bent = racer->ahead.normal_curvature[slot] + p->downforce;
    float load = kerb_max(racer->ahead.up_normal[slot] + bent * u / KERB_GRAVITY, 0.1f);
    tyres->grip = p->lateral * racer->ahead.grip[slot] * load;
    tyres->bank = KERB_GRAVITY * racer->ahead.up_left[slot];
    float aside = kerb_clamp((bend * u + tyres->bank) / tyres->grip, -1.0f, 1.0f);
    float left = kerb_sqrt(1.0f - aside * aside);
    float slows = p->braking * racer->ahead.grip[slot] * load * left + p->drag * u;
    tyres->square = kerb_max(u - 2.0f * BRAKES_USED * slows * racer->ahead.spacing, SLOWEST);
}

// How sharply the way may turn against the line, to the right and to the left. [1/m]
typedef struct way_bends {
    float right, left;
} way_bends;

// All that the tyres have beside what the line takes.
static way_bends hardest(const way_tyres* tyres, float square, float beside) {
    return (way_bends){kerb_max((tyres->grip + tyres->bank) / square + beside, 0.0f),
                       kerb_max((tyres->grip - tyres->bank) / square - beside, 0.0f)};
}

// No steeper towards an edge than can be undone before it, with half of what the tyres have left.
static float away_from_edges(const way_plan* plan, const way_bends* hard, int32_t i, float slope) {
    int32_t after = i + 3 < plan->count ? i + 3 : plan->count - 1;
    float run = plan->spacing * (float)(after > i ? after - i : 1);
    float right = kerb_max(plan->offset[i] - plan->rightmost[i], 0.0f);
    float left = kerb_max(plan->leftmost[i] - plan->offset[i], 0.0f);
    float least =
        (plan->rightmost[after] - plan->rightmost[i]) / run - kerb_sqrt(hard->left * right);
    float most = (plan->leftmost[after] - plan->leftmost[i]) / run + kerb_sqrt(hard->right * left);
    // Beside the line at the same distance it goes as the line does, if the edges leave that room.
    if (plan->offset[i] >= plan->rightmost[after] && plan->offset[i] <= plan->leftmost[after]) {
        least = kerb_min(least, 0.0f);
        most = kerb_max(most, 0.0f);
    }
    return least < most ? kerb_clamp(slope, least, most) : 0.5f * (least + most);
}

// It may bend as the track does against the line, but sharper than the line only as far as that
// leaves grip: else it would have to be slower there than on the line. Where somebody is in the way
// already that does not matter.
static way_bends bends_at(float comfort, float line, float use, bool urgent) {
    float most = comfort + kerb_abs(line);
    float sharper = urgent ? most : comfort * kerb_max(1.0f - use, 0.0f);
    return line > 0.0f ? (way_bends){most, sharper} : (way_bends){sharper, most};
}

// Draws the way; returns how far it misses what it must keep to, at most.
static float draw(const kerb_racer* racer, const racer_frame* frame, float offset, float slope,
                  float grip, bool urgent, way_plan* plan) {
    float h = plan->spacing, missed = 0.0f;
    way_tyres tyres = {.square = kerb_max(frame->along * frame->along, SLOWEST)};
    for (int32_t i = 0; i < plan->count; i++) {
        plan->offset[i] = offset;
        missed =
            kerb_max(missed, kerb_max(plan->must_low[i] - offset, offset - plan->must_high[i]));
        bool back = offset > plan->low[i] - SAME && offset < plan->high[i] + SAME &&
                    plan->target[i] == plan->base[i];
        // Held up it may want to be slower there than it can be by then: that counts.
        float square = kerb_max(plan->square[i], tyres.square);
        float speed = kerb_sqrt(square), off = plan->target[i] - offset;
        float steep = kerb_min((back ? BACK_SPEED : ASIDE_SPEED) / speed, SLOPE_MOST);
        float bend = kerb_min((back ? 0.6f : 1.0f) * grip / square, BEND_MOST);
        float closing = kerb_min(steep, kerb_sqrt(1.4f * bend * kerb_abs(off)));
        closing = kerb_min(closing, kerb_abs(off) / (2.0f * h));
        float wanted = (off > 0.0f ? closing : -closing) + slope_of_target(plan, i);
        float line = racer_bend_in(racer, plan->first + i);
        float beside = line / kerb_clamp(1.0f - line * offset, 0.3f, 3.0f);
        hold(racer, frame, plan->first + i, beside, &tyres);
        way_bends hard = hardest(&tyres, square, beside);
        float inside = away_from_edges(plan, &hard, i, wanted);
        way_bends bends = bends_at(bend, line, kerb_abs(beside) * square / tyres.grip, urgent);
        if (inside != wanted) // comfort does not matter there
            bends = (way_bends){kerb_max(hard.right, EDGE_BEND), kerb_max(hard.left, EDGE_BEND)};
        wanted = kerb_clamp(inside, -SLOPE_MOST, SLOPE_MOST);
        slope += kerb_clamp(wanted - slope, -bends.right * h, bends.left * h);
        offset += slope * h;
    }
    return missed;
}

static bool is_the_line(const way_plan* plan) {
    for (int32_t i = 0; i < plan->count; i++)
        if (kerb_abs(plan->offset[i] - plan->base[i]) > SAME)
            return false;
    return true;
}

// Nobody to leave room for, and it is on its line: nothing to lay.
static bool is_free(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    if (racer->traffic.active || racer->traffic.yields != 0 || racer->traffic.defends != 0 ||
        racer->ahead.anew)
        return false;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (o->side != 0 || is_beside(frame, view, o) || comes_beside_in(frame, view, o) < 1.0e5f)
            return false;
    }
    return true;
}

void traffic_lay_way(kerb_racer* racer, racer_frame* frame, traffic_view* view) {
    if (is_free(racer, frame, view)) {
        racer->traffic.squeezed = false;
        return;
    }
    way_plan plan;
    begin(racer, frame, view, &plan);
    leave_all_room(racer, frame, view, &plan);
    plan.bound |= racer->traffic.yields != 0 || racer->traffic.defends != 0;
    racer->traffic.squeezed = settle_conflicts(racer, frame, view, &plan);
    float offset, slope, grip = ASIDE_GRIP * frame->grip_aside;
    start_state(racer, frame, &offset, &slope);
    float error = kerb_clamp(view->offset - offset, -ERROR_MOST, ERROR_MOST);
    // From the bin at or before the car.
    float into = (float)(frame->total - (double)plan.first * (double)plan.spacing);
    offset -= slope * into;
    aim(racer, frame, error, &plan);
    float missed = draw(racer, frame, offset, slope, grip, false, &plan);
    if (missed > 0.3f)
        draw(racer, frame, offset, slope, URGENT * grip, true, &plan);
    bool line = !plan.bound && is_the_line(&plan);
    bool was = racer->traffic.active;
    racer->traffic.active = !line;
    if (line && !was)
        return;
    racer_take_way(racer, plan.first, plan.count, plan.offset);
}
