// Purpose: drives to a point where the path cannot be followed: back to an end that was missed, or
//          over a knot of waypoints to the place where the path leaves it.
//
// What a vehicle with the turning radius R reaches with one piece, forwards or in reverse, is
// everything outside the two circles of that radius beside it. So it chooses the piece with the
// shorter way,
//     distance + R·|angle to the point|,
// and drives it by pure pursuit. For a point inside a circle it first drives straight back until
// that lies ahead and outside. What turns on the spot has no circles.
//
// A path whose curvature stays below 1/R leaves a circle of radius R about any of its points within
// 1.05 R, and has turned by as many radians at most. One that turns as much as two hairpins in
// there and is much longer than the way through cannot be driven: that is a knot, as a receiver at
// standstill leaves it. The place where it leaves the circle is the point to drive to.
//
// Cost:    O(1) a frame; looking for knots O(points within R) per half R of progress.
#include "goal.h"

#include <string.h>

// A knot turns by more than this in the circle, which is nearly two hairpins, and is this much
// longer than its straight way through, which jitter alone is not. [rad], [1]
#define KNOT_TURN 6.0f
#define KNOT_DETOUR 1.5f
// Points looked at for a knot in one frame: a receiver's ten minutes.
#define KNOT_POINTS 600
// A missed end farther than this is not taken for a miss while it can still come along the path.
// [turning circles]
#define GOAL_NEAR_CIRCLES 1.5f
// A path this much longer than the straight way to its end is not just a straight to it: a right
// angle is 1.27, a half circle 1.57. [1]
#define GOAL_DIRECT 1.3f
// What turns on the spot does so for an end that is so far aside. [rad]
#define GOAL_ASIDE 1.0f
// Pieces are planned with a larger radius than the vehicle's, so that errors can be corrected; a
// piece that makes room leaves the point that far outside. [1]
#define GOAL_RADIUS 1.15f
#define GOAL_ROOM 1.4f
// In reverse the reference point swings out first. So near a point, in rear axle distances, that
// the circle to it gets this much smaller, the wheels stay. [1]
#define GOAL_SPAN 0.2f
// Reverse counts as longer than forwards. [1]
#define GOAL_REVERSE_COST 2.0f
// A point that so many pieces do not reach is not reached. [1]
#define GOAL_PIECES 12
// Greatest speed beside the path, where nobody knows what is there; near the point, where wheels
// have to turn; and in reverse. [m/s]
#define GOAL_SPEED 5.0f
#define GOAL_SPEED_NEAR 3.0f
#define GOAL_SPEED_REVERSE 2.0f
// Share of the lateral acceleration of bends that it uses. [1]
#define GOAL_LATERAL 0.5f
// What turns on the spot faces the point within this before it drives, and turns so fast per angle.
// [rad], [1/s]
#define GOAL_FACING 0.5f
#define GOAL_TURN_GAIN 1.5f

typedef struct goal_seen {
    float ahead, left; // in the travel of a piece [m]
    float distance;    // [m]
    float angle;       // from the travel to the point [rad] [0 … pi]
    float axle;        // how far the axle that does not steer is behind it in that travel [m]
} goal_seen;

// Circles are about a centre beside the axle that does not steer.
static float goal_axle(const kerb_follower* follower) {
    return kerb_in_track_axle(&follower->memory.track, &follower->vehicle);
}

static goal_seen goal_see(const kerb_follower* follower, const kerb_motion* motion, float travel) {
    kerb_vec3 off = kerb_vec3_sub(follower->memory.goal_at, motion->position);
    kerb_vec3 heading = kerb_vec3_scale(kerb_quat_forward(motion->rotation), travel);
    goal_seen seen = {.ahead = off.x * heading.x + off.y * heading.y,
                      .left = heading.x * off.y - heading.y * off.x,
                      .distance = kerb_sqrt(off.x * off.x + off.y * off.y),
                      .axle = travel * goal_axle(follower)};
    seen.angle = kerb_abs(kerb_atan2(seen.left, seen.ahead));
    return seen;
}

static bool has_circles(const kerb_follower* follower) {
    return follower->vehicle.kind == KERB_VEHICLE_WHEELED;
}

// The circle about a centre beside the axle that leads from the reference point to the point has
// the curvature 2·left over this. [m²]
static float goal_span(const goal_seen* seen) {
    return seen->distance * seen->distance + 2.0f * seen->ahead * seen->axle;
}

// How far aside of the circle of full lock to that side the point lies, within it; negative
// outside. What lies straight ahead is outside. The same for both directions. [m]
static float depth_in_circle(const goal_seen* seen, float radius) {
    return kerb_abs(seen->left) - 0.5f * kerb_abs(goal_span(seen)) / radius;
}

