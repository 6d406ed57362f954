// Purpose: says what is odd about a track that may be driven all the same.
// Idea:    Each waypoint is looked at with its neighbours. Only crests need more: a speed that the
//          vehicle can have there goes along with the walk, as in the forward pass of a speed
//          profile. Curvature is read off the segments at both ends of the length over which
//          heights count (line/load.c), so that it does not depend on the spacing of the waypoints.
// Cost:    O(count · waypoints within half a second), allocates nothing.
#include "../../base/shared.h"
#include "../line/line.h"

#include <math.h>

// Waypoints nearer than this are one place, as in kerb_path_build. [m]
#define FINDINGS_SAME_PLACE 1.0e-3f
// Steepest road, as rise per level metre: twice that of the steepest streets there are. [1]
#define FINDINGS_SLOPE_MOST 0.7f
// Greatest bank: that of the steepest tracks for cars and bicycles is 0.75 to 0.8. [rad]
#define FINDINGS_BANK_MOST 0.85f
// A segment so much longer than those on both of its sides is a gap, where the track also turns by
// more than the angle between it and one of them. A straight joins its neighbours evenly. [1],
// [rad]
#define FINDINGS_GAP_LENGTH 4.0f
#define FINDINGS_GAP_TURN 0.15f
// Least length of a gap, in widths of the track. [1]
#define FINDINGS_GAP_WIDTHS 1.0f
// An edge that runs backwards belongs to a hairpin when the turn within a width of the track is at
// least this share of the turn at the waypoint. [1]
#define FINDINGS_FOLD_SHARE 0.5f
// Halvings of the error of a speed over a crest. [1]
#define FINDINGS_ROUNDS 10
// Greatest number of waypoints that are looked at beside one. [1]
#define FINDINGS_STEPS_MAX 1000
// Speed of a crest over the one that the vehicle would have there, from which on nobody needs to
// know. [1]
#define FINDINGS_SLOWED 0.98f

const char* kerb_track_finding_kind_text(kerb_track_finding_kind value) {
    static const char* const texts[] = {
        [KERB_TRACK_CREST] = "crest",   [KERB_TRACK_NARROW] = "narrow", [KERB_TRACK_EDGE] = "edge",
        [KERB_TRACK_DOUBLE] = "double", [KERB_TRACK_KINK] = "kink",     [KERB_TRACK_GAP] = "gap",
        [KERB_TRACK_STEP] = "step",     [KERB_TRACK_BANK] = "bank",
    };
    return KERB_ENUM_TEXT(texts, value);
}

typedef struct findings_walk {
    const kerb_waypoint* waypoints;
    int32_t count;
    bool closed;
    kerb_vehicle vehicle;
    kerb_performance performance;
    kerb_line_settings settings;
    kerb_track_finding* findings;
    int32_t findings_max, found;
    int32_t crest_reach; // waypoints within the length over which heights count, at the last crest
    // Of the last finding of each kind: the waypoint up to which it reaches, and its index.
    int32_t open[KERB_TRACK_BANK + 1], last[KERB_TRACK_BANK + 1];
} findings_walk;

// --------------------------------------------------------------------------- neighbours

static float findings_apart(const findings_walk* w, int32_t a, int32_t b) {
    return kerb_vec3_length(kerb_vec3_sub(w->waypoints[b].position, w->waypoints[a].position));
}

// The next waypoint in another place, by steps of 1 or -1; -1: there is none.
static int32_t findings_beside(const findings_walk* w, int32_t from, int32_t step) {
    int32_t i = from;
    for (int32_t n = 1; n < w->count && n < FINDINGS_STEPS_MAX; n++) {
        i += step;
        if (w->closed)
            i = i < 0 ? w->count - 1 : i >= w->count ? 0 : i;
        if (i < 0 || i >= w->count)
            return -1;
        if (findings_apart(w, from, i) >= FINDINGS_SAME_PLACE)
            return i;
    }
    return -1;
}

// A segment of the track in the plan.
typedef struct findings_piece {
    kerb_vec2 along; // unit vector
    float length, slope;
    float middle; // distance of its middle from where the search began [m]
    bool known;
} findings_piece;

