// Purpose: the method KERB: drives the line (line.c) with the speed that its bends allow.
//
// Steering: by the law of room track (law.c), for tracks and cushions by what is told of them.
//
// Speed: each knot allows sqrt(a/κ), and a plan computes backwards what the later knots allow
// (plan.c). A bend beyond them at some distance allows sqrt(v² + 2·b·distance) here. The smallest
// of these holds.
#include "frame.h"

// Share of its measured grip with which a driver plans its bends, and the share used in need; the
// difference is for errors. [1]
#define GRIP_PLANNED 0.8f
#define FOLLOW_KERB_GRIP_USED 0.85f
// Share of its thrust with which a hovercraft plans its bends and its braking. [1]
#define HOVER_SHARE 0.65f
// Tracks and cushions change their course after a time that grows with speed: as passenger tyres
// do, m·v over their cornering stiffness (25 times the load per radian), v·slip/grip. What has less
// grip is softer too. [rad], [m/s²], [m/s]
#define TYRE_SLIP 0.032f
#define TYRE_GRIP_MOST 8.0f
#define FOLLOW_KERB_TYRE_SPEED_MOST 40.0f
// Share of a tracked vehicle's length that is on the ground. [1]
#define TRACK_ON_GROUND 0.6f
// Errors decay over at least this many delays; faster, they would oscillate. [1]
#define RESPONSE_PER_DELAY 3.3f
// With a larger angle or distance to the line, the vehicle drives to a point ahead. [rad], [turning
// radii]
#define LOST_ANGLE 1.8f
#define LOST_RADII 3.0f

#define FOLLOW_KERB_KNOTS KERB_FOLLOWER_LINE_KNOTS

// --------------------------------------------------------------------------- steering

// How far ahead of the reference point, along the travel, the point is that is kept on the line. In
// reverse the middle of tracks and cushions leads, and goes where the body points, while the
// reference point trails and swings out against every turn.
static float control_point(const kerb_follower* follower, const follow_frame* frame) {
    if (kerb_in_follow_tracks(follower))
        return kerb_in_track_ahead(&follower->memory.track, &follower->vehicle, frame->travel);
    return frame->travel < 0.0f ? follower->vehicle.reference_to_rear_axle : 0.0f;
}

// How far behind the reference point the one lies that goes where the body points. Tracks hold a
// bend by slipping sideways, for which they must turn about a point ahead of their middle: by half
// the length on the ground at the limit of grip (Wong, "Theory of Ground Vehicles", chapter 6).
static float turning_point(const kerb_follower* follower, const follow_frame* frame,
                           float curvature) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    if (vehicle->kind != KERB_VEHICLE_TRACKED)
        return vehicle->reference_to_rear_axle;
    float lateral = kerb_abs(curvature) * frame->speed * frame->speed;
    float used = kerb_min(lateral / (vehicle->lateral_acceleration_max * frame->road), 1.0f);
    return -0.5f * TRACK_ON_GROUND * vehicle->length * used;
}

// Where the control point of tracks and cushions goes. They move elsewhere than they point: fast,
// the velocity tells; slow, it is too coarse, and geometry tells.
static kerb_vec2 follow_kerb_course_of(const kerb_follower* follower, const follow_frame* frame,
                                       float curvature) {
    kerb_vec2 body = {frame->heading.x, frame->heading.y};
    if (frame->travel < 0.0f)
        return body;
    float aside = turning_point(follower, frame, curvature) * curvature;
    body.x -= aside * frame->heading.y;
    body.y += aside * frame->heading.x;
    const float unit = follow_scale(follower);
    float blend = kerb_smooth_step(frame->speed, 4.0f * unit, 9.0f * unit);
    // Tracks slip in other ways too, on slopes and in turns, at any speed. But the velocity answers
    // late, after the hull has slipped: by more than half of it they swing in bends on a way down.
    if (follower->vehicle.kind == KERB_VEHICLE_TRACKED)
        blend = 0.5f * kerb_smooth_step(frame->speed, unit, 3.0f * unit);
    if (blend <= 0.0f)
        return body;
    kerb_vec3 velocity = frame->motion->velocity;
    float scale = blend / kerb_max(frame->speed, unit);
    return kerb_vec2_make((1.0f - blend) * body.x + scale * velocity.x,
                          (1.0f - blend) * body.y + scale * velocity.y);
}

