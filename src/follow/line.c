// Purpose: the line that KERB drives: the path with its corners rounded just enough.
//
// Waypoints make corners that no vehicle can drive, and jitter that none should. So the line is a
// moving average of the path, and its window is at each place as short as the vehicle allows. Over
// a kink, a moving average of half width w is the quadratic Bézier with legs w, whose greatest
// curvature is sin(θ/2) / (w·cos²(θ/2)) for a turn θ (EA eq. 3). On a road that the vehicle can
// follow, the window is short and the line is the path. Where that is not enough (a turn too tight
// over too long a distance, or what a long vehicle sweeps), room.c moves the line to the side.
//
// Knots have fixed stations along the path, so their content depends on path, vehicle and settings
// alone. They are filled in four stages, each a little behind the one before, because a knot must
// know what is around it: headings → need of rounding → the rounded path → the calmed line
// (calm.c).
//
// Cost:    each metre of progress fills about one knot, O(points in its window).
#include "frame.h"
#include "kerb/curve.h"

#include "../control/shared.h"

#include <string.h>

#define FOLLOW_LINE_KNOTS KERB_FOLLOWER_LINE_KNOTS
#define FOLLOW_LINE_STEPS KERB_FOLLOWER_ROUNDING_STEPS
// Number of knots kept filled ahead of the vehicle, and behind it.
#define AHEAD 40
#define FOLLOW_LINE_BEHIND 12
// How far a corner's need of rounding spreads, in knots: its half width, then fading over half of
// that.
#define SPREAD (FOLLOW_LINE_STEPS + FOLLOW_LINE_STEPS / 2)
// How far ahead of the line the needs must be known: as far as wide bends reach. [knots]
#define LOOK (FOLLOW_ROOM_REACH + FOLLOW_APEX_KNOTS)
// In a narrow corridor: this speed, and more for each metre of clearance beside the vehicle. [m/s],
// [1/s]
#define NARROW_SPEED 4.0f
#define NARROW_SPEED_PER_ROOM 25.0f
// Shares of steering rate and greatest steering angle with which a vehicle plans its bends; the
// rest is for errors. [1]
#define TURNING_SHARE 0.65f
#define LOCK_SHARE 0.95f
// Tracked vehicles in bends: distance ahead of the middle of the point about which the vehicle
// turns, at the limit of grip, in its lengths (twice the value of a steady bend, for the time
// before it is steady); clearance for errors; and a lateral acceleration that is always planned
// with. [1], [m], [m/s²]
#define TRACK_SLIP 0.6f
#define TRACK_ERROR 0.3f
#define LATERAL_LEAST 0.8f
// Where the bank pushes out of a bend, a lower speed helps only against the bend's own demand: this
// share of the lateral acceleration is for that, whatever the bank takes. [1]
#define BANK_LEFT 0.2f
// The change of curvature is measured over this number of knots.
#define TURNING_KNOTS FOLLOW_TURNING_KNOTS
// Tracked vehicles turn tighter at standstill than while driving: the line is rounded as for a car
// of that length. [turning radii]
#define TRACKED_RADIUS 2.0f
// A turn between two segments counts as spread over at most this. [knots]
#define KINK_SPREAD 3.0f
// Near an end of the stretch of travel the line returns to the path over this distance. [m]
#define END_FADE 12.0f
// A sharper turn than this is a corner, even where others like it follow. [rad]
#define ARC_TURN 0.6f

kerb_path_location kerb_in_follow_walk(const kerb_path* path, kerb_path_location from, float step) {
    kerb_path_location to = {from.segment, from.segment_distance + step};
    while (to.segment_distance > path->points[to.segment].length) {
        int32_t next = to.segment + 1;
        if (next >= path->segment_count) {
            if (!path->closed)
                return to;
            next = 0;
        }
        if (path->points[next].travel != path->points[to.segment].travel)
            return to;
        to.segment_distance -= path->points[to.segment].length;
        to.segment = next;
    }
    while (to.segment_distance < 0.0f) {
        int32_t before = to.segment - 1;
        if (before < 0) {
            if (!path->closed)
                return to;
            before = path->segment_count - 1;
        }
        if (path->points[before].travel != path->points[to.segment].travel)
            return to;
        to.segment = before;
        to.segment_distance += path->points[before].length;
    }
    return to;
}

