// Purpose: racing among other cars: one frame of it.
// Idea:    The near cars are located on the line 20 times a second and move on at their speeds
//          meanwhile. The speed behind them is limited in every frame. Decisions (whom to pass,
//          which path beside the line) are made some times a second, as people do, or when the bins
//          ahead were filled again. The path is laid in the frame after the decision, with the cars
//          moved on, and the frame after that computes its speeds: no call does all of it.
// Cost:    O(neighbours) a frame, nothing when no car is near. A decision, a new path and its
//          speeds each cost O(near cars + bins ahead), in three different frames.
// Source:  Vamos 6 as far as it goes, then as its program does.
#include "traffic.h"
#include "../../vehicle/shared.h"

#include "../../base/shared.h"

#include "kerb/control.h"

// It leaves the path of a car at once that it will reach within this time: once behind, it would
// never reach it. [s]
#define PULL_OUT_TIME 2.4f
// In hosts with a slipstream it stays in it longer. [s]
#define PULL_OUT_LATE 2.0f
// Or of a car behind which it could gain no more speed than this. [m/s]
#define PULL_OUT_SPARE 0.5f
// That counts above this share of its top speed … [1]
#define FAST_SHARE 0.4f
// … on a straight that lasts this long at least. [s]
#define TRAFFIC_FREE_TIME 1.5f
// Time between decisions with a car as near as NEAR; it grows to SELDOM when all cars are as far as
// FAR. [s], [m]
#define THINKS_EVERY 0.09f
#define THINKS_SELDOM 0.13f
#define THINKS_NEAR 5.0f
#define THINKS_FAR 25.0f
// Time between two looks at the near cars. [s]
#define LOOKS_EVERY 0.04f
// In longer frames, everything is done in one frame. [s]
#define SPREADS_MOST 0.025f
// A car nearer and slower than this stands before it. [m], [m/s]
#define STANDS_NEAR 25.0f
#define STANDS_SPEED 1.0f
// It backs out only if no car is nearer behind than this. [m]
#define ROOM_BEHIND_LEAST 8.0f

float kerb_in_traffic_aggression(const kerb_racer* racer) {
    return racer->settings.aggression;
}

float kerb_in_traffic_side_gap(const kerb_racer* racer) {
    return racer->settings.side_clearance * (1.25f - 0.5f * kerb_in_traffic_aggression(racer));
}

// Also when it could be faster than the car ahead allows: then waiting only costs speed. Not when
// all brake for a bend, and not in the crowd after the start.
bool kerb_in_traffic_pulls_out(const kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view, const traffic_other* other) {
    const kerb_racer_settings* s = &racer->settings;
    if (other->catch < (s->slipstream > 0.0f ? PULL_OUT_LATE : PULL_OUT_TIME))
        return true;
    if (frame->along < FAST_SHARE * frame->limits.speed_max)
        return false;
    racer_place soon =
        racer_place_at(racer, frame->total + (double)(TRAFFIC_FREE_TIME * frame->along));
    if (soon.free_squared < frame->along * frame->along || other->acceleration < 0.0f)
        return false;
    float behind = kerb_gap_speed(traffic_gap(view, other), other->speed, s->gap_time, s->gap_min,
                                  frame->limits.braking);
    return behind < frame->along + PULL_OUT_SPARE;
}

float kerb_slipstream(float drag_loss_max, float length, float gap, float lateral_offset) {
    if (!(gap >= 0.0f) || !(length > 0.0f))
        return 0.0f;
    return drag_loss_max / (1.0f + gap / length) * kerb_max(1.0f - kerb_abs(lateral_offset), 0.0f);
}

static float tow_behind(const kerb_racer* racer, const traffic_view* view) {
    const kerb_racer_settings* s = &racer->settings;
    float tow = 0.0f;
    for (int32_t i = 0; s->slipstream > 0.0f && i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        float aside = (view->offset - o->offset) / traffic_width(view, o);
        if (o->ahead > 0.0f)
            tow = kerb_max(tow, kerb_slipstream(s->slipstream, s->slipstream_length,
                                                traffic_gap(view, o), aside));
    }
    return tow;
}

