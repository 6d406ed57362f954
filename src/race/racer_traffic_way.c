// Purpose: a way beside the line that leaves others their room.
// Idea:    For places of the way ahead, from where to where the car's middle may be: between the
//          edges, and clear of who is beside it or is being passed, never squeezing him to less
//          than his width and a margin. The line, or the lane that the host wants, is clamped to
//          that; then it is drawn as a car can drive it: sideways no faster, and turning no
//          harder, than some of the grip allows, and begun early enough. Who is beside is taken to
//          keep his share of the track's width, also through bends, as both will do.
// Cost:    3 µs, some times a second.
// Source:  Vamos 6, lane shift.
#include "racer_traffic.h"

#include "../base/assertion.h"

// Moving aside, and coming back to the line. [m/s], [1] of the grip
#define ASIDE_SPEED 2.6f
#define BACK_SPEED 1.4f
#define ASIDE_GRIP 0.2f
#define URGENT 2.2f
// A car does not move aside without rolling. [1], [1/m]
#define SLOPE_MOST 0.25f
#define BEND_MOST 0.03f
// Near an edge it turns as sharply as its tyres allow, and up to so if it can be slow enough for
// that by then. [1/m]
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
// With somebody beside it a new way begins between where the last one was and where the car is, by
// so much from there: a car never comes up with a way that always goes on ahead of it, and that
// turns back there as the car would have to if it were on it. [1]
#define FROM_CAR 0.5f
// The car is so far from its way: it is not kept, and here it begins anew where the car is. [m]
#define STRAYED 0.3f
#define LOST 2.0f
// Differing by less the way is the line. [m]
#define SAME 0.03f
// Missing what it must keep to by more the way is laid with haste. [m]
#define MISS_MOST 0.3f
// Where all is narrow it still keeps so much of its margin to the edge. [1]
#define MARGIN_LEFT 0.25f
// Room is missing within this time: somebody must give way. [s]
#define SQUEEZED_TIME 1.5f

// The track's bend is told over so many places on either side: its edges are rough.
#define TRACK_SPAN 3

// Letting by it leaves so many gaps between the sides. [1]
#define YIELD_GAPS 2.4f
// It is laid so far. [s], [m]
#define REACH_TIME 4.0f
#define REACH_LEAST 60.0f

// Aside of another whom it cannot yet be behind it plans to stay for so long. [s]
#define STAY_TIME 1.5f

#define STRIDE RACER_STRIDE
#define PLACES (KERB_RACER_BINS / STRIDE + 1)

typedef struct way_plan {
    int32_t first, count; // the bin of the first place; places
    float spacing;
    float low[PLACES], high[PLACES];             // for the reference point [m]
    float rightmost[PLACES], leftmost[PLACES];   // between the edges alone [m]
    float edge_right[PLACES], edge_left[PLACES]; // and begun no earlier than the edges are [m]
    float near_right[PLACES], near_left[PLACES]; // nearest of these where they are looked at [m]
    float must_low[PLACES], must_high[PLACES];   // without whom it passes [m]
    float base[PLACES];
    float target[PLACES], slope[PLACES]; // and by which it changes per metre
    float square[PLACES];                // of the speed there, at first of the free one
    // Of the track's middle against the line, as far as a car can go with it: how far it leads to
    // the left until the next place, and how it bends.
    float track_aside[PLACES], track_bend[PLACES];
    float offset[PLACES];
    float left[PLACES], right[PLACES]; // from the line to the edges [m]
    bool bound, beside;                // by anybody, by who is beside it
} way_plan;

// What the tyres hold in each bin, and what of it a bank takes.
typedef struct way_ground {
    float line[PLACES];               // curvature of the line [1/m]
    float beside[PLACES];             // and of a way that goes on beside it as the last one did
    float per_lateral[PLACES];        // 1 / what the tyres hold aside by the load
    float load[PLACES], gain[PLACES]; // by weight, and more by speed²
    float grip[PLACES], bank[PLACES]; // aside, by the load [m/s²]
    float brakes[PLACES];             // by which speed² falls by the load until the next [m²/s²]
    float drag;                       // and by itself [1]
} way_ground;

