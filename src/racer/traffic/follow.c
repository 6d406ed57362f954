// Purpose: a racing driver's speed behind other cars.
// Idea:    Behind a car in its path it can always stop, even if that car brakes as hard as it was
//          seen to brake. A car whose path it will have left in time sets no limit after that: the
//          gap lasts until then. Where space runs out side by side, the car that is behind falls
//          back.
// Cost:    O(1) for each car near ahead, O(bins up to it) where it limits the speed.
// Source:  kerb_gap_speed (Gipps 1981); Vamos 6, following gap.
#include "../skill/skill.h"
#include "traffic.h"

#include "kerb/control.h"

// Clearance between the sides that counts as clear; more at a high closing speed, because the other
// car may move over before the racer can be slower. [m], [s], [m]
#define FOLLOW_CLEAR 0.15f
#define CLEAR_TIME 0.12f
#define CLEAR_MORE 0.5f
// Time ahead for which its path past another car is checked. [s]
#define PAST_TIME 2.0f
// Time for which a drift goes on. [s]
#define FOLLOW_DRIFT_TIME 0.25f
// Cars farther ahead than this time and distance do not matter yet. [s], [m]
#define FAR_TIME 3.0f
#define FAR_LEAST 30.0f
// Share of the brakes that it counts on, more than it plans corners with; and the least share of
// that in a corner. [1]
#define BRAKES_SHARE 0.85f
#define FOLLOW_BRAKES_LEAST 0.3f
// Letting a car pass that laps it, it drives at this share of what it could, at least at LEAST, and
// slower than the other car by LESS. [1], [1], [m/s]
#define YIELD_SHARE 0.93f
#define YIELD_LEAST 0.6f
#define FOLLOW_YIELD_LESS 1.5f
// Extra gap to a car at standstill, to be able to go round it. [m]
#define ROOM_TO_TURN 4.0f
// A car that brakes this many times as hard as the racer can stops in a shorter distance; at most
// STRONGEST times counts. [1]
#define STRONGER 1.1f
#define STRONGEST 2.5f
// Until a car was seen to brake with this share of what the racer can, it is taken to brake UNSEEN
// times as hard. [1]
#define SEEN 0.5f
#define UNSEEN 1.3f
// But only for this time after the racer first saw a car brake hard. [s]
#define FOLLOW_LEARN_TIME 10.0f
// At aggression 1, a competitor at speed counts as faster by this share: it seldom brakes as hard
// as it can. [1]
#define RIVAL_BRAKES 0.025f
// The speed lost behind other cars is averaged over this time, and counts up to a greatest share,
// because a jam is nobody's fault. [s], [1]
#define FOLLOW_HELD_TIME 40.0f
#define COST_MOST 0.04f
// It asks to pass from this share of lost speed on, until the loss is below the second one. A car
// of equal pace loses 0.2 to 0.45 % behind another. [1]
#define ASKS_FROM 0.004f
#define ASKS_UNTIL 0.0025f
// Stuck, with a car as near as this, it creeps at no more than this speed. [m], [m/s]
#define STUCK_NEAR 25.0f
#define STUCK_SPEED 5.0f
// Beside the path of a car that it may not pass, it becomes slower than that car by at most this.
// [m/s]
#define DROP_SLOWER 1.0f
// Falling back from a car alongside: how much slower than it, and how much harder it brakes for
// that. [m/s], [m/s²]
#define DROP 2.5f
#define DROP_BRAKES 4.0f

// Distance ahead after which the racer's path is clear of the other car to the side, from the
// racer's middle. 0: it is clear now and stays so; 1e6: not before its tail.
static float clear_after(const kerb_racer* racer, const racer_frame* frame,
                         const traffic_view* view, const traffic_other* o) {
    float closing = kerb_clamp(frame->along - o->speed, 0.0f, 10.0f);
    float need = traffic_width(view, o) + FOLLOW_CLEAR + kerb_min(CLEAR_TIME * closing, CLEAR_MORE);
    traffic_lane lane = kerb_in_traffic_lane_of(racer, frame, o, false);
    float his = o->offset + FOLLOW_DRIFT_TIME * kerb_clamp(o->drift, -3.0f, 3.0f);
    float mine = view->offset + FOLLOW_DRIFT_TIME * kerb_clamp(view->drift, -3.0f, 3.0f);
    float side = mine > his ? 1.0f : -1.0f;
    float tail = o->ahead - o->half_length - view->half_length;
    // Until it has passed; the other car goes on, too.
    float past = o->ahead + o->half_length + view->half_length, soon = PAST_TIME * frame->pace;
    float nose = past + 0.3f * frame->pace;
    nose = kerb_clamp(past * frame->pace / kerb_max(closing, 1.0f), nose, kerb_max(nose, soon));
    float clear = kerb_abs(mine - his) >= need ? 0.0f : 1.0e6f;
    int32_t first = frame->bin, last = racer->memory.ahead.end - 1;
    for (int32_t k = 0; racer->memory.ahead.spacing * (float)k < nose; k++) {
        float at = racer->memory.ahead.spacing * (float)k;
        int32_t bin = first + k < last ? first + k : last;
        float way = racer_offset_in(racer, bin), left, right;
        racer_edges_at(racer, bin, &left, &right);
        his = traffic_lane_at(&lane, at, left, right);
        if (at > past)
            need = traffic_width(view, o) + FOLLOW_CLEAR;
        bool apart = side * (way - his) >= need;
        if (!apart && kerb_abs(way - his) >= need) {
            side = -side;
            apart = true;
        }
        if (!apart && at > 0.5f * tail)
            return 1.0e6f;
        if (!apart)
            clear = 1.0e6f;
        else if (clear > 1.0e5f)
            clear = at;
    }
    return clear;
}

