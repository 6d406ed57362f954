// Purpose: what a racing driver does when the car is out of control: it spins, faces the wrong way,
//          or stands against something.
// Idea:    In a spin it brakes with the wheels along the motion of the car. Facing the wrong way,
//          it turns round slowly: forwards at full lock to the side with more width, and in reverse
//          with the other lock when the edge or a wall comes, as often as needed. Pressing against
//          something in vain is left to kerb_stuck.
// Cost:    O(1).
#include "racer.h"

// A drift angle above SPUN, faster than SPUN_SPEED, means that the car is out of control; below
// CAUGHT it is under control again. [rad], [m/s]
#define SPUN 1.0f
#define SPUN_SPEED 6.0f
#define CAUGHT 0.35f
// Facing away from the line by more than this it turns round, until RIGHT_WAY is reached. [rad]
#define RECOVERY_WRONG_WAY 1.75f
#define RIGHT_WAY 0.9f
// Beyond this angle either side is equally near. [rad]
#define ABOUT_FACE 2.6f
// Greatest speed while it turns round. [m/s]
#define TURNING_SPEED 5.0f
// From this speed against the direction of its gear on it brakes. [m/s]
#define ROLLS_BACK 0.5f
// Gap that it leaves to other cars meanwhile, and how hard it brakes for them. [m], [m/s²]
#define CREEPING_GAP 0.5f
#define CREEPING_BRAKES 1.0f
// Backing out from other cars, it moves to the side on which it will pass them: angle across the
// line per metre, greatest angle, and steering per angle. [rad/m], [rad], [1/rad]
#define RECOVERY_ACROSS 0.2f
#define ACROSS_MOST 0.6f
#define ALIGNS 3.0f
// Greatest duration of one piece of turning round. [s]
#define PIECE_MOST 5.0f

// A car whose up is farther from that of the road than this (cosine) lies on its side or roof.
// After TIPPED_SECONDS, and slower than TIPPED_SPEED, it requests a teleport. [1], [s], [m/s]
#define TIPPED 0.5f
#define TIPPED_SECONDS 1.0f
#define TIPPED_SPEED 3.0f

// Along a rail: between these speeds, with more than this share of its lock, it turns by less than
// this share of what the wheels say, and for longer than wheels and body take to follow. [m/s],
// [m/s], [1], [1], [s]
#define SCRAPE_SPEED 3.0f
#define SCRAPE_LEAST 0.1f
#define SCRAPE_LOCK 0.5f
#define SCRAPE_TURNS 0.3f
#define SCRAPE_SURE 1.0f

// It waits this long behind a car at standstill; then it counts as stuck. [s]
#define BLOCKED_MOST 3.0f

static void recovery_enter(kerb_racer* racer, kerb_racer_phase phase) {
    racer->memory.phase = (int32_t)phase;
    racer->memory.in_phase = 0.0f;
}

// Sideways slip of the whole car.
static float recovery_drift(const racer_frame* frame) {
    return frame->pace > 1.0f ? frame->drift : 0.0f;
}

// Clearance before the car, or behind it, up to the edge of the track; off the track, as far as it
// is from the edge.
static float room(const kerb_racer* racer, const racer_frame* frame, float way) {
    float aside = way * kerb_sin(frame->heading);
    float edge =
        aside > 0.0f ? frame->here.left - frame->offset : frame->here.right + frame->offset;
    float reach = way > 0.0f ? racer->vehicle.reference_to_front
                             : racer->vehicle.length - racer->vehicle.reference_to_front;
    return edge / kerb_max(kerb_abs(aside), 0.05f) - reach;
}

// Facing the wrong way it turns the nose to the side that is nearer, or to that with more room.
static void begin_turning(kerb_racer* racer, const racer_frame* frame) {
    racer->memory.side = frame->heading > 0.0f ? -1.0f : 1.0f;
    if (kerb_abs(frame->heading) > ABOUT_FACE)
        racer->memory.side = frame->offset > 0.0f ? 1.0f : -1.0f;
    recovery_enter(racer, KERB_RACER_TURNING_ROUND);
}

static void watch_driving(kerb_racer* racer, const racer_frame* frame) {
    bool wrong = kerb_abs(frame->heading) > RECOVERY_WRONG_WAY;
    bool spins =
        kerb_abs(recovery_drift(frame)) > SPUN && frame->pace > racer_speed(racer, SPUN_SPEED);
    if (spins || (wrong && frame->pace >= racer_speed(racer, 2.0f * TURNING_SPEED)))
        recovery_enter(racer, KERB_RACER_SPINNING);
    else if (wrong)
        begin_turning(racer, frame);
}

// A piece of turning round ends at the edge, at a wall, or because it takes too long.
static bool piece_ends(const kerb_racer* racer, const racer_frame* frame, float way) {
    bool begun = racer->memory.in_phase > 0.5f;
    return (begun && room(racer, frame, way) < racer_metres(racer, 0.5f)) ||
           (frame->pace < racer_speed(racer, 0.5f) && racer->memory.in_phase > 1.5f) ||
           racer->memory.in_phase > PIECE_MOST;
}

