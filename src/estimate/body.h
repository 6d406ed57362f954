// What the parts of a body estimate know of one another.
#ifndef KERB_IN_ESTIMATE_BODY_H
#define KERB_IN_ESTIMATE_BODY_H

#include "kerb/estimate_body.h"

// What a window says, in means over it.
typedef struct kerb_in_body_window {
    float curvature; // [1/m]
    float slip;      // lateral over forward velocity of the reference point [1]
    float apart;     // of that, by which places differ from velocities [1]
    float across;    // lateral tyre force there, over the load share: at load 1 g [m/s²]
    float along;     // … along the body [m/s²]
    float yaws;      // yaw acceleration over the load share [rad/s²]
    float grip;      // of the ground [1]
    float angle[KERB_BODY_ANGLES]; // of the described wheels, as tangents [1]
} kerb_in_body_window;

// Greatest lateral acceleration that the estimate believes in. [m/s²]
static inline float kerb_in_body_limit(const kerb_body_estimate* estimate) {
    return estimate->grip.value;
}

// The values that the description alone gives. O(1)
void kerb_in_body_describe(kerb_body_estimate* estimate);

// Adds a window to the sums of the axles. O(hypotheses)
void kerb_in_body_add(kerb_body_estimate* estimate, const kerb_in_body_window* window,
                      float weight);

// Writes the values of the axles from the sums. O(1)
void kerb_in_body_fit(kerb_body_estimate* estimate);

// The grip that the description alone gives. O(hypotheses)
void kerb_in_body_describe_grip(kerb_body_estimate* estimate);

// What a window says of the grip. True where it taught. O(hypotheses)
bool kerb_in_body_add_grip(kerb_body_estimate* estimate, const kerb_in_body_window* window);

// Writes the values of the grip from its hypotheses. O(hypotheses)
void kerb_in_body_fit_grip(kerb_body_estimate* estimate);

#endif
