// KERB on a hovercraft, which goes where it was pushed and not where it points.
//
// Nothing holds it sideways but its own thrust, and that acts along the body. So the driver wants
// an acceleration: along the line what the speed asks for, and across it what the bend needs and
// what brings the error e and the drift v_n to rest, critically damped in time,
//     a_n = v²κ + 2ω(v_wanted - v_n),   v_wanted = -ω·e/2.
//
// The nose is a pointer for that acceleration. It takes its time to turn, so it is turned for the
// bend that lies as far ahead; until the bend begins it may point where it will, because the fan
// need not push. How far it may turn off the line, the corridor says.
//
// The fan pushes what is wanted across the line first. What that pushes too much along it the brake
// takes away again, hard and in short whiles: brakes push backwards along the body, that is, out of
// the bend, and the fan takes its time to come again. A nose that points back needs no brake.
//
// O(1). Source: the pilots' rules in Yun and Bliault, "Theory and Design of Air Cushion Craft":
// turn early, push towards the inside of the bend, slow down before it.
#include "frame.h"

// How far the nose turns from one task to the next, where the corridor leaves it so much. [rad]
#define NOSE_SWING 0.7f
// ω times the time that an answer takes, nose and fan. [1]
#define RESPONSE 1.0f
// The nose turns no farther off the line than this, and in the narrowest place still so far. [rad]
#define DRIFT_MOST 1.9f
#define DRIFT_LEAST 0.2f
// … and by so much more for each metre beyond the error that is planned with. [rad/m]
#define DRIFT_FOR_ERROR 0.8f
// Off the line, and beside the body, that a corridor leaves room for. [m]
#define ERROR_PLANNED 0.25f
#define ROOM_SPARE 0.1f
// Of the thrust that can act across the line, what bends are planned with; errors need the rest.
#define HOVER_BEND_SHARE 0.75f
// The line is known so far ahead. [knots]
#define LOOK_KNOTS 40.0f
// Yaw rate per angle still to turn [1/s], and of the yaw acceleration that ends it there [1].
#define TURN_GAIN 2.0f
#define TURN_USED 0.7f
// The way over which the line's own turning is averaged, to both sides. [s], [m]
#define HOVER_STEADY_TIME 0.4f
#define STEADY_LEAST 1.0f
// Where the nose points: the share of the thrust that always counts as forward, so that it does not
// swing about when nothing is asked for; that much more of a braking beyond what a bend asks, for
// which it stays on the line; and how much it may pull back for what it pushes across. [1]
#define HOVER_PUSH_LEAST 0.2f
#define PUSH_BRAKING 2.0f
#define PULL_BACK 0.5f
// The force along the line that the nose is turned for is averaged over this much of its time. [1]
#define PUSH_SMOOTHING 0.2f
// How much an error across the line weighs against one along it. [1]
#define ACROSS_WEIGHT 100.0f
// The brake comes when so much more is wanted along the line, by what is wanted across it, and
// stays until so much is left. [1], [1], [m/s²]
#define BRAKE_ON 0.7f
#define BRAKE_OFF 0.3f
#define PEDAL_CHANGE 0.2f
// It slides back no faster than this before it brakes, and brakes as long as faster than that.
#define SLIDE_MOST 1.0f
#define SLIDE_LEAST 0.3f
// It brakes harder by so much of what is wanted across, to be back at that the sooner. [1]
#define BRAKE_SOON 4.0f

// --------------------------------------------------------------------------- what it can do

// Turning the nose from rest to rest. [s]
static float time_to_turn(const kerb_vehicle* vehicle, float angle) {
    float rate = vehicle->yaw_rate_max, gain = vehicle->yaw_acceleration_max;
    if (angle * gain < rate * rate)
        return 2.0f * kerb_sqrt(angle / gain);
    return angle / rate + rate / gain;
}

// Thrust per mass, the way that it goes. [m/s²]
static float thrust_of(const kerb_vehicle* vehicle, float travel) {
    float most = travel < 0.0f ? vehicle->reverse_acceleration_max : vehicle->acceleration_max;
    return most + vehicle->coasting_deceleration;
}

// How far off the line the nose may turn where there is so much room to each side. [rad]
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

