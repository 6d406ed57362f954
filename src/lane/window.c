// Purpose: the lane in the window of stations ahead, as the laws of room track drive it.
// Idea:    The window is the line at one distance from the lane's edge, its base, in the order in
//          which P_Ahead has passed it. So where the vehicle is the road is known on both sides,
//          and curvature lags behind nothing. Where in the road it drives is an offset from there,
//          with its derivatives: a change of lanes is driven ahead of errors.
// Cost:    O(1), and O(knots) where an edge springs or ends in a corner.
#include "line.h"

#include "../control/shared.h"
#include "../estimate/shared.h"

// Distance between knots. [m]
#define WINDOW_SPACING 1.0f
// A point that was seen before and now lies elsewhere by less is where it was. [m]
#define WINDOW_SAME (0.5f * LANE_SPRING)
// Time over which a change of lanes is differentiated. [s]
#define WINDOW_SLOPE_TIME 0.1f
// Below this speed a lateral speed has no slope. [m/s]
#define WINDOW_SLOW 2.0f
// Share of its grip that the way back to the lane may take; and the greatest change of its lateral
// acceleration, the follower's. [1], [m/s³]
#define WINDOW_GRIP 0.5f
#define WINDOW_JERK 40.0f
// At a larger angle or distance it drives to a point ahead. [rad], [turning radii]
#define WINDOW_LOST_ANGLE 1.8f
#define WINDOW_LOST_RADII 3.0f

static float lateral_of_base(const kerb_lane_keeper* keeper, float offset) {
    return lane_inward(keeper) * (keeper->memory.base - offset);
}

static kerb_in_line_seen seen_of(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                 kerb_vec2 direction) {
    float left = lateral_of_base(keeper, keeper->memory.line_offset) +
                 lane_inward(keeper) * keeper->memory.wide;
    kerb_vec2 place = lane_along(keeper->memory.line, lane_left_of(direction), left);
    float bend = keeper->memory.line_curvature, width = keeper->memory.width;
    float own = keeper->memory.base, other = kerb_max(width - own, 0.0f);
    bool right = lane_inward(keeper) > 0.0f;
    return (kerb_in_line_seen){.position = kerb_vec3_make(place.x, place.y, pose->height),
                               .direction = direction,
                               .curvature = bend / kerb_max(1.0f - bend * left, 0.2f),
                               .left = right ? other : own,
                               .right = right ? own : other};
}

static void window_begin(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const kerb_in_line_seen* seen, float ahead) {
    (void)pose;
    kerb_line* window = &keeper->memory.window;
    kerb_in_line_begin(window, &keeper->memory.sight, WINDOW_SPACING,
                       keeper->memory.station + (double)ahead, seen);
    keeper->memory.station = kerb_in_line_end(window) - (double)ahead;
}

void kerb_in_lane_fill(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 direction) {
    kerb_line* window = &keeper->memory.window;
    // The host may choose the other edge at any time.
    if (keeper->memory.base_side != lane_inward(keeper))
        kerb_in_line_reset(window);
    keeper->memory.base_side = lane_inward(keeper);
    if (window->knots <= window->first)
        keeper->memory.base = keeper->memory.line_offset;
    const kerb_in_line_seen seen = seen_of(keeper, pose, direction);
    const kerb_vec2 place = kerb_vec2_make(seen.position.x, seen.position.y);
    float ahead = kerb_vec2_dot(kerb_vec2_sub(place, pose->position), pose->lane);
    if (window->knots <= window->first) {
        window_begin(keeper, pose, &seen, ahead);
        return;
    }
    const int32_t end = kerb_in_line_slot(window->knots - 1);
    const kerb_vec3 last = window->position[end];
    float along =
        kerb_vec2_dot(kerb_vec2_sub(place, kerb_vec2_make(last.x, last.y)), window->direction[end]);
    if (along <= 0.0f) { // seen before: it counts where it is elsewhere
        double guess = keeper->memory.station + (double)ahead;
        kerb_line_place there = kerb_in_line_at(window, guess);
        guess += (double)kerb_in_line_step(window, &there, seen.position);
        there = kerb_in_line_at(window, guess);
        kerb_vec2 off = kerb_vec2_sub(place, kerb_vec2_make(there.position.x, there.position.y));
        if (kerb_vec2_dot(off, off) < WINDOW_SAME * WINDOW_SAME)
            return;
        kerb_in_line_end_at(window, &keeper->memory.sight, guess - (double)WINDOW_SPACING);
    }
    const int32_t before = window->knots;
    kerb_in_line_see(window, &keeper->memory.sight, &seen);
    // What cannot be led to is another lane.
    if (along <= 0.0f && window->knots == before)
        window_begin(keeper, pose, &seen, ahead);
}