// The segment that lies `distance` metres on from a waypoint, in steps of 1 or -1.
static findings_piece findings_piece_at(const findings_walk* w, int32_t from, int32_t step,
                                        float distance) {
    findings_piece piece = {.known = false};
    float passed = 0.0f;
    for (int32_t n = 0; n < w->count && n < FINDINGS_STEPS_MAX; n++) {
        int32_t next = findings_beside(w, from, step);
        if (next < 0)
            return piece;
        kerb_vec3 a = w->waypoints[from].position, b = w->waypoints[next].position;
        kerb_vec3 way = step > 0 ? kerb_vec3_sub(b, a) : kerb_vec3_sub(a, b);
        float level = kerb_sqrt(way.x * way.x + way.y * way.y);
        if (level >= FINDINGS_SAME_PLACE) {
            piece.along = kerb_vec2_make(way.x / level, way.y / level);
            piece.length = level;
            piece.slope = way.z / level;
            piece.middle = passed + 0.5f * level;
            piece.known = true;
        }
        passed += level;
        if (passed > distance)
            return piece;
        from = next;
    }
    return piece;
}

static float findings_turn(kerb_vec2 before, kerb_vec2 after) {
    return kerb_atan2(kerb_vec2_cross(before, after), kerb_vec2_dot(before, after));
}

// --------------------------------------------------------------------------- telling

// Adds a finding. One that goes on from the waypoint before is the same: it keeps the worst value,
// with the place of that.
static void findings_tell(findings_walk* w, kerb_track_finding_kind kind, int32_t index,
                          float value, bool worse_is_less, const char* text, const char* unit,
                          float shown) {
    int32_t reach = kind == KERB_TRACK_CREST ? w->crest_reach : 1;
    bool goes_on = w->open[kind] >= 0 && index - w->open[kind] <= reach && w->last[kind] >= 0;
    w->open[kind] = index;
    int32_t at = goes_on ? w->last[kind] : w->found;
    if (at < w->findings_max && goes_on) {
        float before = w->findings[at].value;
        if (worse_is_less ? value >= before : value <= before)
            return;
    }
    w->found += !goes_on;
    w->last[kind] = at;
    if (at >= w->findings_max)
        return;
    kerb_text words = kerb_in_text_make(text);
    float digits = kerb_abs(shown) >= 10.0f ? 10.0f : 1000.0f;
    kerb_in_text_add_number(&words, floorf(shown * digits + 0.5f) / digits);
    kerb_in_text_add(&words, unit);
    kerb_track_finding* f = &w->findings[at];
    f->kind = (int32_t)kind;
    f->index = index;
    f->value = value;
    int32_t i = 0;
    for (; words.text[i] != '\0' && i + 1 < (int32_t)sizeof f->text; i++)
        f->text[i] = words.text[i];
    f->text[i] = '\0';
}

// --------------------------------------------------------------------------- one waypoint

static void findings_check_widths(findings_walk* w, int32_t i) {
    const kerb_waypoint* at = &w->waypoints[i];
    float width = at->left + at->right;
    if (width < w->vehicle.width)
        findings_tell(w, KERB_TRACK_NARROW, i, width, true,
                      "the vehicle does not fit on a width of ", " m", width);
    if (kerb_abs(at->bank) > FINDINGS_BANK_MOST)
        findings_tell(w, KERB_TRACK_BANK, i, kerb_abs(at->bank), false, "is banked by ",
                      " degrees: is the bank in radians?", kerb_abs(at->bank) * 57.29578f);
}

static void findings_check_place(findings_walk* w, int32_t i) {
    int32_t next = i + 1 < w->count ? i + 1 : w->closed ? 0 : -1;
    if (next < 0)
        return;
    float apart = findings_apart(w, i, next);
    if (apart < FINDINGS_SAME_PLACE) {
        findings_tell(w, KERB_TRACK_DOUBLE, next, apart, true,
                      "is the same place as the waypoint before, ", " m away", apart);
        return;
    }
    findings_piece ahead = findings_piece_at(w, i, 1, 0.0f);
    if (!ahead.known || kerb_abs(ahead.slope) > FINDINGS_SLOPE_MOST) {
        float rise = w->waypoints[next].position.z - w->waypoints[i].position.z;
        findings_tell(w, KERB_TRACK_STEP, i, kerb_abs(rise), false, "the height jumps by ", " m",
                      rise);
    }
}

