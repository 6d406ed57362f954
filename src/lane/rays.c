// Purpose: which rays the keeper wants, and what their answers mean.
// Idea:    Two rays go from P_Ahead to the edges, one looks for where the road bends out of sight,
//          two look along the lane from the front corners. In some frames a sixth scans the edges
//          ahead; five more look into a lane that it wants to drive in; in reverse, it looks back.
//          P_Ahead lies on the lane's arc, so that it stays on the road in tight bends.
// Cost:    O(rays).
// Source:  N. Augustin, "The simple maths behind bot cars" (2019): P_Ahead and its ray.
#include "lookout.h"

#include "../base/shared.h"
#include "../vehicle/shared.h"
#include "scale.h"

#include <string.h>

// A vehicle within this offset of straight ahead is judged by the lane's bend. Also the sagitta of
// rays along a bent lane. [m]
#define SAGITTA 1.0f
// Shortest ray along the lane. [m]
#define LANE_LEAST 20.0f
// How far it looks back along another lane. [m]
#define LANE_RAYS_BEHIND 60.0f
// How far it looks back in reverse. [m]
#define BACK_REACH 5.0f
#define NO_EDGE 1.0e6f // [m]
// A vehicle beside the lane that moves towards it faster than this, and is in it after this time,
// counts as ahead. [m/s], [s]
#define COMES_IN_LEAST 0.5f
#define LANE_RAYS_COMES_IN 0.5f

// Longer vectors are mistakes of the host: no vehicle on a road is so fast [m/s], and no normal
// that was meant to be a unit vector is so long. [1]
#define LANE_RAYS_VECTOR_MOST 1000.0f
// Where the horizontal part of a normal is shorter, the ray met the ground or the host gave none.
// [1]
#define NORMAL_LEAST 1.0e-3f
#define NEARLY_UNIT 1.0e-3f // off from a square of 1 [1]
// Greatest angle of the vehicle to its lane that P_Ahead allows for. [rad]
#define ASKEW_MOST 0.5f
#define ASKEW_COSINE 0.87758256f
// Greatest turn of the lane from there to P_Ahead. [rad]
#define LANE_RAYS_TURN_MOST 1.0f
// Look-ahead time: time for the share of full lock that bends usually need, plus this many steering
// delays. Measured with sim/'s carrier, which oscillates with two and a half. [1]
#define HALF_LOCK 0.5f
#define DELAYS 4.0f
// P_Ahead stays this far before a vehicle ahead. [m]
#define BEFORE 1.0f
// An edge whose normal points back along the lane by this cosine lies across it: at 65° and more.
// [1]
#define HEAD_ON -0.9f

// --------------------------------------------------------------------------- where it is

static kerb_vec2 lane_rays_level_unit(kerb_vec3 a, kerb_vec2 fallback) {
    float square = a.x * a.x + a.y * a.y;
    // Nearly all are unit vectors already: one step of Newton's for 1/sqrt, off by 4e-7 at most.
    if (kerb_abs(square - 1.0f) < NEARLY_UNIT)
        return kerb_vec2_scale(lane_level(a), 1.5f - 0.5f * square);
    float length = kerb_sqrt(square);
    return length > 1.0e-6f ? kerb_vec2_scale(lane_level(a), 1.0f / length) : fallback;
}

// P_Ahead lies before whoever is right ahead, not in it: from there no edge is seen.
static float lane_rays_reach_of(const kerb_lane_keeper* keeper, float lookahead) {
    float reach = lookahead * (1.0f - keeper->memory.nearer);
    float front = keeper->vehicle.reference_to_front;
    float gap = keeper->memory.gap;
    if (!keeper->memory.started || gap < 0.0f)
        return reach;
    return kerb_min(reach, front + kerb_max(gap - BEFORE, 0.5f * gap));
}

