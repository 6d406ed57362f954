// Purpose: where on its path a vehicle is, and how far from the next stop and from the end.
//
// Several places of a path may be near a vehicle. Which of them it means is a question of what it
// did before:
//     first frame on a path    its beginning, unless that is far; then the first place that is
//                              about as near as any
//     put elsewhere            of the places about as near as any, that of its progress
//     another path             where the last frame's place is on the new one: by station, then by
//                              nearness; else it is a first frame
//     else                     the place of the last frame, tracked
// The end is judged in space: a vehicle is there when it stands within END_TOLERANCE of the point,
// wherever the path comes from and whatever it points to.
// Cost: O(1) a frame; O(points) on another path.
#include "place.h"

// A path's beginning is far from farther than this. A host that gives a path to drive places the
// vehicle before it, beside it or on it; two lengths are what such a placing is off by. [lengths]
#define FIRST_PLACE_LENGTHS 2.0f
// A path this much longer than the straight way to its end goes there: a right angle is 1.41, a
// half circle 1.57. [1]
#define END_DETOUR 1.6f
// A change of direction may be passed by PAST from forwards, and missed by BEFORE from reverse, at
// most. [m]
#define PAST_REVERSAL_MOST 1.5f
#define BEFORE_REVERSAL_MOST 0.8f
// A change of direction is looked at when it is nearer than this. [m]
#define REVERSAL_NEAR 15.0f

// --------------------------------------------------------------------------- another path

// Whether the new path passes, this far from its start, by the place where the follower was on the
// one before, in the same direction of travel. A little to and fro, because the end of the stretch
// may have moved.
static bool passes_at(const kerb_follower* follower, const kerb_path* path, double distance,
                      kerb_path_location* at) {
    static const float shifts[] = {0.0f, -0.25f, 0.25f, -1.0f, 1.0f};
    for (int32_t i = 0; i < 5; i++) {
        const float shift = shifts[i] * follow_scale(follower);
        *at = kerb_path_locate(path, distance + (double)shift);
        kerb_vec3 off = kerb_vec3_sub(kerb_path_position(path, *at), follower->decision.nearest);
        float most = follow_metres(follower, FOLLOWER_SAME_PLACE) + kerb_abs(shift);
        if (path->points[at->segment].travel == follower->memory.travel &&
            kerb_vec3_dot(off, off) <= most * most)
            return true;
    }
    return false;
}

// The vehicle has just been given this path: it is at its beginning, also where its end is nearer,
// as on a round that ends where it begins.
static kerb_path_location find_first(const kerb_follower* follower, const kerb_path* path,
                                     const kerb_motion* motion, kerb_vec3 forward) {
    const kerb_path_point* first = &path->points[0];
    float length = kerb_max(follower->vehicle.length, follow_scale(follower));
    kerb_vec3 off = kerb_vec3_sub(motion->position, first->position);
    kerb_vec3 facing = kerb_vec3_scale(forward, (float)first->travel);
    float most = FIRST_PLACE_LENGTHS * length;
    if (kerb_vec3_dot(off, off) <= most * most && kerb_vec3_dot(first->direction, facing) > 0.0f)
        return kerb_path_track_scaled(path, (kerb_path_location){0, 0.0f}, motion->position, facing,
                                      follow_scale(follower));
    kerb_path_search search = {.point = motion->position, .forward = forward, .tolerance = length};
    return kerb_path_find(path, &search);
}

// The vehicle was put elsewhere on its path: of several passes it means the one of its progress.
static kerb_path_location find_elsewhere(const kerb_follower* follower, const kerb_path* path,
                                         const kerb_motion* motion, kerb_vec3 forward) {
    kerb_path_search search = {
        .point = motion->position,
        .forward = forward,
        .tolerance = follow_metres(follower, FOLLOWER_SAME_PLACE),
        .station = follower->memory.distance - follower->memory.rounds,
    };
    return kerb_path_find(path, &search);
}

