// Purpose: a neighbour in the axes of the reference line: station, lateral offset, and velocity.
//
// Cost: O(stations) for a neighbour that is near enough to matter, O(1) for all others.
#include "meeting.h"

#include "../vehicle/shared.h"

#define ANY_DIRECTION 1.5f // a vector is at most √2 times as long as its longer component
#define NO_LENGTH 1.0e-6f  // a shorter vector has no direction [unit of the vector]

// Too far from the start of the line to come near it within the prediction.
static bool is_far_off(const kerb_reference_line* way, const kerb_neighbour* n) {
    float speed = kerb_max(kerb_abs(n->velocity.x), kerb_abs(n->velocity.y));
    float far_off = way_end(way) + way->front + LED_ON * speed * ANY_DIRECTION + n->length +
                    n->width + LED_ON_LEAST;
    kerb_vec2 point = {n->position.x, n->position.y};
    return !(way_square_to(way, 0, point) < far_off * far_off);
}

kerb_vec2 kerb_in_meeting_direction(kerb_vec2 v, kerb_vec2 fallback) {
    float length = kerb_vec2_length(v);
    return length > NO_LENGTH ? kerb_vec2_scale(v, 1.0f / length) : fallback;
}

way_spot kerb_in_meeting_extents(const kerb_neighbour* n, kerb_vec2 forward, kerb_vec2 direction) {
    float with = kerb_abs(kerb_vec2_dot(forward, direction));
    float across = kerb_abs(kerb_vec2_cross(forward, direction));
    return (way_spot){.along = 0.5f * (with * n->length + across * n->width),
                      .aside = 0.5f * (with * n->width + across * n->length)};
}

static void measure_place(const kerb_reference_line* way, kerb_vec2 forward, others_meeting* m) {
    const kerb_neighbour* n = m->neighbour;
    way_spot at = kerb_in_way_measure(way, m->station, (kerb_vec2){n->position.x, n->position.y});
    way_spot half = kerb_in_meeting_extents(n, forward, way->stations[m->station].direction);
    m->along = at.along;
    m->aside = at.aside;
    m->half_along = half.along;
    m->half_aside = half.aside;
    m->gap = m->along - m->half_along - way->front;
    m->passed = m->along + m->half_along + way->rear;
}

bool kerb_in_meeting_with(const kerb_reference_line* way, const kerb_neighbour* neighbour,
                          int32_t index, others_meeting* m) {
    const kerb_neighbour* n = neighbour;
    if (n->id == way->id || is_far_off(way, n) || !kerb_in_neighbour_is_possible(n))
        return false;
    m->neighbour = n;
    m->index = index;
    m->station = kerb_in_way_nearest(way, (kerb_vec2){n->position.x, n->position.y});
    const kerb_reference_station* at = &way->stations[m->station];
    if (kerb_abs(n->position.z - at->position.z) > MEETING_HEIGHT)
        return false;
    kerb_vec2 forward = kerb_in_meeting_direction(n->forward, at->direction);
    kerb_vec2 velocity = {n->velocity.x, n->velocity.y};
    measure_place(way, forward, m);
    m->speed_along = kerb_vec2_dot(at->direction, velocity);
    m->speed_aside = kerb_vec2_cross(at->direction, velocity);
    m->speed = kerb_vec2_length(velocity);
    m->facing = kerb_vec2_dot(at->direction, forward);
    return true;
}
