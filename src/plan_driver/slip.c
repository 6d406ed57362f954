// Purpose: estimates the lateral softness of the tyres.
// Idea:    An axle under lateral load runs at a slip angle, and the vehicle's course turns only as
//          that angle grows. Stiff slicks follow in half the time of a lorry's tyres, and a
//          kerb_vehicle does not describe its tyres. In each frame of a bend: slip angle of the
//          rear axle = softness · speed · yaw rate. A Kalman filter estimates the softness, with a
//          slow drift. While the yaw rate changes, the inertia of the body takes part, so such
//          frames count less.
// Cost:    O(1) per frame.
#include "driver.h"

// Stiffness of tyres and its bounds: lateral force over load and slip angle, as if the force rose
// linearly up to the grip. 12 on gravel, 15 on roads, 25 to 30 for slicks. [1/rad]
#define STIFFNESS 15.0f
#define STIFFNESS_LEAST 8.0f
#define STIFFNESS_MOST 40.0f
// Standard deviations of the filter, chosen by trial: of the softness at first, over that of usual
// tyres [1]; its drift [1, per root of a second]; of a frame's slip angle [rad], and its growth
// with the yaw acceleration [rad s²/rad].
#define SOFTNESS_DOUBT 0.5f
#define SOFTNESS_DRIFT 0.1f
#define PLAN_DRIVER_SLIP_SEEN_DOUBT 0.05f
#define TURNING_DOUBT 0.04f
// Speed above which it learns. Below, slip angles come from very small velocities. [m/s]
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
