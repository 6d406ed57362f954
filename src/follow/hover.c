// Purpose: the method KERB on a hovercraft, which moves where it was pushed and not where it
//          points.
//
// Nothing but its own thrust holds it sideways, and thrust acts along the body. So the driver
// desires an acceleration: along the line for the speed, and across it for the bend and to bring
// the error e and the drift v_n to zero, critically damped in time,
//     a_n = v²κ + 2ω(v_wanted - v_n),   v_wanted = -ω·e/2.
//
// The nose points along that acceleration. It needs time to turn, so it is turned early for the
// bend ahead. Until the bend begins it may point anywhere, because the fan need not push. The
// corridor limits how far it may turn off the line.
//
// The fan gives the acceleration across the line first. If that gives too much along the line, the
// skirt alone (the handbrake) removes it, lowered for a share of the time: the brake pushes
// backwards along the body, that is, out of the bend, and the fan needs time to respond again. So
// the nose need not turn far where it holds a bend or a slope while it brakes. What the skirt
// cannot remove is the brake's. A nose that points back needs neither.
//
// Cost:    O(1).
// Source:  the pilots' rules in Yun and Bliault, "Theory and Design of Air Cushion Craft": turn
//          early, push towards the inside of the bend, slow down before it.
#include "frame.h"

// Turn of the nose from one task to the next, where the corridor allows it. [rad]
#define NOSE_SWING 0.7f
// ω times the response time of nose and fan. [1]
#define RESPONSE 1.0f
// The nose turns off the line by at most MOST, and in the narrowest place still by LEAST. [rad]
#define DRIFT_MOST 1.9f
#define DRIFT_LEAST 0.2f
// … plus this for each metre of error beyond ERROR_PLANNED. [rad/m]
#define DRIFT_FOR_ERROR 0.8f
// Error, and clearance beside the body, for which a corridor is wide enough. Where two lanes meet,
// others pass as near as that: with 0.1 m, towns have two to three times as many contacts as with
// 0.6, with which it creeps where waypoints are noisy. [m]
#define ERROR_PLANNED 0.25f
#define ROOM_SPARE 0.4f
// Share of the thrust across the line with which bends are planned; errors need the rest. [1]
#define HOVER_BEND_SHARE 0.75f
// The line is known this far ahead. [knots]
#define LOOK_KNOTS 40.0f
// Yaw rate per remaining angle [1/s], and share of the yaw acceleration that ends the turn [1].
#define TURN_GAIN 2.0f
#define TURN_USED 0.7f
// The turning of the line is averaged over this time and distance to both sides. [s], [m]
#define HOVER_STEADY_TIME 0.4f
#define STEADY_LEAST 1.0f
// Where the nose points: share of the thrust that always counts as forward, so that the nose is
// steady when nothing is desired; weight of braking beyond what a bend needs, for which it stays on
// the line; and how much it may push backwards for its push across. [1]
#define HOVER_PUSH_LEAST 0.2f
#define PUSH_BRAKING 2.0f
#define PULL_BACK 0.5f
// The force along the line that the nose turns for is averaged over this share of its turning time.
// [1]
#define PUSH_SMOOTHING 0.2f
// Weight of an error across the line against one along it. [1]
#define ACROSS_WEIGHT 100.0f
// The brake comes on at this excess along the line, relative to the acceleration across it, and
// stays until the second value is left. [1], [1], [m/s²]
#define BRAKE_ON 0.7f
#define BRAKE_OFF 0.3f
#define PEDAL_CHANGE 0.2f
// It brakes when it slides backwards faster than this. [m/s]
#define SLIDE_MOST 1.0f
#define SLIDE_LEAST 0.3f
// It brakes harder by this share of the acceleration across, to return to that sooner. [1]
#define BRAKE_SOON 4.0f

