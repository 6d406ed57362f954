// Purpose: KERB among other vehicles.
// Idea:    It lays out the path that the vehicle is about to drive, asks kerb_avoid_others what the
//          others mean for it, and turns the answer into a speed and a lateral offset. That path is
//          the line near the vehicle and, beyond its window, the path: KERB_REFERENCE_STATIONS_MAX
//          stations, up to the stopping distance and some seconds more.
// Cost:    O(1) without other vehicles; with them O(stations) and the cost of kerb_avoid_others.
#include "../others/shared.h"
#include "../vehicle/shared.h"
#include "frame.h"
#include "goal.h"

#include <string.h>

#define OTHERS_KNOTS KERB_FOLLOWER_LINE_KNOTS
// Share of its thrust that a hovercraft counts on to brake for others: smaller than for bends,
// which are known earlier. [1]
#define HOVER_SHARE_FOR_OTHERS 0.45f
#define OTHERS_BRAKES_USED 0.85f // share of its brakes used in need [1]
#define LOOK_TIME 3.0f          // time that the stations reach beyond the stopping distance … [s]
#define OTHERS_LOOK_LEAST 15.0f // … and further distance [m]
#define ASIDE_SLOPE 0.6f        // change of the lateral offset: when slow, per metre [1] …
#define ASIDE_RATE 2.5f         // … when fast, per second [m/s]
#define OTHERS_ROOM_TIME 3.0f   // having backed out for others, it waits, so that they go on [s]
// Until brakes bite: pedals move, and a frame passes. [s]
#define OTHERS_BRAKES_LATE 0.1f
#define START_SHARE 0.8f // mean share of the desired acceleration while setting off [1]

static float aside_slope(const kerb_follower* follower, float speed) {
    const float scale = follow_scale(follower);
    return kerb_min(ASIDE_SLOPE, ASIDE_RATE * scale / kerb_max(speed, scale));
}

float kerb_in_follow_others_aside(kerb_follower* follower, const follow_frame* frame) {
    float speed = kerb_max(frame->speed, 0.0f);
    float most = aside_slope(follower, speed) * speed * frame->time_step;
    float step = follower->memory.avoid.lateral_offset - follower->memory.aside;
    follower->memory.aside += kerb_clamp(step, -most, most);
    return follower->memory.aside;
}

// --------------------------------------------------------------------------- the path ahead

// Clearance beside a station, which need not lie on the path; `at`: its place on the path.
static void others_set_room(const kerb_path* path, kerb_path_location at,
                            kerb_reference_station* station) {
    const kerb_path_point* from = &path->points[at.segment];
    int32_t next = at.segment + 1 < path->count ? at.segment + 1 : 0;
    float share = kerb_clamp(at.segment_distance / from->length, 0.0f, 1.0f);
    float x = station->position.x - from->position.x - from->direction.x * at.segment_distance;
    float y = station->position.y - from->position.y - from->direction.y * at.segment_distance;
    float off = station->direction.x * y - station->direction.y * x;
    station->left = from->left + (path->points[next].left - from->left) * share - off;
    station->right = from->right + (path->points[next].right - from->right) * share + off;
}

static kerb_vec2 unit_of(kerb_vec2 v) {
    float length = kerb_vec2_length(v);
    return length > 1.0e-6f ? kerb_vec2_scale(v, 1.0f / length) : kerb_vec2_make(1.0f, 0.0f);
}

static void move_aside(kerb_reference_station* station, float offset) {
    station->position.x -= offset * station->direction.y;
    station->position.y += offset * station->direction.x;
}

// When the vehicle will be `along` ahead, gaining speed up to the wanted one.
static float others_time_to(float along, float speed, float wanted, float acceleration) {
    float gaining = 0.5f * (wanted * wanted - speed * speed) / acceleration;
    if (gaining <= 0.0f)
        return along / kerb_max(speed, 0.1f);
    if (along >= gaining)
        return (wanted - speed) / acceleration + (along - gaining) / wanted;
    return 2.0f * along / (speed + kerb_sqrt(speed * speed + 2.0f * acceleration * along));
}

