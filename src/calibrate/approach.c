// Drives the vehicle, which is not known yet, to the start of a manoeuvre: along the middle line of
// the area, round at its ends, at the speed that the manoeuvre needs.
//
// A wheeled vehicle follows the line by pure pursuit and slows down while it has to turn. A vehicle
// that turns on the spot stops, turns, and drives on, which needs no grip. Values measured up to
// now are used; for all others the values that the host gave. O(1) a frame.
#include "frame.h"

// Lateral acceleration in turns of an approach: low enough for any vehicle. [m/s²]
#define GENTLE_TURN 1.5f
// Share of acceleration_max that an approach uses: gentle, so that estimates of it may be too high.
// [1]
#define GENTLE_PUSH 0.5f
// A place shorter than this is small: there is no room to turn round at its ends. [length]
#define SMALL_LENGTHS 20.0f
// A measurement begins after the motion has been steady for this time. [s]
#define APPROACH_STEADY_TIME 1.0f
// After this time the speed need not be steady. [s]
#define UNSTEADY_TIME 20.0f
// An approach turns round at most this often: more turns do not make the area longer.
#define TURNS_MOST 2
// An approach that takes longer is given up. [s]
#define CALIBRATE_APPROACH_MOST 180.0f

float kerb_in_calibrate_crawl(const kerb_calibrator* calibrator) {
    return kerb_sqrt(0.05f * KERB_GRAVITY * calibrator->measured.length);
}

bool kerb_in_calibrate_is_short(const kerb_calibrator* calibrator) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float length = settings->space_ahead + settings->space_behind;
    return length < SMALL_LENGTHS * calibrator->measured.length;
}

bool kerb_in_calibrate_is_small(const kerb_calibrator* calibrator) {
    return calibrator->measured.kind == KERB_VEHICLE_WHEELED &&
           kerb_in_calibrate_is_short(calibrator);
}

// Free way along the heading (way 1) or against it (-1), to the edge of the area. [m]
static float free_way(const kerb_calibrator* calibrator, const calibrate_frame* frame, float way) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float sine, cosine;
    kerb_sin_cos(frame->heading, &sine, &cosine);
    sine *= way;
    cosine *= way;
    float x = cosine > 0.0f ? settings->space_ahead - frame->x : settings->space_behind + frame->x;
    float y = settings->space_each_side - (sine > 0.0f ? frame->y : -frame->y);
    return kerb_min(kerb_max(x, 0.0f) / kerb_max(kerb_abs(cosine), 1e-3f),
                    kerb_max(y, 0.0f) / kerb_max(kerb_abs(sine), 1e-3f));
}

float kerb_in_calibrate_ahead(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float margin = calibrator->measured.length;
    if (calibrator->memory.own_line)
        return free_way(calibrator, frame, calibrator->memory.travel) - 0.5f * margin;
    float end = calibrator->memory.travel > 0.0f ? settings->space_ahead - frame->x
                                                 : settings->space_behind + frame->x;
    return end - margin;
}

// Share of the estimated braking that is counted on to stay in the area, and the time until it
// acts. [1], [s]
#define EDGE_BRAKING 0.6f
#define EDGE_DELAY 0.3f

bool kerb_in_calibrate_has_room(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float time) {
    float speed = kerb_abs(frame->speed);
    float braking = EDGE_BRAKING * kerb_max(calibrator->measured.braking_max, 0.5f);
    float stop = 0.5f * speed * speed / braking;
    return kerb_in_calibrate_ahead(calibrator, frame) > stop + time * speed;
}

bool kerb_in_calibrate_near_edge(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float margin = 0.5f * kerb_abs(frame->speed) + 0.5f * calibrator->measured.length;
    return frame->x > settings->space_ahead - margin ||
           frame->x < margin - settings->space_behind ||
           kerb_abs(frame->y) > settings->space_each_side - margin;
}

// Of the line between the ends at which it turns. [1]
#define LINE_SHARE 0.5f