static float goal_way(const kerb_follower* follower, const goal_seen* seen) {
    return seen->distance + kerb_in_follow_place_radius(follower) * seen->angle;
}

// The way that is left. [m]
static float goal_cost(const kerb_follower* follower, const kerb_motion* motion) {
    goal_seen seen = goal_see(follower, motion, (float)follower->memory.goal);
    return goal_way(follower, &seen);
}

double kerb_in_follow_goal_progress(const kerb_follower* follower, const kerb_motion* motion) {
    if (follower->memory.goal == 0)
        return follower->memory.distance;
    return follower->memory.goal_station - (double)goal_cost(follower, motion);
}

void kerb_in_follow_goal_shift(kerb_follower* follower, double by) {
    by /= (double)follow_scale(follower); // marks are in units of the vehicle
    follower->memory.stuck.progress_mark += by;
    follower->memory.stuck.stuck_progress += by;
}

// Begins the next piece.
static void goal_choose(kerb_follower* follower, const kerb_motion* motion) {
    const double before = kerb_in_follow_goal_progress(follower, motion);
    const int32_t piece =
        follower->memory.goal != 0 ? follower->memory.goal : follower->memory.travel;
    goal_seen ahead = goal_see(follower, motion, 1.0f);
    goal_seen behind = goal_see(follower, motion, -1.0f);
    float depth = depth_in_circle(&ahead, GOAL_RADIUS * kerb_in_follow_place_radius(follower));
    bool inside =
        has_circles(follower) && depth > follow_end_metres(follower, 0.5f * END_TOLERANCE);
    bool reverse = goal_way(follower, &ahead) > GOAL_REVERSE_COST * goal_way(follower, &behind);
    reverse = reverse || inside;
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER) // which turns its fan to it
        reverse = false;
    follower->memory.goal = reverse ? -1 : 1;
    follower->memory.goal_makes_room = inside;
    follower->memory.goal_ahead = follower->memory.goal_passed = false;
    if (follower->memory.goal != piece) {
        follower->memory.curvature = -follower->memory.curvature;
        kerb_in_pedals_start(&follower->memory.pedals, 0.0f);
    }
    kerb_in_follow_goal_shift(follower, kerb_in_follow_goal_progress(follower, motion) - before);
    // A piece is progress of its own, as one that makes room, but not for ever.
    if (++follower->memory.goal_pieces <= GOAL_PIECES)
        follower->memory.stuck.circling_time = 0.0f;
    else if (follower->settings.stuck.recovery != KERB_RECOVERY_NONE)
        kerb_stuck_request_teleport(&follower->memory.stuck);
}

static void goal_begin(kerb_follower* follower, const kerb_motion* motion, kerb_vec3 point,
                       double station, bool is_end) {
    const double before = follower->memory.distance;
    follower->memory.goal = 0;
    follower->memory.goal_at = point;
    follower->memory.goal_station = before;
    goal_choose(follower, motion);
    follower->memory.goal_station = station;
    kerb_in_follow_goal_shift(follower, station - before);
    follower->memory.goal_is_end = is_end;
}

void kerb_in_follow_goal_end(kerb_follower* follower, const kerb_motion* motion) {
    if (follower->memory.goal == 0)
        return;
    const double before = kerb_in_follow_goal_progress(follower, motion);
    if (follower->memory.goal != follower->memory.travel)
        follower->memory.curvature = -follower->memory.curvature;
    follower->memory.goal = 0;
    kerb_in_follow_goal_shift(follower, follower->memory.distance - before);
}

// --------------------------------------------------------------------------- missed ends

// Whether the end is where the vehicle does not come to by going on along its path.
static bool misses(kerb_follower* follower, const follow_frame* frame, const follow_end* end,
                   float to_stop) {
    if (!end->is_next || kerb_in_follow_place_at_end(follower, end, END_TOLERANCE))
        return false;
    if (to_stop < 0.0f) // past its normal, beside it or beyond it
        return true;
    const float circle = 2.0f * kerb_in_follow_place_radius(follower);
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER) // which points aside and still comes there
        return false;
    bool near = end->distance < GOAL_NEAR_CIRCLES * circle && to_stop < GOAL_DIRECT * end->distance;
    if (!near)
        return false;
    if (end->ahead < 0.0f)
        return true;
    follower->memory.goal_at = frame->path->points[frame->path->count - 1].position;
    goal_seen seen = goal_see(follower, frame->motion, frame->travel);
    if (follower->vehicle.kind == KERB_VEHICLE_TRACKED)
        return seen.angle > GOAL_ASIDE;
    float depth = depth_in_circle(&seen, kerb_in_follow_place_radius(follower));
    bool stands = kerb_abs(frame->speed) < follow_metres(follower, FOLLOWER_STANDING);
    return stands && depth > follow_end_metres(follower, END_TOLERANCE);
}