// A knot of the line, or a place of the path where the line is not known yet, and the room there.
static kerb_path_location place_station(const kerb_follower* follower, const follow_frame* frame,
                                        kerb_path_location before, int32_t knot,
                                        kerb_reference_station* station) {
    double distance = (double)knot * (double)follower->memory.line.spacing;
    kerb_path_location at = kerb_in_follow_walk_to(frame->path, before, distance);
    if (knot < follower->memory.line.knots) {
        station->position = follower->memory.line.position[knot & (OTHERS_KNOTS - 1)];
        station->direction = follower->memory.line.direction[knot & (OTHERS_KNOTS - 1)];
    } else {
        const kerb_path_point* from = &frame->path->points[at.segment];
        station->position = kerb_vec3_along(from->position, from->direction, at.segment_distance);
        station->direction = unit_of(kerb_vec2_make(from->direction.x, from->direction.y));
    }
    others_set_room(frame->path, at, station);
    return at;
}

static float length_of_way(const kerb_follower* follower, const follow_frame* frame,
                           const kerb_reference_line* way) {
    float speed = kerb_max(way->speed, 0.0f);
    float length = speed * speed / (2.0f * way->braking) + LOOK_TIME * speed + OTHERS_LOOK_LEAST;
    double to_stop = frame->stop_at - frame->distance;
    if (to_stop < (double)length)
        length = kerb_max((float)to_stop, 0.0f) + follower->settings.avoid.gap_min;
    return kerb_max(length, 2.0f);
}

static void others_lay_out(const kerb_follower* follower, const follow_frame* frame,
                           kerb_reference_line* way) {
    double here = follower->memory.line_distance;
    float spacing = follower->memory.line.spacing;
    float offset = follower->settings.lateral_offset + follower->memory.detour;
    float length = length_of_way(follower, frame, way);
    float acceleration =
        START_SHARE * kerb_min(follower->settings.acceleration, follower->vehicle.acceleration_max);
    int32_t stride = (int32_t)(length / ((float)(KERB_REFERENCE_STATIONS_MAX - 2) * spacing)) + 1;
    int32_t knot = (int32_t)kerb_in_follow_floor(here * follower->memory.line.per_metre) + 1;

    follow_line_place place = kerb_in_follow_line_at(follower, here);
    kerb_reference_station* first = &way->stations[0];
    *first =
        (kerb_reference_station){.position = place.position, .direction = unit_of(place.direction)};
    kerb_path_location at = kerb_in_follow_walk_to(frame->path, follower->memory.location, here);
    others_set_room(frame->path, at, first);
    way->count = 1;
    float along = 0.0f;
    while (way->count < KERB_REFERENCE_STATIONS_MAX && (along < length || way->count < 2)) {
        kerb_reference_station* station = &way->stations[way->count];
        at = place_station(follower, frame, at, knot, station);
        along = (float)((double)knot * (double)spacing - here);
        station->distance = along;
        station->time = others_time_to(along, kerb_max(way->speed, 0.0f),
                                       kerb_max(way->desired_speed, 0.5f), acceleration);
        knot += stride;
        way->count++;
    }
    for (int32_t i = 0; offset != 0.0f && i < way->count; i++) {
        move_aside(&way->stations[i], offset);
        way->stations[i].left -= offset;
        way->stations[i].right += offset;
    }
}

// On a way down, going back is going up. The fan of a hovercraft pushes less backwards than
// forwards, and nothing holds it on ground that falls to one side but a fan that points up there: a
// hovercraft that turned for that would stand across the lane, or slide out of it.
static bool others_cannot_retreat(const kerb_vehicle* vehicle, const follow_frame* frame) {
    const float pushes =
        frame->travel < 0.0f ? vehicle->acceleration_max : vehicle->reverse_acceleration_max;
    const kerb_vec3 up = kerb_quat_up(frame->motion->rotation);
    const float falls = vehicle->kind == KERB_VEHICLE_HOVER
                            ? kerb_vec2_length(kerb_vec2_make(up.x, up.y))
                            : -frame->climb;
    return pushes < KERB_GRAVITY * falls;
}

// A hovercraft turns round to go back: half a turn, and another one afterwards. [s]
static float others_retreat_delay(const kerb_vehicle* vehicle) {
    if (vehicle->kind != KERB_VEHICLE_HOVER)
        return 0.0f;
    const float rate = kerb_max(vehicle->yaw_rate_max, 0.1f);
    return 2.0f * (KERB_PI / rate + rate / kerb_max(vehicle->yaw_acceleration_max, 0.1f));
}

