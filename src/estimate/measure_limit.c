// Purpose: turns at the limit of grip, and understeer below it.
// Idea:    Grip: while the vehicle coasts, so that no tyre drives or brakes, the steering turns in
//          slowly until the lateral acceleration no longer rises.
//          Understeer: with constant steering the curvature falls as the lateral acceleration
//          rises. The gradient is the slope of a least-squares fit in the linear part of the tyres.
//          It is measured while coasting on the circle, because thrust moves load off the front
//          wheels, and gaining speed on a circle needs a force for the growing yaw rate.
// Cost:    O(1) a frame; O(samples) at the end.
#include "measure.h"
#include "shared.h"

// --------------------------------------------------------------------------- grip

#define LIMIT_FILTER 0.15f // time constant of the filter of lateral acceleration [s]
#define LIMIT_GONE 0.9f    // share of the steering's effect that is left beyond the limit [1]
#define LIMIT_TIME 12.0f   // longest time of turning in [s]
// Deviation of a bound, and of the greatest lateral acceleration where the grip gave out. [1]
#define LIMIT_GUESS 0.3f
#define LIMIT_SURE 0.018f
#define LIMIT_LOCK 0.08f     // deviation where full lock gives no more without slip [1]
#define LIMIT_TRACKS 0.04f   // of the greatest one that tracks gave before it fell [1]
#define LIMIT_OF_TYRES 15.0f // no tyre without wings holds more [m/s²]
// Wings that nobody told: one vehicle in some has them. Deviation of their downforce. [1/m]
#define LIMIT_WINGS 0.0005f
// Until so much of it has come, nothing is said about the share that the tyres give. [m/s²]
#define LIMIT_BEGINS 1.0f
// Below this steering an error of the trim counts for too much. [1]
#define LIMIT_FROM 0.1f

// Lateral acceleration that a steering gives to a vehicle whose tyres do not slip. [m/s²]
static float without_slip(const kerb_vehicle* vehicle, float steering, float speed) {
    float square = speed * speed;
    return square * kerb_tan(steering * vehicle->steering_angle_max) /
           (vehicle->wheelbase + kerb_max(vehicle->understeer_gradient, 0.0f) * square);
}

// Follows the greatest lateral acceleration, and the steering and the speed that gave it.
static void limit_follow(kerb_measure_limit* l, const kerb_vehicle* v,
                         const kerb_in_measure_frame* frame, float steering) {
    // Of the middle of the axles, where the mass of most vehicles is: the reference point moves
    // aside when the body turns faster.
    float lever =
        v->kind == KERB_VEHICLE_WHEELED ? 0.5f * v->wheelbase - v->reference_to_rear_axle : 0.0f;
    float lateral = frame->across + lever * frame->yaws;
    l->lateral += (lateral - l->lateral) * frame->time_step / (LIMIT_FILTER + frame->time_step);
    l->most = kerb_max(l->lateral, l->most);
    if (l->lateral > 1.01f * l->to_percent) {
        l->to_before = l->to_percent;
        l->steering_before = l->steering;
        l->speed_before = l->speed;
        l->to_percent = l->lateral;
        l->steering = steering;
        l->speed = frame->speed;
    }
    float late = LIMIT_FILTER + v->steering_delay;
    l->late_steering +=
        (steering - l->late_steering) * frame->time_step / (late + frame->time_step);
}

