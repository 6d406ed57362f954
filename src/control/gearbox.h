// Gear shifts for drivers that already know the speed. Private to the library.
#ifndef KERB_IN_CONTROL_GEARBOX_H
#define KERB_IN_CONTROL_GEARBOX_H

#include "kerb/control.h"

/// Like kerb_gearbox_drive, with the engaged gear and the forward speed as parameters. [m/s]
int32_t kerb_in_control_gearbox_shift(kerb_gearbox* gearbox, const kerb_vehicle* vehicle,
                                      int32_t engaged, float speed, int32_t direction,
                                      float throttle, float time_step, float* clutch);

#endif
