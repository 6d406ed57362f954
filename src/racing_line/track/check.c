// Purpose: checks whether waypoints form a track that can be raced on.
// Idea:    Local properties are tested segment by segment in the horizontal plane: the gap between
//          the ends of a closed track, reversals, and the inner edges. These may run backwards in
//          hairpins ("folds"), but not everywhere.
// Cost:    O(count), allocates nothing.
#include "../../base/shared.h"
#include "kerb/racing_line.h"

// Waypoints nearer than this are one place, as in kerb_path_build. [m]
#define CHECK_SAME_PLACE 1.0e-3f
// Cosine of 170°: a sharper turn at one waypoint is a reversal. [1]
#define REVERSAL -0.98480775f
// Greatest turn of one fold of an edge: the 180° of a hairpin and a third more. [rad]
#define FOLD_TURN_MAX (4.0f / 3.0f * KERB_PI)
// Greatest share of segments in folds. Chosen by trial. [1]
#define FOLD_SHARE_MAX 0.25f

// --------------------------------------------------------------------------- waypoints alone

static kerb_result check_width(const kerb_waypoint* w, int32_t index, kerb_error* error) {
    if (w->left < 0.0f || w->right < 0.0f)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, w->left < 0.0f ? "left" : "right", 0,
                              index, "is negative: are the columns in another order?");
    if (w->left + w->right < KERB_TRACK_WIDTH_MIN)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "left", 0, index,
                              "the track has no width here");
    if (w->left > KERB_TRACK_WIDTH_MAX || w->right > KERB_TRACK_WIDTH_MAX)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE,
                              w->left > KERB_TRACK_WIDTH_MAX ? "left" : "right", 0, index,
                              "is more than 1000 m: are the widths in metres?");
    return KERB_OK;
}

static kerb_result check_waypoints(const kerb_waypoint* waypoints, int32_t count,
                                   kerb_error* error) {
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = check_width(&waypoints[i], i, error);
        if (result != KERB_OK)
            return result;
        if (waypoints[i].direction == -1)
            return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "direction", 0, i,
                                  "a track is driven forwards");
    }
    return kerb_waypoints_validate(waypoints, count, error);
}

// --------------------------------------------------------------------------- segments

static kerb_vec2 check_plan(const kerb_waypoint* w) {
    return kerb_vec2_make(w->position.x, w->position.y);
}

static float distance(const kerb_waypoint* a, const kerb_waypoint* b) {
    return kerb_vec3_length(kerb_vec3_sub(b->position, a->position));
}

// Walks over the segments of a track that have a length. Repeated waypoints are skipped.
typedef struct check_walk {
    const kerb_waypoint* waypoints;
    int32_t count;
    bool closed;
    int32_t from, to; // indices of the segment's ends; `to` may wrap
    int32_t passed;   // number of waypoints that have been passed
} check_walk;

static check_walk walk_make(const kerb_waypoint* waypoints, int32_t count, bool closed) {
    check_walk w = {waypoints, count, closed, 0, 0, 0};
    return w;
}

static bool walk_next(check_walk* w) {
    w->from = w->to;
    while (w->passed < (w->closed ? w->count : w->count - 1)) {
        w->passed++;
        w->to = w->passed % w->count;
        if (distance(&w->waypoints[w->from], &w->waypoints[w->to]) >= CHECK_SAME_PLACE)
            return true;
    }
    return false;
}

static kerb_result check_places(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                kerb_error* error) {
    int32_t segments = 0;
    check_walk w = walk_make(waypoints, count, closed);
    while (walk_next(&w))
        segments++;
    if (segments >= (closed ? 3 : 2))
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_TOO_FEW, "waypoints", 0, -1,
                          "a track needs at least three different places");
}

static kerb_result check_length(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                kerb_error* error) {
    double length = closed ? (double)distance(&waypoints[count - 1], &waypoints[0]) : 0.0;
    for (int32_t i = 0; i + 1 < count; i++)
        length += (double)distance(&waypoints[i], &waypoints[i + 1]);
    if (length <= KERB_TRACK_LENGTH_MAX)
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_TOO_MANY, "waypoints", 0, -1,
                          "the track is longer than 1000 km: are its places in metres?");
}