// Not less than the wheels need for what bends mostly ask of them: else slow ones, and those that
// answer late, swing to and fro.
static float lookahead_time(const kerb_lane_keeper* keeper) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float turns = keeper->settings.lookahead_time - DELAYS * vehicle->steering_delay;
    if (HALF_LOCK * vehicle->steering_angle_max <= turns * vehicle->steering_rate_max)
        return keeper->settings.lookahead_time;
    return DELAYS * vehicle->steering_delay +
           HALF_LOCK * vehicle->steering_angle_max / vehicle->steering_rate_max;
}

// The lane's direction beside the vehicle. In a hairpin that is tighter than the vehicle can turn
// the lane turns on beside it; P_Ahead must not, or it runs round the corner and down the road
// before the vehicle has begun to turn.
static kerb_vec2 near_body(const kerb_lane_pose* pose, kerb_vec2 lane) {
    if (kerb_vec2_dot(pose->forward, lane) > ASKEW_COSINE)
        return lane;
    float side = kerb_vec2_cross(pose->forward, lane) < 0.0f ? -1.0f : 1.0f;
    return lane_turned(pose->forward, side * ASKEW_MOST);
}

kerb_lane_pose kerb_in_lane_pose_of(const kerb_lane_keeper* keeper, const kerb_motion* motion) {
    kerb_lane_pose pose;
    const kerb_lane_settings* settings = &keeper->settings;
    pose.position = kerb_in_lane_place_now(keeper, motion);
    pose.height = motion->position.z;
    pose.forward =
        lane_rays_level_unit(kerb_quat_forward(motion->rotation), kerb_vec2_make(1.0f, 0.0f));
    pose.speed = kerb_vec2_dot(lane_level(motion->velocity), pose.forward);
    pose.lateral = kerb_abs(pose.speed * motion->angular_velocity.z);
    pose.lookahead = kerb_lookahead_distance(pose.speed, lookahead_time(keeper),
                                             settings->lookahead_min, settings->lookahead_max);
    float bend = keeper->memory.started ? keeper->memory.line_curvature : 0.0f;
    kerb_vec2 since = kerb_vec2_sub(pose.position, keeper->memory.line);
    pose.lane = pose.forward;
    if (keeper->memory.started)
        pose.lane = near_body(
            &pose, lane_turned(keeper->memory.line_direction,
                               bend * kerb_vec2_dot(since, keeper->memory.line_direction)));
    // The mean of body and lane, so that it is ahead of the vehicle even askew in its lane.
    pose.reach = lane_rays_reach_of(keeper, pose.lookahead);
    float turn = kerb_clamp(bend * pose.reach, -LANE_RAYS_TURN_MOST, LANE_RAYS_TURN_MOST);
    pose.ahead = lane_arc_on(pose.position, pose.lane, pose.reach, turn);
    return pose;
}

// --------------------------------------------------------------------------- asking

static void lane_rays_add(const kerb_lane_pose* pose, kerb_vec2 origin, kerb_vec2 direction,
                          float length, kerb_lane_ray_purpose purpose, kerb_lane_ray* rays,
                          int32_t* count) {
    kerb_lane_ray ray = {.origin = kerb_vec3_make(origin.x, origin.y, pose->height),
                         .direction = kerb_vec3_make(direction.x, direction.y, 0.0f),
                         .length = length,
                         .purpose = (int32_t)purpose};
    rays[(*count)++] = ray;
}

// Distance for which a ray stays in a bent lane. [m]
static float within_lane(const kerb_lane_keeper* keeper, float reach) {
    float bend = kerb_abs(keeper->memory.line_curvature);
    return bend * reach * reach > 8.0f * SAGITTA ? kerb_sqrt(8.0f * SAGITTA / bend) : reach;
}