bool kerb_in_measure_turn_in(kerb_measure_memory* m, const kerb_vehicle* v,
                             const kerb_in_measure_frame* frame, float steering, float time,
                             bool edge) {
    kerb_measure_limit* l = &m->now.limit;
    if (l->first == 0.0f)
        l->first = frame->speed;
    limit_follow(l, v, frame, steering);
    float most = without_slip(v, l->late_steering, frame->speed);
    // Below 1 where the lock falls with speed.
    if (most > LIMIT_BEGINS && l->late_steering > LIMIT_FROM)
        l->share = kerb_min(kerb_max(l->share, l->lateral / most), 1.0f);
    bool past = l->lateral < 0.92f * l->most && time > 1.0f;
    bool slides = kerb_abs(frame->side) > 0.8f * kerb_abs(frame->speed);
    bool slow = frame->speed < 0.4f * l->first;
    // The lateral acceleration falls although the steering grew: more steering gives no more.
    if (!(past || slides || slow || time > LIMIT_TIME || edge))
        return false;
    // Near its peak a tyre gives the last percent for a tenth more steering; what takes half as
    // much again crept on beyond the limit, at the pace of rounding or of the vehicle's attitude.
    bool crept = l->to_before > 0.98f * l->most && l->steering > 1.5f * l->steering_before;
    m->grip_lateral = l->most;
    m->grip_steering = crept ? l->steering_before : l->steering;
    m->grip_speed = crept ? l->speed_before : l->speed;
    m->grip_share = kerb_clamp(l->share, 0.2f, 1.0f);
    // It gave out where, at the end, much less comes of the steering than came before.
    m->grip_edge = !past && !slides && !slow && time <= LIMIT_TIME;
    m->grip_gave_out = slides || (!m->grip_edge && l->lateral < LIMIT_GONE * l->share * most);
    // Tracks that give out take less of a turn than before, or all of the speed.
    m->tracks_gave_out = v->kind == KERB_VEHICLE_TRACKED && (past || slow || slides);
    return true;
}

kerb_estimated kerb_in_measure_held(const kerb_measure_memory* m) {
    return kerb_in_measured(m->grip_lateral, m->tracks_gave_out ? LIMIT_TRACKS : LIMIT_GUESS);
}

// The front wheels push along their own axis, and only the cosine of it turns the vehicle. Grip was
// the limit, not lock or speed, when a vehicle with unlimited grip would have turned clearly
// harder.
kerb_estimated kerb_in_measure_grip(const kerb_measure_memory* m, const kerb_vehicle* v,
                                    const kerb_body_estimate* body, float speed, float wings) {
    float angle = m->grip_share * m->grip_steering * v->steering_angle_max;
    float most = m->grip_share * without_slip(v, m->grip_steering, m->grip_speed);
    bool gave_out = m->grip_gave_out || (!m->grip_edge && m->grip_lateral < LIMIT_GONE * most);
    float square = m->grip_speed * m->grip_speed / KERB_GRAVITY;
    float grip = m->grip_lateral / kerb_cos(angle) / (1.0f + v->downforce * square);
    // What moves along circles at any speed has no tyres that could give out; a cap of its own is
    // no higher than those of tyres.
    bool slips = !body->tyres.known || body->tyres.value > 0.5f || grip < LIMIT_OF_TYRES;
    // Near full lock, that may be the limit instead.
    float near = m->grip_lateral / kerb_max(speed * speed * m->lock_curvature, 1e-3f);
    wings = (wings > 0.0f ? kerb_min(wings, LIMIT_WINGS) : LIMIT_WINGS) * square;
    float sure = kerb_sqrt(LIMIT_SURE * LIMIT_SURE + wings * wings);
    sure += LIMIT_LOCK * near * near;
    return kerb_in_measured(grip, gave_out && slips ? sure : LIMIT_GUESS);
}

// --------------------------------------------------------------------------- hovering

float kerb_in_measure_course(kerb_measure_memory* m, float speed, float across, bool steady) {
    kerb_measure_limit* l = &m->now.limit;
    l->lateral = across;
    l->most = kerb_max(l->most, across);
    if (steady)
        kerb_in_measure_fit_add(&m->now.fit, (double)(speed * speed), 0.0, (double)across);
    return across;
}

// The fit against speed² removes the part of drag.
kerb_estimated kerb_in_measure_thrust(const kerb_measure_memory* m) {
    double c[3];
    if (kerb_in_measure_fit_solve(&m->now.fit, 2, c))
        return kerb_in_measured((float)c[0], KERB_IN_MEASURE_SURE);
    return kerb_in_measured(m->now.limit.most, LIMIT_GUESS);
}