// --------------------------------------------------------------------------- knots

// Where the path leaves the circle of radius R about the vehicle's place, if it stays in it for
// too long.
static bool knot_ahead(const kerb_follower* follower, const kerb_path* path,
                       kerb_path_location* leaves) {
    const float radius = kerb_in_follow_place_radius(follower);
    kerb_path_location here = follower->memory.location;
    kerb_vec3 about = kerb_path_position(path, here);
    const int32_t travel = path->points[here.segment].travel;
    float inside = path->points[here.segment].length - here.segment_distance, turned = 0.0f;
    int32_t segment = here.segment;
    for (int32_t i = 0; i < KNOT_POINTS; i++) {
        int32_t next = segment + 1 < path->segment_count ? segment + 1 : path->closed ? 0 : -1;
        if (next < 0 || next == here.segment)
            break;
        const kerb_path_point* point = &path->points[next];
        kerb_vec3 off = kerb_vec3_sub(point->position, about);
        if (point->travel != travel || point->stop > 0.0f ||
            kerb_vec3_dot(off, off) > radius * radius)
            break;
        turned += kerb_abs(kerb_wrap_angle(point->heading - path->points[segment].heading));
        inside += point->length;
        segment = next;
    }
    *leaves = (kerb_path_location){segment, path->points[segment].length};
    inside -= path->points[segment].length;
    kerb_vec3 through = kerb_vec3_sub(path->points[segment].position, about);
    return turned > KNOT_TURN && inside > KNOT_DETOUR * kerb_vec3_length(through);
}

static bool knot_look(kerb_follower* follower, const kerb_path* path, kerb_path_location* leaves) {
    if (follower->vehicle.kind != KERB_VEHICLE_WHEELED)
        return false;
    const float radius = kerb_in_follow_place_radius(follower);
    double since = follower->memory.distance - follower->memory.knot_looked;
    if (since >= 0.0 && since < 0.5 * (double)radius)
        return false;
    follower->memory.knot_looked = follower->memory.distance;
    return knot_ahead(follower, path, leaves);
}

// The rest of the last segment in the circle is driven straight, so the place it leads to is as far
// as the vehicle needs to be on it again.
static kerb_path_location knot_exit(const kerb_follower* follower, const kerb_path* path,
                                    kerb_path_location leaves) {
    const float radius = kerb_in_follow_place_radius(follower);
    const float length = path->points[leaves.segment].length;
    return (kerb_path_location){leaves.segment, kerb_min(length, 0.5f * radius)};
}

// Past the knot, or so near to where it ends that the path is there again.
static bool knot_is_over(const kerb_follower* follower, const follow_frame* frame) {
    goal_seen seen = goal_see(follower, frame->motion, frame->travel);
    const float radius = kerb_in_follow_place_radius(follower);
    return seen.distance < 0.5f * radius || (seen.ahead < 0.0f && seen.distance < 2.0f * radius);
}

// --------------------------------------------------------------------------- a frame

static void goal_watch(kerb_follower* follower, const follow_frame* frame) {
    goal_seen seen = goal_see(follower, frame->motion, frame->travel);
    const float radius = kerb_in_follow_place_radius(follower);
    if (follower->memory.goal_makes_room) {
        bool room = depth_in_circle(&seen, GOAL_ROOM * radius) < 0.0f && seen.ahead < -radius;
        if (room)
            goal_choose(follower, frame->motion);
        return;
    }
    // It comes no nearer: past it, or it has come to lie inside a circle.
    const float near = kerb_max(2.0f * radius, follower->vehicle.length);
    bool past = seen.ahead < 0.0f && seen.distance < near && follower->memory.goal_ahead;
    follower->memory.goal_ahead = follower->memory.goal_ahead || seen.ahead > 0.0f;
    bool deep = has_circles(follower) &&
                depth_in_circle(&seen, radius) > follow_end_metres(follower, END_TOLERANCE);
    follower->memory.goal_passed = past || deep;
    bool stands = kerb_abs(frame->speed) < follow_metres(follower, FOLLOWER_STANDING);
    if (follower->memory.goal_passed && stands) {
        kerb_in_pedals_stood(&follower->memory.pedals, follow_scale(follower), seen.ahead);
        goal_choose(follower, frame->motion);
    }
}