kerb_path_location kerb_in_follow_walk_to(const kerb_path* path, kerb_path_location from,
                                          double distance) {
    double target = distance;
    if (path->closed)
        target -= path->length * kerb_in_follow_floor(distance / path->length);
    double step = target - kerb_path_distance(path, from);
    if (path->closed)
        step -= path->length * kerb_in_follow_floor(step / path->length + 0.5);
    kerb_path_location to = kerb_in_follow_walk(path, from, (float)step);
    // The same distance is the same place to the bit, from wherever the walk began.
    double along = target - path->points[to.segment].distance;
    if (along - (double)to.segment_distance < 0.01 && along - (double)to.segment_distance > -0.01)
        to.segment_distance = (float)along;
    return to;
}

// --------------------------------------------------------------------------- the grid

void kerb_in_follow_line_reset(kerb_follower* follower) {
    memset(follower->memory.fill.key, 0, sizeof follower->memory.fill.key);
    kerb_in_line_reset(&follower->memory.line);
    follower->memory.fill.calmed = follower->memory.fill.placed = follower->memory.fill.needs = 0;
    follower->memory.fill.ahead = 0;
    kerb_in_follow_plan_reset(follower);
}

// The greatest turn that a window of each width rounds to the radius: θ with
// sin(θ/2)/cos²(θ/2) = width/radius.
static void fill_turn_allowed(kerb_follower* follower, float radius) {
    for (int32_t i = 0; i < FOLLOW_LINE_STEPS; i++) {
        float q = (float)(i + 1) * follower->memory.line.spacing / radius;
        float sine = (kerb_sqrt(1.0f + 4.0f * q * q) - 1.0f) / (2.0f * q);
        follower->memory.fill.turn_allowed[i] = 2.0f * kerb_asin(sine);
    }
}

// Whole knots fit a round of a closed path, so that every round finds the same grid.
static float follow_line_spacing_for(const kerb_path* path, float radius, float scale) {
    float spacing = kerb_clamp(radius / 6.0f, 0.25f * scale, 8.0f * scale);
    if (path->closed) {
        double rounds = path->length / (double)spacing;
        double whole = rounds > 1.0 ? (double)(int64_t)(rounds + 0.5) : 1.0;
        spacing = (float)(path->length / whole);
    }
    return spacing;
}

static void fit_grid(kerb_follower* follower, const kerb_path* path) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    const float key[15] = {(float)vehicle->kind,
                           vehicle->length,
                           vehicle->width,
                           vehicle->wheelbase,
                           vehicle->steering_angle_max,
                           vehicle->steering_rate_max,
                           vehicle->yaw_rate_max,
                           vehicle->yaw_acceleration_max,
                           vehicle->reference_to_front,
                           vehicle->reference_to_rear_axle,
                           vehicle->understeer_gradient,
                           vehicle->track_width,
                           kerb_vehicle_steering_lock(vehicle, vehicle->speed_max),
                           follower->settings.corner_cut,
                           (float)path->length};
    if (memcmp(key, follower->memory.fill.key, sizeof key) == 0)
        return;
    kerb_in_follow_line_reset(follower);
    memcpy(follower->memory.fill.key, key, sizeof key);
    float radius = kerb_max(kerb_vehicle_turning_radius(vehicle), 0.01f);
    if (vehicle->kind == KERB_VEHICLE_TRACKED)
        radius *= TRACKED_RADIUS;
    follower->memory.fill.turning_radius = radius;
    follower->memory.line.spacing = follow_line_spacing_for(path, radius, follow_scale(follower));
    follower->memory.line.per_metre = 1.0 / (double)follower->memory.line.spacing;
    fill_turn_allowed(follower, FOLLOW_RADIUS_MARGIN * radius);
    kerb_in_follow_calm_begin(follower);
}

static kerb_vec2 follow_line_level_unit(kerb_vec3 v, kerb_vec3 fallback) {
    float length = kerb_sqrt(v.x * v.x + v.y * v.y);
    if (length > 1.0e-3f)
        return kerb_vec2_make(v.x / length, v.y / length);
    return kerb_vec2_make(fallback.x, fallback.y);
}

// --------------------------------------------------------------------------- stage 1: headings

// The turn at the start of a segment, 0 where no segment or one of other travel comes before.
static float follow_line_turn_at(const kerb_path* path, int32_t segment) {
    int32_t before = segment > 0 ? segment - 1 : path->closed ? path->segment_count - 1 : segment;
    if (path->points[before].travel != path->points[segment].travel)
        return 0.0f;
    return kerb_wrap_angle(path->points[segment].heading - path->points[before].heading);
}

static int32_t next_segment(const kerb_path* path, int32_t segment) {
    if (segment + 1 < path->segment_count)
        return segment + 1;
    return path->closed ? 0 : segment;
}