// It is aimed at the lane's middle there.
static float lane_reach(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float* turn) {
    const kerb_lane_settings* settings = &keeper->settings;
    float speed = kerb_max(pose->speed, 0.0f);
    float reach = speed * settings->gap_time + settings->gap_min +
                  speed * speed / (2.0f * settings->deceleration);
    reach = kerb_clamp(reach, LANE_LEAST, kerb_max(settings->sight, LANE_LEAST));
    *turn = 0.5f * keeper->memory.line_curvature * within_lane(keeper, reach);
    return reach;
}

// Turning round on the spot it looks where it moves, from its middle, so that the nose is not over
// an edge before that is met.
static void ask_along_body(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           kerb_lane_ray* rays, int32_t* count) {
    for (int32_t side = -1; side <= 1; side += 2) {
        float aside = 0.5f * keeper->vehicle.width * (float)side;
        kerb_vec2 from = lane_along(pose->position, lane_left_of(pose->forward), aside);
        lane_rays_add(pose, from, pose->forward, LANE_LEAST, KERB_LANE_RAY_LANE, rays, count);
    }
}

// One of the two rays along the lane looks at the remembered vehicle at standstill: from the corner
// that sees it best, outside in a bend, unless that ray looks along another lane.
static void ask_who_stands(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float way,
                           kerb_lane_ray pair[2]) {
    if (keeper->memory.aside != 0.0f)
        return;
    kerb_vec2 off = kerb_vec2_sub(keeper->memory.stands.place, pose->position);
    const bool left = kerb_vec2_cross(pose->lane, off) <= 0.0f;
    if ((left ? way : -way) > 0.5f * keeper->vehicle.width)
        return;
    kerb_lane_ray* ray = &pair[left];
    float far;
    kerb_vec2 him = kerb_in_lane_way_to_who_stands(keeper, lane_level(ray->origin), &far);
    if (far <= 0.0f) // at the place itself: no direction leads there
        return;
    ray->direction = kerb_vec3_make(him.x, him.y, 0.0f);
    ray->length = kerb_max(ray->length, kerb_min(far, keeper->settings.sight) + LANE_LEAST);
}

static void ask_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                     kerb_lane_ray* rays, int32_t* count) {
    float turn, reach = lane_reach(keeper, pose, &turn);
    kerb_vec2 direction = lane_turned(pose->lane, turn);
    kerb_vec2 front = lane_along(pose->position, pose->forward, keeper->vehicle.reference_to_front);
    float half = 0.5f * keeper->vehicle.width;
    // On the way to another lane, or back to its own, one of them looks along that.
    float to = keeper->memory.offset_to;
    float way = lane_inward(keeper) * (to - keeper->memory.line_offset) -
                lane_aside_of_line(keeper, pose->position);
    if (!keeper->memory.started)
        way = 0.0f;
    for (int32_t side = -1; side <= 1; side += 2) {
        bool there = way * (float)side > half;
        float aside = there ? way : half * (float)side;
        kerb_vec2 corner = lane_along(front, lane_left_of(pose->lane), aside);
        lane_rays_add(pose, corner, direction, reach, KERB_LANE_RAY_LANE, rays, count);
    }
    if (keeper->memory.stands.known)
        ask_who_stands(keeper, pose, way, rays + *count - 2);
}