float kerb_in_calibrate_straight(const kerb_calibrator* calibrator) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float half = 0.5f * (settings->space_ahead + settings->space_behind);
    float length = calibrator->measured.length;
    // What turns on the spot turns at an end, and has all of a short place ahead, but for the way
    // on which it gains speed.
    if (calibrator->measured.kind != KERB_VEHICLE_WHEELED && kerb_in_calibrate_is_short(calibrator))
        return LINE_SHARE * 2.0f * (half - length);
    return 0.9f * half - length;
}

// Way until it stands. [m]
static float way_to_stop(const kerb_calibrator* calibrator, float speed) {
    float braking = EDGE_BRAKING * kerb_max(calibrator->measured.braking_max, 0.5f);
    return kerb_abs(speed) * (EDGE_DELAY + 0.5f * kerb_abs(speed) / braking);
}

bool kerb_in_calibrate_would_leave(const kerb_calibrator* calibrator,
                                   const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float sine, cosine;
    kerb_sin_cos(frame->heading, &sine, &cosine);
    float vx = frame->speed * cosine - frame->side * sine;
    float vy = frame->speed * sine + frame->side * cosine;
    float speed = kerb_sqrt(vx * vx + vy * vy);
    float time = way_to_stop(calibrator, speed) / kerb_max(speed, 0.01f);
    float x = frame->x + vx * time, y = frame->y + vy * time;
    return (x > settings->space_ahead && vx > 0.0f) || (x < -settings->space_behind && vx < 0.0f) ||
           (kerb_abs(y) > settings->space_each_side && y * vy > 0.0f);
}

// --------------------------------------------------------------------------- steering

static float line_heading(const kerb_calibrator* calibrator) {
    if (calibrator->memory.own_line)
        return calibrator->memory.own_heading;
    return calibrator->memory.travel > 0.0f ? 0.0f : KERB_PI;
}

// Offset to the left of the line, in the line's direction of travel. [m]
static float line_offset(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_calibrator_memory* m = &calibrator->memory;
    if (!m->own_line)
        return m->travel * frame->y;
    float sine, cosine;
    kerb_sin_cos(m->own_heading, &sine, &cosine);
    return (frame->y - m->own_y) * cosine - (frame->x - m->own_x) * sine;
}

static float approach_heading_error(const kerb_calibrator* calibrator,
                                    const calibrate_frame* frame) {
    return kerb_wrap_angle(line_heading(calibrator) - frame->heading);
}

// The point ahead is so far in time. Pursuit then swings at 1.4 over this time, well damped, and
// slowly beside delays of half a second. [s]
#define CALIBRATE_LINE_AHEAD 2.5f

// Curvature of the arc to a point ahead on the middle line; full lock when that point lies behind.
static float approach_pursue(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    float radius = kerb_vehicle_turning_radius(&calibrator->measured);
    float lookahead = kerb_max(2.5f * radius, CALIBRATE_LINE_AHEAD * kerb_abs(frame->speed));
    float sine, cosine, offset = line_offset(calibrator, frame);
    kerb_sin_cos(frame->heading - line_heading(calibrator), &sine, &cosine);
    kerb_vec2 target = {cosine * lookahead - sine * offset, -sine * lookahead - cosine * offset};
    if (target.x < 0.0f)
        return (target.y < 0.0f ? -1.0f : 1.0f) / radius;
    return kerb_pure_pursuit(target);
}

// A vehicle that turns on the spot keeps its heading. It slides, so it cannot keep to a line.
static float keep_heading(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    float error = approach_heading_error(calibrator, frame);
    // The greatest yaw rate from which the turn can still end at the right heading.
    float rate = kerb_sqrt(vehicle->yaw_acceleration_max * kerb_abs(error));
    rate = kerb_min(rate, 2.0f * kerb_abs(error));
    rate = kerb_min(rate / vehicle->yaw_rate_max, 1.0f);
    return error < 0.0f ? -rate : rate;
}

// Steering for a curvature without understeer. It is not known yet, and one that is taken for too
// great would make the steering of fast straights so sharp that they swing.
static float neutral_steering(const kerb_calibrator* calibrator, float curvature) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    return kerb_clamp(kerb_atan(vehicle->wheelbase * curvature) / vehicle->steering_angle_max,
                      -1.0f, 1.0f);
}