// It pushes for a share of the time and brakes away what that pushed along the line for the rest,
// which pushes out of the bend.
float kerb_in_follow_hover_lateral(const kerb_vehicle* vehicle, const kerb_path_point* point,
                                   float grip, float curvature) {
    float room = kerb_min(point->left, point->right);
    float drift = kerb_min(drift_in(vehicle, room, curvature), 0.5f * KERB_PI);
    float sine, cosine;
    kerb_sin_cos(drift, &sine, &cosine);
    cosine = kerb_max(cosine, 0.0f);
    float thrust = thrust_of(vehicle, 1.0f), reverse = thrust_of(vehicle, -1.0f);
    float skirt = kerb_max(vehicle->braking_max - reverse, 0.0f) * grip;
    float braking = skirt + reverse * cosine;
    float pushing = braking / kerb_max(braking + thrust * cosine, 0.001f);
    float lateral = pushing * thrust - (1.0f - pushing) * reverse;
    return HOVER_BEND_SHARE * sine * kerb_max(lateral, 0.1f * thrust);
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
    float with_line =
        along * kerb_in_follow_line_mean_curvature(follower, here - (double)reach, 2.0f * reach);
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

void kerb_in_follow_hover_steer(kerb_follower* follower, const follow_frame* frame,
                                const follow_line_place* place, float error, double here,
                                follow_wish* wish) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    kerb_vec2 velocity = {frame->motion->velocity.x, frame->motion->velocity.y};
    kerb_vec2 body = {frame->heading.x, frame->heading.y};
    float along = kerb_max(kerb_vec2_dot(place->direction, velocity), 0.0f);
    wish->across = kerb_vec2_cross(place->direction, velocity);
    wish->drift =
        kerb_atan2(kerb_vec2_cross(place->direction, body), kerb_vec2_dot(place->direction, body));

    float thrust = thrust_of(vehicle, frame->travel);
    // Who may not turn the nose far has turned it the sooner, and can answer errors the faster.
    float room = kerb_in_follow_line_room(follower, here);
    float drift = drift_in(vehicle, room, place->curvature);
    float swing = kerb_min(NOSE_SWING, drift);
    float turning = time_to_turn(vehicle, swing);
    float back_again = time_to_turn(vehicle, swing_back(swing, wish->drift, error));
    float rate = RESPONSE / (0.5f * back_again + vehicle->throttle_delay);
    float back = kerb_clamp(-0.5f * rate * error, -0.5f * along, 0.5f * along);
    float settle = 2.0f * rate * (back - wish->across);
    settle -= slide_downhill(frame, place->direction);
    float soon = 2.0f * along * vehicle->throttle_delay; // the fan's bend lies half as far
    float bend = along * along * kerb_in_follow_line_mean_curvature(follower, here, soon);
    wish->aside = kerb_clamp(bend + settle, -0.9f * thrust, 0.9f * thrust);

    float reach = kerb_min(along * turning, LOOK_KNOTS * follower->memory.line.spacing);
    float ahead =
        kerb_in_follow_line_mean_curvature(follower, here + (double)(0.3f * reach), reach);
    bend = kerb_clamp(along * along * ahead, -0.7f * thrust, 0.7f * thrust);
    float aside = kerb_clamp(bend + settle, -0.9f * thrust, 0.9f * thrust);
    float room_ahead = kerb_in_follow_line_room(follower, here + (double)reach);
    if (room_ahead < room) // the nose must be back when it comes there
        drift = drift_in(vehicle, room_ahead, place->curvature);
    // A corner beside the corridor is better than all of it.
    drift += DRIFT_FOR_ERROR * kerb_max(kerb_abs(error) - ERROR_PLANNED, 0.0f);
    drift = kerb_min(drift, DRIFT_MOST);
    float nose = kerb_atan2(aside, push_for_nose(follower, frame, turning, aside));
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

void kerb_in_follow_hover_pedals(const kerb_follower* follower, const follow_frame* frame,
                                 const follow_wish* wish, float force, float capacity,
                                 kerb_controls* controls) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    float throttle = hover_throttle_for(wish, force, capacity);
    float pulling = kerb_min(throttle * capacity * kerb_cos(wish->drift), 0.0f);
    float slowing = pulling - force; // still wanted of the brake
    float turning = kerb_abs(wish->aside);
    bool braked = follower->controls.brake > 0.0f;
    float least = braked ? BRAKE_OFF * turning : BRAKE_ON * turning + PEDAL_CHANGE;
    bool brakes = frame->speed > 0.0f && slowing > least;
    // Sliding back, with a nose that has yet to turn before the fan can help.
    bool helpless = force > capacity * kerb_cos(wish->drift);
    if (helpless && frame->speed < (braked ? -SLIDE_LEAST : -SLIDE_MOST)) {
        brakes = true;
        slowing = vehicle->braking_max;
    }
    float most = kerb_max(vehicle->braking_max - vehicle->coasting_deceleration, 0.001f);
    controls->throttle = brakes ? 0.0f : throttle;
    controls->brake = brakes ? kerb_min((slowing + BRAKE_SOON * turning) / most, 1.0f) : 0.0f;
}