static void ask_other_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           kerb_lane_ray* rays, int32_t* count) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    float side = keeper->memory.blocked_side;
    kerb_vec2 left = lane_left_of(pose->lane);
    float inward = lane_inward(keeper);
    float here = lane_offset_of(keeper, pose);
    // Far off its lane, nothing is known of the road that far aside.
    float shift = kerb_clamp(inward * (keeper->memory.ask_distance - here), -keeper->settings.sight,
                             keeper->settings.sight);
    // Not all of the margin: a vehicle as near to the road's edge as it may be has the edge there.
    float need = 0.5f * (vehicle->width + keeper->settings.margin);
    kerb_vec2 front = lane_along(pose->position, pose->lane, vehicle->reference_to_front);
    kerb_vec2 back =
        lane_along(pose->position, pose->lane, vehicle->reference_to_front - vehicle->length);
    kerb_vec2 aside = kerb_vec2_scale(left, side);
    float across = kerb_abs(shift) + need;
    lane_rays_add(pose, front, aside, across, KERB_LANE_RAY_BESIDE, rays, count);
    lane_rays_add(pose, back, aside, across, KERB_LANE_RAY_BESIDE, rays, count);
    lane_rays_add(pose, lane_along(back, left, shift), kerb_vec2_scale(pose->lane, -1.0f),
                  LANE_RAYS_BEHIND, KERB_LANE_RAY_BEHIND, rays, count);
    float most = within_lane(keeper, kerb_min(keeper->memory.ask_way, 30.0f));
    kerb_vec2 direction = lane_turned(pose->lane, 0.5f * keeper->memory.line_curvature * most);
    // Nearer together than a car is wide: one that stands in the middle would be missed.
    float half = kerb_max(0.5f * vehicle->width - keeper->settings.margin, 0.0f);
    // Past one that stands partly in its way, all of the side next to that counts.
    bool squeezes = kerb_abs(keeper->memory.ask_distance - keeper->memory.offset_to) <
                    vehicle->width + keeper->settings.margin;
    for (int32_t i = -1; i <= 1; i += 2) {
        float to_side = squeezes && (float)i * side < 0.0f ? need : half;
        kerb_vec2 from = lane_along(front, left, shift + to_side * (float)i);
        lane_rays_add(pose, from, direction, keeper->memory.ask_ahead, KERB_LANE_RAY_AHEAD, rays,
                      count);
    }
}

// Back from the rear corners.
static void ask_behind(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       kerb_lane_ray* rays, int32_t* count) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    kerb_vec2 back =
        lane_along(pose->position, pose->forward, vehicle->reference_to_front - vehicle->length);
    for (int32_t side = -1; side <= 1; side += 2)
        lane_rays_add(
            pose,
            lane_along(back, lane_left_of(pose->forward), 0.5f * vehicle->width * (float)side),
            kerb_vec2_scale(pose->forward, -1.0f), BACK_REACH, KERB_LANE_RAY_BEHIND, rays, count);
}

// Takes a motion, in metres; false where that is impossible. The time since the last frame is
// told only later: so the vehicle counts as put elsewhere where it could not have come from its
// last place even in the longest time step, and what is nearer the drive call finds.
static bool lane_rays_take_motion(kerb_lane_keeper* keeper, const kerb_motion* motion,
                                  kerb_in_frame_input* input) {
    kerb_motion_memory last = keeper->memory.last;
    *input = kerb_in_frame_take_vehicle(&last, &keeper->vehicle, motion, KERB_TIME_STEP_MAX);
    if (input->fault != KERB_REASON_NONE)
        return false;
    if (keeper->memory.left.known && kerb_in_frame_is_elsewhere(&keeper->memory.left, input))
        kerb_in_lane_forget(keeper);
    keeper->memory.motion = *motion;
    return true;
}