static float hold_curvature(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                            float curvature) {
    float square = kerb_max(frame->speed * frame->speed, 0.01f);
    float most = 2.0f * GENTLE_TURN / square;
    return neutral_steering(calibrator, kerb_clamp(curvature, -most, most));
}

// Time in which the steering of the line is learned, and that by which wheels and body are late
// meanwhile. Slower than the pursuit, or both swing together: at 1.5 s a van with controls 0.2 s
// late swings by 3 m/s aside at 20 m/s. The slow manoeuvres have taught most of it. [s]
#define CALIBRATE_LINE_TIME 4.0f
#define CALIBRATE_LINE_LATE 0.3f
#define CALIBRATE_TRIM_MOST 0.3f // [lock]

// The difference between the curvature that it drives and that it should drive, integrated: trim,
// and what of the lock is missing at this speed.
static void learn_line(kerb_calibrator* calibrator, const calibrate_frame* frame, float wanted) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const float probe = 1e-3f; // a curvature, small against that of any lock [1/m]
    float share = frame->time_step / (CALIBRATE_LINE_LATE + frame->time_step);
    m->line_wanted += (wanted - m->line_wanted) * share;
    if (kerb_abs(frame->speed) < kerb_in_calibrate_crawl(calibrator) * 0.5f || m->slides)
        return;
    float per_curvature = neutral_steering(calibrator, probe) / probe;
    float error = m->line_wanted - frame->yaw_rate / frame->speed;
    m->line_trim +=
        kerb_clamp(error * per_curvature, -0.2f, 0.2f) * frame->time_step / CALIBRATE_LINE_TIME;
    m->line_trim = kerb_clamp(m->line_trim, -CALIBRATE_TRIM_MOST, CALIBRATE_TRIM_MOST);
}

float kerb_in_calibrate_keep_line(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    if (calibrator->measured.kind != KERB_VEHICLE_WHEELED)
        return keep_heading(calibrator, frame);
    float square = kerb_max(frame->speed * frame->speed, 0.01f);
    float pursued = approach_pursue(calibrator, frame);
    float most = 2.0f * GENTLE_TURN / square;
    float wanted = kerb_clamp(pursued, -most, most);
    // On the way, not in the turns at the ends of the area, nor on straights of some seconds.
    if (!kerb_in_calibrate_is_small(calibrator) &&
        kerb_abs(pursued) * kerb_vehicle_turning_radius(&calibrator->measured) < 0.3f)
        learn_line(calibrator, frame, wanted);
    else
        calibrator->memory.line_wanted = wanted;
    return hold_curvature(calibrator, frame, wanted) + calibrator->memory.line_trim;
}

float kerb_in_calibrate_line_side(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    float ahead = CALIBRATE_LINE_AHEAD * kerb_max(kerb_abs(frame->speed), 0.1f);
    float off = line_offset(calibrator, frame) / ahead - approach_heading_error(calibrator, frame);
    return off > 0.0f ? -1.0f : 1.0f;
}

// A vehicle that drives back cannot follow a point behind it by pursuit; it keeps its heading.
float kerb_in_calibrate_keep_back(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    if (calibrator->measured.kind != KERB_VEHICLE_WHEELED)
        return keep_heading(calibrator, frame);
    float radius = kerb_vehicle_turning_radius(&calibrator->measured);
    float error = approach_heading_error(calibrator, frame);
    float curvature =
        -error / kerb_max(2.5f * radius, CALIBRATE_LINE_AHEAD * kerb_abs(frame->speed));
    learn_line(calibrator, frame, curvature);
    return hold_curvature(calibrator, frame, curvature) + calibrator->memory.line_trim;
}

// A vehicle slides where the axle that does not steer moves aside by this share of the speed, and a
// little more. [1], [crawl]
#define SLIDES_AT 0.1f
#define SLIDES_LEAST 0.2f
#define CALIBRATE_ASTRAY 0.35f // heading error at which it lifts off [rad]
#define SPINS_AT 0.5f      // slip of wheels that spin, far beyond that of the greatest force [1]
#define LIFTS_TO 0.7f      // after a slide, of the throttle before it [1]
#define PRESSES_IN 10.0f   // time in which it presses the throttle again [s]
#define RETURNS_WITH 0.15f // throttle with which it returns to the line [1]

