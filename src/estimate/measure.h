// Measurements: estimators for samples with stated conditions. Who drives says what it does ("full
// throttle from now on", "coasting", "the steering stepped now"), hands over the frames, and asks
// for the value. Each value is told with its standard deviation, and `known` where there is one.
// kerb_in_measure_begin forgets what was measured before, but for results that others need.
#ifndef KERB_IN_ESTIMATE_MEASURE_H
#define KERB_IN_ESTIMATE_MEASURE_H

#include "kerb/estimate.h"
#include "kerb/estimate_body.h"
#include "kerb/private/measure_memory.h"

#include "../vehicle/shared.h"

/// A frame of a measurement: the motion in the axes of a place, whose x points along the heading at
/// the start and y to its left, and in those of the vehicle.
typedef struct kerb_in_measure_frame {
    float x, y;          // [m]
    float heading;       // relative to the heading at the start [rad] [-π … π]
    float turned;        // change of heading since the last frame [rad]
    float speed, side;   // of the reference point, in the vehicle's axes [m/s]
    float yaws;          // change of yaw_rate since the last frame [rad/s²]
    float yaw_rate;      // about the vehicle's up axis [rad/s]
    float along, across; // mean acceleration since the last frame, in the vehicle's axes [m/s²]
    float time_step;     // [s]
    float slip;          // kerb_motion.wheel_slip
    float wheels;        // kerb_motion.steering
    int32_t gear;        // engaged
} kerb_in_measure_frame;

/// Deviation of a number that is not more than a bound or an order of magnitude, and of one that
/// was measured in steady motion: what neither the model of a vehicle nor the frames tell; and of
/// the speed or power of a run that was cut short. On the family of hosts. [1]
#define KERB_IN_MEASURE_GUESS 0.25f
#define KERB_IN_MEASURE_SURE 0.015f
#define KERB_IN_MEASURE_BOUND 0.5f

/// A value with its deviation as a share of it. Known unless it is 0.
static inline kerb_estimated kerb_in_measured(float value, float share) {
    return (kerb_estimated){value, share * value, value != 0.0f};
}

// measure_fit.c
void kerb_in_measure_begin(kerb_measure_memory* m);
void kerb_in_measure_fit_add(kerb_measure_fit* fit, double x1, double x2, double y);
/// Writes c of the first `unknowns` terms. False when the points do not determine them.
bool kerb_in_measure_fit_solve(const kerb_measure_fit* fit, int32_t unknowns, double c[3]);
/// Standard deviation of a term of a fit, by what the fit leaves over. [term: 0 … unknowns - 1]
double kerb_in_measure_fit_deviation(const kerb_measure_fit* fit, int32_t unknowns, int32_t term);
/// Fits a polynomial of `terms` terms (1 … 3) to the samples with from <= time <= to.
bool kerb_in_measure_fit_samples(const kerb_measure_samples* samples, float from, float to,
                                 int32_t terms, double c[3]);
/// Stores a sample, unless the store is full or `spacing` has not passed since the last one. True
/// when the store is full.
bool kerb_in_measure_sample(kerb_measure_memory* m, float time, float value, float spacing);
/// The same for a response of any length: a full store keeps every other sample.
void kerb_in_measure_sample_slow(kerb_measure_memory* m, float time, float value);
/// Of two estimates of one thing the surer one. Where they contradict each other, one of them errs,
/// and nobody knows which: the value is as far from the truth as they are from each other.
kerb_estimated kerb_in_measure_join(kerb_estimated own, kerb_estimated other);