// The rays for a motion that was taken, in the keeper's units.
static int32_t lane_rays_ask(kerb_lane_keeper* keeper, const kerb_motion* motion,
                             kerb_lane_ray rays[KERB_LANE_RAYS_MAX]) {
    if (!keeper->memory.placed)
        kerb_in_lane_keep_origin_near(keeper, motion->position);
    keeper->memory.pose = kerb_in_lane_pose_of(keeper, motion);
    int32_t count = 0;
    float scan;
    const kerb_lane_pose pose = keeper->memory.pose;
    kerb_vec2 outward = kerb_vec2_scale(lane_left_of(pose.ahead.direction), -lane_inward(keeper));
    float reach = keeper->settings.side_reach;
    lane_rays_add(&pose, pose.ahead.place, outward, reach, KERB_LANE_RAY_EDGE, rays, &count);
    lane_rays_add(&pose, pose.ahead.place, kerb_vec2_scale(outward, -1.0f), reach,
                  KERB_LANE_RAY_ACROSS, rays, &count);
    kerb_vec2 lookout = lane_turned(pose.lane, keeper->memory.look);
    lane_rays_add(&pose, pose.position, lookout, keeper->settings.sight, KERB_LANE_RAY_LOOKOUT,
                  rays, &count);
    if (kerb_in_lane_turns_round(keeper, &pose) != 0.0f)
        ask_along_body(keeper, &pose, rays, &count);
    else
        ask_lane(keeper, &pose, rays, &count);
    if (kerb_in_lane_recovers(keeper))
        ask_behind(keeper, &pose, rays, &count);
    else if (keeper->memory.blocked_side != 0.0f)
        ask_other_lane(keeper, &pose, rays, &count);
    else if (kerb_in_lane_scans(keeper, &pose, &scan))
        lane_rays_add(&pose, pose.position, lane_turned(pose.lane, scan), keeper->settings.sight,
                      KERB_LANE_RAY_SCAN, rays, &count);
    for (int32_t i = 0; i < count; i++) {
        rays[i].origin.x += keeper->memory.origin.x;
        rays[i].origin.y += keeper->memory.origin.y;
    }
    return count;
}

int32_t kerb_lane_keeper_rays(kerb_lane_keeper* keeper, const kerb_motion* motion,
                              kerb_lane_ray rays[KERB_LANE_RAYS_MAX]) {
    KERB_ASSERT(keeper != NULL && motion != NULL && rays != NULL);
    const float scale = kerb_vehicle_scale(&keeper->vehicle);
    lane_keep_units(keeper, scale == 1.0f ? 0.0f : scale);
    kerb_in_frame_input input;
    keeper->memory.asked = lane_rays_take_motion(keeper, motion, &input);
    if (!keeper->memory.asked)
        return 0;
    if (scale == 1.0f)
        return lane_rays_ask(keeper, &input.motion, rays);
    const kerb_motion own = kerb_in_motion_scaled(&input.motion, 1.0f / scale);
    const lane_in_metres before = kerb_in_lane_to_units(keeper, scale);
    int32_t count = lane_rays_ask(keeper, &own, rays);
    kerb_in_lane_to_metres(keeper, &before);
    kerb_in_lane_scale_rays(rays, count, scale);
    return count;
}

// --------------------------------------------------------------------------- answers

// What the host says, or nothing where it makes no sense.
static const kerb_lane_hit* sane(const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    static const kerb_lane_hit nothing = {.kind = KERB_LANE_HIT_NOTHING};
    if (hit->kind <= KERB_LANE_HIT_NOTHING || hit->kind > KERB_LANE_HIT_VEHICLE ||
        !(hit->distance >= 0.0f && hit->distance <= ray->length))
        return &nothing;
    bool vehicle = hit->kind == KERB_LANE_HIT_VEHICLE;
    const kerb_vec3* way = vehicle ? &hit->velocity : &hit->normal;
    if (!(kerb_vec3_dot(*way, *way) <= LANE_RAYS_VECTOR_MOST * LANE_RAYS_VECTOR_MOST))
        return &nothing;
    kerb_vec2 level = lane_level(hit->normal);
    return vehicle || kerb_vec2_dot(level, level) > NORMAL_LEAST * NORMAL_LEAST ? hit : &nothing;
}

static void see_edge(const kerb_lane_keeper* keeper, const kerb_lane_ray* ray,
                     const kerb_lane_hit* hit, lane_edge_seen* edge) {
    kerb_vec2 direction = lane_level(ray->direction);
    edge->hit = lane_place_of(keeper, ray, hit);
    edge->normal = lane_rays_level_unit(hit->normal, kerb_vec2_scale(direction, -1.0f));
    // Met from behind or along: not the side of the road.
    edge->met = kerb_vec2_dot(edge->normal, direction) < -0.2f;
}

