// What the parts of the follower share within one frame. Private to the room.
#ifndef KERB_IN_FOLLOW_FRAME_H
#define KERB_IN_FOLLOW_FRAME_H

#include "kerb/follow.h"

#include "../line/shared.h"
#include "../track/shared.h"

// One frame, in the direction of travel: x points along the path, whichever way the vehicle faces.
typedef struct follow_frame {
    const kerb_path* path;
    const kerb_motion* motion;
    float speed_cap;
    float grip; // of the surface as the host gives it [1]
    float road; // `grip` times that of the path here [1]
    float time_step;
    float travel;      // 1 forwards, -1 in reverse
    float speed;       // along the travel; negative when rolling the wrong way [m/s]
    kerb_vec3 heading; // unit vector of travel of the body: forward, or backward in reverse
    float climb;       // sine of the slope along the body's travel; HOVER: along the path
    double distance;   // station of the nearest point, with all rounds [m]
    uint32_t id;       // the vehicle's own id among the neighbours
    const kerb_neighbour* neighbours;
    int32_t neighbour_count;
    bool teaches;   // its motion follows from what it asked for in the frame before
    double stop_at; // distance of the next stop, reversal or end [m]; far away when none
} follow_frame;

// What a method wants: desired speed and curvature.
typedef struct follow_wish {
    float speed;     // target speed, before stops count [m/s]
    float soon;      // a higher speed is not worth reaching, because it would be lost at once [m/s]
    float braking;   // deceleration that ends at a stop ahead; 0: no stop decides [m/s²]
    float curvature; // in the direction of travel, left positive [1/m]
    float wanted;    // desired curvature before the limits of wheels and ride [1/m]
    bool shares_grip;         // `room` is valid
    kerb_in_pedals_room room; // what bends leave of the tyres for the pedals
    bool turns;               // yaw_rate is valid: the vehicle turns by itself, not by rolling
    float yaw_rate;           // [rad/s]
    float aside;              // HOVER: desired acceleration to the left of the line [m/s²]
    float drift;              // HOVER: from the line to the body, left positive [rad]
    float across;             // HOVER: velocity to the left of the line [m/s]
    kerb_reason reason;
} follow_wish;

enum { STOP_NONE, STOP_WAIT, STOP_REVERSAL, STOP_END };
enum { PHASE_DRIVE, PHASE_STAND, PHASE_ARRIVED };

#define FAR_AWAY 1.0e12

// The part of its braking that is thrust, which needs no grip. [m/s²]
float kerb_in_follow_thrust_back(const kerb_vehicle* vehicle);

// What of its brakes a vehicle plans with; the rest is for errors. [1]
#define BRAKING_USED 0.7f

// The deceleration that can be planned with here: the desired one, or what brakes and grip allow on
// this slope. [m/s²] [> 0]
float kerb_in_follow_braking(const kerb_follower* follower, const follow_frame* frame);

// The line window (line.c): fills it around `distance`.
void kerb_in_follow_line_update(kerb_follower* follower, const kerb_path* path, double distance);
void kerb_in_follow_line_reset(kerb_follower* follower);

// Computes the line's speed limits for this lateral acceleration in bends.
void kerb_in_follow_line_allow(kerb_follower* follower, float lateral);

// Number of knots before the last filled one whose limits may still change.
#define FOLLOW_TURNING_KNOTS 8

// The braking that can be planned with (plan.c).
typedef struct follow_planner {
    float braking;     // by the brakes, on a level straight with grip 1 [m/s²]
    float thrust;      // by thrust, whatever the grip [m/s²]
    float wanted;      // no more than this [m/s²]
    float tyres;       // what the tyres hold in any direction [m/s²]
    float per_lateral; // 1 / lateral grip [s²/m]
    float lead;        // time by which wheels turn before the line does [s knots/m]
} follow_planner;