// Share of the skirt's friction that is counted on; the rest is for errors. [1]
#define SKIRT_USED 0.9f
// The skirt is lowered and raised when the speed along the line would be off by this. [m/s]
#define SKIRT_CHANGE 0.05f
// Share of the thrust from which on the fan goes on while it slows. [1]
#define HOVER_FAN_LEAST 0.05f

// --------------------------------------------------------------------------- what it can do

// Turning the nose from rest to rest. [s]
static float time_to_turn(const kerb_vehicle* vehicle, float angle) {
    float rate = vehicle->yaw_rate_max, gain = vehicle->yaw_acceleration_max;
    if (angle * gain < rate * rate)
        return 2.0f * kerb_sqrt(angle / gain);
    return angle / rate + rate / gain;
}

// Thrust per mass in the direction of travel. [m/s²]
static float thrust_of(const kerb_vehicle* vehicle, float travel) {
    float most = travel < 0.0f ? vehicle->reverse_acceleration_max : vehicle->acceleration_max;
    return most + vehicle->coasting_deceleration;
}

// How far the nose may turn off the line with this clearance to each side. [rad]
static float drift_in(const kerb_vehicle* vehicle, float room, float curvature) {
    float front = vehicle->reference_to_front;
    float half_length = kerb_max(kerb_max(front, vehicle->length - front), 0.01f);
    float half_width = 0.5f * vehicle->width;
    // In a bend its ends lie outside the line.
    room -= 0.5f * kerb_abs(curvature) * half_length * half_length + ERROR_PLANNED + ROOM_SPARE;
    float diagonal = kerb_sqrt(half_length * half_length + half_width * half_width);
    float sine = kerb_clamp(room / diagonal, 0.0f, 1.0f);
    float most = kerb_asin(sine) - kerb_atan2(half_width, half_length);
    // Where it fits across the road, only its corners stick out on the way there.
    float across = kerb_clamp(10.0f * room / half_length - 9.0f, 0.0f, 1.0f);
    most += (DRIFT_MOST - most) * across;
    return kerb_clamp(most, DRIFT_LEAST, DRIFT_MOST);
}

// Friction of the lowered skirt against the motion, whatever the fan does. [m/s²]
static float hover_skirt(const kerb_vehicle* vehicle, float grip) {
    return kerb_max(vehicle->braking_max - thrust_of(vehicle, -1.0f), 0.0f) * grip;
}

// How much the fan may push along the line while `braking` is wanted there: as much as the skirt
// takes away. [m/s²]
static float hover_spare(const kerb_vehicle* vehicle, float grip, float braking) {
    return kerb_max(SKIRT_USED * hover_skirt(vehicle, grip) - braking,
                    HOVER_PUSH_LEAST * thrust_of(vehicle, 1.0f));
}

// What the fan holds across the line with the nose turned inwards by an angle. [m/s²]
static float hover_hold(const kerb_vehicle* vehicle, float grip, float angle, float braking) {
    float sine, cosine;
    kerb_sin_cos(angle, &sine, &cosine);
    const float most = hover_spare(vehicle, grip, braking) / kerb_max(cosine, 1.0e-3f);
    return sine * kerb_min(most, thrust_of(vehicle, 1.0f));
}

// The least angle of the nose that holds so much across the line. [rad]
static float hover_angle_for(const kerb_vehicle* vehicle, float grip, float across, float braking) {
    const float thrust = thrust_of(vehicle, 1.0f);
    const float squared = kerb_max(thrust * thrust - across * across, 0.0f);
    const float along = kerb_min(hover_spare(vehicle, grip, braking), kerb_sqrt(squared));
    return kerb_atan2(across, along);
}

float kerb_in_follow_hover_lateral(const kerb_vehicle* vehicle, const kerb_path_point* point,
                                   float grip, float curvature) {
    float room = kerb_min(point->left, point->right);
    float drift = kerb_min(drift_in(vehicle, room, curvature), 0.5f * KERB_PI);
    float downhill = KERB_GRAVITY * kerb_max(-point->direction.z, 0.0f);
    float least = 0.1f * thrust_of(vehicle, 1.0f) * kerb_sin(drift);
    return HOVER_BEND_SHARE * kerb_max(hover_hold(vehicle, grip, drift, downhill), least);
}