// True: it goes round that vehicle already, by its distance ahead.
static bool is_gone_round(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                          kerb_vec2 place) {
    if (keeper->memory.aside == 0.0f)
        return false;
    float gap = kerb_vec2_dot(kerb_vec2_sub(place, pose->position), pose->lane) -
                keeper->vehicle.reference_to_front;
    return kerb_abs(gap - keeper->memory.round_gap) < keeper->vehicle.length;
}

// In the lane that is driven to, or, unless it goes round something, in the one that it is in. A
// vehicle that it goes round is not, unless it is right in the path: where the road bends a little,
// places ahead are not known exactly.
static bool is_in_lane(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       kerb_vec2 place) {
    float half = 0.5f * keeper->vehicle.width;
    float to = keeper->memory.offset_to - keeper->memory.line_offset;
    float aside = lane_inward(keeper) * kerb_in_lane_aside_ahead(keeper, place);
    // Where the edge has sprung it comes back to its lane little by little: in all of that way.
    float settle = keeper->memory.settle;
    float on_way = kerb_clamp(aside, to + kerb_min(settle, 0.0f), to + kerb_max(settle, 0.0f));
    if (kerb_abs(aside - on_way) < half + keeper->settings.margin)
        return kerb_abs(aside - on_way) < 0.5f * half || !is_gone_round(keeper, pose, place);
    float here = lane_inward(keeper) * lane_aside_of_line(keeper, pose->position);
    return keeper->memory.aside == 0.0f && kerb_abs(aside - here) < half;
}

static void note_ahead(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 place,
                       kerb_vec2 velocity, bool comes_in, lane_seen* seen) {
    kerb_vec2 off = kerb_vec2_sub(place, pose->position);
    float gap = kerb_vec2_dot(off, pose->lane) - keeper->vehicle.reference_to_front;
    if (seen->vehicle && gap >= seen->gap)
        return;
    seen->vehicle = true;
    seen->comes_in = comes_in;
    seen->place = place;
    seen->gap = kerb_max(gap, 0.0f);
    seen->vehicle_speed = kerb_vec2_dot(velocity, pose->lane);
}

static void note_vehicle(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const kerb_lane_ray* ray, const kerb_lane_hit* hit, lane_seen* seen) {
    kerb_vec2 place = lane_place_of(keeper, ray, hit);
    if (is_in_lane(keeper, pose, place))
        note_ahead(keeper, pose, place, lane_level(hit->velocity), false, seen);
}

// Beside P_Ahead, but moving into the lane: it is ahead before rays along the lane can meet it.
static void note_who_comes_in(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                              const kerb_lane_ray* ray, const kerb_lane_hit* hit, lane_seen* seen) {
    kerb_vec2 left = lane_left_of(pose->ahead.direction);
    float sideways = kerb_vec2_dot(left, lane_level(hit->velocity));
    if (kerb_vec2_dot(left, lane_level(ray->direction)) * sideways > -COMES_IN_LEAST)
        return;
    kerb_vec2 place = lane_place_of(keeper, ray, hit);
    if (is_in_lane(keeper, pose, lane_along(place, left, sideways * LANE_RAYS_COMES_IN)))
        note_ahead(keeper, pose, place, lane_level(hit->velocity), true, seen);
}

// Who stands beside the other lane, where that bends otherwise than here: the ray only ends there.
static bool stands_beside(const kerb_lane_keeper* keeper, const kerb_lane_ray* ray,
                          const kerb_lane_hit* hit) {
    if (kerb_vec3_dot(hit->velocity, hit->velocity) > LANE_OTHER_STANDS * LANE_OTHER_STANDS)
        return false;
    float to = keeper->memory.ask_distance - keeper->memory.line_offset;
    float aside =
        lane_inward(keeper) * kerb_in_lane_aside_ahead(keeper, lane_place_of(keeper, ray, hit)) -
        to;
    return kerb_abs(aside) > 0.5f * keeper->vehicle.width + keeper->settings.margin;
}