// Another path replaces the one that it drove. Hosts that plan anew every frame give the same path
// again with another end, or what is left of it. The former has the same station here. The latter
// begins near the vehicle: there the first pass leaves nothing out. Where stretches of both
// directions of travel lie on each other, only what it did before tells them apart. The place found
// is that of the last frame; false where the new path does not pass there.
static bool find_again(const kerb_follower* follower, const kerb_path* path, kerb_vec3 forward,
                       kerb_path_location* here) {
    double from_start = follower->memory.distance - follower->memory.rounds;
    // The old path with another end begins where that began. Another one may pass here at the same
    // distance by chance, on its second round.
    kerb_vec3 start = kerb_vec3_sub(path->points[0].position, follower->memory.path_start);
    if (kerb_vec3_length(start) <= follow_metres(follower, FOLLOWER_SAME_PLACE) &&
        passes_at(follower, path, from_start, here))
        return true;
    kerb_path_search search = {
        .point = follower->decision.nearest,
        .forward = forward,
        .travel = follower->memory.travel,
        .tolerance = follow_metres(follower, FOLLOWER_SAME_PLACE),
    };
    *here = kerb_path_find(path, &search);
    kerb_vec3 off = kerb_vec3_sub(kerb_path_position(path, *here), search.point);
    return kerb_vec3_length(off) <= follow_metres(follower, FOLLOWER_SAME_PLACE) &&
           path->points[here->segment].travel == follower->memory.travel;
}

// Station of the last frame's place on the new path; negative when it lies before its start, as
// where the new path begins at the vehicle.
static double station_before(const kerb_follower* follower, const kerb_path* path,
                             kerb_path_location here) {
    double station = kerb_path_distance(path, here);
    if (path->closed || station > 0.0)
        return station;
    kerb_vec3 off = kerb_vec3_sub(follower->decision.nearest, path->points[0].position);
    return (double)kerb_min(kerb_vec3_dot(off, path->points[0].direction), 0.0f);
}

kerb_path_location kerb_in_follow_place_begin(const kerb_follower* follower, const kerb_path* path,
                                              const kerb_motion* motion, kerb_vec3 forward,
                                              bool elsewhere, double* station) {
    const uint64_t before = follower->memory.path_id;
    kerb_path_location here;
    if (before != 0 && !elsewhere && find_again(follower, path, forward, &here)) {
        *station = station_before(follower, path, here);
        kerb_vec3 facing = kerb_vec3_scale(forward, (float)follower->memory.travel);
        return kerb_path_track_scaled(path, here, motion->position, facing, follow_scale(follower));
    }
    here = before == path->id ? find_elsewhere(follower, path, motion, forward)
                              : find_first(follower, path, motion, forward);
    *station = kerb_path_distance(path, here);
    return here;
}

// --------------------------------------------------------------------------- from frame to frame

void kerb_in_follow_place_track(kerb_follower* follower, const kerb_path* path,
                                const kerb_motion* motion, kerb_vec3 forward) {
    kerb_path_location before = follower->memory.location;
    kerb_vec3 facing = kerb_vec3_scale(forward, (float)path->points[before.segment].travel);
    kerb_path_location now =
        kerb_path_track_scaled(path, before, motion->position, facing, follow_scale(follower));
    // Sums of steps would drift; the path's own distance and whole rounds do not.
    double step = kerb_path_distance(path, now) - kerb_path_distance(path, before);
    if (path->closed && step < -0.5 * path->length)
        follower->memory.rounds += path->length;
    else if (path->closed && step > 0.5 * path->length)
        follower->memory.rounds -= path->length;
    follower->memory.location = now;
    follower->memory.distance = follower->memory.rounds + kerb_path_distance(path, now);
}

// --------------------------------------------------------------------------- stops and the end

// The last segment of the stretch of travel, as far as it can be seen from here.
static int32_t last_segment(const kerb_path* path, int32_t from) {
    for (int32_t i = 0; i < 64; i++) {
        int32_t next = from + 1 < path->segment_count ? from + 1 : path->closed ? 0 : from;
        if (next == from || path->points[next].travel != path->points[from].travel)
            break;
        from = next;
    }
    return from;
}

// How sharply the path bends next to a change of direction, in the vehicle's sharpest bends. [1]
static float bend_at_reversal(const kerb_follower* follower, const kerb_path* path,
                              int32_t segment) {
    int32_t beyond = segment + 2 < path->count ? segment + 2 : segment;
    float sharpest = kerb_max(kerb_abs(path->points[segment].curvature),
                              kerb_abs(path->points[beyond].curvature));
    return sharpest * kerb_vehicle_turning_radius(&follower->vehicle);
}

