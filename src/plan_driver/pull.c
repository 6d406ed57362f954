// Purpose: estimates how strong the throttle is.
// Idea:    A kerb_vehicle gives the acceleration that the engine reaches on its tyres at rest.
//          Where these are the limit, the throttle can ask for more: at the planned acceleration
//          the wheels of a host without traction control spin, and hold nothing sideways. In each
//          frame: thrust = pedal · min(strength · told, power / speed). A Kalman filter estimates
//          the strength. It begins with more than 1 where the tyres may be the limit, so that the
//          first start teaches it before they slip.
// Cost:    O(1) per frame.
#include "driver.h"

// One driven axle gives an acceleration of these shares of the lateral one where its tyres are the
// limit: it carries about half, and the load that moves to it. What gives more drives all wheels,
// whose limit is farther. [1]
#define PLAN_PULL_TYRES 0.45f
#define PLAN_PULL_ONE_AXLE 0.65f
#define PLAN_PULL_ALL_WHEELS 0.85f
// What is known at first where the engine is the limit, and where the tyres are: the strength and
// its standard deviation. [1]
#define PLAN_PULL_DOUBT 0.1f
#define PLAN_PULL_FIRST_TYRES 2.0f
#define PLAN_PULL_DOUBT_TYRES 0.8f
// Drift [1 per root of a second], and standard deviation of a frame's acceleration [m/s²].
#define PLAN_PULL_DRIFT 0.05f
#define PLAN_PULL_SEEN_DOUBT 1.0f
#define PLAN_PULL_LEAST 1.0f
#define PLAN_PULL_MOST 6.0f
// Less throttle tells nothing. [1]
#define PLAN_PULL_LEARNS_FROM 0.1f
// Where the vehicle answers with less than this share of what is expected, it is not the throttle:
// a shift, a clutch, wheels that spin. [1]
#define PLAN_PULL_ANSWERS 0.2f
// Nearer to what is told than this, an answer that is less than expected is that of the tyres,
// which slip, and tells nothing of the throttle. [1]
#define PLAN_PULL_SLIPS 0.7f

kerb_plan_driver_pull kerb_in_plan_pull_make(const kerb_vehicle* vehicle) {
    float share = vehicle->acceleration_max / vehicle->lateral_acceleration_max;
    bool tyres =
        vehicle->kind == KERB_VEHICLE_WHEELED &&
        ((share > PLAN_PULL_TYRES && share < PLAN_PULL_ONE_AXLE) || share > PLAN_PULL_ALL_WHEELS);
    float doubt = tyres ? PLAN_PULL_DOUBT_TYRES : PLAN_PULL_DOUBT;
    return (kerb_plan_driver_pull){.strength = tyres ? PLAN_PULL_FIRST_TYRES : 1.0f,
                                   .doubt = doubt * doubt};
}

float kerb_in_plan_pull_capacity(const kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                                 float speed, bool reverse) {
    kerb_vehicle strong = *vehicle;
    strong.acceleration_max *= pull->strength;
    strong.reverse_acceleration_max *= pull->strength;
    return kerb_full_throttle_acceleration(&strong, speed, reverse);
}

void kerb_in_plan_pull_learn(kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                             const plan_pulled* frame) {
    float told = frame->reverse ? vehicle->reverse_acceleration_max : vehicle->acceleration_max;
    float capacity = kerb_in_plan_pull_capacity(pull, vehicle, frame->speed, frame->reverse);
    float expected = frame->throttle * capacity, by = frame->throttle * told;
    pull->doubt += PLAN_PULL_DRIFT * PLAN_PULL_DRIFT * frame->time_step;
    bool by_power = capacity < 0.99f * pull->strength * told;
    bool slips = frame->pull > PLAN_PULL_SLIPS * told && frame->pull < expected;
    if (slips || frame->throttle < PLAN_PULL_LEARNS_FROM || by_power ||
        frame->pull < PLAN_PULL_ANSWERS * expected)
        return;
    float off = capacity * frame->doubt;
    float noise = PLAN_PULL_SEEN_DOUBT * PLAN_PULL_SEEN_DOUBT + off * off;
    float gain = pull->doubt * by / (by * by * pull->doubt + noise);
    pull->strength = kerb_clamp(pull->strength + gain * (frame->pull - expected), PLAN_PULL_LEAST,
                                PLAN_PULL_MOST);
    pull->doubt *= 1.0f - gain * by;
}
