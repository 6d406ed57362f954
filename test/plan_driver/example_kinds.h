// The kinds of vehicles that the examples add, with a simulation of each, to be tried as those that
// Kerb knows.
#ifndef TEST_EXAMPLE_KINDS_H
#define TEST_EXAMPLE_KINDS_H

#include "kerb/kind_trial.h"

/// examples/add_a_forklift.c on open ground.
kerb_kind_trial forklift_trial(void);
/// examples/add_a_kind_in_space.c among its masts.
kerb_kind_trial camera_trial(void);

#endif