static bool alike(float turn, float other) {
    return turn * other > 0.0f && kerb_abs(other) > 0.4f * kerb_abs(turn) &&
           kerb_abs(other) < 2.5f * kerb_abs(turn);
}

// Over how far to each side the turn at the start of a segment is made. Points on an arc, turns
// alike one after the other, are the arc: half the segment, if that stays in the corridor. A kink
// by itself is a kink: as far as its rounding stays within corner_cut.
static float spread_of_turn(const kerb_follower* follower, const kerb_path* path, int32_t segment) {
    int32_t before = segment > 0 ? segment - 1 : path->closed ? path->segment_count - 1 : segment;
    float half = 0.5f * kerb_min(path->points[segment].length, path->points[before].length);
    float least = 0.5f * KINK_SPREAD * follower->memory.line.spacing;
    float turn = follow_line_turn_at(path, segment);
    if (half <= least || turn == 0.0f)
        return half;
    bool arc = kerb_abs(turn) < ARC_TURN &&
               (alike(turn, follow_line_turn_at(path, before)) ||
                alike(turn, follow_line_turn_at(path, next_segment(path, segment))));
    const kerb_path_point* corner = &path->points[segment];
    float room = kerb_min(corner->left, corner->right) - 0.5f * follower->vehicle.width;
    float cut = kerb_max(arc ? room : 0.0f, follower->settings.corner_cut);
    float by_cut = 4.0f * cut / kerb_abs(turn);
    return kerb_min(half, kerb_max(least, by_cut));
}

// The heading as if each turn were made steadily over its spread.
static float follow_line_heading_at(const kerb_follower* follower, const kerb_path* path,
                                    kerb_path_location at) {
    const kerb_path_point* segment = &path->points[at.segment];
    float heading = segment->heading, along = kerb_max(at.segment_distance, 0.0f);
    float reach = spread_of_turn(follower, path, at.segment);
    if (along < reach)
        heading -= follow_line_turn_at(path, at.segment) * 0.5f * (1.0f - along / reach);
    int32_t next = next_segment(path, at.segment);
    float to_end = kerb_max(segment->length - at.segment_distance, 0.0f);
    if (next == at.segment || to_end >= 0.5f * segment->length)
        return heading;
    reach = spread_of_turn(follower, path, next);
    if (to_end < reach)
        heading += follow_line_turn_at(path, next) * 0.5f * (1.0f - to_end / reach);
    return heading;
}

// The narrowest window at a place that has no corners of the segments in it.
static float least_window(const kerb_follower* follower, const kerb_path* path,
                          kerb_path_location at) {
    bool first_half = at.segment_distance < 0.5f * path->points[at.segment].length;
    int32_t nearer = first_half ? at.segment : next_segment(path, at.segment);
    return spread_of_turn(follower, path, nearer);
}

// On a closed path the heading starts again with each round: what was before the seam is brought
// to the new count, so that differences across it are turns.
static void pass_seam(kerb_follower* follower, const kerb_path* path) {
    const kerb_path_point* last = &path->points[path->segment_count - 1];
    float round = last->heading + follow_line_turn_at(path, 0) - path->points[0].heading;
    for (int32_t i = 0; i < FOLLOW_LINE_KNOTS; i++)
        follower->memory.fill.heading[i] -= round;
}

// The corridor at a knot: between waypoints straight, as everywhere.
static void fill_room(kerb_follower* follower, const kerb_path* path, int32_t knot) {
    kerb_path_location at = follower->memory.fill.cursor;
    const kerb_path_point* from = &path->points[at.segment];
    const kerb_path_point* to = &path->points[at.segment + 1 < path->count ? at.segment + 1 : 0];
    float share = kerb_clamp(at.segment_distance / from->length, 0.0f, 1.0f);
    follower->memory.fill.room_left[kerb_in_line_slot(knot)] =
        from->left + share * (to->left - from->left);
    follower->memory.fill.room_right[kerb_in_line_slot(knot)] =
        from->right + share * (to->right - from->right);
    const float half = 0.5f * follower->vehicle.width;
    follower->memory.fill.spare_left[kerb_in_line_slot(knot)] =
        follower->memory.fill.room_left[kerb_in_line_slot(knot)] - half;
    follower->memory.fill.spare_right[kerb_in_line_slot(knot)] =
        follower->memory.fill.room_right[kerb_in_line_slot(knot)] - half;
}