static void decide(kerb_racer* racer, const racer_frame* frame, kerb_stuck_phase stuck) {
    float away = kerb_abs(frame->heading);
    racer->memory.in_phase += frame->time_step;
    switch (racer->memory.phase) {
    case KERB_RACER_DRIVING:
        watch_driving(racer, frame);
        break;
    case KERB_RACER_SPINNING:
        if (frame->pace < racer_speed(racer, 2.0f) ||
            (kerb_abs(recovery_drift(frame)) < CAUGHT && away < RECOVERY_WRONG_WAY))
            recovery_enter(racer, KERB_RACER_DRIVING);
        break;
    case KERB_RACER_TURNING_ROUND:
        if (away < RIGHT_WAY)
            recovery_enter(racer, KERB_RACER_DRIVING);
        else if (piece_ends(racer, frame, 1.0f))
            recovery_enter(racer, KERB_RACER_REVERSING);
        break;
    default:
        if (away < RIGHT_WAY && stuck == KERB_STUCK_FREE)
            recovery_enter(racer, KERB_RACER_DRIVING);
        else if (piece_ends(racer, frame, -1.0f))
            recovery_enter(racer, KERB_RACER_TURNING_ROUND);
        break;
    }
}

// --------------------------------------------------------------------------- driving

// It can always stop before a car that is in the direction of travel.
static float creeping_speed(const kerb_racer* racer, const racer_frame* frame, float way) {
    float room =
        (way > 0.0f ? frame->room_before : frame->room_behind) - racer_metres(racer, CREEPING_GAP);
    if (room <= 0.0f)
        return 0.0f;
    return kerb_min(racer_speed(racer, TURNING_SPEED), kerb_sqrt(2.0f * CREEPING_BRAKES * room));
}

// A slow piece, forwards or in reverse, wheels at a share of full lock.
static void creep(kerb_racer* racer, const racer_frame* frame, float way, float lock,
                  kerb_controls* controls) {
    float speed = way * frame->speed, fastest = creeping_speed(racer, frame, way);
    float lack = fastest - speed;
    float most = way > 0.0f ? 0.6f : 0.8f;
    bool rolls_wrong = speed < -ROLLS_BACK, stops = fastest <= 0.0f;
    controls->throttle = rolls_wrong ? 0.0f : kerb_clamp(0.3f * lack, 0.0f, most);
    controls->brake = rolls_wrong || stops ? 0.7f : kerb_clamp(-0.2f * lack, 0.0f, 0.5f);
    controls->steering = lock;
    controls->clutch = 0.0f;
    controls->gear = way > 0.0f ? 1 : -1;
    // A gear of the other direction engages only near standstill.
    if (rolls_wrong)
        controls->gear = frame->motion->gear;
    racer->memory.gear = controls->gear;
    racer->memory.steering = lock * kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
}

// Rolling back, it first stops: drive would turn the wheels against the ground, and the steering
// acts the other way round. So the wheels are turned the other way, too.
static bool stops_rolling_back(kerb_racer* racer, const racer_frame* frame,
                               kerb_controls* controls) {
    if (frame->speed > -ROLLS_BACK || frame->past_end)
        return false;
    creep(racer, frame, 1.0f, -controls->steering, controls);
    controls->reason = KERB_REASON_REVERSAL;
    return true;
}

static void brake_out(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    float angle = frame->speed > 1.0f ? kerb_atan2(frame->side, frame->speed) : 0.0f;
    float full = kerb_vehicle_steering_lock(&racer->vehicle, frame->speed);
    controls->steering = kerb_clamp(angle / full, -1.0f, 1.0f);
    controls->throttle = 0.0f;
    controls->brake = 1.0f;
    controls->clutch = 1.0f;
    controls->gear = frame->motion->gear >= 1 ? frame->motion->gear : 1;
    controls->reason = KERB_REASON_SLIDING;
    racer->memory.steering = controls->steering * full;
}

// With a car beside it, its nose would swing into that car: then it goes straight.
static float lock_backing_out(const kerb_racer* racer, const racer_frame* frame) {
    if (frame->beside || racer->memory.stuck.side == 0.0f)
        return 0.0f;
    if (frame->stands_before) {
        float across = RECOVERY_ACROSS / racer->memory.scale * (frame->out_offset - frame->offset);
        across = kerb_clamp(across, -ACROSS_MOST, ACROSS_MOST);
        return kerb_clamp(ALIGNS * (frame->heading + across), -1.0f, 1.0f);
    }
    return -racer->memory.stuck.side;
}