// The vehicle itself, in the direction of travel.
static kerb_reference_line others_way_of(const kerb_follower* follower, const follow_frame* frame) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float nose = vehicle->reference_to_front, tail = vehicle->length - vehicle->reference_to_front;
    bool reverse = frame->travel < 0.0f;
    float share = vehicle->kind == KERB_VEHICLE_HOVER ? HOVER_SHARE_FOR_OTHERS : 1.0f;
    kerb_reference_line way = {.id = frame->id,
                               .speed = frame->speed,
                               .response_distance = kerb_max(follower->decision.lookahead, 0.5f),
                               .response_distance_min = follower->settings.response_distance,
                               .offset_slope = aside_slope(follower, frame->speed),
                               .front = reverse ? tail : nose,
                               .rear = reverse ? nose : tail,
                               .width = vehicle->width,
                               .braking = share * kerb_in_follow_braking(follower, frame),
                               .cannot_retreat = others_cannot_retreat(vehicle, frame),
                               .braking_delay = OTHERS_BRAKES_LATE + vehicle->throttle_delay,
                               .retreat_delay = others_retreat_delay(vehicle)};
    way.braking_max =
        kerb_max(share * OTHERS_BRAKES_USED * vehicle->braking_max * frame->grip, way.braking);
    return way;
}

// --------------------------------------------------------------------------- intent

#define INTENT_LEAST 56.0f // least reach, if the path is that long [m]
#define UNCLAIMED 1.0e3f   // nobody is near: all that can be told [m]
// Errors up to this are usual: margins allow for them, and lateral moves lag so far behind. [m]
#define ERROR_USUAL 1.0f
// It is back on its line after this times the distance over which errors fade, and comes back at
// most at about half a right angle. [1]
#define COMES_BACK 4.0f
#define BACK_SLOPE 2.0f // see COMES_BACK: length of the way back for each metre of error [1]

// A place of the line, or of the path where the line is not known, `offset` to the left.
static kerb_vec2 intent_place(const kerb_follower* follower, const kerb_path* path,
                              kerb_path_location* at, double distance, float offset) {
    *at = kerb_in_follow_walk_to(path, *at, distance);
    if (distance <
        (double)(follower->memory.line.knots - 1) * (double)follower->memory.line.spacing) {
        kerb_vec3 place = kerb_in_follow_line_point(follower, distance, offset);
        return kerb_vec2_make(place.x, place.y);
    }
    const kerb_path_point* from = &path->points[at->segment];
    kerb_vec3 place = kerb_vec3_along(from->position, from->direction, at->segment_distance);
    kerb_vec2 level = unit_of(kerb_vec2_make(from->direction.x, from->direction.y));
    return kerb_vec2_make(place.x - offset * level.y, place.y + offset * level.x);
}

// How far the vehicle is to the left of where it should be, beyond what margins allow for and
// lateral moves lag behind. [m]
static float others_error(const kerb_follower* follower, double here, float offset) {
    const follow_line_place place = kerb_in_follow_line_at(follower, here);
    const kerb_vec2 left = unit_of(place.direction);
    const kerb_vec3 off = kerb_vec3_sub(follower->memory.motion.position, place.position);
    const float error = left.x * off.y - left.y * off.x - offset;
    return error - kerb_clamp(error, -ERROR_USUAL, ERROR_USUAL);
}

// The strip begins where the vehicle is, and leads back to its line.
static void tell_way(const kerb_follower* follower, const kerb_path* path, float most,
                     kerb_intent* intent) {
    double here = follower->memory.line_distance;
    float offset =
        follower->settings.lateral_offset + follower->memory.detour + follower->memory.aside;
    float length = kerb_clamp(most, 2.0f, INTENT_LEAST);
    const float error = others_error(follower, here, offset);
    const float back =
        kerb_max(COMES_BACK * follower->decision.lookahead, BACK_SLOPE * kerb_abs(error));
    intent->count = KERB_INTENT_POINTS_MAX;
    intent->spacing = length / (float)(KERB_INTENT_POINTS_MAX - 1);
    kerb_path_location at = follower->memory.location;
    for (int32_t i = 0; i < KERB_INTENT_POINTS_MAX; i++) {
        const float along = (float)i * intent->spacing;
        const float left = error * (1.0f - kerb_smooth_step(along, 0.0f, back));
        intent->points[i] = intent_place(follower, path, &at, here + (double)along, offset + left);
    }
}

static void tell_shape(const kerb_follower* follower, float travel, kerb_intent* intent) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float nose = vehicle->reference_to_front, tail = vehicle->length - vehicle->reference_to_front;
    intent->front = travel < 0.0f ? tail : nose;
    intent->rear = travel < 0.0f ? nose : tail;
    intent->width = vehicle->width;
}