static bool calibrate_slides(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_vehicle* v = &calibrator->measured;
    float least = SLIDES_LEAST * kerb_in_calibrate_crawl(calibrator);
    float side = frame->side - frame->yaw_rate * v->reference_to_rear_axle;
    return v->kind == KERB_VEHICLE_WHEELED &&
           kerb_abs(side) > SLIDES_AT * kerb_abs(frame->speed) + least;
}

// Additive increase, multiplicative decrease: it comes near the throttle that the tyres hold.
float kerb_in_calibrate_full_throttle(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool slides = calibrate_slides(calibrator, frame);
    bool spins = slides || frame->slip > SPINS_AT;
    bool astray = calibrator->measured.kind == KERB_VEHICLE_WHEELED &&
                  kerb_abs(approach_heading_error(calibrator, frame)) > CALIBRATE_ASTRAY;
    calibrator->spins += spins && !m->slides && calibrator->spins < INT32_MAX ? 1 : 0;
    if (slides && !m->slides)
        m->throttle_share *= LIFTS_TO;
    m->slides = spins;
    if (slides || astray)
        return slides ? 0.0f : kerb_min(RETURNS_WITH, m->throttle_share);
    m->throttle_share = kerb_min(m->throttle_share + frame->time_step / PRESSES_IN, 1.0f);
    return m->throttle_share;
}

void kerb_in_calibrate_watch_locks(kerb_calibrator* calibrator, const calibrate_frame* frame) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool locks = frame->slip < -SPINS_AT || calibrate_slides(calibrator, frame);
    calibrator->locks += locks && !m->slides && calibrator->locks < INT32_MAX ? 1 : 0;
    m->slides = locks;
}

void kerb_in_calibrate_hold(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    wish->brake = 1.0f;
    wish->handbrake = kerb_abs(frame->speed) < 2.0f * kerb_in_calibrate_crawl(calibrator);
}

// --------------------------------------------------------------------------- speed

// It stands although it should drive for longer than any delay of an engine or of a gearbox that
// engages; then the throttle opens, as slowly as in the first movement. [s], [1/s]
#define CALIBRATE_STANDS 1.5f
#define CALIBRATE_BREAKAWAY (1.0f / 5.0f)

// The push is not known yet, nor what resists it: where the throttle by the description does not
// move it, it learns how much does. O(1).
static void learn_breakaway(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                            float capacity) {
    kerb_calibrator_memory* m = &calibrator->memory;
    bool stands = kerb_abs(frame->speed) < 0.1f * kerb_in_calibrate_crawl(calibrator) &&
                  speed > 0.2f * kerb_in_calibrate_crawl(calibrator);
    m->stood = stands ? m->stood + frame->time_step : 0.0f;
    if (m->stood > CALIBRATE_STANDS)
        m->breakaway =
            kerb_min(m->breakaway + CALIBRATE_BREAKAWAY * capacity * frame->time_step, capacity);
}

void kerb_in_calibrate_keep_speed(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                  float speed, float acceleration, calibrate_wish* wish) {
    const kerb_vehicle* vehicle = &calibrator->measured;
    const kerb_speed_settings settings = {1.2f, 0.4f};
    float capacity = kerb_full_throttle_acceleration(vehicle, frame->speed, false);
    learn_breakaway(calibrator, frame, speed, capacity);
    float resisting =
        kerb_coasting_deceleration(vehicle, frame->speed) + calibrator->memory.breakaway;
    float most = kerb_min(acceleration, capacity - resisting);
    float wanted =
        kerb_speed_control(&calibrator->memory.speed_control, &settings, speed - frame->speed, 0.0f,
                           -0.5f * vehicle->braking_max, kerb_max(most, 0.0f), frame->time_step);
    kerb_controls pedals = {0};
    kerb_pedals(vehicle, wanted + resisting, capacity, &pedals);
    wish->throttle = pedals.throttle;
    wish->brake = pedals.brake;
}

// --------------------------------------------------------------------------- the approach