// Of the ring, the places of the plan in rows: loops over those are quicker.
static void unroll(const kerb_racer* racer, way_plan* plan, way_ground* ground) {
    int32_t slot = racer_slot_of(plan->first);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->left[i] = racer->ahead.left[slot];
        plan->right[i] = racer->ahead.right[slot];
        plan->square[i] = racer->ahead.free_squared[slot];
        plan->offset[i] = racer->ahead.offset[slot];
        ground->line[i] = racer->ahead.line_curvature[slot];
        ground->load[i] = racer->ahead.up_normal[slot];
        ground->gain[i] = racer->ahead.normal_curvature[slot];
        ground->grip[i] = racer->ahead.grip[slot];
        ground->bank[i] = racer->ahead.up_left[slot];
        slot = (slot + STRIDE) % KERB_RACER_BINS;
    }
}

// Where an edge comes nearer in between two places it does at both of them.
static void see_between(const kerb_racer* racer, way_plan* plan) {
    int32_t slot = racer_slot_of(plan->first);
    float over_right = 0.0f, over_left = 0.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        float right = 0.0f, left = 0.0f;
        for (int32_t on = 1; on < STRIDE && i + 1 < plan->count; on++) {
            int32_t k = (slot + on) % KERB_RACER_BINS;
            float t = (float)on / (float)STRIDE, u = 1.0f - t;
            right = kerb_max(right,
                             u * plan->right[i] + t * plan->right[i + 1] - racer->ahead.right[k]);
            left = kerb_max(left, u * plan->left[i] + t * plan->left[i + 1] - racer->ahead.left[k]);
        }
        plan->rightmost[i] += kerb_max(right, over_right);
        plan->leftmost[i] -= kerb_max(left, over_left);
        over_right = right;
        over_left = left;
        slot = (slot + STRIDE) % KERB_RACER_BINS;
    }
}

// Where it would drive if nobody had to be left room.
static void lay_base(const kerb_racer* racer, const traffic_view* view, way_plan* plan) {
    float keep = racer->settings.margin + view->half_width;
    if (racer->traffic.yields != 0) { // the line is the other's
        float aside = 2.0f * view->half_width + YIELD_GAPS * traffic_side_gap(racer);
        float side = racer->traffic.yields > 0 ? 1.0f : -1.0f;
        const float* room = racer->traffic.yields > 0 ? plan->left : plan->right;
        for (int32_t i = 0; i < plan->count; i++)
            plan->base[i] = side * kerb_min(aside, kerb_max(room[i] - keep, 0.0f));
        return;
    }
    for (int32_t i = 0; i < plan->count; i++)
        plan->base[i] = 0.0f;
    for (int32_t i = 0; racer->memory.lane != 0.0f && i < plan->count; i++)
        plan->base[i] = racer_lane_offset(racer, plan->left[i], plan->right[i]);
    for (int32_t i = 0; racer->traffic.defends != 0 && i < plan->count; i++)
        plan->base[i] = traffic_defended(racer, view, plan->first + STRIDE * i, plan->base[i],
                                         plan->left[i], plan->right[i]);
}

