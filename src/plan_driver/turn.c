// Purpose: estimates how much the vehicle turns at a steering angle.
// Idea:    A kerb_vehicle describes it for small slip. Near the greatest angle and near the limit
//          of grip the front tyres slip more; forwards the vehicle then turns less, in reverse
//          more. In each frame: yaw rate = gain · curvature · speed, where the curvature follows
//          the wheels with the delay of the body. A Kalman filter estimates the gain, with a slow
//          drift.
// Cost:    O(1) per frame.
#include "driver.h"

// Bounds of the estimate, so that bad frames do no harm. [1]
#define PLAN_DRIVER_TURN_GAIN_LEAST 0.85f
#define GAIN_MOST 1.15f
// Standard deviations of the filter, chosen by trial: of the gain at first [1]; its drift [1, per
// root of a second]; of a frame's yaw rate [rad/s]; and how many times the change of the yaw rate
// within the body's delay counts as noise [1].
#define GAIN_DOUBT 0.1f
#define GAIN_DRIFT 0.1f
#define PLAN_DRIVER_TURN_SEEN_DOUBT 0.15f
#define LAG_DOUBT 12.0f
// Speed above which it learns. [m/s]
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
    // While the wheels turn, the uncertain delay of the body is noise.
    float lag = (t->told - before) / time_step * LAG_DOUBT * delay * speed;
    float noise = PLAN_DRIVER_TURN_SEEN_DOUBT * PLAN_DRIVER_TURN_SEEN_DOUBT + lag * lag,
          seen = t->told * speed;
    float gain = t->doubt * seen / (seen * seen * t->doubt + noise);
    t->gain = kerb_clamp(t->gain + gain * (rate - t->gain * seen), PLAN_DRIVER_TURN_GAIN_LEAST,
                         GAIN_MOST);
    t->doubt *= 1.0f - gain * seen;
}
