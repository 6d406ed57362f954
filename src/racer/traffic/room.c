// Purpose: the space that a path beside the line leaves to other cars.
// Idea:    A car alongside is taken to keep its share of the track's width, also through bends, as
//          both will do, and never gets less than its width and a margin. A car from behind gets
//          what the racer does not need. A car that is being passed keeps its path where there is
//          space for both.
// Cost:    O(places) for each car near.
// Source:  Vamos 6, lane shift.
#include "way.h"

#include "../../base/shared.h"

// Two cars alongside each leave this share of the free space between them. [1]
#define FREE_SHARE 0.6f
// Where there is space for it the clearance is larger by this. [m]
#define RACER_ROOM_SPARE 0.4f
// With a smaller gap than this, plus a time of closing speed, a car counts as alongside. [m], [s]
#define RACER_ROOM_BESIDE_GAP 0.8f
#define BESIDE_TIME 0.3f
// A car behind on another part of the track comes alongside if it is nearer than this distance or
// time. [m], [s]
#define BEHIND_GAP 3.0f
#define BEHIND_TIME 1.5f
// A car that will be alongside within this time keeps its part of the track. [s]
#define COMES_TIME 1.2f
// On a narrow track this share of the margin to the edge is kept. [1]
#define MARGIN_LEFT 0.25f
// If space is missing within this time, one of the cars must fall back. [s]
#define SQUEEZED_TIME 1.5f
// Beside the path of a car that it cannot be behind yet, it plans to stay there for this time. [s]
#define STAY_TIME 1.5f

// How much space another car gets.
typedef enum room_kind {
    ROOM_BESIDE, // it is alongside: its width, and some of the free space between
    ROOM_COMES,  // it will be alongside in a moment: the racer comes no nearer to its part
    ROOM_BEHIND, // it comes from behind: all that the racer does not need for its line
    ROOM_AHEAD   // it is being passed
} room_kind;

// A bound on the racer's path in some places; `side` 1: the racer is to the left of the other car.
typedef struct room_bound {
    room_kind kind;
    float side, need, edge;
    traffic_lane lane;
    int32_t from, end;
} room_bound;

static room_bound bound_for(const kerb_racer* racer, const racer_frame* frame,
                            const traffic_view* view, const traffic_other* o, float side,
                            room_kind kind) {
    float gap = kerb_in_traffic_side_gap(racer),
          need = traffic_width(view, o) + gap + RACER_ROOM_SPARE;
    if (kind == ROOM_BESIDE)
        need += FREE_SHARE * kerb_max(kerb_abs(view->offset - o->offset) - need, 0.0f);
    float edge = 2.0f * o->half_width + 0.5f * racer->settings.margin + gap + view->half_width;
    traffic_lane lane = kerb_in_traffic_lane_of(racer, frame, o, kind != ROOM_AHEAD);
    room_bound bound = {kind, side, need, edge, lane, 0, WAY_PLACES};
    float spacing = (float)WAY_STRIDE * racer->memory.ahead.spacing;
    if (kind == ROOM_AHEAD) {
        float reach = view->half_length + o->half_length;
        if (!kerb_in_traffic_pulls_out(racer, frame, view, o))
            bound.from = (int32_t)(kerb_max(o->catch_at - reach, 0.0f) / spacing);
        float end =
            o->clear < 1.0e5f ? o->clear_at : o->ahead + kerb_max(o->speed, 0.0f) * TRAFFIC_SPAN;
        bound.end = 1 + (int32_t)((end + reach) / spacing);
    }
    return bound;
}

// Lateral offset of the other car in those places.
static void lay_his_lane(const room_bound* bound, const way_plan* plan, int32_t end, float* his) {
    const traffic_lane* lane = &bound->lane;
    if (lane->keeps_share) {
        for (int32_t i = bound->from; i < end; i++)
            his[i] =
                traffic_share_at(lane, plan->spacing * (float)i, plan->left[i], plan->right[i]);
        return;
    }
    const float* room = lane->offset > 0.0f ? plan->left : plan->right;
    for (int32_t i = bound->from; i < end; i++)
        his[i] = lane->offset * kerb_clamp(room[i] / lane->room, 0.0f, 1.0f);
}

// The bound from `bound->from` on; returns where it ends. One loop for each side, because most of
// the time is spent here.
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

// True: the bound fits between the others within the next moments.
static bool racer_room_has_room(const racer_frame* frame, const room_bound* bound, const float* to,
                                int32_t end, const way_plan* plan) {
    int32_t last = bound->from + (int32_t)((SQUEEZED_TIME * frame->pace + 5.0f) / plan->spacing);
    last = last < end ? last : end;
    float over = 0.0f;
    for (int32_t i = bound->from; i < last; i++)
        over = kerb_max(bound->side > 0.0f ? to[i] - plan->high[i] : plan->low[i] - to[i], over);
    return over <= RACER_ROOM_SPARE;
}