// The lateral offset slews so that it is driven as a lane change, not as a jump.
static float slewed_offset(kerb_follower* follower, const follow_frame* frame) {
    float most = 0.25f * kerb_max(frame->speed, 0.0f) * frame->time_step;
    float wanted = follower->settings.lateral_offset + follower->memory.detour;
    float step = wanted - follower->memory.lateral_offset;
    follower->memory.lateral_offset += kerb_clamp(step, -most, most);
    return follower->memory.lateral_offset + kerb_in_follow_others_aside(follower, frame);
}

// Vehicles that turn by themselves need no speed for it: below `pivot` the angle is turned away as
// if they had that speed.
static float yaw_rate_for(const kerb_follower* follower, float speed, float reach,
                          float line_curvature, float correction) {
    float pivot = 0.4f * reach;
    float most = kerb_vehicle_yaw_rate(&follower->vehicle, speed);
    float rate = speed * line_curvature + kerb_max(speed, pivot) * correction;
    return kerb_clamp(rate, -most, most);
}

// Where errors are too large for the law above (facing the wrong way, far off, or where the path
// doubles back): straight for a point of the line ahead, at full lock while it lies behind, and
// then always to the same side.
static float rejoin(kerb_follower* follower, const follow_frame* frame, float reach) {
    float radius = follower->memory.fill.turning_radius;
    follower->memory.line_distance = frame->distance;
    double ahead = frame->distance + (double)kerb_max(reach, 1.5f * radius);
    kerb_vec3 point = kerb_in_follow_line_point(follower, ahead, 0.0f);
    kerb_vec3 to = kerb_vec3_sub(point, frame->motion->position);
    kerb_vec2 target = {to.x * frame->heading.x + to.y * frame->heading.y,
                        frame->heading.x * to.y - frame->heading.y * to.x};
    float before = follower->memory.curvature;
    if (target.x > 0.0f)
        return kerb_pure_pursuit(target);
    float side = kerb_abs(before) * radius > 0.3f ? before : target.y;
    return side < 0.0f ? -1.0f / radius : 1.0f / radius;
}

static float slip_delay(const kerb_follower* follower, float speed) {
    const float scale = follow_scale(follower);
    float grip = kerb_min(follower->vehicle.lateral_acceleration_max, TYRE_GRIP_MOST * scale);
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER)
        grip = TYRE_GRIP_MOST * scale;
    return kerb_min(speed, FOLLOW_KERB_TYRE_SPEED_MOST * scale) * TYRE_SLIP / grip;
}

bool kerb_in_follow_tracks(const kerb_follower* follower) {
    return follower->settings.method == KERB_FOLLOWER_KERB &&
           follower->vehicle.kind == KERB_VEHICLE_WHEELED;
}

kerb_in_track_frame kerb_in_follow_track_frame(const kerb_follower* follower,
                                               const follow_frame* frame) {
    return (kerb_in_track_frame){.vehicle = &follower->vehicle,
                                 .motion = frame->motion,
                                 .travel = frame->travel,
                                 .heading = frame->heading,
                                 .speed = frame->speed,
                                 .ahead = control_point(follower, frame),
                                 .bend = kerb_in_track_bend(&follower->memory.track),
                                 .grip = frame->road,
                                 .climb = frame->climb,
                                 .radius = follower->memory.fill.turning_radius,
                                 .scale = follow_scale(follower),
                                 .time_step = frame->time_step,
                                 .teaches = frame->teaches};
}

// Where the control point of tracks and cushions will be when a command of this frame acts.
static kerb_in_track_soon soon_as_told(const kerb_follower* follower, const follow_frame* frame) {
    float tyres = slip_delay(follower, kerb_max(frame->speed, 0.0f));
    float delay = follower->vehicle.steering_delay + tyres + 0.5f * frame->time_step;
    kerb_vec3 soon = kerb_vec3_along(frame->motion->position, frame->motion->velocity, delay);
    soon = kerb_vec3_along(soon, frame->heading, control_point(follower, frame));
    return (kerb_in_track_soon){.time = delay, .position = soon};
}