static float way_left(const kerb_follower* follower, const kerb_path* path) {
    if (follower->memory.stop_kind != STOP_NONE)
        return (float)(follower->memory.stop_distance - follower->memory.distance);
    return path->closed ? UNCLAIMED : (float)(path->length - follower->memory.distance);
}

void kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                          kerb_intent* intent) {
    *intent = (kerb_intent){.count = 0};
    bool known = follower->settings.method == KERB_FOLLOWER_KERB &&
                 follower->memory.path_id == path->id && follower->memory.line.knots > 1 &&
                 follower->memory.phase != PHASE_ARRIVED;
    if (!known)
        return;
    tell_shape(follower, (float)follower->memory.travel, intent);
    tell_way(follower, path, way_left(follower, path), intent);
    bool drives =
        follower->memory.phase == PHASE_DRIVE && follower->memory.stuck.phase == KERB_STUCK_FREE;
    if (drives)
        kerb_avoid_tell(&follower->memory.avoid, intent);
    kerb_intent_bound(intent);
}

// --------------------------------------------------------------------------- one frame

static void others_forget(kerb_follower* follower) {
    memset(&follower->memory.avoid, 0, sizeof follower->memory.avoid);
    follower->memory.avoid.claimed = UNCLAIMED;
    follower->memory.blocked = 0;
}

void kerb_in_follow_others(kerb_follower* follower, const follow_frame* frame, follow_wish* wish) {
    if (frame->neighbour_count <= 0 || follower->settings.neighbours == KERB_NEIGHBOURS_IGNORE) {
        others_forget(follower);
        return;
    }
    kerb_reference_line way = others_way_of(follower, frame);
    way.desired_speed = wish->speed;
    others_lay_out(follower, frame, &way);
    const kerb_reference_station* here = &way.stations[0];
    kerb_vec2 from = {frame->motion->position.x - here->position.x,
                      frame->motion->position.y - here->position.y};
    way.lateral_offset = kerb_vec2_cross(here->direction, from);
    way.offset_set_point = follower->memory.aside;
    kerb_vec2 velocity = {frame->motion->velocity.x, frame->motion->velocity.y};
    kerb_vec2 heading = {frame->heading.x, frame->heading.y};
    way.heading_error = kerb_clamp(kerb_vec2_cross(here->direction, heading), -1.0f, 1.0f);
    way.lateral_drift = kerb_clamp(kerb_vec2_cross(here->direction, velocity) /
                                       kerb_max(way.speed, follow_scale(follower)),
                                   -1.0f, 1.0f);

    kerb_intent intent = {.count = 0};
    tell_shape(follower, frame->travel, &intent);
    tell_way(follower, frame->path, way_left(follower, frame->path), &intent);
    kerb_intent_bound(&intent);
    way.intent = &intent;
    kerb_avoid_answer answer =
        kerb_avoid_others(&follower->memory.avoid, &follower->settings.avoid, &way,
                          frame->neighbours, frame->neighbour_count, frame->time_step);
    follower->memory.blocked = answer.blocked ? 1 : 0;
    if (answer.helpless && follower->settings.stuck.recovery != KERB_RECOVERY_NONE)
        kerb_stuck_request_teleport(&follower->memory.stuck);
    bool matters = answer.speed < wish->speed ||
                   (answer.reason == KERB_REASON_AVOIDING && wish->reason == KERB_REASON_CRUISE);
    if (answer.index >= 0 && (matters || answer.reason == KERB_REASON_AVOIDING))
        follower->decision.neighbour = kerb_in_neighbour_in_range(&frame->neighbours[answer.index]);
    if (matters)
        wish->reason = answer.reason;
    wish->speed = kerb_min(wish->speed, answer.speed);
}

void kerb_in_follow_others_make_room(kerb_follower* follower) {
    if (follower->memory.blocked != 0)
        follower->memory.avoid.hold_time = OTHERS_ROOM_TIME;
    follower->memory.blocked = 0;
}

float kerb_in_follow_others_behind(kerb_follower* follower, const follow_frame* frame) {
    if (frame->neighbour_count <= 0 || follower->settings.neighbours == KERB_NEIGHBOURS_IGNORE)
        return 1.0e6f;
    kerb_reference_line way = others_way_of(follower, frame);
    way.count = 2;
    kerb_vec2 heading = unit_of(kerb_vec2_make(frame->heading.x, frame->heading.y));
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER) // which goes where it is pushed
        heading =
            unit_of(kerb_in_follow_line_at(follower, follower->memory.line_distance).direction);
    for (int32_t i = 0; i < 2; i++)
        way.stations[i] = (kerb_reference_station){
            .position = frame->motion->position, .direction = heading, .distance = (float)i};
    way.stations[1].position.x += heading.x;
    way.stations[1].position.y += heading.y;
    return kerb_in_avoid_note_behind(&follower->memory.avoid, &way, frame->neighbours,
                                     frame->neighbour_count);
}

