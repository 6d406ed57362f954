// What rooms on higher floors may use of estimate beside its public header.
#ifndef KERB_IN_ESTIMATE_SHARED_H
#define KERB_IN_ESTIMATE_SHARED_H

#include "kerb/estimate.h"
#include "kerb/estimate_body.h"
#include "kerb/estimate_pedals.h"
#include "kerb/estimate_vehicle.h"

#include "../vehicle/shared.h"
#include "measure.h"

// The feeds for a driver that has judged the frame itself, by kerb_in_frame_take_vehicle or one of
// its kin: `input` is what it drives by. They leave `memory.last` of the estimate alone, so who
// feeds this way always does. O(models) amortized
void kerb_in_estimate_feed(kerb_estimate* estimate, const kerb_in_frame_input* input,
                           const kerb_controls* controls, const kerb_surroundings* surroundings);
void kerb_in_body_estimate_feed(kerb_body_estimate* estimate, const kerb_in_frame_input* input,
                                const kerb_controls* controls,
                                const kerb_surroundings* surroundings);
void kerb_in_pedal_estimate_feed(kerb_pedal_estimate* estimate, const kerb_in_frame_input* input,
                                 const kerb_controls* controls,
                                 const kerb_surroundings* surroundings);
void kerb_in_vehicle_estimate_feed(kerb_vehicle_estimate* estimate,
                                   const kerb_in_frame_input* input, const kerb_controls* controls,
                                   const kerb_surroundings* surroundings);

// True where the wheels turn as kerb_motion.steering tells: it explains the slip better than any
// delay of the commands does.
bool kerb_in_body_believes_wheels(const kerb_body_estimate* estimate);

// The controls that acted: those of the surroundings, or `controls` where they name none.
const kerb_controls* kerb_in_estimate_applied(const kerb_controls* controls,
                                              const kerb_surroundings* surroundings);

// True when the host says nothing against learning from this frame.
bool kerb_in_estimate_may_learn(const kerb_surroundings* surroundings);

#endif