// The lateral acceleration that the way back to the line may take. [m/s²]
static float gentle_lateral(const kerb_follower* follower, const follow_frame* frame) {
    float grip = GRIP_PLANNED * follower->vehicle.lateral_acceleration_max * frame->road;
    return kerb_min(follower->settings.lateral_acceleration * KERB_GRAVITY, grip);
}

// Distance in which errors of tracks and cushions fade.
static float reach_as_told(const kerb_follower* follower, const follow_frame* frame, float delay) {
    const kerb_follower_settings* settings = &follower->settings;
    float fading = RESPONSE_PER_DELAY * delay, speed = kerb_max(frame->speed, 0.0f);
    return kerb_max(settings->response_distance, kerb_max(settings->response_time, fading) * speed);
}

// The angle of tracks and cushions to the line.
static float angle_as_told(const kerb_follower* follower, const follow_frame* frame,
                           const kerb_in_track_drive* drive, const kerb_in_track_frame* track,
                           const kerb_in_track_soon* soon, const kerb_in_track_aim* aim) {
    kerb_vec2 course = follow_kerb_course_of(follower, frame, aim->curvature);
    float angle = kerb_in_track_angle_between(aim->place.direction, course);
    angle += frame->motion->angular_velocity.z * soon->time - aim->place.curvature * aim->step;
    return angle + kerb_in_track_unwinding(drive, track, aim->curvature);
}

// Commands change no faster than wheels can turn and than the ride should be shaken.
static kerb_in_track_limits steering_limits(const kerb_follower* follower) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    return (kerb_in_track_limits){.rate = kerb_in_follow_tracks(follower)
                                              ? kerb_in_track_rate(&follower->memory.track, vehicle)
                                              : vehicle->steering_rate_max,
                                  .jerk = follower->settings.lateral_jerk,
                                  .lateral = 1.0e6f};
}

static void steer(kerb_follower* follower, const follow_frame* frame, follow_wish* wish,
                  float* wanted) {
    const bool tracks = kerb_in_follow_tracks(follower);
    const kerb_track_memory* memory = &follower->memory.track;
    kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
    kerb_in_track_soon soon =
        tracks ? kerb_in_track_soon_of(memory, &track) : soon_as_told(follower, frame);
    const float offset = slewed_offset(follower, frame);
    const kerb_in_track_drive drive = {.line = &follower->memory.line,
                                       .station = follower->memory.line_distance,
                                       .offset = offset,
                                       .curvature = follower->memory.curvature,
                                       .lateral = gentle_lateral(follower, frame),
                                       .response_distance = follower->settings.response_distance,
                                       .response_time = follower->settings.response_time};
    const kerb_in_track_aim aim = kerb_in_track_aim_of(&drive, &track, &soon);
    follower->memory.line_distance = aim.here;
    const float error = aim.error;
    const float angle = tracks ? kerb_in_track_angle(&drive, &track, &soon, &aim)
                               : angle_as_told(follower, frame, &drive, &track, &soon, &aim);
    const float reach = tracks ? kerb_in_track_reach(memory, &drive, &track, error)
                               : reach_as_told(follower, frame, soon.time);
    const kerb_in_track_limits limits = steering_limits(follower);
    const kerb_in_track_asked asked =
        kerb_in_track_ask(&drive, &track, &aim, &limits, angle, reach);
    *wanted = asked.line + asked.correction;
    bool lost = kerb_abs(angle) > LOST_ANGLE || aim.place.doubles_back ||
                kerb_abs(error) > LOST_RADII * kerb_max(track.radius, reach);
    if (lost && follower->vehicle.kind == KERB_VEHICLE_WHEELED)
        *wanted = rejoin(follower, frame, reach);
    wish->curvature = kerb_in_track_limited(&track, &limits, follower->memory.curvature, *wanted);
    if (follower->vehicle.kind == KERB_VEHICLE_TRACKED) {
        wish->turns = true;
        wish->yaw_rate = yaw_rate_for(follower, kerb_max(frame->speed, 0.0f), reach, asked.line,
                                      asked.correction);
    } else if (follower->vehicle.kind == KERB_VEHICLE_HOVER) {
        kerb_in_follow_hover_steer(follower, frame, &aim.place, error, aim.here, wish);
        *wanted = wish->curvature;
    }

    follower->decision.target =
        kerb_in_follow_line_point(follower, aim.here + (double)reach, offset);
    follower->decision.lookahead = reach;
    follower->decision.heading_error = angle;
}