static float braking_here(const kerb_racer* racer, const racer_frame* frame, float tow) {
    float bend = kerb_abs(racer->memory.turning) * frame->pace / kerb_max(frame->grip_aside, 0.5f);
    float left = kerb_sqrt(kerb_max(1.0f - bend * bend, 0.0f));
    const kerb_performance* p = &racer->memory.car;
    float square = frame->pace * frame->pace;
    float brakes = BRAKES_SHARE * p->braking * frame->grip * frame->here.grip *
                   (1.0f + p->downforce * square / KERB_GRAVITY);
    return kerb_max(brakes, 0.5f) * kerb_max(left, FOLLOW_BRAKES_LEAST) +
           p->drag * (1.0f - tow) * square;
}

// Factor by which the other car is taken to brake harder than the racer. Until the first braking
// zone is over, nobody knows what each car can do.
static float stronger_by(const kerb_racer* racer, const traffic_other* o) {
    if (o->brakes < SEEN)
        return racer->memory.traffic.braked < FOLLOW_LEARN_TIME ? UNSEEN : 1.0f;
    return o->brakes > STRONGER ? kerb_min(o->brakes, STRONGEST) : 1.0f;
}

static float follow_speed_behind(const kerb_racer* racer, const racer_frame* frame,
                                 const traffic_view* view, const traffic_other* o, float braking) {
    const kerb_racer_settings* s = &racer->settings;
    float gap = traffic_gap(view, o);
    // Behind a competitor it brakes as late as possible; behind a car near standstill, gently. A
    // competitor is about as fast there as the racer would be.
    float usual = racer_free_speed_at(racer, racer_into(racer, frame->total) + o->ahead);
    usual = kerb_min(usual, frame->along);
    float rival = kerb_clamp(2.0f * o->speed / kerb_max(usual, 1.0f) - 0.4f, 0.0f, 1.0f);
    float calm = kerb_min(frame->limits.braking, braking);
    braking = calm + rival * (braking - calm);
    float least = s->gap_min + (1.0f - rival) * ROOM_TO_TURN;
    // A competitor ahead seldom brakes as hard as it can: that counts as some speed.
    float fast = racer_step(frame->along, 25.0f, 45.0f);
    float worth = rival * fast * RIVAL_BRAKES * kerb_in_traffic_aggression(racer);
    float ahead = o->speed * (1.0f + worth) / kerb_sqrt(stronger_by(racer, o));
    float behind = kerb_gap_speed(gap, ahead, s->gap_time, least, braking);
    if (behind >= frame->traffic_speed)
        return behind;
    if (o->drops) // no haste: it stays beside that car's path meanwhile
        return kerb_max(behind, o->speed - DROP_SLOWER);
    float clear = clear_after(racer, frame, view, o);
    if (clear <= 0.0f)
        return 1.0e6f;
    if (clear > 1.0e5f)
        return behind;
    float time = clear / kerb_max(frame->along, 3.0f);
    return kerb_max(behind, o->speed + kerb_max(gap - 0.5f * s->gap_min, 0.0f) / time);
}

static void cap(racer_frame* frame, float speed, float slowing, kerb_reason reason) {
    speed = kerb_max(speed, 0.0f);
    if (speed >= frame->traffic_speed)
        return;
    frame->traffic_speed = speed;
    frame->traffic_slowing = kerb_clamp(slowing, -0.8f * frame->limits.braking, 0.0f);
    frame->traffic_reason = reason;
}