// Rings hold what was found of a knot until it is used, up to two knots behind the line.
_Static_assert(KERB_FOLLOWER_CALM_KNOTS + LOOK + FOLLOW_LINE_STEPS + 2 < FOLLOW_LINE_KNOTS,
               "headings lie this far ahead of the line");

static void fill_heading(kerb_follower* follower, const kerb_path* path) {
    int32_t knot = follower->memory.fill.ahead++;
    double distance = (double)knot * (double)follower->memory.line.spacing;
    kerb_path_location before = follower->memory.fill.cursor;
    follower->memory.fill.cursor = kerb_in_follow_walk_to(path, before, distance);
    follower->memory.fill.location[kerb_in_line_slot(knot)] = follower->memory.fill.cursor;
    if (path->closed && follower->memory.fill.cursor.segment < before.segment)
        pass_seam(follower, path);
    follower->memory.fill.heading[kerb_in_line_slot(knot)] =
        follow_line_heading_at(follower, path, follower->memory.fill.cursor);
    fill_room(follower, path, knot);
}

// --------------------------------------------------------------------------- stage 2: needs

static float turn_over(const kerb_follower* follower, int32_t knot, int32_t k) {
    return kerb_abs(follower->memory.fill.heading[kerb_in_line_slot(knot + k)] -
                    follower->memory.fill.heading[kerb_in_line_slot(knot - k)]);
}

// The narrowest window, in knots, that makes the turn at a knot drivable; between whole knots
// interpolated, so that the line does not step where the answer changes from one to the next.
static float drivable_window(const kerb_follower* follower, int32_t knot) {
    float before = 0.0f; // how far the turn exceeds what is allowed, as a share
    for (int32_t k = 1; k <= FOLLOW_LINE_STEPS; k++) {
        float excess =
            turn_over(follower, knot, k) / follower->memory.fill.turn_allowed[k - 1] - 1.0f;
        if (excess <= 0.0f)
            return k == 1 ? 0.0f : (float)(k - 1) + before / (before - excess);
        before = excess;
    }
    return (float)FOLLOW_LINE_STEPS;
}

static float need_at(const kerb_follower* follower, int32_t knot) {
    float drivable = drivable_window(follower, knot);
    if (drivable > 0.0f && follower->vehicle.kind == KERB_VEHICLE_WHEELED)
        drivable *= 1.0f - kerb_in_follow_room_arc(follower, knot);
    return drivable;
}

// Widens the windows around a knot for its need: all that its rounding reaches, fading over half
// of that again. In knots.
static void spread_need(kerb_follower* follower, int32_t knot, float need) {
    follower->memory.fill.window[kerb_in_line_slot(knot + SPREAD)] = 0.0f;
    int32_t reach = (int32_t)(1.5f * need);
    for (int32_t i = -reach; i <= reach; i++) {
        float away = (float)(i < 0 ? -i : i);
        float here = kerb_min(need, 3.0f * need - 2.0f * away);
        float* window = &follower->memory.fill.window[kerb_in_line_slot(knot + i)];
        *window = kerb_max(*window, here);
    }
}

// --------------------------------------------------------------------------- stages 3 and 4

// How far the stretch of travel goes on from a place to one side, up to `most`.
static float room_from(const kerb_path* path, kerb_path_location at, float most) {
    kerb_path_location to = kerb_in_follow_walk(path, at, most);
    const kerb_path_point* segment = &path->points[to.segment];
    float beyond = most > 0.0f ? kerb_max(to.segment_distance - segment->length, 0.0f)
                               : kerb_max(-to.segment_distance, 0.0f);
    return kerb_max(kerb_abs(most) - beyond, 0.0f);
}

// The lowest speed limit from one place to the next.
static float lowest_limit(const kerb_path* path, kerb_path_location from, kerb_path_location to) {
    float lowest = path->points[from.segment].speed_limit;
    for (int32_t i = from.segment; i != to.segment;) {
        i = i + 1 < path->segment_count ? i + 1 : 0;
        lowest = kerb_min(lowest, path->points[i].speed_limit);
    }
    return lowest;
}

// The lowest grip from one place to the next, waypoints on both sides counted: nobody knows where
// between two waypoints the ice begins.
static float lowest_grip(const kerb_path* path, kerb_path_location from, kerb_path_location to) {
    float lowest = path->points[from.segment].grip;
    for (int32_t i = from.segment;; i = i + 1 < path->segment_count ? i + 1 : 0) {
        int32_t next = i + 1 < path->count ? i + 1 : 0;
        lowest = kerb_min(lowest, path->points[next].grip);
        if (i == to.segment)
            return lowest;
    }
}

