// Containment: keeps agents that need space to turn inside a region.
//
// An agent that drives along one of its turning circles stays on that circle, and the circle does
// not move. So an agent is safe as long as one of its circles, with its body and the margin round
// it, fits inside the region. In a step of d metres the centre of a circle moves by at most 2d.
// While one circle has that much clearance to spare, the behaviour has no desired steering. Else it
// steers along the circle with more clearance. This keeps the agent inside for ever.
//
// On the plane there are two circles. In space there is one for every direction across the front.
// The clearance of a centre in a box is the smallest of six sinusoids of that angle. So its
// greatest value lies at a peak of one of them or where two cross. All of these are tried, so the
// result is exact. In a sphere it is the direction towards the sphere's centre.
//
// Cost: O(corners), or 36 angles times 6 faces. No allocation. Reynolds 1999 steers by the
// predicted position instead, which does not hold agents with large turning circles.
#include "behaviour.h"

#include "../base/shared.h"

// A turning circle: the side on which its centre lies, and the distance of the centre from the
// border.
typedef struct containment_circle {
    kerb_vec3 side;
    float room; // clearance of its centre; negative: outside [m]
} containment_circle;

static kerb_vec3 containment_middle_of(const kerb_agent* agent, kerb_vec3 side) {
    return kerb_vec3_along(agent->position, side, agent->turning_radius);
}

// --------------------------------------------------------------------------- clearance of a point

static bool crosses(kerb_vec2 a, kerb_vec2 b, kerb_vec3 place) {
    if ((a.y > place.y) == (b.y > place.y))
        return false;
    return place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y);
}

static float room_in_polygon(const kerb_region* region, kerb_vec3 place) {
    bool inside = false;
    float least = (float)INFINITY;
    place.z = 0.0f;
    for (int32_t i = 0, j = region->corner_count - 1; i < region->corner_count; j = i++) {
        kerb_vec2 a = region->corners[j], b = region->corners[i];
        kerb_obstacle edge =
            kerb_obstacle_between(kerb_vec3_make(a.x, a.y, 0.0f), kerb_vec3_make(b.x, b.y, 0.0f));
        kerb_vec3 to = kerb_vec3_sub(steer_nearest_on(&edge, place), place);
        least = kerb_min(least, kerb_vec3_length(to));
        inside = inside != crosses(a, b, place);
    }
    return inside ? least : -least;
}

static bool is_level(const kerb_region* region) {
    return region->kind == KERB_REGION_POLYGON ||
           (region->kind == KERB_REGION_BOX && !(region->box_max.z > region->box_min.z));
}

static float containment_room_in_box(const kerb_region* region, kerb_vec3 place) {
    float x = kerb_min(place.x - region->box_min.x, region->box_max.x - place.x);
    float y = kerb_min(place.y - region->box_min.y, region->box_max.y - place.y);
    float z = kerb_min(place.z - region->box_min.z, region->box_max.z - place.z);
    return is_level(region) ? kerb_min(x, y) : kerb_min(kerb_min(x, y), z);
}

static float containment_room_of(const kerb_region* region, kerb_vec3 place) {
    if (region->kind == KERB_REGION_POLYGON)
        return room_in_polygon(region, place);
    if (region->kind == KERB_REGION_BOX)
        return containment_room_in_box(region, place);
    return region->radius - kerb_vec3_length(kerb_vec3_sub(place, region->centre));
}

// --------------------------------------------------------------------------- the best circle

static void containment_try_side(const kerb_agent* agent, const kerb_region* region, kerb_vec3 side,
                                 containment_circle* best) {
    float room = containment_room_of(region, containment_middle_of(agent, side));
    if (room > best->room) {
        best->side = side;
        best->room = room;
    }
}

// A face of a box as a function of the circle's angle: its clearance is height + swing·cos(angle -
// peak).
typedef struct face {
    float height, along, across; // swing·cos(peak), swing·sin(peak)
} face;

typedef struct containment_faces {
    kerb_vec3 left, up; // of the agent; angles go from left towards up
    face face[6];
} containment_faces;

static void set_faces(face pair[2], float least, float most, float at, float left, float up) {
    face low = {at - least, left, up}, high = {most - at, -left, -up};
    pair[0] = low;
    pair[1] = high;
}