static kerb_result check_gap(const kerb_waypoint* waypoints, int32_t count, kerb_error* error) {
    float longest = 0.0f;
    for (int32_t i = 0; i + 1 < count; i++)
        longest = kerb_max(longest, distance(&waypoints[i], &waypoints[i + 1]));
    float gap = distance(&waypoints[count - 1], &waypoints[0]);
    if (gap <= 4.0f * longest || gap <= waypoints[0].left + waypoints[0].right)
        return KERB_OK;
    kerb_text text = kerb_in_text_make("the track is said to be closed, but its ends are ");
    kerb_in_text_add_number(&text, gap);
    kerb_in_text_add(&text, " m apart");
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "closed", 0, count - 1, text.text);
}

// --------------------------------------------------------------------------- turns and edges

// A run of segments along which the edge of one side runs backwards.
typedef struct fold {
    float side;    // 1 left, -1 right, 0 none
    float turn;    // of the present fold until now [rad]
    int32_t total; // number of segments in all folds
} fold;

static kerb_result fold_add(fold* f, float side, float turn, int32_t index, kerb_error* error) {
    if (side == 0.0f || side != f->side)
        f->turn = 0.0f;
    f->side = side;
    f->turn += turn;
    f->total += side != 0.0f;
    if (kerb_abs(f->turn) <= FOLD_TURN_MAX)
        return KERB_OK;
    return kerb_error_set(error, KERB_ERROR_CONTRADICTION, side > 0.0f ? "left" : "right", 0, index,
                          "the edge crosses itself: the track turns on within its own width");
}

// The side whose edge runs backwards where the track turns by `turn` over `length`; 0: none. The
// edge advances by length - width × turn.
static float folded_side(const kerb_waypoint* at, float turn, float length) {
    if (at->left * turn > length)
        return 1.0f;
    return -at->right * turn > length ? -1.0f : 0.0f;
}

typedef struct corner_check {
    kerb_vec2 before; // unit vector of the segment before, in the plan
    float length;     // of that segment [m]
    bool begun;
    int32_t segments;
    fold fold;
} corner_check;

static kerb_result check_corner(corner_check* c, const kerb_waypoint* at, int32_t index,
                                kerb_vec2 step, kerb_error* error) {
    float length = kerb_vec2_length(step);
    if (length < CHECK_SAME_PLACE) // nearly vertical: no heading in the plane
        return KERB_OK;
    kerb_vec2 along = kerb_vec2_scale(step, 1.0f / length);
    kerb_result result = KERB_OK;
    float dot = kerb_vec2_dot(c->before, along);
    if (c->begun && dot < REVERSAL)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "position", 0, index,
                              "the track turns back at this point");
    if (c->begun) {
        float turn = kerb_atan2(kerb_vec2_cross(c->before, along), dot);
        float side = folded_side(at, turn, 0.5f * (c->length + length));
        result = fold_add(&c->fold, side, turn, index, error);
    }
    c->before = along;
    c->length = length;
    c->begun = true;
    c->segments++;
    return result;
}

static kerb_result check_corners(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                 kerb_error* error) {
    corner_check c = {.begun = false};
    kerb_result result = KERB_OK;
    check_walk w = walk_make(waypoints, count, closed);
    while (result == KERB_OK && walk_next(&w)) {
        const kerb_waypoint* from = &waypoints[w.from];
        kerb_vec2 step = kerb_vec2_sub(check_plan(&waypoints[w.to]), check_plan(from));
        result = check_corner(&c, from, w.from, step, error);
    }
    if (result == KERB_OK && (float)c.fold.total > FOLD_SHARE_MAX * (float)c.segments &&
        c.fold.total > 4)
        return kerb_error_set(error, KERB_ERROR_CONTRADICTION, "left", 0, -1,
                              "the edges cross themselves all along: is the track too wide, or its "
                              "centre line noisy?");
    return result;
}

// --------------------------------------------------------------------------- the interface

kerb_result kerb_track_validate(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                kerb_error* error) {
    KERB_ASSERT(waypoints != NULL || count <= 0);
    if (count < 3)
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "waypoints", 0, -1,
                              "a track needs at least three waypoints");
    kerb_result result = check_waypoints(waypoints, count, error);
    if (result == KERB_OK)
        result = check_places(waypoints, count, closed, error);
    if (result == KERB_OK)
        result = check_length(waypoints, count, closed, error);
    if (result == KERB_OK && closed)
        result = check_gap(waypoints, count, error);
    return result == KERB_OK ? check_corners(waypoints, count, closed, error) : result;
}
