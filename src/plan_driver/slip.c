// How much tyres slip sideways. An axle that is pressed aside goes at an angle to its wheels, and
// turns the vehicle's course only as that angle grows: stiff slicks follow in half the time of a
// lorry's tyres, and no kerb_vehicle says which it has.
//
// Seen in each frame of a bend: slip of the rear axle = softness · speed · rate of turning. One
// unknown: Kalman's filter, with the softness drifting. While the rate changes the body's inertia
// takes part, so that such frames say less.
#include "driver.h"

// Of tyres, as if the force rose evenly with the angle up to the grip: 12 on gravel, 15 on
// roads, 25 to 30 for slicks. [1/rad]
#define STIFFNESS 15.0f
#define STIFFNESS_LEAST 8.0f
#define STIFFNESS_MOST 40.0f
// How far off it may be at first, how far it drifts in a second, of what stiff tyres have; what an
// angle is off by, and by how much more for the acceleration of turning. [1, 1, rad, s²]
#define SOFTNESS_DOUBT 0.5f
#define SOFTNESS_DRIFT 0.1f
#define PLAN_DRIVER_SLIP_SEEN_DOUBT 0.05f
#define TURNING_DOUBT 0.04f
// Learned above this speed: below, angles are of hardly any velocity. [m/s]
#define PLAN_DRIVER_SLIP_LEARNS_FROM 3.0f

static float softness_of(const kerb_vehicle* vehicle, float stiffness) {
    return 1.0f / (stiffness * vehicle->lateral_acceleration_max);
}

static float plan_driver_slip_squared(float x) {
    return x * x;
}

kerb_plan_driver_slip kerb_in_plan_slip_make(const kerb_vehicle* vehicle) {
    float softness = softness_of(vehicle, STIFFNESS);
    return (kerb_plan_driver_slip){.softness = softness,
                                   .doubt = plan_driver_slip_squared(SOFTNESS_DOUBT * softness)};
}

void kerb_in_plan_slip_learn(kerb_plan_driver_slip* slip, const kerb_vehicle* vehicle, float angle,
                             float speed, float rate, float time_step) {
    kerb_plan_driver_slip* s = slip;
    float usual = softness_of(vehicle, STIFFNESS), quickening = (rate - s->rate) / time_step;
    s->rate = rate;
    s->doubt = kerb_min(s->doubt + plan_driver_slip_squared(SOFTNESS_DRIFT * usual) * time_step,
                        plan_driver_slip_squared(SOFTNESS_DOUBT * usual));
    if (!(speed > PLAN_DRIVER_SLIP_LEARNS_FROM))
        return;
    float seen = -speed * rate;
    float noise = plan_driver_slip_squared(PLAN_DRIVER_SLIP_SEEN_DOUBT) +
                  plan_driver_slip_squared(TURNING_DOUBT * quickening);
    float gain = s->doubt * seen / (seen * seen * s->doubt + noise);
    s->softness =
        kerb_clamp(s->softness + gain * (angle - s->softness * seen),
                   softness_of(vehicle, STIFFNESS_MOST), softness_of(vehicle, STIFFNESS_LEAST));
    s->doubt *= 1.0f - gain * seen;
}