// --------------------------------------------------------------------------- the nose

// The yaw rate that turns the nose to an angle from the line and has it rest there, while the line
// turns on.
static float rate_to_turn(const kerb_follower* follower, kerb_vec2 body, double here, float along,
                          float nose) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float reach = kerb_max(HOVER_STEADY_TIME * along, STEADY_LEAST);
    kerb_vec3 chord =
        kerb_vec3_sub(kerb_in_follow_line_point(follower, here + (double)reach, 0.0f),
                      kerb_in_follow_line_point(follower, here - (double)reach, 0.0f));
    kerb_vec2 line = {chord.x, chord.y};
    float turn =
        kerb_wrap_angle(nose - kerb_atan2(kerb_vec2_cross(line, body), kerb_vec2_dot(line, body)));
    float rest = kerb_sqrt(2.0f * TURN_USED * vehicle->yaw_acceleration_max * kerb_abs(turn));
    float with_line = along * kerb_in_line_mean_curvature(&follower->memory.line,
                                                          here - (double)reach, 2.0f * reach);
    return kerb_clamp(TURN_GAIN * turn, -rest, rest) + with_line;
}

// The force along the line for which the nose is turned, when so much is wanted across it: the
// wanted speed jumps, and the nose should not. [m/s²]
static float push_for_nose(kerb_follower* follower, const follow_frame* frame, float turning,
                           float aside) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float force = follower->decision.acceleration + KERB_GRAVITY * frame->climb +
                  kerb_coasting_deceleration(vehicle, frame->speed);
    float share = frame->time_step / (frame->time_step + PUSH_SMOOTHING * turning);
    follower->memory.push += share * (force - follower->memory.push);
    float size = kerb_abs(aside);
    float least = HOVER_PUSH_LEAST * thrust_of(vehicle, frame->travel) - PULL_BACK * size +
                  PUSH_BRAKING * kerb_max(-follower->memory.push - size, 0.0f);
    return kerb_max(follower->memory.push, least);
}

// A hovercraft that waits stands on its lowered skirt. Held by its fan it would slide across a
// slope into the next lane. Below these: wanted speed, and speed in any direction. [m/s]
#define WAITS_FOR 0.05f
#define WAITS_BELOW 0.5f

// What gravity does to the left of the line where the ground is banked: nothing else holds it there
// than thrust. [m/s²]
static float slide_downhill(const follow_frame* frame, kerb_vec2 line) {
    kerb_vec3 up = kerb_quat_up(frame->motion->rotation);
    return KERB_GRAVITY * up.z * (line.x * up.y - line.y * up.x);
}

// How far the nose has to turn before the next answer. An error lets it turn farther off the line,
// and from there it takes the longer to come back: who reckons with less answers too late, each
// time from farther out, and weaves from side to side. [rad]
static float swing_back(float usual, float drift, float error) {
    float for_error = DRIFT_FOR_ERROR * kerb_max(kerb_abs(error) - ERROR_PLANNED, 0.0f);
    return kerb_clamp(kerb_abs(drift), usual, usual + for_error);
}

// The braking that keeps its speed on a way down, unless it gains speed there. [m/s²]
static float hover_braking_down(const kerb_follower* follower, const follow_frame* frame) {
    const float falls = -KERB_GRAVITY * frame->climb;
    return kerb_clamp(-follower->memory.push, 0.0f, kerb_max(falls, 0.0f));
}