// A vehicle that cuts a corner by the angle t on its smallest circle passes r·(1/cos(t/2) - 1)
// inside of it. The room is what the width leaves beside the vehicle.
static void findings_check_kink(findings_walk* w, int32_t i, float turn) {
    const kerb_waypoint* at = &w->waypoints[i];
    float radius = kerb_vehicle_turning_radius(&w->vehicle);
    float room = kerb_max(at->left + at->right - w->vehicle.width, 0.0f);
    float cosine = kerb_cos(0.5f * kerb_min(kerb_abs(turn), 3.1f));
    if (radius * (1.0f / cosine - 1.0f) > room && kerb_abs(turn) > 0.02f)
        findings_tell(w, KERB_TRACK_KINK, i, kerb_abs(turn), false,
                      "turns more sharply than the vehicle can, by ", " degrees",
                      kerb_abs(turn) * 57.29578f);
}

static void findings_check_edges(findings_walk* w, int32_t i, float turn, float length) {
    const kerb_waypoint* at = &w->waypoints[i];
    float side = turn > 0.0f ? at->left : at->right, all = at->left + at->right;
    if (side * kerb_abs(turn) <= length)
        return;
    findings_piece behind = findings_piece_at(w, i, -1, all),
                   ahead = findings_piece_at(w, i, 1, all);
    float wide = behind.known && ahead.known ? findings_turn(behind.along, ahead.along) : 0.0f;
    bool hairpin = wide * turn > 0.0f && kerb_abs(wide) >= FINDINGS_FOLD_SHARE * kerb_abs(turn) &&
                   kerb_abs(wide) * side >= FINDINGS_FOLD_SHARE * all;
    if (!hairpin)
        findings_tell(w, KERB_TRACK_EDGE, i, side, false,
                      turn > 0.0f ? "the left edge crosses itself, at a width of "
                                  : "the right edge crosses itself, at a width of ",
                      " m", side);
}

static void findings_check_gap(findings_walk* w, int32_t i, const findings_piece* behind,
                               const findings_piece* ahead, float turn) {
    int32_t next = findings_beside(w, i, 1);
    findings_piece after = next < 0 ? *behind : findings_piece_at(w, next, 1, 0.0f);
    float beside = kerb_max(behind->length, after.known ? after.length : behind->length);
    const kerb_waypoint* at = &w->waypoints[i];
    float turn_after = after.known ? findings_turn(ahead->along, after.along) : 0.0f;
    bool bends = kerb_max(kerb_abs(turn), kerb_abs(turn_after)) > FINDINGS_GAP_TURN;
    if (bends && ahead->length > FINDINGS_GAP_LENGTH * beside &&
        ahead->length > FINDINGS_GAP_WIDTHS * (at->left + at->right))
        findings_tell(w, KERB_TRACK_GAP, i, ahead->length, false, "the next waypoint is ",
                      " m away, and the track turns there", ahead->length);
}

static void findings_check_turn(findings_walk* w, int32_t i) {
    findings_piece behind = findings_piece_at(w, i, -1, 0.0f);
    findings_piece ahead = findings_piece_at(w, i, 1, 0.0f);
    if (!behind.known || !ahead.known)
        return;
    float turn = findings_turn(behind.along, ahead.along);
    findings_check_edges(w, i, turn, 0.5f * (behind.length + ahead.length));
    findings_check_gap(w, i, &behind, &ahead, turn);
    float reach = 0.5f * w->vehicle.wheelbase;
    findings_piece rear = findings_piece_at(w, i, -1, reach),
                   front = findings_piece_at(w, i, 1, reach);
    if (rear.known && front.known)
        findings_check_kink(w, i, findings_turn(rear.along, front.along));
}

// --------------------------------------------------------------------------- crests

// Speeds at a waypoint: what grip allows on a level road, and what the crest allows. [m/s]
typedef struct findings_speeds {
    float bend, crest;
} findings_speeds;

static findings_speeds findings_speeds_at(const findings_walk* w, int32_t i, float speed) {
    float length = w->settings.wheelbase + w->settings.ride_time * speed;
    findings_piece rear = findings_piece_at(w, i, -1, 0.5f * length);
    findings_piece front = findings_piece_at(w, i, 1, 0.5f * length);
    findings_speeds s = {KERB_SPEED_UNLIMITED, KERB_SPEED_UNLIMITED};
    if (!rear.known || !front.known)
        return s;
    length = kerb_max(length, rear.middle + front.middle);
    float turn = kerb_abs(findings_turn(rear.along, front.along)) / length;
    float falls = (rear.slope - front.slope) / length - w->performance.downforce;
    float room = (1.0f - w->settings.crest_load) * KERB_GRAVITY;
    s.bend = kerb_speed_in_curve(turn, w->performance.lateral * w->waypoints[i].grip,
                                 KERB_SPEED_UNLIMITED);
    if (falls > 0.0f)
        s.crest = kerb_speed_in_curve(falls, room, KERB_SPEED_UNLIMITED);
    return s;
}

