// Attitudes of bodies that turn about their own axes.
#ifndef KERB_SIM_ATTITUDE_H
#define KERB_SIM_ATTITUDE_H

#include "kerb/math.h"

/// The rotation after turning at the body's rates for a time.
static inline kerb_quat kerb_sim_turned(kerb_quat rotation, kerb_vec3 rate, float time) {
    float half = 0.5f * time * kerb_vec3_length(rate), sine, cosine;
    kerb_sin_cos(half, &sine, &cosine);
    kerb_vec3 axis = kerb_vec3_unit(rate, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    kerb_quat turn = {axis.x * sine, axis.y * sine, axis.z * sine, cosine};
    kerb_quat q = kerb_quat_multiply(rotation, turn);
    float scale = 1.0f / kerb_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    kerb_quat unit = {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
    return unit;
}

/// Share of the way to a new value in a step of a first-order lag; implicit, stable at any step.
static inline float kerb_sim_lag_share(float delay, float time_step) {
    return time_step / (delay + time_step);
}

/// A command within its range; 0 where it is no number.
static inline float kerb_sim_command(float x, float least, float most) {
    return kerb_is_finite(x) ? kerb_clamp(x, least, most) : 0.0f;
}

#endif