// The velocity without what the skirt's intervals add to its mean and take away again.
static kerb_vec2 hover_velocity(const kerb_follower* follower, const follow_frame* frame) {
    const kerb_vec2 told = {frame->motion->velocity.x, frame->motion->velocity.y};
    const float speed = kerb_max(kerb_vec2_length(told), follow_metres(follower, WAITS_BELOW));
    return kerb_vec2_scale(told, 1.0f - follower->memory.skirt / speed);
}

void kerb_in_follow_hover_steer(kerb_follower* follower, const follow_frame* frame,
                                const follow_line_place* place, float error, double here,
                                follow_wish* wish) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    kerb_vec2 velocity = hover_velocity(follower, frame);
    kerb_vec2 body = {frame->heading.x, frame->heading.y};
    float along = kerb_max(kerb_vec2_dot(place->direction, velocity), 0.0f);
    wish->across = kerb_vec2_cross(place->direction, velocity);
    wish->drift =
        kerb_atan2(kerb_vec2_cross(place->direction, body), kerb_vec2_dot(place->direction, body));

    float thrust = thrust_of(vehicle, frame->travel);
    // A nose that may not turn far is turned sooner, so errors can be corrected faster.
    float room = kerb_line_room(&follower->memory.line, here);
    float drift = drift_in(vehicle, room, place->curvature);
    float swing = kerb_min(NOSE_SWING, drift);
    float turning = time_to_turn(vehicle, swing);
    float back_again = time_to_turn(vehicle, swing_back(swing, wish->drift, error));
    float rate = RESPONSE / (0.5f * back_again + vehicle->throttle_delay);
    float back = kerb_clamp(-0.5f * rate * error, -0.5f * along, 0.5f * along);
    float settle = 2.0f * rate * (back - wish->across);
    settle -= slide_downhill(frame, place->direction);
    float soon = 2.0f * along * vehicle->throttle_delay; // the fan's bend lies half as far
    float bend = along * along * kerb_in_line_mean_curvature(&follower->memory.line, here, soon);
    wish->aside = kerb_clamp(bend + settle, -0.9f * thrust, 0.9f * thrust);

    float reach = kerb_min(along * turning, LOOK_KNOTS * follower->memory.line.spacing);
    float ahead =
        kerb_in_line_mean_curvature(&follower->memory.line, here + (double)(0.3f * reach), reach);
    bend = kerb_clamp(along * along * ahead, -0.7f * thrust, 0.7f * thrust);
    float aside = kerb_clamp(bend + settle, -0.9f * thrust, 0.9f * thrust);
    float room_ahead = kerb_line_room(&follower->memory.line, here + (double)reach);
    if (room_ahead < room) // the nose must be back when it comes there
        drift = drift_in(vehicle, room_ahead, place->curvature);
    // It is better to leave the corridor with a corner than as a whole.
    drift += DRIFT_FOR_ERROR * kerb_max(kerb_abs(error) - ERROR_PLANNED, 0.0f);
    drift = kerb_min(drift, DRIFT_MOST);
    float nose = kerb_atan2(aside, push_for_nose(follower, frame, turning, aside));
    const float down = hover_braking_down(follower, frame);
    const float least = hover_angle_for(vehicle, frame->grip, kerb_abs(aside), down);
    nose = kerb_max(kerb_abs(nose), least) * (aside < 0.0f ? -1.0f : 1.0f);
    // Bends and slopes are known: nobody waits there until an error lets the nose turn so far.
    float lasting = kerb_abs(bend - slide_downhill(frame, place->direction)) / HOVER_BEND_SHARE;
    drift = kerb_max(drift, hover_angle_for(vehicle, frame->grip, lasting, down));
    wish->turns = true;
    wish->yaw_rate = rate_to_turn(follower, body, here, along, kerb_clamp(nose, -drift, drift));
    wish->curvature = place->curvature;
}

// --------------------------------------------------------------------------- fan and brake