// --------------------------------------------------------------------------- speed

typedef struct speed_limits {
    float lateral;      // acceleration allowed in bends, before grip of the place [m/s²]
    float deceleration; // whatever comes on the way [m/s²]
    float planned;      // on a level straight with grip [m/s²]
    float squared;      // least speed² allowed so far
    float soon;         // and that the line allows within SOON, brakes left alone
    float curvature;    // that allowed it
    kerb_reason reason;
} speed_limits;

// Knots behind the vehicle that still hold it back.
#define KNOTS_LEFT_BEHIND 3
// How far ahead it looks, in braking distances. [1]
#define FAR_REACH 1.6f
// Nobody gains speed that must be lost again so soon. [s]
#define SOON 1.0f

// What the knots that were just passed allow now: past them it rises as fast as it may, and no
// faster while the tail is still in the bend.
static float least_behind(const kerb_follower* follower, int32_t base, float past_base) {
    float leaving = 2.0f * follower->settings.acceleration, least = 1.0e12f;
    for (int32_t i = 0; i < KNOTS_LEFT_BEHIND; i++) {
        float past = kerb_max(past_base - (float)i * follower->memory.line.spacing, 0.0f);
        float there = follower->memory.line.allowed_squared[(base + i) & (FOLLOW_KERB_KNOTS - 1)];
        least = kerb_min(least, there + leaving * past);
    }
    return least;
}

// The least speed² that the line allows from here on for a while. What lies beyond the next stop
// does not count.
static float least_soon(const kerb_follower* follower, const follow_frame* frame, int32_t base,
                        int32_t count) {
    float reach =
        SOON * kerb_max(frame->speed, follow_scale(follower)) / follower->memory.line.spacing;
    int32_t end = KNOTS_LEFT_BEHIND + 2 + (int32_t)kerb_min(reach, (float)FOLLOW_KERB_KNOTS);
    end = end < count ? end : count;
    float least = 1.0e12f;
    for (int32_t i = KNOTS_LEFT_BEHIND; i < end; i++)
        least = kerb_min(
            least, follower->memory.line.allowed_squared[(base + i) & (FOLLOW_KERB_KNOTS - 1)]);
    return least;
}

// What lies beyond the line allows its last knot this speed².
static float far_squared(kerb_follower* follower, const follow_frame* frame,
                         const speed_limits* limits) {
    // Bends and ice on the way make the braking distance longer than it looks from here.
    float reach = FAR_REACH * limits->squared / (2.0f * limits->deceleration);
    double to = frame->distance + (double)reach;
    to = to < frame->stop_at ? to : frame->stop_at;
    double end = (double)(follower->memory.line.knots - 1) * (double)follower->memory.line.spacing;
    follower->memory.far_ahead.least_grip = 1.0e6f;
    if (to <= end + (double)follower->memory.line.spacing)
        return 1.0e12f;
    return kerb_in_follow_far_plan(follower, frame, limits->planned, end, to);
}

// The far bin decides.
static void limit_by_bin(const kerb_follower* follower, speed_limits* limits) {
    int32_t slot = follower->memory.far_ahead.decides;
    float curvature = follower->memory.far_ahead.curvature[slot];
    float limit = follower->memory.far_ahead.speed_limit[slot];
    bool curve = limits->lateral < limit * limit * curvature;
    limits->curvature = curve ? curvature : 0.0f;
    limits->reason = curve ? KERB_REASON_CURVE : KERB_REASON_SPEED_LIMIT;
}

