// KERB on a hovercraft, which goes where it was pushed and not where it points.
//
// Nothing holds it sideways but its own thrust, and that acts along the body. So the body is a
// pointer for the acceleration: along the line what the speed asks for, across it what the bend
// needs (v²κ) and what brings the error e and the drift v_n to rest, critically damped in time,
//     a_n = v²κ - ω²e - 2ω v_n,
// and the nose is turned to where those two point together. Turning it takes its time; the bend is
// therefore read that much ahead. O(1).
#include "frame.h"

#define RATE 0.6f        // ω: errors come to rest in about two of its inverses [rad/s]
#define PREVIEW 1.2f     // how far ahead the bend is read [s]
#define DRIFT_MOST 1.45f // the nose turns no farther off the line than this [rad]
#define TURN_GAIN 2.5f   // yaw rate per angle still to turn [1/s]
// The share of the thrust that always counts as forward, so that the nose does not swing about
// when nothing is asked for.
#define PUSH_LEAST 0.15f

void follow_hover_steer(const kerb_follower* follower, const follow_frame* frame,
                        const follow_line_place* place, float error, double here,
                        follow_wish* wish) {
    const kerb_vehicle* vehicle = &follower->vehicle;
    kerb_vec2 velocity = {frame->motion->velocity.x, frame->motion->velocity.y};
    float along = kerb_vec2_dot(place->direction, velocity);
    float across = kerb_vec2_cross(place->direction, velocity);
    float ahead = kerb_max(along, 0.0f) * PREVIEW;
    float bend = along * along * follow_line_curvature(follower, here + (double)ahead);

    float wanted = bend - RATE * RATE * error - 2.0f * RATE * across;
    float most = 0.9f * vehicle->lateral_acceleration_max;
    wish->aside = kerb_clamp(wanted, -most, most);

    kerb_vec2 body = {frame->heading.x, frame->heading.y};
    wish->drift =
        kerb_atan2(kerb_vec2_cross(place->direction, body), kerb_vec2_dot(place->direction, body));
    float push =
        kerb_max(follower->thoughts.acceleration, PUSH_LEAST * vehicle->lateral_acceleration_max);
    float nose = kerb_clamp(kerb_atan2(wish->aside, push), -DRIFT_MOST, DRIFT_MOST);
    // In reverse the thrust that holds a bend comes from the other end.
    nose *= frame->travel;
    wish->turns = true;
    wish->yaw_rate = TURN_GAIN * (nose - wish->drift) + along * place->curvature;
    wish->curvature = wanted / kerb_max(along * along, 1.0f);
}