static void begin(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                  way_plan* plan, way_ground* ground) {
    plan->first = racer_bin_at(racer, frame->total);
    plan->spacing = (float)STRIDE * racer->ahead.spacing;
    plan->count = 1 + (int32_t)(kerb_max(REACH_TIME * frame->pace, REACH_LEAST) / plan->spacing);
    int32_t most = (racer->ahead.end - plan->first + STRIDE - 1) / STRIDE;
    plan->count = plan->count < most ? plan->count : most;
    plan->bound = plan->beside = false;
    unroll(racer, plan, ground);
    lay_base(racer, view, plan);
    float keep = racer->settings.margin + view->half_width;
    for (int32_t i = 0; i < plan->count; i++) {
        plan->rightmost[i] = keep - plan->right[i];
        plan->leftmost[i] = plan->left[i] - keep;
    }
    see_between(racer, plan);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->low[i] = plan->rightmost[i] = kerb_min(plan->rightmost[i], plan->base[i]);
        plan->high[i] = plan->leftmost[i] = kerb_max(plan->leftmost[i], plan->base[i]);
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
    room_bound bound = {kind, side, need, edge, lane, 0, PLACES};
    float spacing = (float)STRIDE * racer->ahead.spacing;
    if (kind == ROOM_AHEAD) {
        float reach = view->half_length + o->half_length;
        if (!traffic_pulls_out(racer, frame, view, o))
            bound.from = (int32_t)(kerb_max(o->catch_at - reach, 0.0f) / spacing);
        float end =
            o->clear < 1.0e5f ? o->clear_at : o->ahead + kerb_max(o->speed, 0.0f) * TRAFFIC_SPAN;
        bound.end = 1 + (int32_t)((end + reach) / spacing);
    }
    return bound;
}

// His middle in the bins that matter.
static void lay_his_lane(const room_bound* bound, const way_plan* plan, int32_t end, float* his) {
    const traffic_lane* lane = &bound->lane;
    if (lane->keeps_share) {
        for (int32_t i = bound->from; i < end; i++)
            his[i] = lane->share * (plan->left[i] + plan->right[i]) - plan->right[i];
        return;
    }
    const float* room = lane->offset > 0.0f ? plan->left : plan->right;
    for (int32_t i = bound->from; i < end; i++)
        his[i] = lane->offset * kerb_clamp(room[i] / lane->room, 0.0f, 1.0f);
}

// What the racer keeps to from `bound->from` on; returns where that ends. One loop for each side:
// these are what most of the time goes into.
static int32_t lay_bound(const traffic_view* view, const room_bound* bound, const way_plan* plan,
                         float* to) {
    int32_t end = plan->count < bound->end ? plan->count : bound->end;
    float need = bound->need, edge = bound->edge, own = view->offset;
    bool not_beyond = bound->kind == ROOM_BEHIND || bound->kind == ROOM_COMES;
    bool base_counts = bound->kind == ROOM_BEHIND;
    lay_his_lane(bound, plan, end, to);
    if (bound->side > 0.0f) {
        for (int32_t i = bound->from; i < end; i++)
            to[i] = kerb_max(to[i] + need, edge - plan->right[i]);
        for (int32_t i = bound->from; not_beyond && i < end; i++)
            to[i] = kerb_min(to[i], base_counts ? kerb_min(plan->base[i], own) : own);
    } else {
        for (int32_t i = bound->from; i < end; i++)
            to[i] = kerb_min(to[i] - need, plan->left[i] - edge);
        for (int32_t i = bound->from; not_beyond && i < end; i++)
            to[i] = kerb_max(to[i], base_counts ? kerb_max(plan->base[i], own) : own);
    }
    return end;
}

static void leave_room(const room_bound* bound, const float* to, int32_t end, way_plan* plan) {
    if (bound->side > 0.0f) {
        for (int32_t i = bound->from; i < end; i++)
            plan->low[i] = kerb_max(plan->low[i], to[i]);
    } else {
        for (int32_t i = bound->from; i < end; i++)
            plan->high[i] = kerb_min(plan->high[i], to[i]);
    }
    plan->bound = true;
}

// Is there room for it beside the others, in the next moments?
static bool has_room(const racer_frame* frame, const room_bound* bound, const float* to,
                     int32_t end, const way_plan* plan) {
    int32_t last = bound->from + (int32_t)((SQUEEZED_TIME * frame->pace + 5.0f) / plan->spacing);
    last = last < end ? last : end;
    float over = 0.0f;
    for (int32_t i = bound->from; i < last; i++)
        over = kerb_max(bound->side > 0.0f ? to[i] - plan->high[i] : plan->low[i] - to[i], over);
    return over <= SPARE;
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
        plan->beside = true;
        o->side = side > 0.0f ? 1 : -1;
    }
    room_bound bound = bound_for(racer, frame, view, o, side, kind);
    float to[PLACES];
    leave_room(&bound, to, lay_bound(view, &bound, plan, to), plan);
    return true;
}