void kerb_in_lane_fill_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float radius,
                              float before) {
    kerb_line* window = &keeper->memory.window;
    keeper->memory.base = lane_offset_at(keeper, 0.0f);
    const kerb_vec2 corner = keeper->memory.edges[0].place;
    const float side = lane_inward(keeper);
    kerb_in_line_seen seen = seen_of(keeper, pose, keeper->memory.line_direction);
    if (before <= 0.0f) {
        seen.position = kerb_vec3_make(keeper->memory.line.x, keeper->memory.line.y, pose->height);
        window_begin(keeper, pose, &seen, 0.0f);
        return;
    }
    const kerb_vec2 way = keeper->memory.line_direction;
    kerb_vec2 out = kerb_vec2_scale(lane_left_of(way), side);
    kerb_vec2 place = lane_along(lane_along(corner, out, radius), way, -before);
    seen.curvature = 0.0f;
    seen.position = kerb_vec3_make(place.x, place.y, pose->height);
    window_begin(keeper, pose, &seen, 0.0f);
    const int32_t knots = (int32_t)((pose->lookahead - before) / WINDOW_SPACING);
    for (int32_t i = 0; i <= knots; i++) {
        float angle = (float)i * WINDOW_SPACING / radius;
        kerb_vec2 turned = lane_turned(out, -side * angle);
        place = lane_along(corner, turned, radius);
        seen.position = kerb_vec3_make(place.x, place.y, pose->height);
        seen.direction = kerb_vec2_make(side * turned.y, -side * turned.x);
        seen.curvature = -side / radius;
        kerb_in_line_see(window, &keeper->memory.sight, &seen);
    }
}

// --------------------------------------------------------------------------- driving it

kerb_in_track_frame kerb_in_lane_track_frame(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                             const kerb_motion* motion, float grip, float time_step,
                                             bool teaches) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    const kerb_track_memory* track = &keeper->memory.track;
    kerb_vec3 forward = kerb_quat_forward(motion->rotation);
    return (kerb_in_track_frame){.vehicle = vehicle,
                                 .motion = motion,
                                 .travel = 1.0f,
                                 .heading = forward,
                                 .speed = pose->speed,
                                 .ahead = kerb_in_track_ahead(track, vehicle, 1.0f),
                                 .bend = kerb_in_track_bend(track),
                                 .grip = grip,
                                 .climb = forward.z,
                                 .radius = keeper->memory.turning_radius,
                                 .scale = 1.0f,
                                 .time_step = time_step,
                                 .teaches = teaches};
}

// Of what turns by itself the description tells when a command acts.
static kerb_in_track_soon window_soon(const kerb_lane_keeper* keeper,
                                      const kerb_in_track_frame* frame) {
    if (keeper->vehicle.kind == KERB_VEHICLE_WHEELED)
        return kerb_in_track_soon_of(&keeper->memory.track, frame);
    float time = keeper->vehicle.steering_delay + 0.5f * frame->time_step;
    const kerb_vec3 moves = frame->motion->velocity;
    kerb_vec2 course = lane_level(frame->heading);
    if (frame->speed > WINDOW_SLOW)
        course = kerb_vec2_scale(lane_level(moves), 1.0f / frame->speed);
    return (kerb_in_track_soon){.time = time,
                                .position = kerb_vec3_along(frame->motion->position, moves, time),
                                .course =
                                    lane_turned(course, frame->motion->angular_velocity.z * time)};
}

// Where in the road it drives, when a command of this frame acts. A change that goes on only as
// fast as the vehicle moves forward leaves no time: the slower, the more it counts where P_Ahead
// will be, so that the wheels turn as far as they can.
static void drive_offset(const kerb_lane_keeper* keeper, float time, float speed,
                         kerb_in_track_drive* drive) {
    if (!(keeper->memory.change_for > 0.0f)) {
        drive->offset = -lateral_of_base(keeper, lane_offset_at(keeper, time));
        return;
    }
    speed = kerb_max(speed, 1.0f);
    const float rate = kerb_in_lane_change_per_metre(keeper, speed), share = speed * rate;
    time += (1.0f - share) * (keeper->memory.pose.lookahead / speed - time);
    float offset = lane_offset_at(keeper, time);
    float before = lane_offset_at(keeper, time - WINDOW_SLOPE_TIME);
    float after = lane_offset_at(keeper, time + WINDOW_SLOPE_TIME);
    float per = share * rate / WINDOW_SLOPE_TIME;
    drive->offset = -lateral_of_base(keeper, offset);
    drive->slope = lane_inward(keeper) * 0.5f * (after - before) * per;
    drive->bow = lane_inward(keeper) * (after - 2.0f * offset + before) * per * per;
}

