// Flying along a line in space: a path, or an approach to a goal with a given direction.
//
// Two numbers at the nearest point of the line describe the error: the distance from the line, and
// the direction. A third number, the bend of the line a little ahead, describes what comes. "A
// little" is the delay of a bank (and the shorter delay of a pull). The desired direction leans
// from the direction of the line towards the line, by a share of the speed that grows with the
// distance. The bend of the line is added as feed-forward, so an aircraft on the line flies it
// without any error.
//
// A path is averaged over a window of some metres, so that its corners become bends. In bends,
// direction and bend are those of the averaged path. O(points in the window).
//
// The approach to a goal is, seen from above, one of Dubins' words: short, and with few reversals
// of the bank. It begins where the aircraft will be when it has banked. It ends with a straight
// line before the goal, on which the errors of the last turn decay. The height changes with
// constant slope, except for a ramp at each end where the slope changes linearly. When the slope
// would exceed what the aircraft can climb or sink, full circles are added first, as for Dubins
// airplanes (H. Chitsaz, S. M. LaValle, "Time-optimal paths for a Dubins airplane", 2007).
#include "kerb/seek.h"

#include "flight.h"

#include "../base/shared.h"

// Sine of the greatest angle at which the aircraft flies back to the line. Chosen by trial. [1]
#define LEAN_MOST 0.6f
// Half the window over which a path is averaged, and its greatest value where waypoints are far
// apart. Corners shall become bends, but not shortcuts. [s]
#define WINDOW_TIME 0.25f
#define WINDOW_TIME_MOST 1.0f
// Half the time over which the bend of an approach is averaged, so that the bank can follow. [s]
#define FLY_WAY_ROLL_TIME 0.4f
// Share of the climb at full throttle, and of the sink without throttle, that is planned; the rest
// is for corrections. [1]
#define SLOPE_SHARE 0.8f
// Farther from the approach than this share of its turn radius, it is planned anew. [1]
#define LOST_SHARE 0.5f
// When the goal has moved by less than this share of the remaining approach, the approach is only
// bent. [1]
#define BENT_SHARE 0.05f
// When the goal's direction vector has changed by more than this, the approach is planned anew.
// [rad]
#define FLY_WAY_TURNED_LEAST 0.002f
// Time that a roll from one side to the other counts when approaches are compared: a pilot avoids
// it. [s]
#define REVERSAL_TIME 5.0f
// RAMP_TIME: shortest time of the change of slope at both ends. [s] A fast aircraft needs more:
// RAMP_PUSH is the acceleration of its pull or push there [m/s²], for a change of slope of
// RAMP_SLOPES, from climb to sink. [1]
#define RAMP_TIME 4.0f
#define RAMP_PUSH (0.5f * KERB_GRAVITY)
#define RAMP_SLOPES 0.2f
// Greatest number of full circles, as a bound of the planned length.
#define CIRCLES_MOST 1000.0f
// A direction whose squared length is off by less has unit length. [1]
#define FLY_WAY_UNIT_ERROR 1.0e-5f

// A point of the line, and the bend of the line ahead. Curvature `left` is that of the line seen
// from above, `over` that in its vertical plane.
typedef struct fly_way_place {
    kerb_vec3 position;
    kerb_vec3 direction;
    float left, over; // [1/m]
} fly_way_place;