// The least of a knot's limits, as speed², for the lateral acceleration that is wanted now.
static void allow(kerb_follower* follower, int32_t at) {
    const float scale = follow_scale(follower);
    float level = follower->memory.line.lateral * follower->memory.line.grip_radius[at];
    float by_curve = kerb_max(level + follower->memory.line.bank_radius[at], BANK_LEFT * level);
    by_curve = kerb_min(by_curve, follower->memory.line.turn_squared[at]);
    follower->memory.line.allowed_squared[at] =
        kerb_max(kerb_min(by_curve, follower->memory.line.limit_squared[at]), 0.1f * scale * scale);
}

// No faster than wheels turn. Returns speed². [m²/s²]
static float speed_of_wheels(const kerb_follower* follower, float over, float change) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float time = change * vehicle->wheelbase / vehicle->steering_rate_max;
    float speed = TURNING_SHARE * over / time;
    // Understeer asks for more angle, (wheelbase + gradient·v²)·κ, for which one step of Newton's
    // method solves well enough.
    float squared = speed * speed;
    float more = kerb_max(vehicle->understeer_gradient, 0.0f) / vehicle->wheelbase * squared;
    float slower = (1.0f + 2.0f * more) / (1.0f + 3.0f * more);
    return squared * slower * slower;
}

// No faster than the vehicle can turn its wheels, or itself, for the line's changing curvature from
// some knots before this one to here: holds halfway between them. Wheels begin early, so that they
// are halfway when the line is: how suddenly it turns matters little, how much it turns over about
// a turning radius does.
static void limit_by_turning(kerb_follower* follower, int32_t knot) {
    bool rolls = follower->vehicle.kind == KERB_VEHICLE_WHEELED;
    if (knot - TURNING_KNOTS < follower->memory.line.first + 1)
        return;
    float change =
        kerb_abs(follower->memory.line.curvature[kerb_in_line_slot(knot)] -
                 follower->memory.line.curvature[kerb_in_line_slot(knot - TURNING_KNOTS)]);
    change = kerb_max(change, 1.0e-6f);
    float over = (float)TURNING_KNOTS * follower->memory.line.spacing;
    float squared = rolls ? speed_of_wheels(follower, over, change)
                          : TURNING_SHARE * over * follower->vehicle.yaw_acceleration_max / change;
    const float least = follow_metres(follower, 1.0f); // that it always may drive [m/s]
    int32_t middle = kerb_in_line_slot(knot - TURNING_KNOTS / 2);
    follower->memory.line.turn_squared[middle] =
        kerb_min(follower->memory.line.turn_squared[middle], kerb_max(squared, least * least));
    allow(follower, middle);
}

// Share of the yaw rate that holds a bend; the rest is for corrections. [1]
#define HOLDING_SHARE 0.8f

// No faster than the curvature of a knot can be held: by understeer, or by the rate of turning.
// Returns speed². [m²/s²]
static float speed_of_holding(const kerb_follower* follower, float radius) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    const float scale = follow_scale(follower), least = scale * scale;
    float by_rate = HOLDING_SHARE * vehicle->yaw_rate_max * radius;
    // As the outer track must be faster by half of that, times the track width.
    if (vehicle->kind == KERB_VEHICLE_TRACKED && vehicle->track_width > 0.0f)
        by_rate = kerb_min(by_rate, vehicle->speed_max * 2.0f * HOLDING_SHARE * radius /
                                        (vehicle->track_width + 2.0f * HOLDING_SHARE * radius));
    if (vehicle->kind != KERB_VEHICLE_WHEELED)
        return kerb_clamp(by_rate * by_rate, least, 1.0e6f * least);
    float room =
        (LOCK_SHARE * radius / follower->memory.fill.turning_radius - 1.0f) * vehicle->wheelbase;
    float by_lock = kerb_max(room, 0.02f * vehicle->wheelbase) /
                    kerb_max(vehicle->understeer_gradient, 1.0e-6f);
    if (vehicle->steering_lock.count > 0) {
        float fast =
            kerb_in_control_speed_by_lock(vehicle, 1.0f / (LOCK_SHARE * radius), 1.0e3f * scale);
        by_lock = kerb_min(by_lock, fast * fast);
    }
    return kerb_clamp(by_lock, least, 1.0e6f * least);
}