// Where a path bends up to a change of direction and again behind it, the body can only be turned
// as far as the path there when the rear axle has come to it, not the reference point: forwards
// that is beyond, in reverse before. A vehicle with turning to spare makes up for it, and one that
// cannot follow the path anyway needs the room more.
static float beyond_reversal(const kerb_follower* follower, const follow_frame* frame,
                             float along) {
    const kerb_path* path = frame->path;
    if (along > follow_metres(follower, REVERSAL_NEAR) ||
        follower->memory.stop_kind != STOP_REVERSAL ||
        follower->vehicle.kind != KERB_VEHICLE_WHEELED ||
        follower->settings.method != KERB_FOLLOWER_KERB)
        return 0.0f;
    int32_t segment = last_segment(path, follower->memory.location.segment);
    float bend = bend_at_reversal(follower, path, segment);
    float share = kerb_smooth_step(bend, 0.3f, 0.7f) * (1.0f - kerb_smooth_step(bend, 1.0f, 1.15f));
    const kerb_path_point* point = &path->points[segment];
    float room = 0.5f * kerb_min(point->left, point->right);
    float most = frame->travel > 0.0f ? PAST_REVERSAL_MOST : BEFORE_REVERSAL_MOST;
    most *= follow_scale(follower);
    float axle = kerb_max(follower->vehicle.reference_to_rear_axle, 0.0f);
    return frame->travel * share * kerb_min(kerb_min(axle, most), room);
}

// Distance to the stop. On the segment that ends there it is measured to the end itself, because
// the nearest point of the path stays there when the vehicle goes past.
static float place_along_to_stop(const kerb_follower* follower, const follow_frame* frame) {
    if (follower->memory.stop_kind == STOP_NONE)
        return 1.0e6f;
    float along = (float)(follower->memory.stop_distance - follower->memory.distance);
    const kerb_path_point* segment = &frame->path->points[follower->memory.location.segment];
    float to_end = segment->length - follower->memory.location.segment_distance;
    if (kerb_abs(along - to_end) > 1.0e-3f * (1.0f + segment->length))
        return along + beyond_reversal(follower, frame, along);
    kerb_vec3 end = kerb_vec3_along(segment->position, segment->direction, segment->length);
    return kerb_vec3_dot(kerb_vec3_sub(end, frame->motion->position), segment->direction) +
           beyond_reversal(follower, frame, along);
}

float kerb_in_follow_place_radius(const kerb_follower* follower) {
    const float known = follower->memory.fill.turning_radius; // which saves the tangent
    bool holds = known > 0.0f && follower->vehicle.kind == KERB_VEHICLE_WHEELED;
    return holds ? known : kerb_vehicle_turning_radius(&follower->vehicle);
}

follow_end kerb_in_follow_place_end(const kerb_follower* follower, const follow_frame* frame) {
    if (follower->memory.stop_kind != STOP_END)
        return (follow_end){.distance = 1.0e6f};
    const kerb_path* path = frame->path;
    kerb_vec3 off = kerb_vec3_sub(path->points[path->count - 1].position, frame->motion->position);
    follow_end end = {
        .ahead = off.x * frame->heading.x + off.y * frame->heading.y,
        .distance = kerb_sqrt(off.x * off.x + off.y * off.y),
    };
    // A round that ends where it began is still ahead; one shorter than this cannot be driven.
    float along = (float)(follower->memory.stop_distance - follower->memory.distance);
    float most = END_DETOUR * end.distance + 2.0f * kerb_in_follow_place_radius(follower);
    end.is_next = along <= most;
    // The reference point may be as high over the road as the vehicle is; a road above or below is
    // another place.
    end.level = kerb_abs(off.z) < follower->vehicle.length;
    return end;
}

bool kerb_in_follow_place_far_off(const kerb_follower* follower, const follow_frame* frame) {
    const float aside = follower->decision.cross_track_error;
    const kerb_path_point* point = &frame->path->points[follower->memory.location.segment];
    float room = aside > 0.0f ? point->left : point->right;
    // A turn to the path and one along it take two radii.
    return kerb_abs(aside) > room + 2.0f * kerb_in_follow_place_radius(follower);
}

bool kerb_in_follow_place_at_end(const kerb_follower* follower, const follow_end* end,
                                 float tolerance) {
    return end->is_next && end->level && end->distance <= follow_end_metres(follower, tolerance);
}

float kerb_in_follow_place_to_stop(const kerb_follower* follower, const follow_frame* frame) {
    float along = place_along_to_stop(follower, frame);
    follow_end end = kerb_in_follow_place_end(follower, frame);
    // So near, the body's own direction tells whether it has passed: where the path is found anew
    // from the vehicle, the path's always points at the end.
    return kerb_in_follow_place_at_end(follower, &end, END_TOLERANCE) ? kerb_min(along, end.ahead)
                                                                      : along;
}