// True: overlapping in length, or nearly and to the side.
bool kerb_in_traffic_is_beside(const racer_frame* frame, const traffic_view* view,
                               const traffic_other* o) {
    float closing = o->ahead < 0.0f ? o->speed - frame->along : frame->along - o->speed;
    float near = RACER_ROOM_BESIDE_GAP + BESIDE_TIME * kerb_clamp(closing, 0.0f, 10.0f);
    float gap = traffic_gap(view, o);
    float room = kerb_abs(view->offset - o->offset) - traffic_width(view, o);
    return gap < 0.0f || (gap < near && room > -0.2f);
}

// Time until a car that comes from behind on another part of the track will be alongside. [s]
float kerb_in_traffic_comes_beside_in(const racer_frame* frame, const traffic_view* view,
                                      const traffic_other* o) {
    float closing = kerb_max(o->speed - frame->along, 0.1f);
    float room = kerb_abs(view->offset - o->offset) - traffic_width(view, o);
    float gap = traffic_gap(view, o);
    if (o->ahead > 0.0f || room < -0.2f || (gap > BEHIND_GAP && gap > BEHIND_TIME * closing))
        return 1.0e6f;
    return gap / closing;
}

// Leaves space to a car alongside or behind; false: it is neither.
static bool leave_beside(const kerb_racer* racer, const racer_frame* frame, traffic_view* view,
                         traffic_other* o, way_plan* plan) {
    float side = view->offset > o->offset ? 1.0f : -1.0f;
    room_kind kind = ROOM_BESIDE;
    if (!kerb_in_traffic_is_beside(frame, view, o)) {
        float time = kerb_in_traffic_comes_beside_in(frame, view, o);
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
    float to[WAY_PLACES];
    leave_room(&bound, to, lay_bound(view, &bound, plan, to), plan);
    return true;
}

// It does not move over behind that car.
static void stay_aside(const kerb_racer* racer, const racer_frame* frame, const traffic_view* view,
                       const traffic_other* o, way_plan* plan) {
    float side = view->offset > o->offset ? 1.0f : -1.0f, to[WAY_PLACES] = {0};
    room_bound bound = bound_for(racer, frame, view, o, side, ROOM_COMES);
    bound.end = 1 + (int32_t)(STAY_TIME * frame->pace / plan->spacing);
    int32_t end = lay_bound(view, &bound, plan, to);
    if (racer_room_has_room(frame, &bound, to, end, plan))
        leave_room(&bound, to, end, plan);
}

// First the cars that are there; then those to pass, and only where there is space.
void kerb_in_traffic_leave_room(const kerb_racer* racer, const racer_frame* frame,
                                traffic_view* view, way_plan* plan) {
    bool ahead[TRAFFIC_MOST];
    for (int32_t i = 0; i < view->count; i++)
        ahead[i] = !leave_beside(racer, frame, view, &view->others[i], plan);
    for (int32_t i = 0; i < plan->count; i++) {
        plan->must_low[i] = plan->low[i];
        plan->must_high[i] = plan->high[i];
    }
    for (int32_t i = 0; i < view->count; i++) {
        traffic_other* o = &view->others[i];
        if (ahead[i] && o->side == 0 && kerb_in_traffic_stays_aside(racer, frame, view, o))
            stay_aside(racer, frame, view, o, plan);
        if (!ahead[i] || o->side == 0)
            continue;
        room_bound bound = bound_for(racer, frame, view, o, (float)o->side, ROOM_AHEAD);
        float to[WAY_PLACES];
        KERB_WRITTEN(to);
        int32_t end = lay_bound(view, &bound, plan, to);
        if (racer_room_has_room(frame, &bound, to, end, plan))
            leave_room(&bound, to, end, plan);
        else
            o->side = 0;
    }
}

// Where no space is left: the middle between the bounds, but never beyond the edges. True when that
// is near.
bool kerb_in_traffic_settle_conflicts(const kerb_racer* racer, const racer_frame* frame,
                                      const traffic_view* view, way_plan* plan) {
    float margin = (1.0f - MARGIN_LEFT) * racer->settings.margin;
    bool squeezed = false;
    float near = SQUEEZED_TIME * frame->pace + 5.0f;
    for (int32_t i = 0; i < plan->count; i++) {
        if (plan->low[i] <= plan->high[i])
            continue;
        squeezed |= plan->spacing * (float)i < near &&
                    plan->low[i] > plan->high[i] + 0.5f * RACER_ROOM_SPARE;
        // A racer that is nearer to an edge than its margin stays there: no car is on that side.
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