// The length ahead that is needed, with the distance to gain the speed first.
static float room_with_run(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                           float speed, float room) {
    float gained = speed * speed - kerb_max(frame->speed, 0.0f) * frame->speed;
    float push = GENTLE_PUSH * calibrator->measured.acceleration_max;
    return room + kerb_max(gained, 0.0f) / push + 2.0f * speed * APPROACH_STEADY_TIME;
}

static void approach_turn_round(kerb_calibrator* calibrator) {
    calibrator->memory.travel = -calibrator->memory.travel;
    calibrator->memory.turns++;
}

// Where it turns on the spot, and neither way from here is long enough, it drives to the nearer end
// and turns there. True on the way.
static bool goes_to_end(kerb_calibrator* calibrator, const calibrate_frame* frame, float room) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float here = kerb_in_calibrate_ahead(calibrator, frame);
    if (m->phase_time <= frame->time_step && here < room) {
        approach_turn_round(calibrator);
        float there = kerb_in_calibrate_ahead(calibrator, frame);
        m->to_end = there < room;
        if (there > here || !m->to_end)
            approach_turn_round(calibrator); // the nearer end; or the longer way, chosen below
        m->turns = 0;
        m->count = 0;
    }
    if (m->to_end &&
        kerb_in_calibrate_ahead(calibrator, frame) < way_to_stop(calibrator, frame->speed)) {
        m->to_end = false;
        approach_turn_round(calibrator);
        m->turns = TURNS_MOST;
        m->count = 0;
        m->phase_time = 2.0f * frame->time_step; // the approach begins here
    }
    return m->to_end;
}

// Turns round when the length ahead is not enough and the other direction has more.
static void choose_travel(kerb_calibrator* calibrator, const calibrate_frame* frame, float room) {
    float here = kerb_in_calibrate_ahead(calibrator, frame);
    if (here >= room || calibrator->memory.turns >= TURNS_MOST)
        return;
    approach_turn_round(calibrator);
    if (kerb_in_calibrate_ahead(calibrator, frame) < here)
        approach_turn_round(calibrator);
}

// Left-positive steering to the middle of the area: a bend to it, or full lock.
static float steering_to_middle(const kerb_calibrator* calibrator, const calibrate_frame* frame) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    float x = 0.5f * (settings->space_ahead - settings->space_behind) - frame->x, y = -frame->y;
    float sine, cosine;
    kerb_sin_cos(frame->heading, &sine, &cosine);
    kerb_vec2 target = {cosine * x + sine * y, cosine * y - sine * x};
    if (target.x < 0.0f)
        return target.y < 0.0f ? -1.0f : 1.0f;
    return kerb_clamp(
        kerb_steering_for(&calibrator->measured, kerb_pure_pursuit(target), frame->speed), -1.0f,
        1.0f);
}

// True while it drives back from an edge that it faces: until its smallest turn fits ahead, or as
// far as there is room behind.
static bool backs_from_edge(kerb_calibrator* calibrator, const calibrate_frame* frame,
                            calibrate_wish* wish) {
    kerb_calibrator_memory* m = &calibrator->memory;
    const kerb_vehicle* v = &calibrator->measured;
    float ahead = free_way(calibrator, frame, 1.0f), behind = free_way(calibrator, frame, -1.0f);
    float off = approach_heading_error(calibrator, frame);
    float stop = way_to_stop(calibrator, frame->speed);
    if (kerb_abs(off) > 0.3f && ahead < 0.3f * v->length + stop)
        m->backs = true;
    if (m->backs && (ahead > 1.5f * kerb_vehicle_turning_radius(v) + v->length ||
                     behind < 0.3f * v->length + stop || kerb_abs(off) < 0.2f))
        m->backs = false;
    if (!m->backs)
        return false;
    wish->direction = -1;
    float turn =
        kerb_in_calibrate_is_small(calibrator) ? steering_to_middle(calibrator, frame) : off;
    wish->steering = turn > 0.0f ? -1.0f : 1.0f; // in reverse the front comes to the other side
    float slow = 0.7f * kerb_in_calibrate_crawl(calibrator);
    if (frame->speed > 0.1f || frame->speed < -1.5f * slow)
        wish->brake = 0.5f;
    else if (frame->speed > -slow) // gently: reverse has not been measured yet
        wish->throttle = kerb_min(0.1f + 0.05f * m->phase_time, 0.5f);
    return true;
}