// The least of all slots, those of no use now among them: where even that allows the wanted speed,
// no knot need be looked at.
static void find_least_allowed(kerb_follower* follower) {
    float least[8];
    for (int32_t lane = 0; lane < 8; lane++)
        least[lane] = follower->memory.line.allowed_squared[lane];
    for (int32_t i = 8; i < FOLLOW_LINE_KNOTS; i += 8)
        for (int32_t lane = 0; lane < 8; lane++)
            least[lane] = kerb_min(follower->memory.line.allowed_squared[i + lane], least[lane]);
    for (int32_t lane = 1; lane < 8; lane++)
        least[0] = kerb_min(least[lane], least[0]);
    follower->memory.line.least_allowed = least[0];
}

// The least grip from a knot to the last.
static void find_least_grip(kerb_follower* follower, int32_t from) {
    float least = follower->memory.line.grip[kerb_in_line_slot(from)];
    for (int32_t knot = from + 1; knot < follower->memory.line.knots; knot++)
        least = kerb_min(least, follower->memory.line.grip[kerb_in_line_slot(knot)]);
    follower->memory.line.least_grip = least;
}

void kerb_in_follow_line_allow(kerb_follower* follower, float lateral) {
    if (lateral == follower->memory.line.lateral)
        return;
    follower->memory.line.lateral = lateral;
    for (int32_t i = 0; i < FOLLOW_LINE_KNOTS; i++)
        allow(follower, i);
    find_least_allowed(follower);
}

// How little may go wrong beside the vehicle says how fast it may go. A corridor that it does not
// fit into at all says nothing. [m/s]
static float speed_in_corridor(const kerb_follower* follower, const kerb_path_point* point) {
    float room = kerb_min(point->left, point->right) - 0.5f * follower->vehicle.width;
    float least = follow_metres(follower, NARROW_SPEED);
    return room > 0.0f ? least + NARROW_SPEED_PER_ROOM * room : KERB_SPEED_UNLIMITED;
}

// Tracks slip sideways in bends, nose inwards, the more the faster. Where what the vehicle sweeps
// leaves little room, it must slip less. Returns speed². [m²/s²]
static float speed_of_slipping(const kerb_follower* follower, const kerb_path_point* point,
                               float curvature, float radius) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    if (vehicle->kind != KERB_VEHICLE_TRACKED)
        return 1.0e6f;
    follow_swept band = kerb_in_follow_swept_band(vehicle, curvature);
    float room = 0.5f * (point->left + point->right - band.inner - band.outer);
    // Half its length, times the angle by which its middle slips aside.
    float angle = TRACK_SLIP * vehicle->length / (radius * vehicle->lateral_acceleration_max);
    const float scale = follow_scale(follower);
    float lateral = (room - TRACK_ERROR * scale) / (0.5f * vehicle->length * angle);
    return kerb_max(lateral, LATERAL_LEAST * scale) * radius;
}

// What limits the speed from a knot to the next, so prepared that a frame needs no division:
// v² = min(limit², (lateral·grip + g·sin(bank towards the bend)) / |κ|).
static void fill_limits(kerb_follower* follower, const kerb_path* path, kerb_path_location from,
                        kerb_path_location to, int32_t knot) {
    int32_t at = kerb_in_line_slot(knot);
    const kerb_path_point* point = &path->points[from.segment];
    float curvature = follower->memory.line.curvature[at];
    float radius = 1.0f / kerb_max(kerb_abs(curvature), 1.0e-6f);
    float towards = curvature > 0.0f ? -KERB_GRAVITY : KERB_GRAVITY;
    float limit = lowest_limit(path, from, to);
    float narrow = speed_in_corridor(follower, point);
    float grip = lowest_grip(path, from, to);
    bool hovers = follower->vehicle.kind == KERB_VEHICLE_HOVER; // no grip holds it in a bend
    follower->memory.line.limit_squared[at] = limit * limit;
    follower->memory.line.turn_squared[at] =
        kerb_min(speed_of_holding(follower, radius), narrow * narrow);
    float bank = point->bank == 0.0f ? 0.0f : towards * kerb_sin(point->bank);
    if (hovers) {
        float push = kerb_in_follow_hover_lateral(&follower->vehicle, point, grip, curvature);
        follower->memory.line.turn_squared[at] =
            kerb_min(follower->memory.line.turn_squared[at],
                     radius * kerb_max(push + bank, BANK_LEFT * push));
    }
    follower->memory.line.turn_squared[at] =
        kerb_min(follower->memory.line.turn_squared[at],
                 speed_of_slipping(follower, point, curvature, radius));
    follower->memory.line.grip[at] = grip;
    follower->memory.line.grip_radius[at] = hovers ? radius : grip * radius;
    follower->memory.line.bend[at] = hovers ? 0.0f : kerb_abs(curvature) / grip;
    follower->memory.line.bank_radius[at] = bank * radius;
    allow(follower, at);
    limit_by_turning(follower, knot);
}

