// Purpose: estimates the acceleration that the throttle gives.
// Idea:    A kerb_vehicle gives the acceleration at full throttle. The tyres may limit it, not the
//          engine; at part throttle the vehicle then accelerates up to half as much again as its
//          share of that. In each frame: gained = strength · commanded, where the commanded
//          acceleration follows the pedal with the delay of the engine. A Kalman filter estimates
//          the strength; it drifts, because it differs from gear to gear. Frames without a gear, or
//          with a clutch that slips after a shift, are ignored.
// Cost:    O(1) per frame.
#include "driver.h"

// Bounds of the estimate, so that bad frames do no harm. [1]
#define STRENGTH_LEAST 0.6f
#define STRENGTH_MOST 2.5f
// Standard deviations of the filter, chosen by trial: of the strength at first [1]; its drift [1,
// per root of a second]; of a frame's acceleration [m/s²].
#define STRENGTH_DOUBT 0.4f
#define STRENGTH_DRIFT 0.12f
#define PLAN_DRIVER_PULL_SEEN_DOUBT 4.0f
// Commanded acceleration below which a frame is ignored: noise would dominate. [m/s²]
#define TOLD_LEAST 0.2f
// Time after a shift, beyond the shift itself, during which frames are ignored. [s]
#define SETTLES 0.1f

kerb_plan_driver_pull kerb_in_plan_pull_make(void) {
    return (kerb_plan_driver_pull){.strength = 1.0f, .doubt = STRENGTH_DOUBT * STRENGTH_DOUBT};
}

void kerb_in_plan_pull_learn(kerb_plan_driver_pull* pull, const kerb_vehicle* vehicle,
                             const kerb_controls* controls, int32_t gear, float capacity,
                             float gained, float time_step) {
    kerb_plan_driver_pull* p = pull;
    float delay = kerb_max(vehicle->throttle_delay, 0.0f);
    p->told += (controls->throttle * capacity - p->told) * time_step / (delay + time_step);
    bool is_coupled = gear == controls->gear && controls->clutch <= 0.0f;
    p->coupled = is_coupled ? kerb_min(p->coupled + time_step, 60.0f) : 0.0f;
    bool says = p->coupled > vehicle->drive_train.shift_time + SETTLES && p->told > TOLD_LEAST &&
                controls->throttle > 0.0f && controls->brake <= 0.0f;
    if (!says)
        return;
    p->doubt = kerb_min(p->doubt + STRENGTH_DRIFT * STRENGTH_DRIFT * time_step,
                        STRENGTH_DOUBT * STRENGTH_DOUBT);
    float seen = kerb_clamp(gained, 0.0f, STRENGTH_MOST * p->told);
    float gain =
        p->doubt * p->told /
        (p->told * p->told * p->doubt + PLAN_DRIVER_PULL_SEEN_DOUBT * PLAN_DRIVER_PULL_SEEN_DOUBT);
    p->strength += gain * (seen - p->strength * p->told);
    p->strength = kerb_clamp(p->strength, STRENGTH_LEAST, STRENGTH_MOST);
    p->doubt *= 1.0f - gain * p->told;
}