// --------------------------------------------------------------------------- understeer

#define CIRCLE_FROM 1.0f    // after so long the wheels and the body follow [s]
#define CIRCLE_LISTENS 3.0f // time in which it sees what the wheels do at crawl [s]

bool kerb_in_measure_circle(kerb_measure_memory* m, const kerb_in_measure_frame* frame,
                            float time) {
    float* sum = m->now.turn.sum;
    if (time < CIRCLE_FROM)
        return false;
    sum[0] += frame->turned;
    sum[1] += frame->speed * frame->time_step;
    sum[2] += frame->wheels * frame->time_step;
    sum[3] += frame->time_step;
    if (time < CIRCLE_LISTENS)
        return false;
    m->circle_curvature = sum[0] / kerb_max(sum[1], 1e-3f);
    m->circle_wheels = sum[2] / sum[3];
    m->circle_speed = sum[1] / sum[3];
    m->circle = (kerb_measure_fit){.count = 0};
    return true;
}

void kerb_in_measure_on_circle(kerb_measure_memory* m, const kerb_vehicle* v,
                               const kerb_in_measure_frame* frame, bool coasts) {
    kerb_measure_turn* turn = &m->now.turn;
    turn->wheels += frame->wheels * frame->time_step;
    float time = turn->time + frame->time_step;
    if (!kerb_in_measure_window(turn, frame))
        return;
    float middle = 0.5f * (turn->speed + frame->speed), wheels = turn->wheels / time;
    turn->speed = frame->speed;
    turn->wheels = 0.0f;
    if (!coasts)
        return;
    double lateral = (double)(turn->curvature * middle * middle);
    float angle = kerb_in_measure_wheel_angle(v, turn->curvature);
    float turned = kerb_in_measure_wheel_angle(v, m->circle_curvature) * wheels /
                   (m->circle_wheels != 0.0f ? m->circle_wheels : 1.0f);
    kerb_in_measure_fit_add(&m->now.fit, lateral, 0.0, (double)angle);
    kerb_in_measure_fit_add(&m->circle, lateral, 0.0, (double)(angle - turned));
    if (++turn->windows % 2 == 0)
        (void)kerb_in_measure_sample(m, middle, wheels, -1.0e9f); // by speed, which falls
}

// Windows err alike: four of them tell as much as one. [1]
#define UNDERSTEER_ALIKE 2.0f
// What else changes with speed, over the spread of the lateral acceleration. [rad]
#define UNDERSTEER_ELSE 1.0e-4f
// A vehicle with this lateral acceleration, over its wheelbase, is where understeer counts: at 15
// m/s for a car. [m/s²]
#define UNDERSTEER_AT 83.0f
// Of the lock that nobody tells, a drive may lose as much. [1]
#define CIRCLE_FALLS 0.1f
// Points of steering_lock between the least and the greatest speed of the coast.
#define CIRCLE_POINTS 6
// A lock that falls by less does not fall, and no lock grows with speed. [1]
#define CIRCLE_KEPT 0.98f

// Mean share of the wheels' angle at crawl that they had near a speed. -1: none was seen.
static float lock_near(const kerb_measure_memory* m, float speed, float spacing) {
    float sum = 0.0f, weights = 0.0f;
    for (int32_t i = 0; i < m->samples.count; i++) {
        float weight = 1.0f - kerb_abs(m->samples.time[i] - speed) / spacing;
        if (weight <= 0.0f)
            continue;
        // What trims the wheels does not fall with their lock.
        sum +=
            weight * (m->samples.value[i] - m->rest_wheels) / (m->circle_wheels - m->rest_wheels);
        weights += weight;
    }
    return weights > 0.0f ? sum / weights : -1.0f;
}