bool kerb_in_follow_goal_look(kerb_follower* follower, const follow_frame* frame, float to_stop,
                              kerb_path_location* skips_to) {
    const int32_t before = follower->memory.goal;
    follow_end end = kerb_in_follow_place_end(follower, frame);
    if (follower->memory.phase != PHASE_DRIVE || follower->memory.stuck.phase != KERB_STUCK_FREE ||
        (follower->memory.goal_is_end &&
         kerb_in_follow_place_at_end(follower, &end, 0.5f * END_TOLERANCE))) {
        return false;
    }
    if (before == 0) {
        const kerb_path* path = frame->path;
        kerb_path_location leaves;
        if (misses(follower, frame, &end, to_stop)) {
            float brakes = 2.0f * kerb_in_follow_braking(follower, frame);
            float left = to_stop - frame->speed * frame->speed / brakes;
            kerb_in_pedals_stood(&follower->memory.pedals, follow_scale(follower), left);
            goal_begin(follower, frame->motion, path->points[path->count - 1].position,
                       path->length, true);
        } else if (knot_look(follower, path, &leaves)) {
            leaves = knot_exit(follower, path, leaves);
            follower->memory.goal_exit = leaves;
            goal_begin(follower, frame->motion, kerb_path_position(path, leaves),
                       kerb_path_distance(path, leaves) + follower->memory.rounds, false);
        }
        return false;
    }
    if (!follower->memory.goal_is_end && knot_is_over(follower, frame)) {
        *skips_to = follower->memory.goal_exit;
        return true;
    }
    goal_watch(follower, frame);
    return false;
}

// --------------------------------------------------------------------------- driving

// Slower than this a hovercraft turns on its cushion. [m/s]
#define GOAL_CREEPS 0.3f

// Thrust only pushes ahead: the nose turns to the change of velocity that is wanted.
void kerb_in_follow_goal_hover(const kerb_follower* follower, const follow_frame* frame,
                               kerb_vec3 goal, float speed, kerb_controls* controls) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    kerb_vec3 off = kerb_vec3_sub(goal, frame->motion->position);
    kerb_vec2 to = {off.x, off.y};
    to = kerb_vec2_scale(to, 1.0f / kerb_max(kerb_vec2_length(to), 0.01f));
    kerb_vec2 velocity = {frame->motion->velocity.x, frame->motion->velocity.y};
    kerb_vec2 lack = kerb_vec2_sub(kerb_vec2_scale(to, speed), velocity);
    kerb_vec2 body = {frame->heading.x, frame->heading.y};
    float turn = kerb_atan2(kerb_vec2_cross(body, lack), kerb_vec2_dot(body, lack));
    float rest = kerb_sqrt(vehicle->yaw_acceleration_max * kerb_abs(turn));
    float rate = kerb_clamp(GOAL_TURN_GAIN * turn, -rest, rest);
    bool faces = kerb_abs(turn) < GOAL_FACING;
    // On its skirt it cannot turn: what creeps down a slope is no reason to lower it.
    bool fast = kerb_vec2_dot(lack, velocity) < 0.0f &&
                kerb_vec2_length(velocity) > follow_metres(follower, GOAL_CREEPS);
    controls->steering = kerb_clamp(rate / vehicle->yaw_rate_max, -1.0f, 1.0f);
    controls->throttle =
        faces ? kerb_clamp(2.0f * kerb_vec2_dot(lack, body) / vehicle->acceleration_max, 0.0f, 1.0f)
              : 0.0f;
    bool drifts = !faces && kerb_vec2_length(velocity) > follow_metres(follower, 1.0f);
    controls->brake = fast || drifts || speed <= 0.0f ? 1.0f : 0.0f;
    if (controls->brake > 0.0f)
        controls->throttle = 0.0f;
}

static float goal_speed(const kerb_follower* follower, const follow_frame* frame,
                        const goal_seen* seen, float curvature) {
    const kerb_follower_settings* settings = &follower->settings;
    const kerb_vehicle* vehicle = &follower->vehicle;
    bool near = seen->distance < 2.0f * kerb_in_follow_place_radius(follower);
    float speed = frame->travel < 0.0f ? GOAL_SPEED_REVERSE : near ? GOAL_SPEED_NEAR : GOAL_SPEED;
    // Accelerations do not scale with size.
    speed = kerb_min(settings->speed, kerb_sqrt(follow_scale(follower)) * speed);
    if (frame->travel < 0.0f)
        speed =
            kerb_min(speed, kerb_min(settings->reverse_speed, follower->vehicle.reverse_speed_max));
    float lateral =
        GOAL_LATERAL * kerb_min(settings->lateral_acceleration * KERB_GRAVITY,
                                follower->vehicle.lateral_acceleration_max * frame->grip);
    speed = kerb_min(speed, kerb_sqrt(lateral / kerb_max(kerb_abs(curvature), 1.0e-3f)));
    if (vehicle->kind == KERB_VEHICLE_WHEELED) { // wheels are there within half of the way
        float off = kerb_abs(curvature - follower->memory.curvature) * vehicle->wheelbase;
        float most = 0.5f * seen->distance * vehicle->steering_rate_max / kerb_max(off, 1.0e-6f);
        speed = kerb_min(speed, kerb_max(most, follow_scale(follower)));
    }
    return kerb_min(speed, frame->speed_cap);
}