static void limit_by_knot(const kerb_follower* follower, speed_limits* limits, int32_t at) {
    bool curve =
        follower->memory.line.allowed_squared[at] < follower->memory.line.limit_squared[at];
    limits->curvature = curve ? follower->memory.line.curvature[at] : 0.0f;
    limits->reason = curve ? KERB_REASON_CURVE : KERB_REASON_SPEED_LIMIT;
}

static void consider_path(kerb_follower* follower, const follow_frame* frame,
                          speed_limits* limits) {
    float beyond = far_squared(follower, frame, limits);
    if (kerb_min(follower->memory.line.least_allowed, beyond) >= limits->squared)
        return;
    double here = follower->memory.line_distance;
    double spacing = (double)follower->memory.line.spacing;
    int32_t base =
        (int32_t)kerb_in_follow_floor(here * follower->memory.line.per_metre) - KNOTS_LEFT_BEHIND;
    base = base < follower->memory.line.first ? follower->memory.line.first : base;
    double to_stop = frame->stop_at * follower->memory.line.per_metre - (double)base;
    int32_t count = follower->memory.line.knots - base;
    if (to_stop < (double)count)
        count = to_stop > 0.0 ? (int32_t)to_stop + 1 : 0;
    if (count <= KNOTS_LEFT_BEHIND + 1)
        return; // the stop is nearer than the next knot
    limits->soon = least_soon(follower, frame, base, count);
    int32_t from = (int32_t)kerb_in_follow_floor(here * follower->memory.line.per_metre);
    kerb_in_follow_plan_update(follower, frame, limits->planned, from < base ? base : from,
                               base + count, beyond);
    int32_t at;
    float least = kerb_in_follow_plan_at(follower, here, &at);
    float behind = least_behind(follower, base, (float)(here - (double)base * spacing));
    if (behind < least) {
        least = behind;
        at = (base + KNOTS_LEFT_BEHIND) & (FOLLOW_KERB_KNOTS - 1);
    }
    if (least >= limits->squared)
        return;
    limits->squared = least;
    if (at == FOLLOW_BY_BEYOND)
        limit_by_bin(follower, limits);
    else
        limit_by_knot(follower, limits, at);
}

static speed_limits follow_kerb_limits_for(const kerb_follower* follower,
                                           const follow_frame* frame) {
    const kerb_follower_settings* settings = &follower->settings;
    const kerb_vehicle* vehicle = &follower->vehicle;
    bool reverse = frame->travel < 0.0f;
    float top = reverse ? kerb_min(vehicle->reverse_speed_max, settings->reverse_speed)
                        : vehicle->speed_max;
    float speed = kerb_min(settings->speed, top);
    float planned = vehicle->kind == KERB_VEHICLE_HOVER ? FOLLOW_KERB_GRIP_USED : GRIP_PLANNED;
    speed_limits limits = {
        .lateral = kerb_min(settings->lateral_acceleration * KERB_GRAVITY,
                            planned * vehicle->lateral_acceleration_max * frame->grip),
        .deceleration = kerb_in_follow_braking(follower, frame),
        .planned = settings->deceleration,
        .squared = speed * speed,
        .soon = 1.0e12f,
        .reason = KERB_REASON_CRUISE,
    };
    if (vehicle->kind == KERB_VEHICLE_HOVER) { // the same thrust must do for errors too
        limits.lateral =
            HOVER_SHARE * kerb_min(settings->lateral_acceleration * KERB_GRAVITY,
                                   FOLLOW_KERB_GRIP_USED * vehicle->lateral_acceleration_max);
        limits.deceleration *= HOVER_SHARE;
        limits.planned = HOVER_SHARE * kerb_min(settings->deceleration, vehicle->braking_max);
    }
    if (frame->speed_cap < speed) {
        limits.squared = frame->speed_cap * frame->speed_cap;
        limits.reason = KERB_REASON_SPEED_CAP;
    }
    return limits;
}

