// Purpose: gears, clutch and launch of a racing car, and easing off for spinning or locked wheels.
// Idea:    It shifts up when the next gear pulls more, and down while braking as soon as the lower
//          gear allows the speed, so that the right gear is engaged before the corner. It does not
//          shift in the middle of a corner, nor up just before braking. During a shift the throttle
//          brings the engine to the speed of the new gear (the blip). From standstill the clutch
//          engages as far as the engine has speed to spare; speed.c gives the throttle that the
//          tyres hold.
// Cost:    O(1).
// Source:  Vamos 5, with what it names as missing: blip, anticipation from the track, saving fuel.
#include "racer.h"

#include "../../control/shared.h"

// Share of the grip used sideways from which on it is in the middle of a corner. [1]
#define CORNERING 0.6f
// Share of the greatest engine speed that must be left whatever the corner, and that a lower gear
// may reach. [1]
#define LIMIT_UP 0.985f
#define LIMIT_DOWN 0.93f
// When not braking, a lower gear must pull this many times as much. [1]
#define WORTH_DOWN 1.12f
// It does not shift up when it must brake within this time. [s]
#define BRAKING_SOON 0.5f
// Shortest time in which the clutch engages from standstill. [s]
#define LAUNCH_TIME 0.25f
// From this share of the engine speed of greatest power on, no clutch slips by itself. [1]
#define COUPLED 0.65f
// fuel_saving 1 shifts up at this share of the engine speed of greatest power. [1]
#define SAVING_SHIFT 0.55f
// Speed difference of a wheel that counts as no slip. The longitudinal slip of greatest force is
// taken to be the slip angle of greatest force. [m/s]
#define SLIP_SLACK 0.6f
// Throttle removed because of spinning wheels: at once, per second (it also returns so), and at
// most. [1], [1/s], [1]
#define SPIN_AT_ONCE 0.4f
#define SPIN_RATE 6.0f
#define SPIN_MOST 0.8f
// However far the rear slips sideways, this share of the best longitudinal slip is left for
// driving. [1]
#define GEARS_SLIP_LEAST 0.25f
// Slip of braked driven wheels from which on the brakes are eased, and range over which they fall
// to half. [1]
#define LOCK_FROM 0.10f
#define LOCK_RANGE 0.25f
// Detection of locked front wheels: least pedal, least share by which front wheels that roll would
// turn the car, and averaging time. [1], [1], [s]
#define LOCKED_BRAKE 0.3f
#define LOCKED_TURNS 0.3f
#define LOCKED_TIME 0.12f

// With wheel slip from the host: rates at which brakes are removed and returned, greatest part
// removed over time and at once, greatest part in all, and time for which a wheel counts as locked.
// [1/s], [1/s], [1], [1], [1], [s]
#define LOCK_TAKES 6.0f
#define LOCK_GIVES 3.0f
#define LOCK_MOST 0.6f
#define LOCK_AT_ONCE 0.3f
#define LOCK_IN_ALL 0.9f
#define LOCK_FADES 0.08f

static float turns_in(const kerb_drive_train* train, int32_t gear, float speed) {
    return kerb_max(speed, 0.0f) * train->gear_ratio[gear - 1] / train->wheel_radius;
}

static float gears_pull(const kerb_drive_train* train, int32_t gear, float speed) {
    return gear_pull(train, gear - 1, 1.0f, speed);
}

float kerb_in_racer_gear_share(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    int32_t in = frame->motion->gear;
    if (in < 1 || in > train->gear_count)
        return 1.0f;
    // It is never far from the best one.
    float here = gears_pull(train, in, frame->speed), best = here;
    if (in > 1)
        best = kerb_max(best, gears_pull(train, in - 1, frame->speed));
    if (in < train->gear_count)
        best = kerb_max(best, gears_pull(train, in + 1, frame->speed));
    return best > 0.0f ? kerb_clamp(here / best, 0.1f, 1.0f) : 1.0f;
}

// Whether the engine surely turns with the wheels: at low revs the clutch may slip.
static bool is_coupled(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    int32_t gear = frame->motion->gear;
    return train->gear_count > 0 && gear >= 1 && gear <= train->gear_count &&
           turns_in(train, gear, frame->speed) > COUPLED * train->engine_speed_power;
}

