// Purpose: remembers a vehicle at standstill in the lane ahead until a ray finds the place empty.
// Idea:    Where the road bends differently ahead, rays along the lane miss that vehicle now and
//          then, and a vehicle that is forgotten each time is braked for too late. So one ray looks
//          at the place where it was met last: it finds the vehicle again, an edge that hides it,
//          or nothing.
// Cost:    O(rays).
#include "frame.h"

// The remembered place is this far behind the hit: inside the body and not on it. [m]
#define WITHIN 0.3f
// A ray that passes nearer to the place than this looks at it. [m]
#define AT 0.2f
// A hit this far before the place, or behind it, is something else. [m]
#define STANDS_APART 3.0f
#define STANDS_PASSED 1.0f

kerb_vec2 kerb_in_lane_way_to_who_stands(const kerb_lane_keeper* keeper, kerb_vec2 origin,
                                         float* distance) {
    kerb_vec2 off = kerb_vec2_sub(keeper->memory.stands.place, origin);
    *distance = kerb_vec2_length(off);
    if (*distance < WITHIN) { // nearer than it is known
        *distance = 0.0f;
        return off;
    }
    return kerb_vec2_scale(off, 1.0f / *distance);
}

// Applies a ray that looks at the place. A distance that is not a number is neither nearer nor
// farther.
static void stands_look_at(kerb_lane_keeper* keeper, const kerb_lane_ray* ray,
                           const kerb_lane_hit* hit) {
    kerb_vec2 from = lane_origin_of(keeper, ray), direction = lane_level(ray->direction);
    kerb_vec2 off = kerb_vec2_sub(keeper->memory.stands.place, from);
    float way = kerb_vec2_dot(direction, off);
    if (way < 0.0f || way > ray->length || kerb_abs(kerb_vec2_cross(direction, off)) > AT)
        return;
    if (hit->kind == KERB_LANE_HIT_NOTHING || hit->distance > way + STANDS_PASSED) {
        keeper->memory.stands.known = false;
    } else if (hit->kind == KERB_LANE_HIT_VEHICLE && hit->distance > way - STANDS_APART) {
        keeper->memory.stands.place = lane_along(from, direction, hit->distance + WITHIN);
        keeper->memory.stands.known =
            kerb_vec2_dot(lane_level(hit->velocity), lane_level(hit->velocity)) <
            LANE_OTHER_STANDS * LANE_OTHER_STANDS;
    }
}

bool kerb_in_lane_mind_who_stands(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                  const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                  int32_t count, const lane_seen* seen) {
    if (seen->vehicle && !seen->comes_in && kerb_abs(seen->vehicle_speed) < LANE_OTHER_STANDS) {
        kerb_vec2 off = kerb_vec2_sub(seen->place, pose->position);
        keeper->memory.stands.known = true;
        keeper->memory.stands.place = lane_along(
            seen->place, off, WITHIN / kerb_max(kerb_vec2_length(off), keeper->vehicle.length));
        return false;
    }
    if (!keeper->memory.stands.known)
        return false;
    for (int32_t i = 0; i < count && keeper->memory.stands.known; i++)
        if (rays[i].purpose == KERB_LANE_RAY_LANE)
            stands_look_at(keeper, &rays[i], &hits[i]);
    // Beside it, or past.
    kerb_vec2 off = kerb_vec2_sub(keeper->memory.stands.place, pose->position);
    if (kerb_vec2_dot(off, pose->lane) < keeper->vehicle.reference_to_front)
        keeper->memory.stands.known = false;
    return keeper->memory.stands.known;
}