// --------------------------------------------------------------------------- backwards

// Time in which it makes up for a lack of speed. Chosen by trial; half or twice as much gets stuck
// as seldom. [s]
#define BACK_TIME 0.5f
#define BACK_BRAKE 0.7f // gentle, because others are near [1]
// It brakes before it goes back, while it is faster than this forwards. [m/s]
#define BACK_FROM 0.3f
#define BACK_GAP 1.0f // gap that it leaves to whoever is behind, times the scale [m]

// What slope and resistance take is added, or a lorry that goes back uphill rolls on downhill.
void kerb_in_follow_push_back(kerb_follower* follower, const follow_frame* frame, float speed,
                              kerb_controls* controls) {
    const float scale = follow_scale(follower), back = -frame->speed;
    if (back < -BACK_FROM * scale ||
        kerb_in_follow_others_behind(follower, frame) < BACK_GAP * scale) {
        controls->brake = BACK_BRAKE;
        return;
    }
    const kerb_vehicle* vehicle = &follower->vehicle;
    const float full = kerb_full_throttle_acceleration(vehicle, back, frame->travel > 0.0f);
    const float resisting = kerb_coasting_deceleration(vehicle, back) - KERB_GRAVITY * frame->climb;
    const float wanted =
        kerb_clamp((speed - back) * (1.0f / BACK_TIME), -kerb_in_follow_braking(follower, frame),
                   follower->settings.acceleration);
    kerb_pedals(vehicle, wanted + resisting, full, controls);
}

#define GO_BACK_SPEED 1.5f // walking speed, because others are near; times the scale [m/s]

bool kerb_in_follow_others_retreats(const kerb_follower* follower) {
    return follower->memory.avoid.retreat > 0.0f;
}

// Back along the line, as it came.
static void retreat_steer(kerb_follower* follower, const follow_frame* frame,
                          kerb_controls* controls) {
    if (follower->vehicle.kind != KERB_VEHICLE_WHEELED)
        return;
    float curvature = kerb_in_follow_line_at(follower, follower->memory.line_distance).curvature;
    controls->steering =
        kerb_steering_for(&follower->vehicle, curvature * frame->travel, frame->speed);
    follower->decision.commanded_curvature = curvature;
}

// A hovercraft goes to the place of its line that it shall go back to. Returns its speed along the
// line. [m/s]
static float retreat_hover(kerb_follower* follower, const follow_frame* frame,
                           kerb_controls* controls) {
    const double here = follower->memory.line_distance;
    const kerb_vec3 velocity = frame->motion->velocity;
    const kerb_vec2 line = unit_of(kerb_in_follow_line_at(follower, here).direction);
    const float room = kerb_in_follow_others_behind(follower, frame);
    const float left = kerb_max(
        kerb_min(follower->memory.avoid.retreat, room - BACK_GAP * follow_scale(follower)), 0.0f);
    const float braking = 0.5f * kerb_in_follow_braking(follower, frame);
    const float speed =
        kerb_min(kerb_approach_speed(0.0f, left, braking), GO_BACK_SPEED * follow_scale(follower));
    const kerb_vec3 to = kerb_in_follow_line_point(follower, here - (double)left, 0.0f);
    kerb_in_follow_goal_hover(follower, frame, to, speed, controls);
    return line.x * velocity.x + line.y * velocity.y;
}

kerb_controls kerb_in_follow_others_retreat(kerb_follower* follower, const follow_frame* frame) {
    kerb_controls controls = {.reason = KERB_REASON_MAKING_ROOM};
    float speed = frame->speed;
    if (follower->vehicle.kind == KERB_VEHICLE_HOVER) {
        speed = retreat_hover(follower, frame, &controls);
    } else {
        retreat_steer(follower, frame, &controls);
        kerb_in_follow_push_back(follower, frame, GO_BACK_SPEED * follow_scale(follower),
                                 &controls);
    }
    const float stops = 0.5f * speed * speed / kerb_in_follow_braking(follower, frame);
    const float left = kerb_avoid_retreat(&follower->memory.avoid, speed, stops, frame->time_step);
    if (left <= 0.0f) {
        controls.brake = BACK_BRAKE;
        controls.throttle = 0.0f;
    }
    return controls;
}
