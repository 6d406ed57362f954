// What all estimates ask of a frame or a window, and how they forget.
#ifndef KERB_IN_ESTIMATE_FRAME_H
#define KERB_IN_ESTIMATE_FRAME_H

#include "kerb/vehicle.h"

// Side over forward speed that no vehicle has without sliding [1], and the side speed of a body
// that swings on its springs. [m/s]
#define ESTIMATE_SLIP_MOST 0.35f
#define ESTIMATE_SIDE_LEAST 0.3f
// z of the body's up axis: 45 degrees. [1]
#define ESTIMATE_UPRIGHT_LEAST 0.7f
// Share of gravity by which the vertical velocity of a vehicle without ground sinks. [1]
#define ESTIMATE_FALLS 0.5f

// What the motion at the end of a window says: on its wheels, on the ground, and not sliding,
// unless it `may_slide`. `speed`: along the body. `climb`: velocity.z at the start of the window.
// `time`: of the window. [m/s] [s] O(1)
static inline bool estimate_rolls(const kerb_motion* motion, float speed, float climb, float time,
                                  bool may_slide) {
    kerb_quat q = motion->rotation;
    float up = 1.0f - 2.0f * (q.x * q.x + q.y * q.y);
    float side = kerb_abs(kerb_vec3_dot(motion->velocity, kerb_quat_left(q)));
    bool falls = motion->velocity.z - climb < -ESTIMATE_FALLS * KERB_GRAVITY * time;
    bool slides = side > ESTIMATE_SLIP_MOST * kerb_abs(speed) + ESTIMATE_SIDE_LEAST;
    return up > ESTIMATE_UPRIGHT_LEAST && !falls && (may_slide || !slides);
}

// Share that sums keep after `x` of the time in which they fade to 1/e: near exp(-x). [1] O(1)
static inline float estimate_kept(float x) {
    return 1.0f / (1.0f + x + 0.5f * x * x);
}

// e^-x for x >= 0: (1 - x/64)^64, 0 from 24 on. [1] O(1)
static inline float estimate_falling(float x) {
    float base = x < 24.0f ? 1.0f - x * (1.0f / 64.0f) : 0.0f;
    base *= base, base *= base, base *= base, base *= base, base *= base;
    return base * base;
}

#endif
