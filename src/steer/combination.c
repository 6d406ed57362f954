// Combines several desired steerings into one: weighted sums, and priority with a budget. O(count).
//
// Source: Reynolds 1999 (blending and priority). M. Buckland, "Programming game AI by example",
// 2005, calls priority with a budget a prioritised truncated running sum.
#include "behaviour.h"

#include "../base/shared.h"

// Weighted sums of directions and speeds.
typedef struct running_sum {
    kerb_vec3 direction;
    float speed, weight;
} running_sum;

static void combination_add(running_sum* sum, const kerb_steering* wish, float weight) {
    kerb_vec3 unit = kerb_vec3_unit(wish->direction, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    sum->direction = kerb_vec3_along(sum->direction, unit, weight);
    sum->speed += wish->speed * weight;
    sum->weight += weight;
}

// When the directions cancel out, the rest is rounding and counts as no direction.
static kerb_steering combination_mean(const running_sum* sum) {
    if (!(kerb_vec3_length(sum->direction) > 1e-4f * sum->weight))
        return kerb_steering_none();
    return steer_wish(kerb_vec3_unit(sum->direction, kerb_vec3_make(0.0f, 0.0f, 0.0f)),
                      sum->speed / sum->weight);
}

kerb_steering kerb_steering_blend(const kerb_steering* desired, const float* weights,
                                  int32_t count) {
    KERB_ASSERT((desired && weights) || count == 0);
    running_sum sum = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    for (int32_t i = 0; i < count; i++)
        if (kerb_in_steer_is_wish(&desired[i]) && weights[i] > 0.0f && kerb_is_finite(weights[i]))
            combination_add(&sum, &desired[i], weights[i]);
    return combination_mean(&sum);
}

kerb_steering kerb_steering_priority(const kerb_steering* desired, const float* shares,
                                     int32_t count) {
    KERB_ASSERT((desired && shares) || count == 0);
    running_sum sum = {{0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    float left = 1.0f;
    for (int32_t i = 0; i < count && left > 0.0f; i++) {
        if (!kerb_in_steer_is_wish(&desired[i]) || !(shares[i] > 0.0f))
            continue;
        float taken = kerb_min(shares[i], left);
        combination_add(&sum, &desired[i], taken);
        left -= taken;
    }
    return combination_mean(&sum);
}