bool kerb_in_racer_launches(const kerb_racer* racer, const racer_frame* frame) {
    return frame->motion->gear == 1 && !is_coupled(racer, frame);
}

float kerb_in_racer_gear_pull(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    int32_t in = frame->motion->gear;
    if (in < 1 || in > train->gear_count)
        return 0.0f;
    return gear_pull(train, in - 1, racer->vehicle.power / racer->vehicle.mass, frame->speed);
}

static bool is_cornering(const kerb_racer* racer, const racer_frame* frame) {
    float use = kerb_abs(frame->yaw_rate) * frame->pace;
    float wings = frame->limits.downforce * frame->pace * frame->pace / KERB_GRAVITY;
    return use > CORNERING * racer->memory.car.lateral * frame->grip * (1.0f + wings);
}

static bool brakes_soon(const kerb_racer* racer, const racer_frame* frame) {
    double then = frame->total + (double)(frame->pace * BRAKING_SOON);
    return racer_row_at(racer->memory.ahead.squared, racer_spot_at(racer, then)) <
           frame->pace * frame->pace;
}

// Engine speed at which it shifts: `limit` without saving, lower with saving. The rule for up and
// down is one, so that it never shifts down to where it would shift up again. [rad/s]
static float shifts_at(const kerb_racer* racer, float limit) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    float least = SAVING_SHIFT * limit / LIMIT_UP * train->engine_speed_power;
    float most = limit * train->engine_speed_max;
    return most + (kerb_min(least, most) - most) * racer->settings.fuel_saving;
}

static bool wants_up(const kerb_racer* racer, const racer_frame* frame, int32_t gear) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    if (gear >= train->gear_count)
        return false;
    float turns = turns_in(train, gear, frame->speed);
    if (turns > LIMIT_UP * train->engine_speed_max)
        return true;
    if (is_cornering(racer, frame) || brakes_soon(racer, frame))
        return false;
    return turns > shifts_at(racer, LIMIT_UP) ||
           gears_pull(train, gear + 1, frame->speed) > gears_pull(train, gear, frame->speed);
}

// Whether a gear, from a speed on until the next one pulls more, gains more than the shift up costs
// then. Both in m/s: the excess of its pull over that time, and the pull lost during a shift.
static bool pays(const kerb_racer* racer, int32_t gear, float shifts, float speed) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    const kerb_performance* p = &racer->memory.car;
    float pulls = kerb_in_profile_engine(p, kerb_in_profile_engine_steps(p), speed);
    pulls = kerb_min(pulls, p->accelerating);
    float top = train->engine_speed_max * train->wheel_radius / train->gear_ratio[gear - 1];
    float more = gears_pull(train, gear, speed), less = gears_pull(train, gear + 1, speed);
    float at_top = gears_pull(train, gear, 0.98f * top) - gears_pull(train, gear + 1, 0.98f * top);
    float excess = 0.5f * (more - less + kerb_max(at_top, 0.0f)) / kerb_max(more, 1e-6f);
    float gained = excess * kerb_max(top - speed, 0.0f);
    return gained > shifts * pulls * train->shift_time;
}

// First gear only from a crawl, where no other gear pulls.
static bool wants_down(const kerb_racer* racer, const racer_frame* frame, int32_t gear,
                       bool brakes) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    if (gear <= 1)
        return false;
    bool stalls = turns_in(train, gear, frame->speed) < train->engine_speed_idle;
    if (gear == 2)
        return stalls;
    float lower = turns_in(train, gear - 1, frame->speed);
    if (lower > LIMIT_DOWN * train->engine_speed_max)
        return false;
    if (stalls)
        return true;
    if (lower > shifts_at(racer, LIMIT_DOWN))
        return false;
    if (is_cornering(racer, frame) && !brakes)
        return turns_in(train, gear, frame->speed) < 0.4f * train->engine_speed_power;
    // Braking, the shift down costs nothing.
    if (!pays(racer, gear - 1, brakes ? 1.0f : 2.0f,
              kerb_in_racer_lowest_ahead(racer, frame->total)))
        return false;
    float gain = gears_pull(train, gear - 1, frame->speed) / gears_pull(train, gear, frame->speed);
    return gain > (brakes ? 1.0f : WORTH_DOWN);
}