// measure_push.c: full throttle. `time`: since it was pressed.
/// Follows the speed. True when the top speed is near, for several seconds: after a pause of the
/// gearbox the vehicle gains again.
bool kerb_in_measure_near_top(kerb_measure_gain* gain, float time, float speed);
kerb_estimated kerb_in_measure_top(const kerb_measure_gain* gain, bool near_top);
/// Keeps the speed at this moment of a run to top speed. `gear`: below 0 while the throttle is not
/// full.
void kerb_in_measure_run(kerb_measure_memory* m, float time, float speed, int32_t gear);
/// The run begins again.
void kerb_in_measure_forget_run(kerb_measure_memory* m);
/// The run was cut short at a speed.
void kerb_in_measure_cut(kerb_measure_memory* m, float time, float speed);
/// The top speed of a run that was cut short, from the present estimate of resistance, and of power
/// where that is measured.
kerb_estimated kerb_in_measure_top_beyond(const kerb_measure_memory* m, const kerb_vehicle* v,
                                          bool power_known);
/// From the samples of the first seconds: the acceleration, roughly, and the speed up to which the
/// engine keeps its force.
kerb_estimated kerb_in_measure_first_push(kerb_measure_memory* m);
/// Acceleration from standstill, from samples. `timed`: the throttle has been measured; `slid`: it
/// was not full all the time.
kerb_estimated kerb_in_measure_launch(const kerb_measure_memory* m, const kerb_vehicle* v,
                                      bool timed, bool slid);
/// The delay of the throttle, from samples of the speed; at time 0 the throttle was opened.
kerb_estimated kerb_in_measure_throttle(kerb_measure_memory* m, const kerb_vehicle* v);

/// Without pedals in gear, `time` since the brake was released. True when it has its speed.
bool kerb_in_measure_creep(kerb_measure_gain* gain, float time, float speed, kerb_estimated* creep);

// measure_power.c
/// What a vehicle accelerates by at full throttle in the model of all drivers, with this power over
/// its mass. [m/s²]
float kerb_in_measure_gain(const kerb_vehicle* vehicle, float power, float speed);
/// Power, and its curve into the vehicle. Called when the resistance is known.
kerb_estimated kerb_in_measure_power(const kerb_measure_memory* m, kerb_vehicle* v);

// measure_roll.c
/// Coasting without a gear. `time`: since it began.
void kerb_in_measure_coast(kerb_measure_memory* m, float time, float speed);
/// Rolling resistance and drag of all coasting. Where only low speeds were driven, nothing is known
/// of drag, and the described one counts.
void kerb_in_measure_resistance(const kerb_measure_memory* m, const kerb_vehicle* v,
                                kerb_estimated* rolling, kerb_estimated* drag);
/// Full brake. `time`: since it was pressed. `fast`: from high speed, so that wings show; `locked`:
/// wheels have locked meanwhile.
void kerb_in_measure_brake(kerb_measure_memory* m, const kerb_in_measure_frame* frame, float time,
                           bool fast, bool locked);
/// True while it is fast enough for what a brake is measured by.
bool kerb_in_measure_brakes(const kerb_measure_memory* m, float speed);
/// At standstill: a first guess of the braking. One in which it slid counts only where there is no
/// other.
kerb_estimated kerb_in_measure_braked(kerb_measure_memory* m, float time_step, bool slid);
/// Full brake at rest. Called when drag and downforce are known, the latter if `wings`.
kerb_estimated kerb_in_measure_braking(const kerb_measure_memory* m, const kerb_vehicle* v,
                                       bool wings);
/// Downforce, where the tyres were what limited the braking from high speed. `drag`: its deviation.
kerb_estimated kerb_in_measure_wings(const kerb_measure_memory* m, const kerb_vehicle* v,
                                     float drag);

// measure_turn.c: steering.
/// Angle of the wheels of a neutral bicycle. [rad]
static inline float kerb_in_measure_wheel_angle(const kerb_vehicle* v, float curvature) {
    return kerb_atan(v->wheelbase * curvature);
}
/// Means of the curvature over windows. True at the end of a window.
bool kerb_in_measure_window(kerb_measure_turn* turn, const kerb_in_measure_frame* frame);
/// True at the end of a window that is as the one before.
static inline bool kerb_in_measure_settled(const kerb_measure_turn* turn) {
    return kerb_abs(turn->curvature - turn->before) < 0.003f * kerb_abs(turn->curvature);
}
/// Mean curvature of the sums, and the distance that they are of. [1/m] [m]
static inline float kerb_in_measure_curvature(const kerb_measure_turn* turn) {
    return turn->sum[0] / kerb_max(turn->sum[1], 1e-4f);
}
/// A frame at full lock to a side (1 left, -1 right) with steady curvature.
void kerb_in_measure_at_lock(kerb_measure_turn* turn, const kerb_in_measure_frame* frame,
                             float side);