void kerb_in_traffic_mind(kerb_racer* racer, const traffic_view* view, const traffic_other* other) {
    const kerb_neighbour* seen = other->seen;
    for (int32_t i = 0; seen == NULL && i < view->around->neighbour_count; i++)
        if (view->around->neighbours[i].id == other->id &&
            kerb_in_neighbour_is_possible(&view->around->neighbours[i]))
            seen = &view->around->neighbours[i];
    if (seen == NULL)
        return;
    racer->decision.neighbour = kerb_in_neighbour_in_range(seen);
}

static bool is_alone(const kerb_racer* racer, const kerb_surroundings* around) {
    return (around == NULL || around->neighbour_count <= 0 || around->neighbours == NULL) &&
           !racer->memory.traffic.active;
}

static void traffic_forget(kerb_racer* racer) {
    racer->memory.traffic.active = false;
    racer->memory.traffic.way_due = false;
    racer->memory.traffic.squeezed = false;
    racer->memory.traffic.bend = 0;
    racer->memory.traffic.yields = racer->memory.traffic.defends = 0;
    racer->memory.traffic.defends_to = 0.0;
    racer->memory.traffic.held = 0.0f;
    racer->memory.traffic.asks = racer->decision.overtake_request = 0.0f;
    racer->memory.traffic.asked = 0.0f;
    racer->memory.traffic.blocked = 0.0f;
    racer->memory.traffic.known_count = 0;
    racer->memory.traffic.far_speed = 1.0e6f;
    racer->memory.traffic.since = racer->memory.traffic.pause = racer->memory.traffic.passed = 0.0f;
    racer->memory.traffic.looked = 0.0f;
}

bool kerb_in_racer_traffic_is_due(const kerb_racer* racer, const racer_frame* frame) {
    return racer->memory.traffic.known_count > 0 &&
           (racer->memory.traffic.way_due ||
            racer->memory.traffic.since + frame->time_step >= racer->memory.traffic.pause);
}

// True: it decides in this frame.
static bool is_time_to_think(kerb_racer* racer, const racer_frame* frame) {
    racer->memory.traffic.since += frame->time_step;
    if (racer->memory.traffic.since < racer->memory.traffic.pause && !racer->memory.ahead.anew)
        return false;
    racer->memory.traffic.passed = racer->memory.traffic.since;
    racer->memory.traffic.since = 0.0f;
    return true;
}

// Every frame counts where frames are long.
bool kerb_in_racer_traffic_looks(const kerb_racer* racer, const racer_frame* frame) {
    return racer->memory.traffic.looked + frame->time_step >= LOOKS_EVERY ||
           frame->time_step > SPREADS_MOST;
}

// True: it locates the near cars in this frame.
static bool traffic_is_time_to_look(kerb_racer* racer, const racer_frame* frame, bool thinks) {
    bool looks = thinks || kerb_in_racer_traffic_looks(racer, frame);
    racer->memory.traffic.looked = looks ? 0.0f : racer->memory.traffic.looked + frame->time_step;
    return looks;
}

static float pause_among(const traffic_view* view) {
    float nearest = THINKS_FAR;
    for (int32_t i = 0; i < view->count; i++)
        nearest = kerb_min(nearest, traffic_gap(view, &view->others[i]));
    float share = (nearest - THINKS_NEAR) / (THINKS_FAR - THINKS_NEAR);
    return THINKS_EVERY + kerb_clamp(share, 0.0f, 1.0f) * (THINKS_SELDOM - THINKS_EVERY);
}

// A decision. The path is laid a frame later where frames are short, so that no call takes much
// longer than others. It is laid with all cars of the decision, moved on: parts of a decision that
// see different moments would contradict one another.
static void traffic_think(kerb_racer* racer, racer_frame* frame, traffic_view* view) {
    racer->memory.traffic.pause = pause_among(view);
    kerb_in_traffic_yield(racer, frame, view);
    kerb_in_traffic_choose(racer, frame, view);
    kerb_in_traffic_defend(racer, frame, view);
    kerb_in_traffic_look_at_bend(racer, frame, view);
    racer->memory.traffic.way_due = !kerb_in_traffic_keeps_way(racer, frame, view);
    if (racer->memory.traffic.way_due &&
        (racer->memory.ahead.anew || frame->time_step > SPREADS_MOST)) {
        kerb_in_traffic_lay_way(racer, frame, view);
        racer->memory.traffic.way_due = false;
    }
    racer->memory.ahead.anew = false;
}