// Far from the line it drives to a point of it. [1/m]
static float window_lead_back(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                              double station) {
    const kerb_line_place there = kerb_in_line_at(drive->line, station);
    const kerb_vec2 target = lane_along(kerb_vec2_make(there.position.x, there.position.y),
                                        lane_left_of(there.direction), drive->offset);
    kerb_vec2 to = kerb_vec2_sub(target, lane_level(frame->motion->position));
    kerb_vec2 heading = lane_level(frame->heading);
    kerb_vec2 local = {kerb_vec2_dot(heading, to), kerb_vec2_cross(heading, to)};
    return local.x > 0.0f ? kerb_pure_pursuit(local)
                          : (local.y < 0.0f ? -1.0f : 1.0f) / frame->radius;
}

static float window_wanted(kerb_lane_keeper* keeper, const kerb_in_track_frame* frame,
                           const kerb_in_track_limits* limits) {
    const kerb_lane_settings* settings = &keeper->settings;
    const kerb_in_track_soon soon = window_soon(keeper, frame);
    kerb_in_track_drive drive = {.line = &keeper->memory.window,
                                 .station = keeper->memory.station,
                                 .curvature = keeper->memory.curvature,
                                 .lateral = WINDOW_GRIP * keeper->vehicle.lateral_acceleration_max *
                                            frame->grip,
                                 .response_distance = settings->lookahead_min,
                                 .response_time = settings->lookahead_time};
    drive_offset(keeper, soon.time, frame->speed, &drive);
    const kerb_in_track_aim aim = kerb_in_track_aim_of(&drive, frame, &soon);
    keeper->memory.station = aim.here;
    float angle = kerb_in_track_angle(&drive, frame, &soon, &aim);
    float reach = kerb_in_track_reach(&keeper->memory.track, &drive, frame, aim.error);
    const kerb_vec2 origin = keeper->memory.origin;
    // As far as it sees; beyond, the point would be a guess.
    const double to = aim.here + (double)reach, end = kerb_in_line_end(drive.line);
    const kerb_vec3 target = kerb_in_line_point(drive.line, to < end ? to : end, drive.offset);
    keeper->decision.target =
        kerb_vec3_make(origin.x + target.x, origin.y + target.y, frame->motion->position.z);
    if (kerb_abs(angle) > WINDOW_LOST_ANGLE ||
        kerb_abs(aim.error) > WINDOW_LOST_RADII * kerb_max(frame->radius, reach))
        return window_lead_back(&drive, frame, to);
    const kerb_in_track_asked asked = kerb_in_track_ask(&drive, frame, &aim, limits, angle, reach);
    return asked.line + asked.correction;
}

float kerb_lane_angle_by_cosines(float wheelbase, float curvature) {
    float ratio = kerb_min(kerb_abs(wheelbase * curvature), 2.0f);
    float angle = 0.5f * kerb_acos(1.0f - 0.5f * ratio * ratio);
    return curvature < 0.0f ? -angle : angle;
}

float kerb_in_lane_steer(kerb_lane_keeper* keeper, const kerb_in_track_frame* frame, float round) {
    const kerb_vehicle* vehicle = &keeper->vehicle;
    kerb_track_memory* track = &keeper->memory.track;
    if (keeper->memory.window.knots <= keeper->memory.window.first)
        kerb_in_lane_fill(keeper, &keeper->memory.pose, keeper->memory.line_direction);
    const bool wheeled = vehicle->kind == KERB_VEHICLE_WHEELED;
    const kerb_in_track_limits limits = {
        .rate = wheeled ? kerb_in_track_rate(track, vehicle) : vehicle->steering_rate_max,
        .jerk = WINDOW_JERK,
        .lateral = keeper->settings.avoid_acceleration * frame->grip};
    float curvature = kerb_in_track_limited(frame, &limits, keeper->memory.curvature,
                                            window_wanted(keeper, frame, &limits));
    keeper->memory.curvature = curvature;
    keeper->decision.commanded_curvature = curvature;
    if (round != 0.0f)
        return round;
    if (!wheeled)
        return kerb_steering_for(vehicle, curvature, frame->speed);
    if (keeper->settings.steering == KERB_LANE_BICYCLE)
        return kerb_in_track_command(track, frame, curvature);
    track->asked.now = curvature;
    float angle = kerb_lane_angle_by_cosines(vehicle->wheelbase, curvature);
    return kerb_clamp(angle / kerb_vehicle_steering_lock(vehicle, frame->speed), -1.0f, 1.0f);
}