// The lock by speed, where the host tells the angle of its wheels: how much of it at one command is
// left. At the speed of the first point it is all there. Returns what the bend may change by at the
// speed for which it counts, if that was not driven. [1]
static float lock_by_speed(kerb_measure_memory* m, kerb_vehicle* v) {
    kerb_share_curve curve = {.count = 1};
    curve.speed[0] = m->circle_speed;
    for (int32_t i = 0; i < KERB_SHARE_POINTS_MAX; i++)
        curve.share[i] = 1.0f;
    float slowest = 1e9f, fastest = 0.0f, least = 1.0f;
    for (int32_t i = 0; i < m->samples.count; i++) {
        slowest = kerb_min(slowest, m->samples.time[i]);
        fastest = kerb_max(fastest, m->samples.time[i]);
    }
    float spacing = (fastest - slowest) / (float)(CIRCLE_POINTS - 1);
    for (int32_t i = 0; i < CIRCLE_POINTS && spacing > 0.0f; i++) {
        float speed = slowest + (float)i * spacing;
        float share = lock_near(m, speed, spacing);
        if (share < 0.0f || speed < 1.05f * curve.speed[curve.count - 1])
            continue;
        curve.speed[curve.count] = speed;
        curve.share[curve.count] = kerb_clamp(share, 0.02f, 1.0f);
        least = kerb_min(least, curve.share[curve.count++]);
    }
    if (curve.count <= 2)
        return 1.0f;
    m->circle_fell = true;
    if (least >= CIRCLE_KEPT)
        return 0.0f;
    v->steering_lock = curve;
    int32_t end = curve.count - 1;
    float slope =
        (curve.share[end - 1] - curve.share[end]) / (curve.speed[end] - curve.speed[end - 1]);
    float counts = kerb_sqrt(UNDERSTEER_AT * v->wheelbase);
    return kerb_max(slope * (counts - curve.speed[end]) / curve.share[end], 0.0f);
}

kerb_estimated kerb_in_measure_understeer(kerb_measure_memory* m, kerb_vehicle* v,
                                          const kerb_body_estimate* body, float steering,
                                          float trim) {
    double c[3];
    bool told = m->circle_wheels != 0.0f && kerb_in_body_believes_wheels(body);
    const kerb_measure_fit* fit = told ? &m->circle : &m->now.fit;
    float doubt = UNDERSTEER_ALIKE * (float)kerb_in_measure_fit_deviation(fit, 2, 1);
    double n = (double)(fit->count > 0 ? fit->count : 1), mean = fit->matrix[0][1] / n;
    float spread = kerb_sqrt(kerb_max((float)(fit->matrix[1][1] / n - mean * mean), 1e-9f));
    if (!kerb_in_measure_fit_solve(fit, 2, c))
        return (kerb_estimated){0.0f, 0.0f, false};
    // A bend that may be another by this share. Untold wheels: as much as the trim, which does not
    // fall with the lock, is of the steering.
    float net = kerb_max(kerb_abs(steering - trim), 0.01f);
    float lock = told ? lock_by_speed(m, v) : CIRCLE_FALLS * kerb_abs(trim) / net;
    // And by as much where it was not half as fast as it counts.
    float fast = 0.0f, counts = UNDERSTEER_AT * v->wheelbase;
    for (int32_t i = 0; i < m->samples.count; i++)
        fast = kerb_max(fast, m->samples.time[i]);
    lock += CIRCLE_FALLS * kerb_max(1.0f - 3.0f * fast * fast / counts, 0.0f);
    m->circle_doubt = lock * kerb_max(1.0f / UNDERSTEER_AT - (float)c[1], 0.0f);
    // Three causes that know nothing of each other.
    float other = UNDERSTEER_ELSE / spread;
    doubt = kerb_sqrt(doubt * doubt + other * other + m->circle_doubt * m->circle_doubt);
    return (kerb_estimated){-(float)c[1], doubt, true};
}