// Curvature at the knot before the last, from the tangents on both sides: the turn of a line whose
// own corners are rounded needs no finer measure.
static void fill_curvature(kerb_follower* follower, int32_t knot) {
    kerb_vec2 from = follower->memory.line.direction[kerb_in_line_slot(knot - 1)];
    kerb_vec2 to = follower->memory.line.direction[kerb_in_line_slot(knot + 1)];
    // The line is shorter than the path where it cuts a corner.
    float length = 2.0f * follower->memory.line.spacing *
                   kerb_max(follower->memory.line.pace[kerb_in_line_slot(knot)], 0.1f);
    follower->memory.line.curvature[kerb_in_line_slot(knot)] =
        kerb_clamp(kerb_vec2_cross(from, to) / length, -KERB_CURVATURE_CUSP, KERB_CURVATURE_CUSP);
}

// How near the end of its stretch of travel a place is: 0 there, 1 from END_FADE on.
static float away_from_ends(const kerb_follower* follower, const kerb_path* path,
                            kerb_path_location at) {
    const float fade = follow_metres(follower, END_FADE);
    float before = room_from(path, at, -fade), after = room_from(path, at, fade);
    return kerb_smooth_step(kerb_min(before, after), 0.0f, fade);
}

// How far a knot is moved within the corridor, where the vehicle needs the room. Ends of the
// stretch of travel stay where they are.
static kerb_vec2 room_for_knot(const kerb_follower* follower, const kerb_path* path,
                               kerb_path_location at, int32_t knot, kerb_vec2 direction) {
    kerb_vec2 shift;
    if (!kerb_in_follow_room_shift(follower, knot, direction, &shift) ||
        path->points[at.segment].travel < 0)
        return (kerb_vec2){0.0f, 0.0f};
    return kerb_vec2_scale(shift, away_from_ends(follower, path, at));
}

// How far to the left of the path a place is. [m]
static float left_of_path(const kerb_path* path, kerb_path_location at, kerb_vec3 position) {
    const kerb_path_point* from = &path->points[at.segment];
    const kerb_vec3 on = kerb_vec3_along(from->position, from->direction, at.segment_distance);
    const kerb_vec2 along = follow_line_level_unit(from->direction, from->direction);
    return along.x * (position.y - on.y) - along.y * (position.x - on.x);
}

// Fills the next knot of the rounded path.
static void round_knot(kerb_follower* follower, const kerb_path* path) {
    int32_t knot = follower->memory.fill.placed++;
    float spacing = follower->memory.line.spacing;
    kerb_path_location at = follower->memory.fill.location[kerb_in_line_slot(knot)];
    // No rounding reaches over an end of the path.
    float half = kerb_max(follower->memory.fill.window[kerb_in_line_slot(knot)] * spacing,
                          least_window(follower, path, at));
    half = kerb_min(half, room_from(path, at, half));
    half = kerb_max(kerb_min(half, room_from(path, at, -half)), 0.05f * spacing);
    kerb_vec3 chord;
    kerb_vec3 mean = kerb_path_mean(path, at, half, &chord);
    kerb_vec2 direction = follow_line_level_unit(chord, path->points[at.segment].direction);
    kerb_vec2 shift = room_for_knot(follower, path, at, knot, direction);
    const kerb_vec3 raw = kerb_vec3_make(mean.x + shift.x, mean.y + shift.y, mean.z);
    const float left = left_of_path(path, at, raw);
    follower->memory.fill.raw[kerb_in_line_slot(knot)] = raw;
    follower->memory.fill.spare_left[kerb_in_line_slot(knot)] -= left;
    follower->memory.fill.spare_right[kerb_in_line_slot(knot)] += left;
}

// The direction of a knot, from the places of those on both sides.
static void fill_direction(kerb_follower* follower, int32_t knot, kerb_vec3 fallback) {
    kerb_vec3 from = follower->memory.line.position[kerb_in_line_slot(knot - 1)];
    kerb_vec3 to = follower->memory.line.position[kerb_in_line_slot(knot + 1)];
    float per_metre = 0.5f / follower->memory.line.spacing;
    kerb_vec3 chord = kerb_vec3_scale(kerb_vec3_sub(to, from), per_metre);
    follower->memory.line.direction[kerb_in_line_slot(knot)] =
        follow_line_level_unit(chord, fallback);
    follower->memory.line.pace[kerb_in_line_slot(knot)] =
        kerb_vec2_length(kerb_vec2_make(chord.x, chord.y));
}