// True: the other lane has space as far as this ray tells: no vehicle is alongside, comes from
// behind or towards it too soon, or would be met.
static bool leaves_room(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const kerb_lane_ray* ray, const kerb_lane_hit* hit) {
    if (hit->kind == KERB_LANE_HIT_NOTHING)
        return true;
    if (ray->purpose == KERB_LANE_RAY_BESIDE)
        return false;
    if (hit->kind != KERB_LANE_HIT_VEHICLE)
        return ray->purpose == KERB_LANE_RAY_BEHIND || hit->distance > keeper->memory.ask_clear;
    float theirs = kerb_vec2_dot(lane_level(hit->velocity), pose->lane);
    bool behind = ray->purpose == KERB_LANE_RAY_BEHIND;
    if (behind)
        return hit->distance > keeper->settings.gap_min + kerb_max(theirs - pose->speed, 0.0f) *
                                                              (keeper->settings.lane_change_time +
                                                               keeper->settings.gap_time);
    if (theirs < 0.0f)
        return hit->distance > keeper->memory.ask_way - theirs * keeper->memory.ask_time;
    return hit->distance > kerb_max(pose->speed - theirs, 0.0f) * keeper->memory.ask_time &&
           (theirs > 0.5f * pose->speed || hit->distance >= keeper->memory.ask_way);
}

// Edges before the rays along the lane: askew where the road bends, square to them where it ends or
// a wall stands across it.
static void lane_rays_note_across(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                  const kerb_lane_ray* ray, const kerb_lane_hit* hit,
                                  lane_seen* seen) {
    kerb_vec2 off = kerb_vec2_sub(lane_place_of(keeper, ray, hit), pose->position);
    float ahead = kerb_vec2_dot(off, pose->lane);
    seen->edges_ahead++;
    seen->free_ahead = kerb_max(seen->free_ahead, ahead);
    seen->edge_ahead = kerb_min(seen->edge_ahead, hit->distance);
    if (kerb_vec2_dot(lane_level(hit->normal), pose->lane) > HEAD_ON)
        return;
    seen->head_on++;
    seen->across = kerb_max(seen->across, ahead);
}

static void see_ahead(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                      const kerb_lane_ray* ray, const kerb_lane_hit* hit, lane_seen* seen) {
    if (hit->kind == KERB_LANE_HIT_VEHICLE)
        note_vehicle(keeper, pose, ray, hit, seen);
    else if (hit->kind != KERB_LANE_HIT_NOTHING && ray->purpose == KERB_LANE_RAY_LANE)
        lane_rays_note_across(keeper, pose, ray, hit, seen);
    float reach = hit->kind == KERB_LANE_HIT_NOTHING ? ray->length : hit->distance;
    if (reach > seen->sight)
        seen->hidden = hit->kind == KERB_LANE_HIT_VEHICLE;
    seen->sight = kerb_max(seen->sight, reach);
}

static void see_elsewhere(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                          const kerb_lane_ray* ray, const kerb_lane_hit* hit, lane_seen* seen) {
    if (kerb_in_lane_recovers(keeper)) {
        if (hit->kind != KERB_LANE_HIT_NOTHING)
            seen->behind = kerb_min(seen->behind, hit->distance);
    } else if (keeper->memory.blocked_side != 0.0f) {
        seen->asked = true;
        bool ends = ray->purpose == KERB_LANE_RAY_AHEAD && hit->kind == KERB_LANE_HIT_VEHICLE &&
                    stands_beside(keeper, ray, hit);
        seen->ended += ends;
        // One of the two that look along it has to tell.
        seen->free = seen->free && seen->ended < 2 && (ends || leaves_room(keeper, pose, ray, hit));
    }
}