// It does not move over behind him.
static void stay_aside(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                       const traffic_other* o, way_plan* plan) {
    float side = view->offset > o->offset ? 1.0f : -1.0f, to[PLACES] = {0};
    room_bound bound = bound_for(racer, frame, view, o, side, ROOM_COMES);
    bound.end = 1 + (int32_t)(STAY_TIME * frame->pace / plan->spacing);
    int32_t end = lay_bound(view, &bound, plan, to);
    if (has_room(frame, &bound, to, end, plan))
        leave_room(&bound, to, end, plan);
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
        if (ahead[i] && o->side == 0 && traffic_stays_aside(racer, frame, view, o))
            stay_aside(racer, frame, view, o, plan);
        if (!ahead[i] || o->side == 0)
            continue;
        room_bound bound = bound_for(racer, frame, view, o, (float)o->side, ROOM_AHEAD);
        float to[PLACES];
        int32_t end = lay_bound(view, &bound, plan, to);
        if (has_room(frame, &bound, to, end, plan))
            leave_room(&bound, to, end, plan);
        else
            o->side = 0;
    }
}

// Where no room is left the middle of what is asked, but never beyond the edges; true when that is
// near.
static bool settle_conflicts(const kerb_racer* racer, const racer_frame* frame,
                             const traffic_view* view, way_plan* plan) {
    float margin = (1.0f - MARGIN_LEFT) * racer->settings.margin;
    bool squeezed = false;
    float near = SQUEEZED_TIME * frame->pace + 5.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        if (plan->low[i] <= plan->high[i])
            continue;
        squeezed |= plan->spacing * (float)i < near && plan->low[i] > plan->high[i] + 0.5f * SPARE;
        // Who is nearer to an edge than its margin stays there: it has nobody on that side.
        float right = plan->rightmost[i] - margin, left = plan->leftmost[i] + margin;
        right = kerb_max(kerb_min(plan->rightmost[i], view->offset), right);
        left = kerb_min(kerb_max(plan->leftmost[i], view->offset), left);
        float middle = 0.5f * (plan->low[i] + plan->high[i]);
        middle = kerb_min(kerb_max(middle, right), kerb_max(left, right));
        plan->rightmost[i] = kerb_min(plan->rightmost[i], middle);
        plan->leftmost[i] = kerb_max(plan->leftmost[i], middle);
        plan->low[i] = plan->high[i] = middle;
    }
    return squeezed;
}

// --------------------------------------------------------------------------- drawing it

typedef struct way_state {
    float offset, slope; // from the line, and by which it changes per metre
} way_state;

// The way goes on from where it is, or, when the bins were filled anew, from where it was a frame
// ago; and from where the car is.
static way_state start_state(const kerb_racer* racer, const racer_frame* frame, bool beside) {
    racer_place here = racer_place_of(racer, frame->spot);
    way_state state = {here.way, here.slope};
    if (racer->ahead.anew && racer->traffic.active) {
        state.slope = racer->traffic.way_slope;
        state.offset = racer->traffic.way_offset + state.slope * frame->along * frame->time_step;
    }
    float strayed = frame->offset - state.offset;
    float share = kerb_abs(strayed) > LOST ? 1.0f : beside ? FROM_CAR : 0.0f;
    state.offset += share * strayed;
    state.slope += share * (kerb_clamp(kerb_sin(frame->course), -0.3f, 0.3f) - state.slope);
    return state;
}

// Speed² that may be driven there.
static void lay_squares(const racer_frame* frame, way_plan* plan) {
    float now = frame->along * frame->along, h = plan->spacing;
    for (int32_t i = 0; i < plan->count; i++)
        plan->square[i] = kerb_max(kerb_min(now + 8.0f * (h * (float)i), plan->square[i]), 25.0f);
}