// The greatest speed at a waypoint that is at most `speed`. Tells of a crest that sets it.
static float findings_slow_down(findings_walk* w, int32_t i, float speed, bool tells) {
    float now = speed;
    bool crest = false;
    for (int32_t round = 0; round < FINDINGS_ROUNDS; round++) {
        findings_speeds s = findings_speeds_at(w, i, now);
        float next = kerb_min(now, kerb_min(s.bend, s.crest));
        if (next > 0.999f * now)
            break;
        crest = s.crest < s.bend;
        now = next;
    }
    if (crest && tells && now < FINDINGS_SLOWED * speed) {
        findings_piece behind = findings_piece_at(w, i, -1, 0.0f);
        float reach = w->settings.wheelbase + w->settings.ride_time * now;
        w->crest_reach = 1 + (int32_t)(reach / kerb_max(behind.length, FINDINGS_SAME_PLACE));
        findings_tell(w, KERB_TRACK_CREST, i, now, true, "speed limited by a crest, to ", " m/s",
                      now);
    }
    return now;
}

// Speeds up from the waypoint before. [m/s]
static float findings_speed_up(const findings_walk* w, int32_t i, float speed) {
    findings_piece behind = findings_piece_at(w, i, -1, 0.0f);
    kerb_profile_point level = kerb_profile_point_level(behind.length, 0.0f);
    float pull = kerb_driving_acceleration(&w->performance, &level, speed);
    float square = speed * speed + 2.0f * kerb_max(pull, 0.0f) * behind.length;
    return kerb_min(kerb_sqrt(square), w->performance.speed_max);
}

static void findings_check_crests(findings_walk* w) {
    float speed = w->performance.speed_max;
    for (int32_t lap = w->closed ? 0 : 1; lap < 2; lap++)
        for (int32_t i = 0; i < w->count; i++)
            speed = findings_slow_down(w, i, findings_speed_up(w, i, speed), lap == 1);
}

// --------------------------------------------------------------------------- the vehicle

// Nobody's vehicle: the usual one, in proportion to a track that is not for cars.
static kerb_vehicle findings_usual_vehicle(const kerb_waypoint* waypoints, int32_t count) {
    kerb_vehicle vehicle = kerb_vehicle_default();
    double widths = 0.0;
    for (int32_t i = 0; i < count; i++)
        widths += (double)(waypoints[i].left + waypoints[i].right);
    float width = count > 0 ? (float)(widths / (double)count) : 0.0f;
    if (!(width > 0.0f))
        return vehicle;
    float scale = kerb_in_line_width_scale(width);
    vehicle.width *= scale;
    vehicle.length *= scale;
    vehicle.wheelbase *= scale;
    vehicle.speed_max *= scale;
    return vehicle;
}

// --------------------------------------------------------------------------- the interface

int32_t kerb_track_check(const kerb_waypoint* waypoints, int32_t count, bool closed,
                         const kerb_vehicle* vehicle, const kerb_performance* performance,
                         kerb_track_finding* findings, int32_t findings_max) {
    KERB_ASSERT((waypoints != NULL || count <= 0) && (findings != NULL || findings_max <= 0));
    findings_walk w = {.waypoints = waypoints,
                       .count = count,
                       .closed = closed,
                       .vehicle = vehicle ? *vehicle : findings_usual_vehicle(waypoints, count),
                       .settings = kerb_line_settings_default(),
                       .findings = findings,
                       .findings_max = findings_max};
    w.performance = performance ? *performance : kerb_performance_of(&w.vehicle);
    w.settings.wheelbase = w.vehicle.wheelbase;
    for (int32_t kind = 0; kind <= KERB_TRACK_BANK; kind++)
        w.open[kind] = w.last[kind] = -1;
    for (int32_t i = 0; i < count; i++) {
        findings_check_widths(&w, i);
        findings_check_place(&w, i);
        findings_check_turn(&w, i);
    }
    if (count >= 3)
        findings_check_crests(&w);
    return w.found;
}
