// The settings of a flock in the form that its kernels need. Private to the room.
#ifndef KERB_IN_GROUP_FLOCK_SETTINGS_H
#define KERB_IN_GROUP_FLOCK_SETTINGS_H

#include "flock_kernel.h"
#include "kerb/group.h"

/// The greatest radius.
float kerb_in_flock_radius_of(const kerb_flock_settings* settings);

/// The distances up to which an agent reacts.
flock_reach kerb_in_flock_reach_of(const kerb_flock_settings* settings);

/// The strengths of the urges.
flock_urges kerb_in_flock_urges_of(const kerb_flock_settings* settings);

#endif