// A gear for the speed, from neutral or reverse.
static int32_t gears_gear_for(const kerb_drive_train* train, float speed) {
    int32_t gear = 1;
    while (gear < train->gear_count &&
           turns_in(train, gear, speed) > 0.9f * train->engine_speed_power)
        gear++;
    return gear;
}

static int32_t gears_next_gear(kerb_racer* racer, const racer_frame* frame, bool brakes) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    int32_t gear = frame->motion->gear;
    bool pausing = racer->memory.since_shift < train->shift_time + 0.1f;
    if (pausing && racer->memory.gear > 0)
        return racer->memory.gear;
    if (gear < 1)
        return gears_gear_for(train, frame->speed);
    if (gear > train->gear_count)
        return train->gear_count;
    if (wants_up(racer, frame, gear))
        return gear + 1;
    return wants_down(racer, frame, gear, brakes) ? gear - 1 : gear;
}

// Throttle that brings the engine to the speed of the next gear.
static float match(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    float wanted = turns_in(train, racer->memory.gear, frame->speed);
    float missing = (wanted - frame->motion->engine_speed) / train->engine_speed_power;
    return kerb_clamp(0.15f + 4.0f * missing, 0.0f, 1.0f);
}

// Clutch during a launch: engaged as far as the engine has speed to spare.
static float launch(kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    float coupled = turns_in(train, 1, frame->speed);
    if (frame->motion->gear != 1 || coupled > 1.05f * train->engine_speed_idle) {
        racer->memory.launch = 1.0f;
        return 0.0f;
    }
    if (kerb_abs(frame->speed) < 0.3f && racer->controls.throttle <= 0.0f)
        racer->memory.launch = 0.0f;
    float spare = frame->motion->engine_speed - train->engine_speed_idle;
    float range = 0.4f * kerb_max(train->engine_speed_power - train->engine_speed_idle, 1.0f);
    float in = kerb_clamp(0.15f + spare / range, 0.0f, 1.0f);
    racer->memory.launch = kerb_min(racer->memory.launch + frame->time_step / LAUNCH_TIME, in);
    return 1.0f - racer->memory.launch;
}

void kerb_in_racer_shift(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    racer->memory.since_shift = kerb_min(racer->memory.since_shift + frame->time_step, 60.0f);
    controls->clutch = 0.0f;
    if (train->gear_count <= 0) {
        racer->memory.gear = controls->gear = 1;
        return;
    }
    int32_t gear = gears_next_gear(racer, frame, controls->brake > 0.0f);
    // At standstill in gear no shift is going on; the first frame cannot know that.
    if (kerb_abs(frame->speed) < 0.3f && gear == frame->motion->gear)
        racer->memory.since_shift = 60.0f;
    bool shifts = frame->motion->gear >= 1 && gear != frame->motion->gear;
    if (shifts && gear != racer->memory.gear)
        racer->memory.since_shift = 0.0f;
    racer->memory.gear = controls->gear = gear;
    if (shifts || racer->memory.since_shift < train->shift_time) {
        controls->clutch = 1.0f;
        controls->throttle = match(racer, frame);
    } else {
        controls->clutch = launch(racer, frame);
    }
}

// --------------------------------------------------------------------------- slip

// Slip of the driven wheels, from the engine speed: positive spinning, negative locking. 0 when the
// engine does not tell.
static float driven_slip(const kerb_racer* racer, const racer_frame* frame) {
    const kerb_drive_train* train = &racer->vehicle.drive_train;
    int32_t gear = frame->motion->gear;
    if (train->gear_count <= 0 || gear < 1 || gear > train->gear_count)
        return 0.0f;
    float rim = frame->motion->engine_speed * train->wheel_radius / train->gear_ratio[gear - 1];
    bool coupled = racer->memory.since_shift > train->shift_time + 0.1f &&
                   frame->motion->engine_speed > 1.3f * train->engine_speed_idle &&
                   racer->controls.clutch < 0.1f && frame->speed > racer_speed(racer, 3.0f);
    return coupled ? (rim - frame->speed) / frame->speed : 0.0f;
}