// What throttle and brake may use in this bend. Tracks have no wheels that stand aside: the bend
// that is commanded comes at once, and counts too.
static void leave_push(const kerb_follower* follower, const follow_frame* frame,
                       follow_wish* wish) {
    const kerb_in_track_frame track = kerb_in_follow_track_frame(follower, frame);
    bool tracked = follower->vehicle.kind == KERB_VEHICLE_TRACKED;
    float soon = tracked ? kerb_abs(wish->curvature) * kerb_max(frame->speed, 0.0f) : 0.0f;
    wish->shares_grip = true;
    wish->room = kerb_in_pedals_room_of(&track, soon);
}

// What it steers for its errors may ask for more than is planned with, as far as the grip goes; of
// that, `road` is what the ground gives here.
#define STEERING_SLACK 0.7f

static float hard_lateral(const kerb_follower* follower, const follow_frame* frame, float planned) {
    float grip = FOLLOW_KERB_GRIP_USED * follower->vehicle.lateral_acceleration_max * frame->grip;
    return kerb_max(kerb_min(planned / STEERING_SLACK, grip), planned);
}

follow_wish kerb_in_follow_kerb(kerb_follower* follower, const follow_frame* frame) {
    // The line's own distance follows the nearest point's, but not where that jumps a cut corner.
    double gap = follower->memory.line_distance - frame->distance;
    double most = 1.5 * KERB_FOLLOWER_ROUNDING_STEPS * (double)follower->memory.line.spacing;
    if (gap > most || gap < -most)
        follower->memory.line_distance = frame->distance;
    kerb_in_follow_line_update(follower, frame->path, follower->memory.line_distance);

    follow_wish wish = {.soon = 1.0e6f};
    float wanted;
    steer(follower, frame, &wish, &wanted);
    speed_limits limits = follow_kerb_limits_for(follower, frame);
    kerb_in_follow_line_allow(follower, limits.lateral);
    consider_path(follower, frame, &limits);
    // What it steers now is a bend too, however it comes about.
    float steering = kerb_max(kerb_abs(wish.curvature), kerb_abs(wanted));
    float sharpest = 1.0f / follower->memory.fill.turning_radius;
    float floor_speed = follower->settings.speed_min;
    float lateral = hard_lateral(follower, frame, limits.lateral);
    lateral *= kerb_min(frame->road / frame->grip, 1.0f);
    float by_steering =
        kerb_max(lateral / kerb_clamp(steering, 1.0e-6f, sharpest), floor_speed * floor_speed);
    // Wheels that are far from where they should be get there within half the distance over which
    // errors fade: slow enough for that.
    const float scale = follow_scale(follower);
    float far_off = kerb_clamp(wanted, -sharpest, sharpest) - wish.curvature;
    float turning = kerb_max(kerb_abs(far_off) * follower->vehicle.wheelbase, 1.0e-6f) /
                    follower->vehicle.steering_rate_max;
    float by_wheels = 0.5f * follower->decision.lookahead / turning;
    if (!wish.turns)
        by_steering =
            kerb_min(by_steering, kerb_max(by_wheels * by_wheels, scale * scale) / STEERING_SLACK);
    // And what turns by itself must not outrun its turning.
    if (wish.turns) {
        float by_yaw = 0.8f * follower->vehicle.yaw_rate_max / kerb_max(kerb_abs(wanted), 1.0e-6f);
        by_steering = kerb_min(by_steering,
                               kerb_max(by_yaw * by_yaw, 0.09f * scale * scale) / STEERING_SLACK);
    }
    if (by_steering < limits.squared) {
        limits.squared = by_steering;
        limits.curvature = wish.curvature;
        limits.reason = KERB_REASON_STEERING;
    }
    wish.speed = kerb_sqrt(limits.squared);
    wish.soon = kerb_sqrt(limits.soon);
    if (limits.reason == KERB_REASON_CURVE)
        wish.speed = kerb_max(wish.speed, kerb_min(floor_speed, follower->settings.speed));
    wish.reason = limits.reason;
    wish.wanted = kerb_clamp(wanted, -sharpest, sharpest);
    if (follower->vehicle.kind != KERB_VEHICLE_HOVER)
        leave_push(follower, frame, &wish);
    follower->decision.limiting_curvature = limits.curvature;
    kerb_in_follow_others(follower, frame, &wish);
    return wish;
}