static void lay_due_way(kerb_racer* racer, racer_frame* frame) {
    traffic_view all;
    KERB_WRITTEN(all);
    kerb_in_traffic_recall(racer, frame, -1.0e6f, 1.0e6f, &all);
    kerb_in_traffic_lay_way(racer, frame, &all);
    kerb_in_traffic_note_sides(racer, &all);
    racer->memory.traffic.way_due = false;
}

// The wider side past the cars that stand before it. It stays the same while the racer backs out.
static void find_way_out(const kerb_racer* racer, racer_frame* frame, const traffic_view* view) {
    float leftmost = -1.0e6f, rightmost = 1.0e6f, left, right;
    if (frame->pace > TRAFFIC_SLOW)
        return;
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (o->ahead < -view->half_length || o->ahead > STANDS_NEAR || o->speed > STANDS_SPEED)
            continue;
        leftmost = kerb_max(leftmost, o->offset + o->half_width);
        rightmost = kerb_min(rightmost, o->offset - o->half_width);
    }
    frame->stands_before = leftmost > rightmost;
    if (!frame->stands_before)
        return;
    racer_edges_at(racer, racer_bin_at(racer, frame->total), &left, &right);
    bool goes_left = left - leftmost > rightmost + right;
    frame->out_side = goes_left ? 1.0f : -1.0f;
    frame->out_offset = 0.5f * (goes_left ? left + leftmost : rightmost - right);
}

// At standstill behind a car at standstill, with no car close behind: after a while it should back
// out.
static void watch_blocked(kerb_racer* racer, const racer_frame* frame) {
    bool blocked =
        frame->pace < 0.5f && frame->traffic_speed < 1.0f && frame->room_behind > ROOM_BEHIND_LEAST;
    racer->memory.traffic.blocked =
        blocked ? racer->memory.traffic.blocked + frame->time_step : 0.0f;
}

void kerb_in_racer_traffic(kerb_racer* racer, racer_frame* frame, const kerb_surroundings* around) {
    kerb_in_traffic_look_close(racer, frame, around);
    if (is_alone(racer, around) || racer->memory.phase != KERB_RACER_DRIVING) {
        traffic_forget(racer);
        racer->memory.ahead.anew = false;
        return;
    }
    kerb_surroundings nobody = kerb_surroundings_default();
    traffic_view view;
    // A place that may be a glitch of the host is no reason to forget the others.
    bool waits = frame->elsewhere && racer->memory.traffic.known_count > 0;
    bool thinks = !waits && is_time_to_think(racer, frame);
    around = around != NULL ? around : &nobody;
    KERB_WRITTEN(view);
    view.around = around;
    kerb_in_traffic_move_on(racer, frame);
    if (racer->memory.traffic.way_due && !thinks)
        lay_due_way(racer, frame);
    bool looks = traffic_is_time_to_look(racer, frame, thinks);
    if (looks)
        kerb_in_traffic_look(racer, frame, thinks, &view);
    else
        kerb_in_traffic_recall(racer, frame, -0.5f * racer->vehicle.length,
                               kerb_in_traffic_near(frame), &view);
    view.tow = tow_behind(racer, &view);
    if (thinks)
        traffic_think(racer, frame, &view);
    kerb_in_traffic_follow(racer, frame, &view, thinks);
    if (looks)
        kerb_in_traffic_remember(racer, &view, thinks);
    watch_blocked(racer, frame);
    find_way_out(racer, frame, &view);
    racer_place here = racer_place_of(racer, frame->spot);
    racer->memory.traffic.way_offset = here.way;
    racer->memory.traffic.way_slope = here.slope;
}