// Progress: distance along the line, less the distance to the track. A car that is thrown farther
// off the track than before is not stuck because of that: its progress counts from there.
static double recovery_progress(kerb_racer* racer, const racer_frame* frame) {
    float outside = kerb_max(frame->offset - frame->here.left, -frame->offset - frame->here.right);
    outside = kerb_max(outside, 0.0f);
    if (outside > racer->memory.farthest) {
        racer->memory.stuck.progress_mark = RACER_NO_PROGRESS;
        racer->memory.stuck.circling_time = 0.0f;
    }
    racer->memory.farthest = outside > 0.0f ? kerb_max(racer->memory.farthest, outside) : outside;
    return frame->total - (double)outside;
}

// A car that goes along a rail, its wheels turned away from it, does not turn as its wheels say:
// something holds its nose. However far it comes like this, it does not move as it wants to.
static bool scrapes(kerb_racer* racer, const racer_frame* frame) {
    float asked =
        frame->speed * kerb_curvature_of(&racer->vehicle, racer->controls.steering, frame->speed);
    bool slow = frame->pace < racer_speed(racer, SCRAPE_SPEED) &&
                frame->pace > racer_speed(racer, SCRAPE_LEAST);
    bool hard = kerb_abs(racer->controls.steering) > SCRAPE_LOCK;
    bool held = slow && hard && racer->controls.throttle > 0.1f &&
                asked * frame->yaw_rate < SCRAPE_TURNS * asked * asked;
    racer->memory.scraping = held ? racer->memory.scraping + frame->time_step : 0.0f;
    return racer->memory.scraping > SCRAPE_SURE;
}

static kerb_stuck_phase watch(kerb_racer* racer, const racer_frame* frame) {
    bool presses = !frame->past_end && frame->speed_cap > 0.5f &&
                   (frame->traffic_speed > 0.5f || racer->memory.traffic.blocked > BLOCKED_MOST);
    if (racer->memory.phase != KERB_RACER_DRIVING) // turning round tries again by itself
        presses = presses && racer->memory.in_phase > 3.0f;
    int32_t before = racer->memory.stuck.phase;
    const double progress = recovery_progress(racer, frame);
    kerb_stuck_phase now = kerb_stuck_watch(&racer->memory.stuck, &racer->settings.stuck, progress,
                                            scrapes(racer, frame) ? 0.0f : frame->speed, presses,
                                            -frame->heading, frame->time_step);
    if (now == KERB_STUCK_BACK_OUT && before != (int32_t)now && frame->stands_before)
        racer->memory.stuck.side = frame->out_side;
    return now;
}

static bool recovery_ask(kerb_racer* racer, kerb_stuck_phase stuck, kerb_controls* controls) {
    if (stuck != KERB_STUCK_TELEPORT && stuck != KERB_STUCK_GIVEN_UP)
        return false;
    *controls = kerb_controls_safe(stuck == KERB_STUCK_TELEPORT ? KERB_REASON_TELEPORT
                                                                : KERB_REASON_GIVEN_UP);
    racer->memory.gear = 0;
    return true;
}

// On its side or roof no wheel helps: it releases the controls, and requests a teleport as soon as
// it lies still.
static bool lies(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    kerb_vec3 road = kerb_vec3_cross(frame->line_along, frame->line_left);
    bool tipped = kerb_vec3_dot(frame->up, road) < TIPPED;
    racer->memory.tipped = tipped ? racer->memory.tipped + frame->time_step : 0.0f;
    if (!tipped)
        return false;
    const kerb_vec3* moves = &frame->motion->velocity;
    bool still = kerb_vec3_dot(*moves, *moves) < TIPPED_SPEED * TIPPED_SPEED;
    bool asks = racer->memory.tipped > TIPPED_SECONDS && still;
    *controls = kerb_controls_safe(asks ? KERB_REASON_TELEPORT : KERB_REASON_SLIDING);
    racer->memory.gear = 0;
    return true;
}

bool kerb_in_racer_recover(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    if (lies(racer, frame, controls))
        return true;
    kerb_stuck_phase stuck = watch(racer, frame);
    decide(racer, frame, stuck);
    racer->decision.phase = racer->memory.phase;
    if (recovery_ask(racer, stuck, controls))
        return true;
    if (stuck == KERB_STUCK_BACK_OUT) {
        creep(racer, frame, -1.0f, lock_backing_out(racer, frame), controls);
        controls->reason = KERB_REASON_BACKING_OUT;
        return true;
    }
    if (racer->memory.phase == KERB_RACER_DRIVING)
        return stops_rolling_back(racer, frame, controls);
    if (racer->memory.phase == KERB_RACER_SPINNING) {
        brake_out(racer, frame, controls);
        return true;
    }
    float way = racer->memory.phase == KERB_RACER_TURNING_ROUND ? 1.0f : -1.0f;
    creep(racer, frame, way, way * racer->memory.side, controls);
    controls->reason = KERB_REASON_WRONG_WAY;
    return true;
}