void kerb_in_lane_see_other(const kerb_lane_keeper* keeper, lane_seen* seen) {
    if (seen->other_ray != NULL)
        see_edge(keeper, seen->other_ray, seen->other_hit, &seen->edges[1]);
    seen->other_ray = NULL;
}

// Beside P_Ahead. Of the other edge mostly nobody wants to know more than that nobody hides it.
static void see_beside(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* ray, const kerb_lane_hit* hit, bool later,
                       lane_seen* seen) {
    const bool other = ray->purpose == KERB_LANE_RAY_ACROSS;
    seen->edges[other].hidden = hit->kind == KERB_LANE_HIT_VEHICLE;
    if (hit->kind == KERB_LANE_HIT_VEHICLE)
        note_who_comes_in(keeper, pose, ray, hit, seen);
    else if (hit->kind != KERB_LANE_HIT_NOTHING && other && later)
        seen->other_ray = ray, seen->other_hit = hit;
    else if (hit->kind != KERB_LANE_HIT_NOTHING)
        see_edge(keeper, ray, hit, &seen->edges[other]);
}

// One by one, because to clear it as a whole compilers take instructions that begin slowly.
static void see_nothing(lane_seen* seen) {
    seen->edges[0].met = seen->edges[0].hidden = false;
    seen->edges[1].met = seen->edges[1].hidden = false;
    seen->other_ray = NULL;
    seen->other_hit = NULL;
    seen->sight = seen->across = seen->free_ahead = 0.0f;
    seen->head_on = seen->edges_ahead = 0;
    seen->edge_ahead = NO_EDGE;
    seen->vehicle = seen->comes_in = seen->asked = seen->hidden = false;
    seen->free = true;
    seen->ended = 0;
    seen->gap = seen->vehicle_speed = 0.0f;
    seen->behind = BACK_REACH;
}

void kerb_in_lane_look(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* rays, const kerb_lane_hit* hits, int32_t count,
                       lane_seen* seen) {
    see_nothing(seen);
    int32_t looks = 0;
    const int32_t turn = keeper->memory.look_turn;
    const bool notes = seen->notes = lane_takes_notes(keeper);
    const bool later = !notes && keeper->settings.edge != KERB_LANE_BOTH;
    for (int32_t i = 0; i < count; i++) {
        const kerb_lane_ray* ray = &rays[i];
        const kerb_lane_hit* hit = sane(ray, &hits[i]);
        switch (ray->purpose) {
        case KERB_LANE_RAY_EDGE:
        case KERB_LANE_RAY_ACROSS:
            see_beside(keeper, pose, ray, hit, later, seen);
            break;
        case KERB_LANE_RAY_LOOKOUT:
            lane_turn_look(keeper, ray, hit);
            // fall through
        case KERB_LANE_RAY_LANE:
            see_ahead(keeper, pose, ray, hit, seen);
            // They tell of bends by turns, every other time the lookout.
            if (notes && (ray->purpose == KERB_LANE_RAY_LOOKOUT
                              ? turn % 2 == 0
                              : ++looks == (turn + 1) / 2 && turn % 2 == 1))
                kerb_in_lane_look_out(keeper, pose, ray, hit);
            break;
        case KERB_LANE_RAY_SCAN:
            kerb_in_lane_scan(keeper, pose, ray, hit);
            break;
        default:
            see_elsewhere(keeper, pose, ray, hit, seen);
            break;
        }
    }
    if ((seen->vehicle || keeper->memory.stands.known) &&
        kerb_in_lane_mind_who_stands(keeper, pose, rays, hits, count, seen) &&
        is_in_lane(keeper, pose, keeper->memory.stands.place))
        note_ahead(keeper, pose, keeper->memory.stands.place, kerb_vec2_make(0.0f, 0.0f), false,
                   seen);
    if (notes)
        keeper->memory.look_turn = turn + 1 < 2 * looks ? turn + 1 : 0;
    lane_scan_next(keeper);
}