// Somewhat slower than a car that laps it, and than it could be; for a car that asked, it gains no
// speed.
static float yielding_speed(const kerb_racer* racer, const traffic_view* view, float free) {
    float speed = YIELD_SHARE * free;
    bool laps_it = false;
    for (int32_t i = 0; i < view->count; i++)
        if (view->others[i].laps_it) {
            speed = kerb_min(speed, view->others[i].speed - FOLLOW_YIELD_LESS);
            laps_it = true;
        }
    if (!laps_it)
        return racer->memory.traffic.yield_speed;
    return kerb_max(speed, YIELD_LEAST * free);
}

// The limit by far cars holds until the next decision: in between they are not located.
static void hold_far(kerb_racer* racer, racer_frame* frame, float far_speed, bool thinks) {
    if (thinks)
        racer->memory.traffic.far_speed = far_speed;
    else
        cap(frame, racer->memory.traffic.far_speed, 0.0f, KERB_REASON_FOLLOWING);
}

// The speed lost behind other cars in the last seconds, and whether it asks to pass.
static void feel_held(kerb_racer* racer, const racer_frame* frame, float free) {
    float cost = 0.0f, *held = &racer->memory.traffic.held;
    if (frame->traffic_reason == KERB_REASON_FOLLOWING)
        cost =
            kerb_clamp(1.0f - frame->traffic_speed / kerb_max(free - 1.0f, 1.0f), 0.0f, COST_MOST);
    *held += frame->time_step / (FOLLOW_HELD_TIME + frame->time_step) * (cost - *held);
    bool asks = racer->memory.traffic.yields == 0 &&
                *held > (racer->memory.traffic.asks > 0.0f ? ASKS_UNTIL : ASKS_FROM);
    racer->memory.traffic.asks = racer->decision.overtake_request =
        asks ? kerb_in_racer_skill_pace(racer) : 0.0f;
}

// Falls back from a car alongside, no harder than a car behind can foresee.
static void drop_back(const kerb_racer* racer, racer_frame* frame, const traffic_other* o) {
    float gently = frame->along - DROP_BRAKES * racer->settings.speed_time;
    cap(frame, kerb_max(o->speed - DROP, gently), o->acceleration, KERB_REASON_YIELDING);
}

static void learn_braking(kerb_racer* racer, const racer_frame* frame, const traffic_view* view) {
    bool braked = racer->memory.traffic.braked > 0.0f;
    for (int32_t i = 0; i < view->count && !braked; i++)
        braked = view->others[i].brakes >= SEEN;
    if (braked)
        racer->memory.traffic.braked =
            kerb_min(racer->memory.traffic.braked + frame->time_step, FOLLOW_LEARN_TIME);
}

void kerb_in_traffic_follow(kerb_racer* racer, racer_frame* frame, const traffic_view* view,
                            bool thinks) {
    float far = kerb_max(FAR_TIME * frame->pace, FAR_LEAST);
    learn_braking(racer, frame, view);
    float braking = braking_here(racer, frame, view->tow);
    // A speed that it cannot reach anyway is no limit.
    float free = racer_speed_at(racer, racer_into(racer, frame->total)) + 1.0f;
    frame->traffic_speed = kerb_min(free, frame->along + 3.0f);
    float far_speed = 1.0e6f, near = kerb_in_traffic_near(frame) - view->half_length;
    if (racer->memory.traffic.yields != 0)
        cap(frame, yielding_speed(racer, view, free), 0.0f, KERB_REASON_YIELDING);
    for (int32_t i = 0; i < view->count; i++) {
        const traffic_other* o = &view->others[i];
        if (o->ahead < -view->half_length || o->ahead > far)
            continue;
        float before = frame->traffic_speed;
        if (traffic_gap(view, o) > 0.0f && o->ahead > 0.0f)
            cap(frame, follow_speed_behind(racer, frame, view, o, braking), o->acceleration,
                KERB_REASON_FOLLOWING);
        else if (racer->memory.traffic.squeezed && o->ahead > 0.3f)
            drop_back(racer, frame, o);
        if (kerb_in_traffic_gives_in(racer, frame, view, o))
            drop_back(racer, frame, o);
        if (racer->memory.stuck.tries > 0 && o->ahead < STUCK_NEAR)
            cap(frame, STUCK_SPEED, 0.0f, KERB_REASON_FOLLOWING);
        if (frame->traffic_speed < before) {
            kerb_in_traffic_mind(racer, view, o);
            far_speed = o->ahead > near ? frame->traffic_speed : far_speed;
        }
    }
    hold_far(racer, frame, far_speed, thinks);
    feel_held(racer, frame, free);
    if (frame->traffic_reason == KERB_REASON_NONE)
        frame->traffic_speed = 1.0e6f;
}