// Confidence that the front wheels are locked: they slip sideways, and the car does not turn.
// Smoothed, because the car needs a moment to turn. [0 … 1]
static float front_locked(kerb_racer* racer, const racer_frame* frame, float brake) {
    float slip = kerb_abs(racer->decision.slip_front) / (2.0f * racer_half_slip(racer, 0));
    float turns = kerb_abs(racer->memory.turning) * frame->pace / frame->grip_aside;
    float expected = LOCKED_TURNS * kerb_min(slip, 1.0f);
    bool may = brake > LOCKED_BRAKE && slip > 0.5f && frame->speed > racer_speed(racer, 5.0f);
    float now = may && turns < expected ? 1.0f - turns / expected : 0.0f;
    float share = frame->time_step / (LOCKED_TIME + frame->time_step);
    racer->memory.locked += share * (now - racer->memory.locked);
    return racer_step(racer->memory.locked, 0.3f, 0.7f);
}

// Longitudinal slip at which driven tyres give most. A small difference of speed does not count as
// spinning.
static float best_slip(const kerb_racer* racer, const racer_frame* frame) {
    float half = kerb_max(racer_half_slip(racer, 0), racer_half_slip(racer, 1));
    return RACER_PEAK_SLIP * half + SLIP_SLACK / kerb_max(kerb_abs(frame->speed), 1.0f);
}

// Share of the best longitudinal slip that the rear's slip angle leaves. A tyre holds by the length
// of both: at its best longitudinal slip and in a bend it is past its peak, and the rear slides.
// Nobody says which axle is driven; a driven front only runs wide, which front_slides handles.
// [GEARS_SLIP_LEAST … 1]
static float slip_left(const kerb_racer* racer) {
    float aside = racer->decision.slip_rear / (RACER_PEAK_SLIP * racer_half_slip(racer, 1));
    return kerb_max(kerb_sqrt(kerb_max(1.0f - aside * aside, 0.0f)), GEARS_SLIP_LEAST);
}

// How much too fast the driven wheels turn, relative to the best slip; below 0: too slow. By the
// engine, which does not tell while the clutch may slip. A host that keeps wheels from locking also
// keeps them from spinning; there less slip in bends would only cost speed.
static float gears_spins(const kerb_racer* racer, const racer_frame* frame) {
    if (kerb_in_racer_launches(racer, frame))
        return -1.0f;
    float slip = racer->memory.locks ? frame->motion->wheel_slip : driven_slip(racer, frame);
    float left = kerb_in_racer_may_lock(racer) ? slip_left(racer) : 1.0f;
    return slip / (best_slip(racer, frame) * left) - 1.0f;
}

// Removes throttle while the driven wheels spin, and returns it as they grip.
static void hold_wheels(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    float excess = kerb_clamp(gears_spins(racer, frame), -1.0f, 2.0f);
    racer->memory.slip += SPIN_RATE * excess * frame->time_step;
    racer->memory.slip = kerb_clamp(racer->memory.slip, 0.0f, SPIN_MOST);
    float now = racer->memory.slip + SPIN_AT_ONCE * kerb_max(excess, 0.0f);
    controls->throttle *= 1.0f - kerb_min(now, SPIN_MOST);
}

// Removes braking while the wheel that slips most is past its peak, and returns it.
static void hold_brakes(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    float slip = -frame->motion->wheel_slip / best_slip(racer, frame);
    float excess = controls->brake > 0.0f ? kerb_clamp(slip - 1.0f, -1.0f, 2.0f) : -1.0f;
    float* lock = &racer->memory.lock;
    *lock += (excess > 0.0f ? LOCK_TAKES : LOCK_GIVES) * excess * frame->time_step;
    *lock = kerb_clamp(*lock, 0.0f, LOCK_MOST);
    float now = *lock + LOCK_AT_ONCE * kerb_max(excess, 0.0f);
    controls->brake *= 1.0f - kerb_min(now, LOCK_IN_ALL);
    float fades = racer->memory.locked * LOCK_FADES / (LOCK_FADES + frame->time_step);
    racer->memory.locked = excess > 0.0f ? 1.0f : fades;
}

void kerb_in_racer_ease_off(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls) {
    if (racer->settings.slip_control == KERB_RACER_SLIP_OFF)
        return;
    hold_wheels(racer, frame, controls);
    if (racer->memory.locks) {
        hold_brakes(racer, frame, controls);
        return;
    }
    controls->brake *= 1.0f - 0.7f * front_locked(racer, frame, controls->brake);
    float locks = kerb_clamp((-driven_slip(racer, frame) - LOCK_FROM) / LOCK_RANGE, 0.0f, 1.0f);
    controls->brake *= 1.0f - 0.5f * locks;
}