/// The end of it, after `time`. Called for one side and the other, the `last`.
void kerb_in_measure_end_lock(kerb_measure_memory* m, bool last, float time);
/// Angle at full lock, by an understeer gradient.
kerb_estimated kerb_in_measure_lock(const kerb_measure_memory* m, const kerb_vehicle* v,
                                    float gradient);
/// The end of a turn from lock to lock, from samples of the angle: first at a speed, then at half
/// of it. False: too few samples.
bool kerb_in_measure_end_ramp(kerb_measure_memory* m, int32_t which, float speed);
/// Rate of the steering, after both.
kerb_estimated kerb_in_measure_steering_rate(const kerb_measure_memory* m, float time_step);
/// A frame after a step of the steering. `time`: since the step.
void kerb_in_measure_step(kerb_measure_turn* turn, const kerb_in_measure_frame* frame, float time);
/// The end of a step of a size, after `time`; 0: none, it only tells the curvature before the first
/// step.
void kerb_in_measure_end_step(kerb_measure_memory* m, float size, float time);
/// Delay of the steering, by the steps alone. [s]
kerb_estimated kerb_in_measure_steps(const kerb_measure_memory* m);
/// … by the steps and by what taught the estimate meanwhile.
kerb_estimated kerb_in_measure_steering_delay(const kerb_measure_memory* m,
                                              const kerb_estimate* estimate);
/// Yaw rate and yaw acceleration of what turns on the spot: samples of the yaw rate, which became
/// steady. Mean over the sides: each adds its half.
void kerb_in_measure_spin(kerb_measure_memory* m, float rate, float time_step,
                          kerb_estimated* rate_max, kerb_estimated* acceleration_max);

// measure_limit.c: turning at the limit, and understeer below it.
/// Turns in slowly with `steering`. `time`: since it began. True when more steering gives no more.
bool kerb_in_measure_turn_in(kerb_measure_memory* m, const kerb_vehicle* v,
                             const kerb_in_measure_frame* frame, float steering, float time,
                             bool edge);
/// What it held, as a bound.
kerb_estimated kerb_in_measure_held(const kerb_measure_memory* m);
/// Grip, when lock, understeer and wings are known. `speed`: at which it turned in; `wings`:
/// deviation of the downforce, 0: not known.
kerb_estimated kerb_in_measure_grip(const kerb_measure_memory* m, const kerb_vehicle* v,
                                    const kerb_body_estimate* body, float speed, float wings);
/// Acceleration across the course of what hovers, in frames in which its thrust turns the course
/// hardest (`steady`). Returns that of this frame.
float kerb_in_measure_course(kerb_measure_memory* m, float speed, float across, bool steady);
kerb_estimated kerb_in_measure_thrust(const kerb_measure_memory* m);
/// The circle at crawl with the steering that it keeps, `time` since that. True when it is known.
bool kerb_in_measure_circle(kerb_measure_memory* m, const kerb_in_measure_frame* frame, float time);
/// A frame on it; `coasts`: it rolls freely.
void kerb_in_measure_on_circle(kerb_measure_memory* m, const kerb_vehicle* v,
                               const kerb_in_measure_frame* frame, bool coasts);
/// The understeer gradient, and the lock by speed into the vehicle where the wheels are told.
/// `steering`: on the circle, of which `trim` drives straight.
kerb_estimated kerb_in_measure_understeer(kerb_measure_memory* m, kerb_vehicle* v,
                                          const kerb_body_estimate* body, float steering,
                                          float trim);

#endif
