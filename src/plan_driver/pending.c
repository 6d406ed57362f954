// Purpose: the frame in which the pedals that are set now begin to act.
// Idea:    Hosts with a network or an input buffer delay all controls alike. What the pedals were
//          set for in that time still comes, whatever is set now. So speed and place are predicted
//          to its end, and compared with the plan there (a Smith predictor): the vehicle brakes
//          where the plan does, and corrections do not swing. A delay of the throttle beyond the
//          common one is the engine's: what was pulled for comes later by it.
// Cost:    O(1).
#include "frame.h"

// Steps of the prediction. [1] Accelerations are means over ticks of 25 ms.
#define PENDING_STEPS 8

// No description says how late brakes are. What delays steering and throttle alike is before them
// all; what is beyond it is their own.
float kerb_in_plan_driver_late(const kerb_plan_driver* driver) {
    const kerb_plan_driver_memory* m = &driver->memory;
    if (driver->vehicle.kind != KERB_VEHICLE_WHEELED)
        return 0.0f;
    float throttle = kerb_max(driver->vehicle.throttle_delay, m->rolled);
    return kerb_min(m->wheels.delay, throttle);
}

driver_frame kerb_in_plan_driver_foresee(const kerb_plan_driver* driver, const driver_frame* f) {
    driver_frame soon = *f;
    const kerb_asked_memory* pushes = &driver->memory.pushes;
    const float late = kerb_in_plan_driver_late(driver), step = late / (float)PENDING_STEPS;
    const float engine = kerb_max(driver->vehicle.throttle_delay - late, 0.0f);
    float way = 0.0f;
    if (late <= 0.0f)
        return soon;
    for (int32_t i = 0; i < PENDING_STEPS; i++) {
        float ago = late - ((float)i + 0.5f) * step;
        float braked = kerb_min(kerb_in_asked_before(pushes, ago), 0.0f);
        float pulled = kerb_max(kerb_in_asked_before(pushes, ago + engine), 0.0f);
        float speed = kerb_max(soon.speed + (braked + pulled) * step, kerb_min(soon.speed, 0.0f));
        way += 0.5f * (soon.speed + speed) * step;
        soon.speed = speed;
    }
    soon.place = kerb_in_plan_place_farther(f->plan, f->leg, f->place, way);
    soon.left = f->left - way;
    // As long as its clock has not set off, it is at the start.
    soon.time = f->time + kerb_in_plan_place_time(f->plan, soon.place) -
                kerb_in_plan_place_time(f->plan, f->place);
    soon.clock = f->clock + late;
    soon.late = f->late + soon.clock - f->clock - (soon.time - f->time);
    soon.ahead = late;
    return soon;
}