// For a wheeled vehicle: along the line, slowly while it is far from the line, and no faster than
// it can stop before the edge.
static void approach_roll_on(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                             calibrate_wish* wish) {
    if (backs_from_edge(calibrator, frame, wish))
        return;
    float curvature = kerb_abs(approach_pursue(calibrator, frame));
    float turning = kerb_sqrt(GENTLE_TURN / kerb_max(curvature, 1e-6f));
    float push = GENTLE_PUSH * calibrator->measured.acceleration_max;
    float braking = EDGE_BRAKING * calibrator->measured.braking_max;
    float room =
        kerb_max(free_way(calibrator, frame, 1.0f) - 0.2f * calibrator->measured.length, 0.0f);
    float fast = kerb_sqrt(braking * room); // half of the way is left for the delays
    if (fast < 0.3f * kerb_in_calibrate_crawl(calibrator) && frame->speed < 0.2f)
        calibrator->memory.backs = true;
    kerb_in_calibrate_keep_speed(calibrator, frame, kerb_min(kerb_min(speed, turning), fast), push,
                                 wish);
    wish->steering = kerb_in_calibrate_keep_line(calibrator, frame);
}

// For a vehicle that turns on the spot: stop, turn to the line, then drive.
static void turn_and_go(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                        calibrate_wish* wish) {
    float off = kerb_abs(approach_heading_error(calibrator, frame));
    wish->steering = keep_heading(calibrator, frame);
    float slid = kerb_abs(frame->side) + kerb_abs(frame->speed);
    if (calibrator->memory.count == 0 && (off > 0.3f || kerb_abs(frame->side) > 0.3f)) {
        wish->brake = 1.0f;
        wish->steering = 0.0f;
        calibrator->memory.count = slid < 0.1f ? 1 : 0;
        return;
    }
    if (calibrator->memory.count <= 1 && off > 0.02f) {
        calibrator->memory.count = 1;
        return;
    }
    calibrator->memory.count = 2;
    float push = GENTLE_PUSH * calibrator->measured.acceleration_max;
    kerb_in_calibrate_keep_speed(calibrator, frame, speed, push, wish);
}

static bool is_steady(const kerb_calibrator* calibrator, const calibrate_frame* frame,
                      float speed) {
    bool straight = kerb_abs(approach_heading_error(calibrator, frame)) < 0.03f &&
                    kerb_abs(frame->yaw_rate) < 0.01f + 0.001f * kerb_abs(frame->speed);
    // What creeps on at idle does not hold a low speed. It is measured at those that it has.
    bool waited = calibrator->memory.phase_time > UNSTEADY_TIME && frame->speed > 0.3f * speed &&
                  frame->speed < 3.0f * speed;
    // In a short place there is no time to wait: what begins here measures its speed itself.
    float near = kerb_in_calibrate_is_short(calibrator) ? 0.3f : 0.03f;
    return straight && (waited || kerb_abs(frame->speed - speed) < near * speed + 0.02f);
}

// --------------------------------------------------------------------------- in a small place

// Steering with which it looks round for a straight. [lock]
#define LOOKS_ROUND 0.8f
// A straight that is that much of the smaller side of a place is taken. [1]
#define LONG_ENOUGH 0.42f
// A turning manoeuvre begins within this share of the smaller half around the middle. [1]
#define SMALL_MIDDLE 0.35f
// In a small place an approach that takes longer is given up. [s]
#define SMALL_APPROACH_MOST 60.0f

static float smaller_side(const kerb_calibrator* calibrator) {
    const kerb_calibration_settings* settings = &calibrator->settings;
    return kerb_min(settings->space_ahead + settings->space_behind,
                    2.0f * settings->space_each_side);
}