static flight_bend bend_along(kerb_flyer* flyer, const flight* now, const flyer_pace* pace,
                              const fly_way_place* at) {
    kerb_vec3 off = kerb_vec3_sub(now->motion.position, at->position);
    off = kerb_vec3_along(off, at->direction, -kerb_vec3_dot(off, at->direction));
    float distance = kerb_vec3_length(off);
    flyer->decision.cross_track_error = distance;
    float lean = kerb_min(pace->path_gain * distance / now->speed, LEAN_MOST);
    kerb_vec3 back = kerb_vec3_unit(off, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    kerb_vec3 direction = kerb_vec3_scale(at->direction, kerb_sqrt(1.0f - lean * lean));
    direction = kerb_vec3_unit(kerb_vec3_along(direction, back, -lean), at->direction);
    flight_bend result = kerb_in_flyer_towards(now, pace, direction);
    // Far from the line, the bends of the line are not those to fly.
    float along = kerb_max(kerb_vec3_dot(now->path, at->direction), 0.0f);
    float share = along * (1.0f - lean / LEAN_MOST);
    float square = now->speed * now->speed;
    float level = kerb_max(1.0f - at->direction.z * at->direction.z, 0.0f);
    result.left += share * square * level * at->left;
    result.over += share * square * at->over;
    return result;
}

// --------------------------------------------------------------------------- paths

// Curvature, seen from above, of a turn from one direction to another over `metres`.
static float left_bend(kerb_vec3 from, kerb_vec3 to, float metres) {
    float turn = kerb_atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
    float level = kerb_vec2_length(kerb_vec2_make(from.x + to.x, from.y + to.y));
    return turn / (metres * kerb_max(0.5f * level, 0.1f));
}

static float over_bend(kerb_vec3 from, kerb_vec3 to, float metres) {
    return (kerb_asin(to.z) - kerb_asin(from.z)) / metres;
}

// Mean directions half a window before and behind a location.
static void directions_about(const kerb_path* path, kerb_path_location here, float half,
                             kerb_vec3* before, kerb_vec3* after) {
    kerb_vec3 chord;
    kerb_path_mean(path, kerb_path_advance(path, here, -half), half, &chord);
    *before = kerb_vec3_unit(chord, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    kerb_path_mean(path, kerb_path_advance(path, here, half), half, &chord);
    *after = kerb_vec3_unit(chord, *before);
}

static fly_way_place fly_way_place_on(const kerb_flyer* flyer, const kerb_path* path,
                                      const flight* now, const flyer_pace* pace) {
    fly_way_place at;
    const kerb_path_point* here = &path->points[flyer->memory.location.segment];
    kerb_vec3 chord, before, after;
    // A window of the whole path has it all, and more rounds of a short one would say no more.
    const float whole = 0.5f * (float)path->length;
    float least = kerb_min(kerb_max(WINDOW_TIME * now->speed, 1.0f), whole);
    float most = kerb_min(WINDOW_TIME_MOST * now->speed, whole);
    float half = kerb_clamp(here->length, least, kerb_max(most, least));
    float forward = kerb_max(kerb_vec3_dot(now->motion.velocity, here->direction), 0.0f);
    at.position = kerb_path_mean(path, flyer->memory.location, least, &chord);
    kerb_path_mean(path, flyer->memory.location, half, &chord);
    at.direction = kerb_vec3_unit(chord, here->direction);
    kerb_path_location ahead =
        kerb_path_advance(path, flyer->memory.location, pace->bank_lag * forward);
    directions_about(path, ahead, half, &before, &after);
    at.left = left_bend(before, after, 2.0f * half);
    ahead = kerb_path_advance(path, flyer->memory.location,
                              kerb_in_flyer_pull_lag(flyer, now->time_step) * forward);
    directions_about(path, ahead, half, &before, &after);
    at.over = over_bend(before, after, 2.0f * half);
    return at;
}

static bool is_past_end(const kerb_path* path, kerb_path_location where, kerb_vec3 position) {
    if (path->closed || where.segment != path->segment_count - 1)
        return false;
    const kerb_path_point* last = &path->points[where.segment];
    kerb_vec3 from = kerb_vec3_sub(position, last->position);
    return kerb_vec3_dot(from, last->direction) >= last->length;
}

// Past the end of a path the average would stay behind. The straight continuation does not.
static fly_way_place place_past_end(const kerb_path* path, kerb_path_location where) {
    const kerb_path_point* last = &path->points[where.segment];
    fly_way_place at = {last->position, last->direction, 0.0f, 0.0f};
    return at;
}

static void find_on_path(kerb_flyer* flyer, const kerb_path* path, const flight* now) {
    if (flyer->memory.path_id != path->id || flyer->memory.location.segment >= path->segment_count)
        flyer->memory.location = kerb_path_nearest_facing(path, now->motion.position, now->path);
    else
        flyer->memory.location =
            kerb_path_track(path, flyer->memory.location, now->motion.position, now->path);
    flyer->memory.path_id = path->id;
    flyer->memory.has_goal = false;
}

kerb_controls kerb_flyer_follow(kerb_flyer* flyer, const kerb_path* path, const kerb_motion* motion,
                                float time_step) {
    KERB_ASSERT(flyer && path && motion);
    flight now;
    if (!kerb_in_flyer_begin(flyer, motion, time_step, &now))
        return flyer->controls;
    flyer_pace pace = kerb_in_flyer_pace_of(flyer, now.time_step);
    find_on_path(flyer, path, &now);
    bool past = is_past_end(path, flyer->memory.location, now.motion.position);
    fly_way_place at = past ? place_past_end(path, flyer->memory.location)
                            : fly_way_place_on(flyer, path, &now, &pace);
    flight_bend wanted = bend_along(flyer, &now, &pace, &at);
    float limit = path->points[flyer->memory.location.segment].speed_limit;
    wanted.speed = kerb_min(limit, flyer->aircraft.cruise_speed);
    flyer->decision.remaining =
        kerb_max((float)(path->length - kerb_path_distance(path, flyer->memory.location)), 0.0f);
    return kerb_in_flyer_fly(flyer, &now, &pace, wanted,
                             past ? KERB_REASON_ARRIVED : KERB_REASON_CRUISE);
}

// --------------------------------------------------------------------------- approach to a goal

static float slope_of(kerb_vec3 direction) {
    float level = kerb_vec2_length(kerb_vec2_make(direction.x, direction.y));
    return direction.z / kerb_max(level, 0.1f);
}

static kerb_vec2 fly_way_level_unit(kerb_vec3 direction) {
    direction.z = 0.0f;
    direction = kerb_vec3_unit(direction, kerb_vec3_make(1.0f, 0.0f, 0.0f));
    return kerb_vec2_make(direction.x, direction.y);
}

// The slopes at which it climbs and sinks steadily in a turn.
static void slopes_of(const kerb_flyer* flyer, float speed, float* least, float* most) {
    const kerb_aircraft* aircraft = &flyer->aircraft;
    float load = 1.0f / kerb_cos(aircraft->bank_max * flyer->settings.planned_bank_share);
    float drag = kerb_aircraft_drag(aircraft, speed, load);
    float excess = kerb_aircraft_thrust(aircraft, speed) - drag;
    *most = kerb_max(SLOPE_SHARE * excess / KERB_GRAVITY, 0.005f);
    *least =
        -kerb_max(SLOPE_SHARE * kerb_aircraft_drag(aircraft, speed, 1.0f) / KERB_GRAVITY, 0.005f);
}

// Length of the change of slope at either end of a long approach.
static float long_ramp(const kerb_flyer* flyer) {
    float speed = flyer->aircraft.cruise_speed;
    return speed * kerb_max(RAMP_TIME, speed * RAMP_SLOPES / RAMP_PUSH);
}

static float ramp_of(const kerb_flyer* flyer, float length) {
    return kerb_min(long_ramp(flyer), length * (1.0f / 3.0f));
}

// Constant slope between the ramps that gives the rise.
static float even_slope(const kerb_flyer* flyer, float rise, float length) {
    float ramp = ramp_of(flyer, length);
    return (rise - 0.5f * ramp * (flyer->memory.slope_start + flyer->memory.slope_end)) /
           (length - ramp);
}

// Shortest length at which the slopes are within the limits: for a long approach, else for one with
// ramps of a third each. Slopes of the ends that are steeper than a limit count as the limit.
static float length_for_height(const kerb_flyer* flyer, float rise, float least, float most) {
    float limit = rise >= 0.0f ? most : -least, sign = rise >= 0.0f ? 1.0f : -1.0f;
    float ends = sign * (kerb_clamp(flyer->memory.slope_start, least, most) +
                         kerb_clamp(flyer->memory.slope_end, least, most));
    float ramp = long_ramp(flyer);
    float length = ramp + (kerb_abs(rise) - 0.5f * ramp * ends) / limit;
    if (length >= 3.0f * ramp)
        return length;
    return kerb_abs(rise) / (limit * (2.0f / 3.0f) + ends * (1.0f / 6.0f));
}

// Inserts a piece before the others.
static void put_first(kerb_curve* way, float curvature, float length) {
    for (int32_t i = way->count; i > 0; i--) {
        way->curvature[i] = way->curvature[i - 1];
        way->length[i] = way->length[i - 1];
    }
    way->curvature[0] = curvature;
    way->length[0] = length;
    way->count++;
}

// The side of the first turn.
static float first_side(const kerb_curve* way) {
    for (int32_t i = 0; i < way->count; i++)
        if (way->curvature[i] != 0.0f && way->length[i] > 0.0f)
            return way->curvature[i] > 0.0f ? 1.0f : -1.0f;
    return 1.0f;
}

static void plan_height(kerb_flyer* flyer, const flight* now, float radius, float speed) {
    float least, most, round = 2.0f * KERB_PI * radius;
    slopes_of(flyer, speed, &least, &most);
    flyer->memory.approach_start_height = now->motion.position.z;
    flyer->memory.slope_start = kerb_clamp(slope_of(now->path), 2.0f * least, 2.0f * most);
    flyer->memory.slope_end = slope_of(flyer->memory.goal.forward);
    flyer->memory.approach_length =
        flyer->memory.approach_lead_in + kerb_curve_length(&flyer->memory.approach);
    float rise = flyer->memory.goal.position.z - flyer->memory.approach_start_height;
    float needed = length_for_height(flyer, rise, least, most);
    float circles =
        kerb_clamp((needed - flyer->memory.approach_length) / round, 0.0f, CIRCLES_MOST);
    int32_t whole = (int32_t)circles;
    whole += (float)whole < circles ? 1 : 0;
    if (whole == 0)
        return;
    put_first(&flyer->memory.approach, first_side(&flyer->memory.approach) / radius,
              (float)whole * round);
    flyer->memory.approach_length += (float)whole * round;
}

// Number of rolls from one side to the other.
static int32_t reversals(const kerb_curve* way) {
    int32_t count = 0;
    float before = 0.0f;
    for (int32_t i = 0; i < way->count; i++) {
        if (way->curvature[i] == 0.0f || way->length[i] <= 0.0f)
            continue;
        count += way->curvature[i] * before < 0.0f ? 1 : 0;
        before = way->curvature[i];
    }
    return count;
}

// The shortest of Dubins' words, where each roll from side to side counts as some seconds. A pilot
// rather turns a little farther than begins with a short bank to the other side.
static kerb_curve calmest_way(kerb_pose from, kerb_pose to, float radius, float speed) {
    kerb_curve best = {.count = 0};
    float least = KERB_NO_CURVE;
    for (int32_t word = 0; word < KERB_DUBINS_WORD_COUNT; word++) {
        kerb_curve way = kerb_dubins_by_word((kerb_dubins_word)word, from, to, radius);
        float cost = kerb_curve_length(&way) + REVERSAL_TIME * speed * (float)reversals(&way);
        if (way.count == 0 || !(cost < least))
            continue;
        least = cost;
        best = way;
    }
    return best;
}

static void fly_way_plan(kerb_flyer* flyer, const flight* now, const flyer_pace* pace) {
    const kerb_directed_goal* goal = &flyer->memory.goal;
    float speed = kerb_max(now->speed, kerb_max(goal->speed, flyer->aircraft.cruise_speed));
    float radius = kerb_max(kerb_in_flyer_planned_radius(flyer, speed), goal->turning_radius);
    float lead = pace->bank_lag * now->speed, final = flyer->settings.final_approach_time * speed;
    kerb_vec2 ahead = fly_way_level_unit(now->path), end = fly_way_level_unit(goal->forward);
    kerb_pose from = {
        {now->motion.position.x + ahead.x * lead, now->motion.position.y + ahead.y * lead}, ahead};
    kerb_pose to = {{goal->position.x - end.x * final, goal->position.y - end.y * final}, end};
    flyer->memory.approach = calmest_way(from, to, radius, speed);
    flyer->memory.has_goal = flyer->memory.approach.count > 0;
    if (!flyer->memory.has_goal)
        return;
    flyer->memory.approach.curvature[flyer->memory.approach.count] = 0.0f;
    flyer->memory.approach.length[flyer->memory.approach.count++] = final;
    flyer->memory.approach_lead_in = lead;
    flyer->memory.approach_turning_radius = radius;
    flyer->memory.approach_distance = 0.0f;
    plan_height(flyer, now, radius, speed);
}

// True when the present approach is still good. When the goal has only moved, and by little
// relative to the remaining approach, the approach is bent to it: its end moves with the goal, its
// start stays. Near the goal this continues as long as it can be flown.
static bool is_way_to(const kerb_flyer* flyer, const kerb_directed_goal* goal) {
    const kerb_directed_goal* planned = &flyer->memory.goal;
    float moved = kerb_vec3_length(kerb_vec3_sub(goal->position, planned->position));
    float left = flyer->memory.approach_length - flyer->memory.approach_distance,
          radius = flyer->memory.approach_turning_radius;
    bool bends = moved <= BENT_SHARE * left || (left < 4.0f * radius && moved < 0.5f * radius);
    return bends &&
           kerb_vec3_length(kerb_vec3_sub(goal->forward, planned->forward)) <
               FLY_WAY_TURNED_LEAST &&
           goal->speed == planned->speed && goal->turning_radius == planned->turning_radius;
}

// The goal with its direction of unit length and its numbers in range. False when there is none, or
// it lies outside of the world.
static bool take_goal(const kerb_flyer* flyer, const kerb_directed_goal* goal,
                      kerb_directed_goal* taken) {
    if (!goal || !kerb_vec3_is_finite(goal->position) || !kerb_vec3_is_finite(goal->forward) ||
        !kerb_is_finite(goal->speed) || !kerb_is_finite(goal->turning_radius) ||
        kerb_vec3_length(goal->position) > KERB_POSITION_MAX)
        return false;
    *taken = *goal;
    if (kerb_abs(kerb_vec3_dot(goal->forward, goal->forward) - 1.0f) > FLY_WAY_UNIT_ERROR)
        taken->forward = kerb_vec3_unit(goal->forward, kerb_vec3_make(0.0f, 0.0f, 0.0f));
    taken->speed = kerb_clamp(goal->speed, 0.0f, flyer->aircraft.speed_never_exceed);
    taken->turning_radius = kerb_clamp(goal->turning_radius, 0.0f, KERB_POSITION_MAX);
    return kerb_vec3_dot(taken->forward, taken->forward) > 0.0f;
}

// --------------------------------------------------------------------------- points of the
// approach

// Height, slope and change of slope at a point of the approach.
typedef struct height_place {
    float height, slope, bend; // [m, 1, 1/m]
} height_place;

// The slope changes linearly, is constant, and changes linearly again.
static height_place height_at(const kerb_flyer* flyer, float done) {
    float length = flyer->memory.approach_length, ramp = ramp_of(flyer, length);
    float start = flyer->memory.slope_start, end = flyer->memory.slope_end, left = length - done;
    float even = even_slope(
        flyer, flyer->memory.goal.position.z - flyer->memory.approach_start_height, length);
    if (done < ramp) {
        float change = (even - start) / ramp;
        height_place first = {flyer->memory.approach_start_height +
                                  done * (start + 0.5f * change * done),
                              start + change * done, change};
        return first;
    }
    if (left < ramp) {
        float change = (end - even) / ramp;
        height_place last = {flyer->memory.goal.position.z - left * (end - 0.5f * change * left),
                             end - change * left, change};
        return last;
    }
    height_place middle = {flyer->memory.approach_start_height + 0.5f * ramp * (start - even) +
                               done * even,
                           even, 0.0f};
    return middle;
}

static kerb_curve_sample level_place(const kerb_flyer* flyer, float done) {
    kerb_curve_sample at =
        kerb_curve_at(&flyer->memory.approach, done - flyer->memory.approach_lead_in);
    float outside = kerb_min(done - flyer->memory.approach_lead_in, 0.0f) +
                    kerb_max(done - flyer->memory.approach_length, 0.0f);
    at.pose.position.x += at.pose.forward.x * outside;
    at.pose.position.y += at.pose.forward.y * outside;
    if (outside != 0.0f)
        at.curvature = 0.0f;
    return at;
}

static fly_way_place place_on_way(const kerb_flyer* flyer, float done) {
    kerb_curve_sample level = level_place(flyer, done);
    float within = kerb_clamp(done, 0.0f, flyer->memory.approach_length);
    height_place height = height_at(flyer, within);
    fly_way_place at;
    at.position.x = level.pose.position.x;
    at.position.y = level.pose.position.y;
    at.position.z = height.height + height.slope * (done - within);
    at.position = kerb_vec3_along(at.position, flyer->memory.goal_shift,
                                  within / flyer->memory.approach_length);
    at.direction =
        kerb_vec3_unit(kerb_vec3_make(level.pose.forward.x, level.pose.forward.y, height.slope),
                       kerb_vec3_make(1.0f, 0.0f, 0.0f));
    at.left = level.curvature;
    // Curvature of the angle atan(slope), per metre in space.
    float share = 1.0f / (1.0f + height.slope * height.slope);
    at.over = within == done ? height.bend * share * kerb_sqrt(share) : 0.0f;
    return at;
}

// Advances by the distance flown along the approach since the last frame, within a small reach.
static fly_way_place advance_on_way(kerb_flyer* flyer, const flight* now) {
    fly_way_place at = place_on_way(flyer, flyer->memory.approach_distance);
    float reach = 2.0f * now->speed * now->time_step + 1.0f;
    for (int32_t i = 0; i < 3; i++) {
        kerb_vec3 from = kerb_vec3_sub(now->motion.position, at.position);
        float level = kerb_sqrt(kerb_max(1.0f - at.direction.z * at.direction.z, 0.01f));
        float along = kerb_vec3_dot(from, at.direction) * level;
        flyer->memory.approach_distance += kerb_clamp(along, -reach, reach);
        at = place_on_way(flyer, flyer->memory.approach_distance);
    }
    return at;
}

static fly_way_place find_on_way(kerb_flyer* flyer, const kerb_directed_goal* goal,
                                 const flight* now, const flyer_pace* pace) {
    bool anew = !flyer->memory.has_goal || !is_way_to(flyer, goal);
    fly_way_place at = {0};
    if (!anew) {
        flyer->memory.goal_shift = kerb_vec3_sub(goal->position, flyer->memory.goal.position);
        at = advance_on_way(flyer, now);
        kerb_vec3 off = kerb_vec3_sub(now->motion.position, at.position);
        anew = flyer->memory.approach_distance < flyer->memory.approach_length &&
               kerb_vec3_length(off) > LOST_SHARE * flyer->memory.approach_turning_radius;
    }
    if (anew) {
        flyer->memory.goal = *goal;
        flyer->memory.goal_shift = kerb_vec3_make(0.0f, 0.0f, 0.0f);
        fly_way_plan(flyer, now, pace);
        at = place_on_way(flyer, 0.0f);
    }
    float lead = pace->bank_lag * now->speed, half = FLY_WAY_ROLL_TIME * now->speed;
    at.left = left_bend(
        place_on_way(flyer, flyer->memory.approach_distance + lead - half).direction,
        place_on_way(flyer, flyer->memory.approach_distance + lead + half).direction, 2.0f * half);
    lead = kerb_in_flyer_pull_lag(flyer, now->time_step) * now->speed;
    at.over = place_on_way(flyer, flyer->memory.approach_distance + lead).over;
    return at;
}

// Speed that still reaches the goal's speed in time, by drag alone.
static float speed_for_goal(const kerb_flyer* flyer, const flight* now) {
    float cruise = flyer->aircraft.cruise_speed, wanted = flyer->memory.goal.speed;
    float braking = 0.5f * kerb_aircraft_drag(&flyer->aircraft, now->speed, 1.0f);
    float left = flyer->memory.approach_length - flyer->memory.approach_distance;
    return kerb_min(kerb_approach_speed(wanted, left, braking), kerb_max(cruise, wanted));
}

kerb_controls kerb_flyer_arrive(kerb_flyer* flyer, const kerb_directed_goal* goal,
                                const kerb_motion* motion, float time_step) {
    KERB_ASSERT(flyer && motion);
    flight now;
    if (!kerb_in_flyer_begin(flyer, motion, time_step, &now))
        return flyer->controls;
    flyer_pace pace = kerb_in_flyer_pace_of(flyer, now.time_step);
    flyer->memory.path_id = 0;
    fly_way_place at = {0};
    kerb_directed_goal taken;
    if (take_goal(flyer, goal, &taken))
        at = find_on_way(flyer, &taken, &now, &pace);
    else
        flyer->memory.has_goal = false;
    if (!flyer->memory.has_goal)
        return kerb_in_flyer_fly_towards(flyer, &now, NULL);
    flight_bend wanted = bend_along(flyer, &now, &pace, &at);
    wanted.speed = speed_for_goal(flyer, &now);
    flyer->decision.remaining =
        kerb_max(flyer->memory.approach_length - flyer->memory.approach_distance, 0.0f);
    bool past = flyer->memory.approach_distance >= flyer->memory.approach_length;
    return kerb_in_flyer_fly(flyer, &now, &pace, wanted,
                             past ? KERB_REASON_ARRIVED : KERB_REASON_CRUISE);
}
