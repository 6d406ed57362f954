// Draws the desired steering of an agent in world coordinates: its body, its turning circles, the
// desired velocity, and the context map behind it. O(1): at most 167 lines.
#include "items.h"

#include "../base/shared.h"

enum { CIRCLE_PIECES = 32 }; // chords of a circle: hardly visible as corners

// Smaller interest or danger is not drawn. [1]
#define LEAST 1e-3f

// A circle around `middle` in the plane of two unit vectors.
static void draw_circle(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 middle,
                        kerb_vec3 x, kerb_vec3 y, float radius) {
    kerb_vec3 from = kerb_vec3_along(middle, x, radius);
    for (int32_t i = 1; i <= CIRCLE_PIECES; i++) {
        float sine, cosine;
        kerb_sin_cos(2.0f * KERB_PI * (float)i / (float)CIRCLE_PIECES, &sine, &cosine);
        kerb_vec3 to = kerb_vec3_along(middle, x, radius * cosine);
        to = kerb_vec3_along(to, y, radius * sine);
        kerb_in_draw_line(buffer, role, from, to);
        from = to;
    }
}

static void draw_turning_circles(kerb_draw_buffer* buffer, const kerb_agent* agent,
                                 kerb_vec3 left) {
    if (!(agent->turning_radius > 0.0f))
        return;
    for (int32_t side = -1; side <= 1; side += 2) {
        kerb_vec3 middle =
            kerb_vec3_along(agent->position, left, (float)side * agent->turning_radius);
        draw_circle(buffer, KERB_DRAW_ARC, middle, agent->forward, left, agent->turning_radius);
    }
}

// A line to the point that the agent would reach in one second. In reverse it points backwards.
static void draw_desired(kerb_draw_buffer* buffer, const kerb_agent* agent,
                         const kerb_steering* desired) {
    if (!(kerb_vec3_dot(desired->direction, desired->direction) > 0.0f))
        return;
    kerb_vec3 to = kerb_vec3_along(agent->position, desired->direction, desired->speed);
    kerb_in_draw_line(buffer, KERB_DRAW_TARGET, agent->position, to);
    kerb_in_draw_point(buffer, KERB_DRAW_TARGET, to);
}

// Lines of interest go outwards from a ring, lines of danger inwards.
static void draw_context(kerb_draw_buffer* buffer, const kerb_agent* agent,
                         const kerb_context* context) {
    float ring = 2.0f * agent->radius + 1.0f;
    for (int32_t i = 0; i < context->count; i++) {
        kerb_vec3 direction = context->direction[i];
        kerb_vec3 from = kerb_vec3_along(agent->position, direction, ring);
        float interest = kerb_clamp(context->interest[i], 0.0f, 3.0f);
        if (interest > LEAST)
            kerb_in_draw_line(buffer, KERB_DRAW_PLANNED_PATH, from,
                              kerb_vec3_along(from, direction, ring * interest));
        if (context->danger[i] > LEAST)
            kerb_in_draw_line(buffer, KERB_DRAW_CORRIDOR, from,
                              kerb_vec3_along(from, direction, -ring * context->danger[i]));
    }
}

void kerb_draw_steering(kerb_draw_buffer* buffer, const kerb_agent* agent,
                        const kerb_steering* desired, const kerb_context* context) {
    KERB_ASSERT(buffer && agent && desired);
    kerb_vec3 left = kerb_vec3_make(-agent->forward.y, agent->forward.x, 0.0f);
    left = kerb_vec3_unit(left, kerb_vec3_make(0.0f, 1.0f, 0.0f));
    draw_circle(buffer, KERB_DRAW_FOOTPRINT, agent->position, agent->forward, left, agent->radius);
    kerb_in_draw_line(buffer, KERB_DRAW_FOOTPRINT, agent->position,
                      kerb_vec3_along(agent->position, agent->forward, agent->radius));
    draw_turning_circles(buffer, agent, left);
    draw_desired(buffer, agent, desired);
    if (context)
        draw_context(buffer, agent, context);
}