static containment_faces faces_of(const kerb_agent* agent, const kerb_region* region) {
    containment_faces f;
    kerb_vec3 p = agent->position;
    float r = agent->turning_radius;
    f.left = kerb_in_steer_side(agent->forward, agent->forward);
    f.up = kerb_vec3_cross(agent->forward, f.left);
    set_faces(f.face + 0, region->box_min.x, region->box_max.x, p.x, r * f.left.x, r * f.up.x);
    set_faces(f.face + 2, region->box_min.y, region->box_max.y, p.y, r * f.left.y, r * f.up.y);
    set_faces(f.face + 4, region->box_min.z, region->box_max.z, p.z, r * f.left.z, r * f.up.z);
    return f;
}

static void try_angle(const kerb_agent* agent, const kerb_region* region,
                      const containment_faces* f, float along, float across,
                      containment_circle* best) {
    kerb_vec3 side = kerb_vec3_along(kerb_vec3_scale(f->left, along), f->up, across);
    containment_try_side(agent, region, kerb_vec3_unit(side, f->left), best);
}

// The angles at which two faces leave the same clearance: a·cos + b·sin = c.
static void try_crossings(const kerb_agent* agent, const kerb_region* region,
                          const containment_faces* f, const face* one, const face* other,
                          containment_circle* best) {
    float a = one->along - other->along, b = one->across - other->across;
    float c = other->height - one->height, square = a * a + b * b;
    if (!(square > c * c))
        return;
    float rest = kerb_sqrt(square - c * c);
    try_angle(agent, region, f, (a * c - b * rest) / square, (b * c + a * rest) / square, best);
    try_angle(agent, region, f, (a * c + b * rest) / square, (b * c - a * rest) / square, best);
}

static void try_box(const kerb_agent* agent, const kerb_region* region, containment_circle* best) {
    containment_faces f = faces_of(agent, region);
    for (int32_t i = 0; i < 6; i++) {
        try_angle(agent, region, &f, f.face[i].along, f.face[i].across, best);
        for (int32_t j = 0; j < i; j++)
            try_crossings(agent, region, &f, &f.face[i], &f.face[j], best);
    }
}

static containment_circle best_circle(const kerb_agent* agent, const kerb_region* region) {
    kerb_vec3 left = kerb_in_steer_side(agent->forward, agent->forward);
    containment_circle best = {left, -(float)INFINITY};
    containment_try_side(agent, region, left, &best);
    containment_try_side(agent, region, kerb_vec3_scale(left, -1.0f), &best);
    if (region->kind == KERB_REGION_ROUND) {
        kerb_vec3 inwards = kerb_vec3_sub(region->centre, agent->position);
        containment_try_side(agent, region, kerb_in_steer_side(agent->forward, inwards), &best);
    } else if (!is_level(region)) {
        try_box(agent, region, &best);
    }
    return best;
}

// --------------------------------------------------------------------------- desired steering

static bool is_region(const kerb_region* region) {
    return kerb_vec3_is_finite(region->box_min) && kerb_vec3_is_finite(region->box_max) &&
           kerb_vec3_is_finite(region->centre) && kerb_is_finite(region->radius);
}

kerb_steering kerb_contain(const kerb_agent* agent, const kerb_region* region, float margin,
                           float time_step) {
    KERB_ASSERT(agent && region);
    KERB_ASSERT(region->kind != KERB_REGION_POLYGON ||
                (region->corners && region->corner_count >= 3));
    if (!kerb_in_steer_is_usable(agent, time_step) || !is_region(region) || !(margin >= 0.0f))
        return kerb_steering_none();
    containment_circle best = best_circle(agent, region);
    float needed = agent->turning_radius + agent->radius + margin;
    // The distance of the step, if the agent accelerated all the time.
    float gain = 0.5f * agent->acceleration * time_step * time_step;
    float metres = kerb_abs(agent->speed) * time_step + gain;
    if (!(best.room < needed + 2.0f * metres))
        return kerb_steering_none();
    float most = 0.25f * agent->speed_max;
    // A slightly smaller clearance comes from margins and rounding and is no reason to slow down.
    bool fits = best.room >= needed - kerb_max(0.5f * margin, 1e-3f * needed);
    return steer_wish(best.side, fits ? kerb_max(agent->speed, most) : most);
}