// To the middle first. A manoeuvre with turns, which needs no straight (room 0), begins there. For
// others it goes round until there is a straight ahead, and along it.
static bool small_approach(kerb_calibrator* calibrator, const calibrate_frame* frame, float speed,
                           float room, calibrate_wish* wish, bool* given_up) {
    kerb_calibrator_memory* m = &calibrator->memory;
    float crawl = kerb_in_calibrate_crawl(calibrator), side = smaller_side(calibrator);
    *given_up = m->phase_time > SMALL_APPROACH_MOST;
    if (m->own_line) {
        approach_roll_on(calibrator, frame, speed, wish);
        // There is no time to wait: what begins here need not be exactly straight.
        bool steady = kerb_abs(approach_heading_error(calibrator, frame)) < 0.1f &&
                      kerb_abs(frame->yaw_rate) < 0.05f + 0.05f * kerb_abs(frame->speed) &&
                      frame->speed > 0.8f * kerb_min(speed, crawl);
        m->steady_time = steady ? m->steady_time + frame->time_step : 0.0f;
        if (free_way(calibrator, frame, 1.0f) < 0.3f * side) // the straight is used up
            m->own_line = false;
        bool fast = frame->speed > 0.9f * speed;
        return m->own_line && fast && m->steady_time >= 0.3f * APPROACH_STEADY_TIME;
    }
    if (m->phase_time <= frame->time_step)
        m->own_side = 0.0f; // not in the middle yet
    float wanted = kerb_min(room + 3.0f * speed, LONG_ENOUGH * side);
    if (m->own_side != 0.0f && free_way(calibrator, frame, 1.0f) > wanted) {
        m->own_line = true;
        m->own_x = frame->x;
        m->own_y = frame->y;
        m->own_heading = frame->heading;
        m->travel = 1.0f;
        m->steady_time = 0.0f;
    }
    approach_roll_on(calibrator, frame, crawl, wish);
    if (m->backs)
        return false;
    const kerb_calibration_settings* settings = &calibrator->settings;
    float x = frame->x - 0.5f * (settings->space_ahead - settings->space_behind);
    bool middle = kerb_sqrt(x * x + frame->y * frame->y) < 0.5f * SMALL_MIDDLE * side;
    float turn = steering_to_middle(calibrator, frame);
    wish->steering = m->own_side != 0.0f ? LOOKS_ROUND * m->own_side : turn;
    if (middle && room > 0.0f && m->own_side == 0.0f)
        m->own_side = turn < 0.0f ? -1.0f : 1.0f;
    return room <= 0.0f && middle && frame->speed > 0.5f * crawl;
}

bool kerb_in_calibrate_approach(kerb_calibrator* calibrator, const calibrate_frame* frame,
                                float speed, float room, calibrate_wish* wish, bool* given_up) {
    if (kerb_in_calibrate_is_small(calibrator))
        return small_approach(calibrator, frame, speed, room, wish, given_up);
    bool first = calibrator->memory.phase_time <= frame->time_step;
    float needed = first ? room_with_run(calibrator, frame, speed, room) : room;
    bool turns =
        calibrator->measured.kind != KERB_VEHICLE_WHEELED && kerb_in_calibrate_is_short(calibrator);
    if (turns && goes_to_end(calibrator, frame, needed)) {
        *given_up = calibrator->memory.phase_time > CALIBRATE_APPROACH_MOST;
        turn_and_go(calibrator, frame, kerb_in_calibrate_crawl(calibrator), wish);
        return false;
    }
    choose_travel(calibrator, frame, needed);
    if (calibrator->measured.kind == KERB_VEHICLE_WHEELED)
        approach_roll_on(calibrator, frame, speed, wish);
    else
        turn_and_go(calibrator, frame, speed, wish);
    bool steady = is_steady(calibrator, frame, speed);
    calibrator->memory.steady_time =
        steady ? calibrator->memory.steady_time + frame->time_step : 0.0f;
    bool short_of_room =
        kerb_in_calibrate_ahead(calibrator, frame) < room && calibrator->memory.turns >= TURNS_MOST;
    *given_up = short_of_room || calibrator->memory.phase_time > CALIBRATE_APPROACH_MOST;
    float enough = turns ? 0.3f * APPROACH_STEADY_TIME : APPROACH_STEADY_TIME;
    return calibrator->memory.steady_time >= enough;
}