// By how much what is asked changes per metre.
static void lay_slopes(way_plan* plan) {
    int32_t count = plan->count;
    for (int32_t i = 2; i + 2 < count; i++)
        plan->slope[i] = (plan->target[i + 2] - plan->target[i - 2]) / (plan->spacing * 4.0f);
    for (int32_t i = 0; i < count; i = i == 1 && count > 4 ? count - 2 : i + 1) {
        int32_t before = i > 2 ? i - 2 : 0, after = i + 2 < count ? i + 2 : count - 1;
        float run = plan->spacing * (float)(after > before ? after - before : 1);
        plan->slope[i] = (plan->target[after] - plan->target[before]) / run;
    }
    for (int32_t i = 0; i < count; i++)
        plan->slope[i] = kerb_clamp(plan->slope[i], -SLOPE_MOST, SLOPE_MOST);
}

// Where the line leads across the track, who keeps his part of it beside another moves aside
// against the line, and turns less than the line does: that is nothing to begin early, or to save
// grip with. Where the track is the sharper it costs grip, and counts for less.
static void lay_track(const racer_frame* frame, const float* line, way_plan* plan) {
    float middle[PLACES], span = plan->spacing * (float)TRACK_SPAN;
    float per_square = 1.0f / (span * span);
    float per_comfort = 1.0f / kerb_max(ASIDE_GRIP * frame->grip_aside, 0.01f);
    int32_t last = plan->count - 1 - TRACK_SPAN;
    for (int32_t i = 0; i < plan->count; i++)
        plan->track_aside[i] = plan->track_bend[i] = 0.0f;
    if (!plan->beside || last < TRACK_SPAN)
        return;
    for (int32_t i = 0; i < plan->count; i++)
        middle[i] = 0.5f * (plan->left[i] - plan->right[i]);
    for (int32_t i = 0; i + 1 < plan->count; i++) {
        int32_t m = i < TRACK_SPAN ? TRACK_SPAN : i < last ? i : last;
        float around = middle[m - TRACK_SPAN] + middle[m + TRACK_SPAN];
        float bend = (around - 2.0f * middle[m]) * per_square;
        float sharper = kerb_abs(line[i] + bend) - kerb_abs(line[i]);
        float share = kerb_clamp(1.0f - sharper * plan->square[i] * per_comfort, 0.0f, 1.0f);
        plan->track_aside[i] = share * (middle[i + 1] - middle[i]);
        plan->track_bend[i] = share * bend;
    }
}