typedef struct follow_stretch {
    float length; // [m]
    float fall;   // how far it goes down from start to end [m]
    float grip;
    float bend; // |curvature| / grip [1/m]
} follow_stretch;

follow_planner kerb_in_follow_planner_for(const kerb_follower* follower, const follow_frame* frame,
                                          float deceleration);

// The speed² at the start of a stretch from which braking reaches `squared` at its end.
float kerb_in_follow_before(const follow_planner* planner, float squared,
                            const follow_stretch* stretch);

// The plan of speeds over the line, from one knot up to `end`; the speed² `beyond` is allowed at
// the last one.
void kerb_in_follow_plan_reset(kerb_follower* follower);
void kerb_in_follow_plan_update(kerb_follower* follower, const follow_frame* frame,
                                float deceleration, int32_t from, int32_t end, float beyond);

// Instead of a slot: what lies beyond the plan decides.
#define FOLLOW_BY_BEYOND KERB_FOLLOWER_LINE_KNOTS

// The speed² that the plan allows at a station between its knots, and the slot of the knot that
// decides.
float kerb_in_follow_plan_at(const kerb_follower* follower, double distance, int32_t* by);

typedef kerb_line_place follow_line_place;

// Places of the line, and the floor of a number: see line/shared.h.
static inline follow_line_place kerb_in_follow_line_at(const kerb_follower* follower,
                                                       double distance) {
    return kerb_in_line_at(&follower->memory.line, distance);
}
static inline kerb_vec3 kerb_in_follow_line_point(const kerb_follower* follower, double distance,
                                                  float offset) {
    return kerb_in_line_point(&follower->memory.line, distance, offset);
}
static inline double kerb_in_follow_floor(double x) {
    return kerb_in_line_floor(x);
}

// Corners are planned sharper than the vehicle turns: running wide behind them weighs against
// cutting them before. Of 0.7 to 1.2, this value keeps the most vehicles in the corridor and
// nearest to the path, here and in Bullet. [1]
#define FOLLOW_RADIUS_MARGIN 0.75f

// Scale of the vehicle. Constants in metres, metres per second and so on are multiplied by it.
static inline float follow_scale(const kerb_follower* follower) {
    const float known = follower->memory.scale; // a frame asks often
    return known > 0.0f ? known : kerb_vehicle_scale(&follower->vehicle);
}

// Such a constant for this vehicle.
static inline float follow_metres(const kerb_follower* follower, float metres) {
    return metres * follow_scale(follower);
}

// How the line uses the corridor (room.c): number of knots to each side that a wide bend reaches,
// and over which its apex is found.
#define FOLLOW_ROOM_REACH 22
#define FOLLOW_APEX_KNOTS 2

// How far a vehicle that turns steadily extends beyond the circle of its reference point. [m]
typedef struct follow_swept {
    float outer, inner; // away from the centre of the bend, and towards it
} follow_swept;

// Curvatures that the vehicle cannot turn count as its sharpest.
follow_swept kerb_in_follow_swept_band(const kerb_vehicle* vehicle, float curvature);

// How far the reference point must move towards the inside of a bend, so that the vehicle keeps off
// both edges of a corridor; where they are too near, so that both sides have the same clearance.
// [m]
float kerb_in_follow_shift_inwards(const follow_swept* band, float outside, float inside,
                                   float spare);

// Forgets all knots, or one knot that enters the window.
void kerb_in_follow_room_reset(kerb_follower* follower);
void kerb_in_follow_room_clear(kerb_follower* follower, int32_t knot);

// Finds what the bends around a knot need; those from `first` on have been looked at.
void kerb_in_follow_room_look(kerb_follower* follower, int32_t knot, int32_t first);

// How far a knot is moved, where the line has `direction`. False: not at all.
bool kerb_in_follow_room_shift(const kerb_follower* follower, int32_t knot, kerb_vec2 direction,
                               kerb_vec2* shift);