// Fills the place of the next knot, and what follows from it for the two before.
static void fill_knot(kerb_follower* follower, const kerb_path* path) {
    int32_t knot = follower->memory.fill.calmed++, slot = kerb_in_line_slot(knot);
    kerb_path_location at = follower->memory.fill.location[slot];
    kerb_path_location before = follower->memory.fill.location[kerb_in_line_slot(knot - 1)];
    kerb_path_location last = follower->memory.fill.location[kerb_in_line_slot(knot - 2)];
    follower->memory.fill.front = at;
    kerb_vec3 position = follower->memory.fill.raw[slot];
    kerb_vec2 step = kerb_vec2_scale(kerb_in_follow_calm_step(follower, knot),
                                     away_from_ends(follower, path, at));
    follower->memory.line.position[slot] =
        kerb_vec3_make(position.x + step.x, position.y + step.y, position.z);
    follower->memory.line.room_left[slot] = follower->memory.fill.room_left[slot];
    follower->memory.line.room_right[slot] = follower->memory.fill.room_right[slot];
    if (knot < follower->memory.line.first)
        return;
    fill_direction(follower, knot - 1, path->points[before.segment].direction);
    if (knot < follower->memory.line.first + 2)
        return;
    fill_curvature(follower, knot - 2);
    fill_limits(follower, path, last, before, knot - 2);
    follower->memory.line.knots = knot - 1;
}

// Begins anew: headings must be known from some knots before the first, as each stage needs them.
static void restart(kerb_follower* follower, const kerb_path* path, int32_t here) {
    follower->memory.line.first = follower->memory.line.knots = here - FOLLOW_LINE_BEHIND;
    kerb_in_follow_plan_reset(follower);
    // Two more before the first, so that it knows its neighbours, and what calms those.
    follower->memory.fill.calmed = follower->memory.line.first - 2;
    follower->memory.fill.placed = follower->memory.fill.calmed - follower->memory.fill.calm_reach;
    follower->memory.fill.needs = follower->memory.fill.placed - LOOK;
    follower->memory.fill.looked_from = follower->memory.fill.needs;
    kerb_in_follow_room_reset(follower);
    memset(follower->memory.fill.window, 0, sizeof follower->memory.fill.window);
    follower->memory.fill.ahead = follower->memory.fill.needs - FOLLOW_LINE_STEPS;
    double behind = (double)follower->memory.fill.ahead * (double)follower->memory.line.spacing;
    follower->memory.fill.cursor = kerb_in_follow_walk_to(path, follower->memory.location, behind);
}

static void fill_needs(kerb_follower* follower, const kerb_path* path, int32_t end) {
    while (follower->memory.fill.needs < end) {
        while (follower->memory.fill.ahead < follower->memory.fill.needs + FOLLOW_LINE_STEPS + 1)
            fill_heading(follower, path);
        int32_t knot = follower->memory.fill.needs++;
        spread_need(follower, knot, need_at(follower, knot));
        kerb_in_follow_room_clear(follower, knot + FOLLOW_ROOM_REACH);
        kerb_in_follow_room_look(follower, knot, follower->memory.fill.looked_from);
    }
}

void kerb_in_follow_line_update(kerb_follower* follower, const kerb_path* path, double distance) {
    fit_grid(follower, path);
    int32_t here = (int32_t)kerb_in_follow_floor(distance * follower->memory.line.per_metre);
    bool outside = here - 2 < follower->memory.line.first || here + 2 > follower->memory.line.knots;
    if (follower->memory.line.knots == follower->memory.line.first || outside)
        restart(follower, path, here);
    bool filled = follower->memory.line.knots < here + AHEAD;
    while (follower->memory.line.knots < here + AHEAD) {
        while (follower->memory.fill.placed <=
               follower->memory.fill.calmed + follower->memory.fill.calm_reach) {
            fill_needs(follower, path, follower->memory.fill.placed + LOOK + 1);
            round_knot(follower, path);
        }
        fill_knot(follower, path);
    }
    if (filled) {
        find_least_allowed(follower);
        find_least_grip(follower, here);
    }
    if (follower->memory.fill.calmed - follower->memory.line.first > FOLLOW_LINE_KNOTS)
        follower->memory.line.first = follower->memory.fill.calmed - FOLLOW_LINE_KNOTS;
}