// The curvature of the circle on which the reference point comes to the point. In reverse it first
// swings to the other side, so on the last metres the wheels stay where they are.
static float goal_bend(const kerb_follower* follower, const goal_seen* seen, float sharpest) {
    const float before = follower->memory.curvature;
    if (follower->memory.goal_makes_room)
        return 0.0f;
    if (follower->memory.goal_passed)
        return before;
    if (seen->ahead < 0.0f) { // round, always to the same side
        float side = kerb_abs(before) > 0.5f * sharpest ? before : seen->left;
        return side < 0.0f ? -sharpest : sharpest;
    }
    float square = seen->distance * seen->distance;
    float span = goal_span(seen);
    if (seen->distance < follow_end_metres(follower, END_TOLERANCE) ||
        kerb_abs(span) < GOAL_SPAN * square)
        return before;
    return 2.0f * seen->left / span;
}

follow_wish kerb_in_follow_goal_wish(kerb_follower* follower, const follow_frame* frame,
                                     kerb_controls* controls) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    goal_seen seen = goal_see(follower, frame->motion, frame->travel);
    const float sharpest = 1.0f / kerb_in_follow_place_radius(follower);
    float bend = goal_bend(follower, &seen, sharpest);
    bend = kerb_clamp(bend, -sharpest, sharpest);
    follow_wish wish = {.soon = 1.0e6f,
                        .wanted = bend,
                        .reason = follower->memory.goal_is_end ? KERB_REASON_MISSED_END
                                                               : KERB_REASON_STEERING};
    wish.speed = goal_speed(follower, frame, &seen, bend);
    // Wheels turn as they can; the way that they miss meanwhile the next frame sees.
    float step = vehicle->steering_rate_max / vehicle->wheelbase * frame->time_step;
    float before = follower->memory.curvature;
    wish.curvature = kerb_clamp(bend, before - step, before + step);
    if (vehicle->kind == KERB_VEHICLE_WHEELED) {
        const kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
        wish.shares_grip = true;
        wish.room = kerb_in_pedals_room_of(&track, 0.0f);
    } else {
        const float least = follow_end_metres(follower, END_TOLERANCE);
        float angle = seen.left < 0.0f ? -seen.angle : seen.angle;
        wish.turns = true;
        wish.yaw_rate = seen.distance > least ? GOAL_TURN_GAIN * angle : 0.0f;
        wish.curvature = 0.0f;
        if (seen.angle > GOAL_FACING && seen.distance > least &&
            vehicle->kind == KERB_VEHICLE_TRACKED)
            wish.speed = 0.0f;
    }
    if (vehicle->kind == KERB_VEHICLE_HOVER)
        kerb_in_follow_goal_hover(follower, frame, follower->memory.goal_at, wish.speed, controls);
    follower->decision.target = follower->memory.goal_at;
    follower->decision.lookahead = seen.distance;
    follower->decision.limiting_curvature = 0.0f;
    follower->decision.heading_error = seen.angle;
    return wish;
}

float kerb_in_follow_goal_left(const kerb_follower* follower, const follow_frame* frame) {
    goal_seen seen = goal_see(follower, frame->motion, frame->travel);
    if (follower->memory.goal_passed)
        return kerb_min(seen.ahead, 0.0f);
    if (!follower->memory.goal_is_end || follower->memory.goal_makes_room)
        return (float)FAR_AWAY;
    return seen.distance > follow_scale(follower) ? seen.distance : seen.ahead;
}

bool kerb_in_follow_goal_stays(kerb_follower* follower, const kerb_path* path) {
    if (follower->memory.goal == 0 || !follower->memory.goal_is_end || path->closed)
        return false;
    kerb_vec3 off = kerb_vec3_sub(path->points[path->count - 1].position, follower->memory.goal_at);
    const float most = follow_end_metres(follower, END_TOLERANCE);
    return kerb_vec3_dot(off, off) <= most * most;
}