// 1 where the path around a knot is an arc, which is driven wide; 0 where it is a corner, which is
// rounded.
float kerb_in_follow_room_arc(const kerb_follower* follower, int32_t knot);

// The calmed line (calm.c). A knot is calmed by so many to each side.
#define FOLLOW_CALM_KNOTS KERB_FOLLOWER_CALM_KNOTS

// Makes the weights for the spacing of the line.
void kerb_in_follow_calm_begin(kerb_follower* follower);

// How far the knot of the rounded path is moved, where the knots around it are known. [m]
kerb_vec2 kerb_in_follow_calm_step(const kerb_follower* follower, int32_t knot);

// The far window (far.c), which begins where the line window ends.
void kerb_in_follow_far_update(kerb_follower* follower, const kerb_path* path, double to);

// The speed² at the end of the line window, which is at `at`, that the path from there to the
// station `to` allows.
float kerb_in_follow_far_plan(kerb_follower* follower, const follow_frame* frame,
                              float deceleration, double at, double to);
void kerb_in_follow_far_reset(kerb_follower* follower);

// Steering for vehicles that hover (hover.c): sets all of the wish except its speed.
void kerb_in_follow_hover_steer(kerb_follower* follower, const follow_frame* frame,
                                const follow_line_place* place, float error, double here,
                                follow_wish* wish);

// Fan and brake for a force along the line, per mass, and for what the wish asks for across it.
// [m/s²]
void kerb_in_follow_hover_pedals(kerb_follower* follower, const follow_frame* frame,
                                 const follow_wish* wish, float force, float capacity,
                                 kerb_controls* controls);

// The lateral acceleration that bends are planned with at a place of the path, where its skirt has
// this grip to brake with. [m/s²]
float kerb_in_follow_hover_lateral(const kerb_vehicle* vehicle, const kerb_path_point* point,
                                   float grip, float curvature);

// Whether the steering law of room track steers it.
bool kerb_in_follow_tracks(const kerb_follower* follower);

// What the steering law sees of a frame.
kerb_in_track_frame kerb_in_follow_track_frame(const kerb_follower* follower,
                                               const follow_frame* frame);

// The methods.
follow_wish kerb_in_follow_kerb(kerb_follower* follower, const follow_frame* frame);
follow_wish kerb_in_follow_paper(kerb_follower* follower, const follow_frame* frame);
follow_wish kerb_in_follow_baseline(kerb_follower* follower, const follow_frame* frame);

// Other vehicles (others.c): limits the desired speed; `aside`: lateral offset because of them. [m]
void kerb_in_follow_others(kerb_follower* follower, const follow_frame* frame, follow_wish* wish);
float kerb_in_follow_others_aside(kerb_follower* follower, const follow_frame* frame);

// Stuck because of other vehicles, it begins to back out.
void kerb_in_follow_others_make_room(kerb_follower* follower);

// Pedals of a vehicle that goes back at a speed, as far as others behind it leave room. [m/s]
void kerb_in_follow_push_back(kerb_follower* follower, const follow_frame* frame, float speed,
                              kerb_controls* controls);

// It goes back to dissolve a cycle of waiting vehicles.
bool kerb_in_follow_others_retreats(const kerb_follower* follower);
kerb_controls kerb_in_follow_others_retreat(kerb_follower* follower, const follow_frame* frame);

// Clearance behind the vehicle, against its travel, to the next vehicle. [m]
float kerb_in_follow_others_behind(kerb_follower* follower, const follow_frame* frame);

// The location `step` metres farther, within the stretch of one direction of travel. Past its ends
// the distance counts on (or below 0) on the straight continuation.
kerb_path_location kerb_in_follow_walk(const kerb_path* path, kerb_path_location from, float step);

// The same, to a station of the path, by the short way round a closed path.
kerb_path_location kerb_in_follow_walk_to(const kerb_path* path, kerb_path_location from,
                                          double distance);

#endif
