// Context maps: interest and danger by direction, and the choice of a direction.
//
// Desired steerings are not mixed. Each is written into a map of directions, and dangers into a
// second map. Only then one direction is chosen. So two paths round a tree remain two paths.
// O(directions).
//
// A map of few directions would lose the exact direction of a desired steering. So each slot of the
// map takes over the exact direction of the strongest steering that lies in it. Obstacles are
// measured along that direction.
//
// Source: A. Fray, "Context behaviours know how to share", GDC 2013. There only directions of the
// lowest danger take part. With dangers that depend on distance, such an agent would flee from
// every tree in sight. So here interest is weighted by what danger leaves.
#include "behaviour.h"

#include "../base/shared.h"

// A smaller share left by danger is only rounding and counts as 0.
#define NEVER 1e-5f

kerb_context kerb_context_make(bool level) {
    kerb_context context = {0};
    context.count = level ? KERB_CONTEXT_LEVEL : KERB_CONTEXT_SPACE;
    for (int32_t i = 0; i < context.count; i++) {
        context.direction[i] = level ? kerb_in_steer_level_direction(i, KERB_CONTEXT_LEVEL)
                                     : kerb_in_steer_space_direction(i);
        context.speed_max[i] = KERB_SPEED_UNLIMITED;
    }
    return context;
}

// The slot in which a direction lies, by the centres of the slots.
static int32_t context_slot_of(const kerb_context* context, kerb_vec3 direction) {
    int32_t nearest = 0;
    float most = -2.0f;
    for (int32_t i = 0; i < context->count; i++) {
        kerb_vec3 middle = context->count == KERB_CONTEXT_LEVEL
                               ? kerb_in_steer_level_direction(i, KERB_CONTEXT_LEVEL)
                               : kerb_in_steer_space_direction(i);
        float cosine = kerb_vec3_dot(middle, direction);
        if (cosine > most) {
            most = cosine;
            nearest = i;
        }
    }
    return nearest;
}

static void raise_interest(kerb_context* context, int32_t i, float interest, float speed) {
    if (interest > context->interest[i]) {
        context->interest[i] = interest;
        context->speed[i] = speed;
    }
}

void kerb_context_add_steering(kerb_context* context, const kerb_steering* desired, float weight) {
    KERB_ASSERT(context && desired);
    if (!kerb_in_steer_is_wish(desired) || !(weight > 0.0f) || !kerb_is_finite(weight))
        return;
    kerb_vec3 direction = kerb_vec3_unit(desired->direction, context->direction[0]);
    int32_t own = context_slot_of(context, direction);
    if (weight > context->aimed_weight[own]) {
        context->aimed_weight[own] = weight;
        context->direction[own] = direction;
    }
    for (int32_t i = 0; i < context->count; i++) {
        float cosine = kerb_vec3_dot(context->direction[i], direction);
        raise_interest(context, i, weight * 0.5f * (1.0f + kerb_min(cosine, 1.0f)), desired->speed);
    }
}

void kerb_context_add_danger(kerb_context* context, kerb_vec3 direction, float danger) {
    KERB_ASSERT(context);
    if (!kerb_vec3_is_finite(direction) || !kerb_is_finite(danger))
        return;
    kerb_vec3 unit = kerb_vec3_unit(direction, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    for (int32_t i = 0; i < context->count; i++) {
        float here = danger * kerb_vec3_dot(context->direction[i], unit);
        context->danger[i] = kerb_clamp(kerb_max(here, context->danger[i]), 0.0f, 1.0f);
    }
}

void kerb_context_add_obstacles(kerb_context* context, const kerb_agent* agent,
                                const kerb_obstacle* obstacles, int32_t count, float margin,
                                float horizon, float time_step) {
    KERB_ASSERT(context && agent && (obstacles || count == 0));
    if (!kerb_in_steer_is_usable(agent, time_step) || !(horizon > 0.0f) || !kerb_is_finite(horizon))
        return;
    for (int32_t i = 0; i < context->count; i++) {
        float free =
            kerb_free_distance(agent, context->direction[i], obstacles, count, margin, horizon);
        if (free >= horizon)
            continue;
        context->danger[i] = kerb_max(1.0f - free / horizon, context->danger[i]);
        float stops = kerb_in_steer_speed_before(agent, 0.0f, free, time_step);
        context->speed_max[i] = kerb_min(stops, context->speed_max[i]);
    }
}

kerb_steering kerb_context_decide(const kerb_context* context) {
    KERB_ASSERT(context);
    int32_t best = -1;
    float most = 0.0f;
    for (int32_t i = 0; i < context->count; i++) {
        float left = 1.0f - context->danger[i];
        float score = context->interest[i] * left;
        if (left > NEVER && score > most) {
            most = score;
            best = i;
        }
    }
    if (best < 0)
        return kerb_steering_none();
    return steer_wish(context->direction[best],
                      kerb_min(context->speed[best], context->speed_max[best]));
}
