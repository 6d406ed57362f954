// How much a vehicle turns by its wheels. A kerb_vehicle says it for slip that is small; near the
// lock and near the grip front tyres give way more, forwards it turns less than that, in reverse
// more.
//
// Seen in each frame: rate of turning = gain · curvature · speed, where curvature follows the
// wheels as the body does. One unknown: Kalman's filter, with the gain drifting.
#include "driver.h"

// Believed at least and at most. [1]
#define PLAN_DRIVER_TURN_GAIN_LEAST 0.85f
#define GAIN_MOST 1.15f
// How far off it may be at first, how far it drifts in a second, and what a frame's rate is off by;
// and what it is off by for each second that the body lags. [1, 1, rad/s]
#define GAIN_DOUBT 0.1f
#define GAIN_DRIFT 0.1f
#define PLAN_DRIVER_TURN_SEEN_DOUBT 0.15f
#define LAG_DOUBT 12.0f
// Learned above this speed. [m/s]
#define PLAN_DRIVER_TURN_LEARNS_FROM 1.0f

kerb_plan_driver_turn kerb_in_plan_turn_make(void) {
    return (kerb_plan_driver_turn){.gain = 1.0f, .doubt = GAIN_DOUBT * GAIN_DOUBT};
}

void kerb_in_plan_turn_learn(kerb_plan_driver_turn* turn, float curvature, float delay, float speed,
                             float rate, float time_step) {
    kerb_plan_driver_turn* t = turn;
    float before = t->told;
    t->told += (curvature - t->told) * time_step / (delay + time_step);
    t->doubt = kerb_min(t->doubt + GAIN_DRIFT * GAIN_DRIFT * time_step, GAIN_DOUBT * GAIN_DOUBT);
    if (!(speed > PLAN_DRIVER_TURN_LEARNS_FROM))
        return;
    // While wheels turn, what the lag is not known by is error.
    float lag = (t->told - before) / time_step * LAG_DOUBT * delay * speed;
    float noise = PLAN_DRIVER_TURN_SEEN_DOUBT * PLAN_DRIVER_TURN_SEEN_DOUBT + lag * lag,
          seen = t->told * speed;
    float gain = t->doubt * seen / (seen * seen * t->doubt + noise);
    t->gain = kerb_clamp(t->gain + gain * (rate - t->gain * seen), PLAN_DRIVER_TURN_GAIN_LEAST,
                         GAIN_MOST);
    t->doubt *= 1.0f - gain * seen;
}