// The throttle whose push comes nearest to what is wanted.
static float hover_throttle_for(const follow_wish* wish, float force, float capacity) {
    float sine, cosine;
    kerb_sin_cos(wish->drift, &sine, &cosine);
    float wanted = force * cosine + ACROSS_WEIGHT * wish->aside * sine;
    float got = capacity * (cosine * cosine + ACROSS_WEIGHT * sine * sine);
    return kerb_clamp(wanted / got, 0.0f, 1.0f);
}

static bool hover_waits(const kerb_follower* follower, const follow_frame* frame,
                        const follow_wish* wish) {
    float speed = kerb_max(kerb_abs(frame->speed), kerb_abs(wish->across));
    return wish->speed < follow_metres(follower, WAITS_FOR) &&
           speed < follow_metres(follower, WAITS_BELOW);
}

// While the fan pushes across the line, the skirt alone takes away what that is too much along it:
// the brake would turn the fan's push round.
static bool hover_slows_by_skirt(const kerb_vehicle* vehicle, const follow_frame* frame, float push,
                                 float cosine, float force) {
    return force < 0.0f && frame->speed > 0.0f && cosine > 0.0f &&
           push > HOVER_FAN_LEAST * thrust_of(vehicle, frame->travel) &&
           -force < SKIRT_USED * hover_skirt(vehicle, frame->grip);
}

// What the fan pushes along the line then: no more than the skirt takes away. [m/s²]
static float hover_push_along(const kerb_vehicle* vehicle, const follow_frame* frame, float push,
                              float force) {
    return kerb_min(push, SKIRT_USED * hover_skirt(vehicle, frame->grip) + force);
}

// A skirt is lowered or not: for such a share of the time that it takes away `excess` on average.
// [m/s²]
static bool hover_lowers_skirt(kerb_follower* follower, const follow_frame* frame, float excess) {
    const float change = follow_metres(follower, SKIRT_CHANGE);
    float* left = &follower->memory.skirt;
    *left += excess * frame->time_step;
    const bool lowers = *left > (follower->controls.handbrake ? -change : change);
    if (lowers)
        *left -= hover_skirt(&follower->vehicle, frame->grip) * frame->time_step;
    return lowers;
}

void kerb_in_follow_hover_pedals(kerb_follower* follower, const follow_frame* frame,
                                 const follow_wish* wish, float force, float capacity,
                                 kerb_controls* controls) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    if (hover_waits(follower, frame, wish)) {
        controls->throttle = 0.0f;
        controls->brake = 1.0f;
        return;
    }
    const float along = kerb_cos(wish->drift);
    float throttle = hover_throttle_for(wish, force, capacity);
    if (hover_slows_by_skirt(vehicle, frame, throttle * capacity, along, force)) {
        const float pushes = hover_push_along(vehicle, frame, throttle * capacity * along, force);
        controls->throttle = pushes / (capacity * along);
        controls->handbrake = hover_lowers_skirt(follower, frame, pushes - force);
        return;
    }
    follower->memory.skirt = 0.0f;
    float pulling = kerb_min(throttle * capacity * along, 0.0f);
    float slowing = pulling - force; // still wanted of the brake
    float turning = kerb_abs(wish->aside);
    bool braked = follower->controls.brake > 0.0f;
    float least = braked ? BRAKE_OFF * turning : BRAKE_ON * turning + PEDAL_CHANGE;
    bool brakes = frame->speed > 0.0f && slowing > least;
    // Sliding back, with a nose that has yet to turn before the fan can help.
    bool helpless = force > capacity * along;
    if (helpless && frame->speed < (braked ? -SLIDE_LEAST : -SLIDE_MOST)) {
        brakes = true;
        slowing = vehicle->braking_max;
    }
    float most = kerb_max(vehicle->braking_max - vehicle->coasting_deceleration, 0.001f);
    controls->throttle = brakes ? 0.0f : throttle;
    controls->brake = brakes ? kerb_min((slowing + BRAKE_SOON * turning) / most, 1.0f) : 0.0f;
}