// What is asked in each bin, begun so early that a car can follow.
static void aim(const racer_frame* frame, const float* line, float error, way_plan* plan) {
    float h = plan->spacing, low = -1.0e6f, high = 1.0e6f, leftmost = 1.0e6f, rightmost = -1.0e6f;
    float fades = 1.0f / (ERROR_TIME * kerb_max(frame->pace, 5.0f)), step[PLACES];
    KERB_ASSERT(plan->count > 0 && plan->count <= PLACES);
    KERB_WRITTEN(step);
    lay_squares(frame, plan);
    lay_track(frame, line, plan);
    for (int32_t i = 0; i < plan->count; i++) {
        // Beside its way now it will be so a while: what counts is where the car will be.
        float off = error * kerb_max(1.0f - fades * h * (float)i, 0.0f);
        float right = kerb_max(off, 0.0f), left = kerb_min(off, 0.0f);
        step[i] = 0.8f * h * kerb_min(ASIDE_SPEED / kerb_sqrt(plan->square[i]), SLOPE_MOST);
        plan->low[i] -= left;
        plan->high[i] -= right;
        plan->rightmost[i] -= left;
        plan->leftmost[i] -= right;
        plan->edge_right[i] = plan->rightmost[i];
        plan->edge_left[i] = plan->leftmost[i];
    }
    for (int32_t i = plan->count - 1; i >= 0; i--) {
        low = kerb_max(plan->low[i], low - plan->track_aside[i] - step[i]);
        high = kerb_min(plan->high[i], high - plan->track_aside[i] + step[i]);
        rightmost = kerb_max(plan->rightmost[i], rightmost - step[i]);
        leftmost = kerb_min(plan->leftmost[i], leftmost + step[i]);
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
    lay_slopes(plan);
}

static void lay_ground(const racer_frame* frame, const way_plan* plan, way_ground* ground) {
    const kerb_performance* p = &frame->limits;
    float h = plan->spacing;
    for (int32_t i = 0; i < plan->count; i++) {
        ground->gain[i] = (ground->gain[i] + p->downforce) * (1.0f / KERB_GRAVITY);
        ground->brakes[i] = 2.0f * BRAKES_USED * h * p->braking * ground->grip[i];
        ground->grip[i] = kerb_max(ground->grip[i] * p->lateral, 0.01f);
        ground->per_lateral[i] = 1.0f / ground->grip[i];
        ground->bank[i] *= KERB_GRAVITY;
        // By where the way before went: by where this one goes every place would wait for the one
        // before it, and no car is far from its last way.
        float offset = kerb_clamp(plan->offset[i], plan->low[i], plan->high[i]);
        ground->beside[i] = racer_bend_beside(ground->line[i], offset, 0.0f);
    }
    ground->drag = 2.0f * BRAKES_USED * h * p->drag;
}

// The tyres in one bin, at the speed that braking from here leaves at least.
typedef struct way_tyres {
    float square;     // of that speed [m²/s²]
    float grip, bank; // what they hold aside, and what of it a bank takes [m/s²]
    float per_grip;   // 1 / grip
} way_tyres;

// In one bin; then it is braked on to the next one.
static void hold(const way_ground* ground, int32_t i, float bend, way_tyres* tyres) {
    float u = tyres->square, load = kerb_max(ground->load[i] + ground->gain[i] * u, 0.1f);
    tyres->grip = ground->grip[i] * load;
    tyres->bank = ground->bank[i];
    tyres->per_grip = 1.0f / tyres->grip;
    // The ellipse times the load: no step of the braking waits for a quotient.
    float aside = (bend * u + tyres->bank) * ground->per_lateral[i];
    float slows = ground->brakes[i] * kerb_sqrt(load * load - aside * aside);
    tyres->square = kerb_max(u - ground->drag * u - slows, SLOWEST);
}

// How sharply the way may turn against the line, to the right and to the left. [1/m]
typedef struct way_bends {
    float right, left;
} way_bends;

// All that the tyres have beside what the line takes.
static way_bends hardest(const way_tyres* tyres, float per_square, float beside) {
    return (way_bends){kerb_max((tyres->grip + tyres->bank) * per_square + beside, 0.0f),
                       kerb_max((tyres->grip - tyres->bank) * per_square - beside, 0.0f)};
}

// From a place the edges are looked at in some places, near and far: so many on.
#define EDGE_LOOKS 6
#define EDGE_FARTHEST 13
static const int32_t PLACES_ON[EDGE_LOOKS] = {1, 2, 3, 5, 8, EDGE_FARTHEST};

static void lay_near_edges(way_plan* plan) {
    for (int32_t i = 0; i < plan->count; i++) {
        plan->near_right[i] = -1.0e6f;
        plan->near_left[i] = 1.0e6f;
    }
    for (int32_t j = 0; j < EDGE_LOOKS; j++) {
        int32_t on = PLACES_ON[j];
        for (int32_t i = 0; i + on < plan->count; i++) {
            plan->near_right[i] = kerb_max(plan->near_right[i], plan->edge_right[i + on]);
            plan->near_left[i] = kerb_min(plan->near_left[i], plan->edge_left[i + on]);
        }
    }
}

// Would it come to no edge where these are looked at, even if nothing could be undone? If so it
// need not be told how steep it may be: and so it is at most places.
static bool is_clear(const way_plan* plan, int32_t i, float per_farthest, float slope) {
    float right = plan->near_right[i] - plan->offset[i];
    float left = plan->near_left[i] - plan->offset[i];
    return (right <= 0.0f) & (left >= 0.0f) & (right * per_farthest <= slope) &
           (left * per_farthest >= slope);
}

// No steeper towards an edge than can be undone before it, and before where it comes nearer
// farther on, with half of what the tyres have left.
static float away_from_edges(const way_plan* plan, const way_bends* hard, int32_t i, float slope) {
    int32_t last = plan->count - 1 - i;
    float offset = plan->offset[i], h = plan->spacing, least = -1.0e6f, most = 1.0e6f;
    for (int32_t j = 0; j < EDGE_LOOKS && PLACES_ON[j] <= last; j++) {
        int32_t on = PLACES_ON[j];
        float per_way = 1.0f / (h * (float)on), undone = 0.25f * h * (float)(on - 1);
        least =
            kerb_max(least, (plan->edge_right[i + on] - offset) * per_way - undone * hard->left);
        most = kerb_min(most, (plan->edge_left[i + on] - offset) * per_way + undone * hard->right);
    }
    return least < most ? kerb_clamp(slope, least, most) : 0.5f * (least + most);
}

// It may bend as the track does against the line, but sharper than the line only as far as that
// leaves grip: else it would have to be slower there than on the line. Where somebody is in the way
// already that does not matter.
static way_bends bends_at(float comfort, float line, float track, float use, bool urgent) {
    float most = comfort + kerb_abs(line);
    float sharper = urgent ? most : comfort * kerb_max(1.0f - use, 0.0f);
    way_bends bends = line > 0.0f ? (way_bends){most, sharper} : (way_bends){sharper, most};
    bends.right = kerb_max(bends.right, comfort - track);
    bends.left = kerb_max(bends.left, comfort + track);
    return bends;
}

// The slope that the edges allow; where they matter comfort does not, nor speed.
static float hold_off_edges(const way_plan* plan, const way_tyres* tyres, int32_t i, float wanted,
                            float per_square, float slowest, float beside, way_bends* bends) {
    way_bends hard = hardest(tyres, per_square, beside);
    float inside = away_from_edges(plan, &hard, i, wanted);
    if (inside == wanted)
        return wanted;
    way_bends sharp = hardest(tyres, slowest, beside);
    bends->right = kerb_max(kerb_max(hard.right, bends->right), kerb_min(sharp.right, EDGE_BEND));
    bends->left = kerb_max(kerb_max(hard.left, bends->left), kerb_min(sharp.left, EDGE_BEND));
    return inside;
}

// Draws the way; false when it misses what it must keep to by more than `miss_most`, and then it is
// not drawn to its end.
static bool draw(const way_ground* ground, const racer_frame* frame, way_state state, float grip,
                 bool urgent, float miss_most, way_plan* plan) {
    float h = plan->spacing, per_two = 0.5f / h, offset = state.offset, slope = state.slope;
    float per_farthest = 1.0f / (h * (float)EDGE_FARTHEST);
    // Read, not chosen: whether it is back nobody can foretell, and a jump guessed wrong costs
    // more.
    const float aside_speed[2] = {ASIDE_SPEED, BACK_SPEED}, aside_grip[2] = {grip, 0.6f * grip};
    way_tyres tyres = {.square = kerb_max(frame->along * frame->along, SLOWEST)};
    for (int32_t i = 0; i < plan->count; i++) {
        plan->offset[i] = offset;
        if (kerb_max(plan->must_low[i] - offset, offset - plan->must_high[i]) > miss_most)
            return false;
        bool back = (offset > plan->low[i] - SAME) & (offset < plan->high[i] + SAME) &
                    (plan->target[i] == plan->base[i]);
        // Held up it may want to be slower there than it can be by then: that counts.
        float square = kerb_max(plan->square[i], tyres.square), per_square = 1.0f / square;
        float off = plan->target[i] - offset, size = kerb_abs(off);
        float steep = aside_speed[back] * kerb_sqrt(per_square);
        float bend = kerb_min(aside_grip[back] * per_square, BEND_MOST);
        float closing = kerb_min(kerb_min(steep, SLOPE_MOST), size * per_two);
        float room = 1.4f * bend * size;
        if (room < closing * closing) // else a place would wait for a root that does not count
            closing = kerb_sqrt(room);
        float wanted = (off > 0.0f ? closing : -closing) + plan->slope[i];
        float line = ground->line[i], beside = ground->beside[i];
        float slowest = 1.0f / tyres.square;
        hold(ground, i, beside, &tyres);
        float use = kerb_abs(beside) * square * tyres.per_grip;
        way_bends bends = bends_at(bend, line, plan->track_bend[i], use, urgent);
        if (!is_clear(plan, i, per_farthest, wanted))
            wanted = hold_off_edges(plan, &tyres, i, wanted, per_square, slowest, beside, &bends);
        wanted = kerb_clamp(wanted, -SLOPE_MOST, SLOPE_MOST);
        slope += kerb_clamp(wanted - slope, -bends.right * h, bends.left * h);
        offset += slope * h;
    }
    return true;
}

// Places until it is back on its line, one of them on it.
static int32_t until_the_line(const way_plan* plan) {
    int32_t count = plan->count;
    while (count > 0 && kerb_abs(plan->offset[count - 1] - plan->base[count - 1]) <= SAME)
        count--;
    return count < plan->count ? count + 1 : count;
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

// On a way that it laid in the thought before this, with nobody beside it and the same ones to pass
// on the same sides: that way is still good.
static bool is_good(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    if (!racer->traffic.active || racer->traffic.kept || racer->traffic.squeezed ||
        racer->traffic.yields != 0 || racer->traffic.defends != 0 || racer->ahead.anew ||
        kerb_abs(frame->offset - racer_place_of(racer, frame->spot).way) > STRAYED)
        return false;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        int32_t side = o->known >= 0 ? racer->traffic.known[o->known].side : 0;
        if (o->side != side || (o->side != 0 && o->ahead < 0.0f) || is_beside(frame, view, o) ||
            comes_beside_in(frame, view, o) < 1.0e5f)
            return false;
    }
    return true;
}

void traffic_lay_way(kerb_racer* racer, racer_frame* frame, traffic_view* view) {
    if (is_free(racer, frame, view)) {
        racer->traffic.squeezed = false;
        return;
    }
    racer->traffic.kept = is_good(racer, frame, view);
    if (racer->traffic.kept)
        return;
    way_plan plan;
    way_ground ground;
    KERB_WRITTEN(plan);
    KERB_WRITTEN(ground);
    begin(racer, frame, view, &plan, &ground);
    leave_all_room(racer, frame, view, &plan);
    plan.bound |= racer->traffic.yields != 0 || racer->traffic.defends != 0;
    racer->traffic.squeezed = settle_conflicts(racer, frame, view, &plan);
    float grip = ASIDE_GRIP * frame->grip_aside;
    way_state state = start_state(racer, frame, plan.beside);
    float error = kerb_clamp(view->offset - state.offset, -ERROR_MOST, ERROR_MOST);
    // Nobody to keep clear of, and its way is the line: it steers back to that as if it were alone.
    if (!plan.bound && kerb_abs(state.offset - plan.base[0]) <= SAME)
        error = 0.0f;
    // From the bin at or before the car.
    float into = (float)(frame->total - (double)plan.first * (double)racer->ahead.spacing);
    state.offset -= state.slope * into;
    aim(frame, ground.line, error, &plan);
    lay_near_edges(&plan);
    lay_ground(frame, &plan, &ground);
    if (!draw(&ground, frame, state, grip, false, MISS_MOST, &plan))
        draw(&ground, frame, state, URGENT * grip, true, 1.0e6f, &plan);
    int32_t count = until_the_line(&plan);
    bool line = !plan.bound && count <= 1;
    bool was = racer->traffic.active;
    racer->traffic.active = !line;
    if (line && !was)
        return;
    // Letting by, or defending, its line is not the lane.
    if (racer->traffic.yields != 0 || racer->traffic.defends != 0)
        count = plan.count;
    racer_take_way(racer, plan.first, count < 2 ? 2 : count, plan.offset);
}
