// What the pieces of the follower share within one frame. Private to the room.
#ifndef KERB_IN_FOLLOW_FRAME_H
#define KERB_IN_FOLLOW_FRAME_H

#include "kerb/follow.h"

// One frame, in the direction of travel: x the way the path goes, whatever way the vehicle faces.
typedef struct follow_frame {
    const kerb_path* path;
    const kerb_motion* motion;
    float speed_cap;
    float grip; // of the surface as the host has it
    float road; // and as the path has it here: the product of both
    float time_step;
    float travel;      // 1 forwards, -1 in reverse
    float speed;       // along the travel; negative when rolling the wrong way [m/s]
    kerb_vec3 heading; // unit vector of travel of the body: forward, or backward in reverse
    float climb;       // sine of the slope along the body's travel; HOVER: along the path
    double distance;   // of the nearest point, rounds counted [m]
    uint32_t id;       // the vehicle's own among its neighbours'
    const kerb_neighbour* neighbours;
    int32_t neighbour_count;
    double stop_at; // distance of the next stop, reversal or end [m]; far away when none
} follow_frame;

// What a method wants.
typedef struct follow_wish {
    float speed;   // target, before stops [m/s]
    float soon;    // no speed above this is worth gaining, as it would be lost again at once [m/s]
    float braking; // that ends at a stop ahead; 0 where none decides [m/s²]
    float curvature;  // in the direction of travel, left positive [1/m]
    float wanted;     // curvature before the limits of wheels and ride [1/m]
    float push_most;  // forwards, that bends leave of the grip; 0: not known [m/s²]
    float brake_most; // and backwards; holds where push_most does [m/s²]
    bool turns;       // yaw_rate holds: the vehicle turns by itself, not by rolling
    float yaw_rate;   // [rad/s]
    float aside;      // HOVER: acceleration wanted to the left of the line [m/s²]
    float drift;      // HOVER: from the line to the body, left positive [rad]
    float across;     // HOVER: velocity to the left of the line [m/s]
    kerb_reason reason;
} follow_wish;

enum { STOP_NONE, STOP_WAIT, STOP_REVERSAL, STOP_END };
enum { PHASE_DRIVE, PHASE_STAND, PHASE_ARRIVED };

#define FAR_AWAY 1.0e12

// Tyres that hold a bend have less left to push and to brake: the circle of forces. The share that
// is left at this speed. [1] [> 0, <= 1]
float kerb_in_follow_grip_left(const kerb_follower* follower, const follow_frame* frame,
                               float curvature);

// What of its braking is thrust, which needs no grip. [m/s²]
float kerb_in_follow_thrust_back(const kerb_vehicle* vehicle);

// The deceleration that can be planned with here: the wanted one, or what brakes and grip leave of
// it on this slope. [m/s²] [> 0]
float kerb_in_follow_braking(const kerb_follower* follower, const follow_frame* frame);

// The line window (line.c): fills it around `distance`, and reads it.
void kerb_in_follow_line_update(kerb_follower* follower, const kerb_path* path, double distance);
void kerb_in_follow_line_reset(kerb_follower* follower);

// Makes the line's speed limits hold for this lateral acceleration in bends.
void kerb_in_follow_line_allow(kerb_follower* follower, float lateral);

// How many knots the last one that is filled may still change the limits of.
#define FOLLOW_TURNING_KNOTS 8

// What braking can be planned with (plan.c): `wanted`, and what vehicle and grip give.
typedef struct follow_planner {
    float braking;     // on a level straight with grip 1 [m/s²]
    float thrust;      // and whatever the grip [m/s²]
    float wanted;      // no more than this [m/s²]
    float tyres;       // hold so much in any direction [m/s²]
    float per_lateral; // 1 / lateral grip [s²/m]
    float lead;        // by which wheels turn before the line does [s knots/m]
} follow_planner;

typedef struct follow_stretch {
    float length; // [m]
    float fall;   // down, from its start to its end [m]
    float grip;
    float bend; // |curvature| / grip [1/m]
} follow_stretch;

follow_planner kerb_in_follow_planner_for(const kerb_follower* follower, const follow_frame* frame,
                                          float deceleration);

// The speed² at the start of a stretch that braking brings down to `squared` at its end.
float kerb_in_follow_before(const follow_planner* planner, float squared,
                            const follow_stretch* stretch);

// The plan of speeds over the line, from one knot up to `end`, of which the last may be driven with
// the speed² `beyond`.
void kerb_in_follow_plan_reset(kerb_follower* follower);
void kerb_in_follow_plan_update(kerb_follower* follower, const follow_frame* frame,
                                float deceleration, int32_t from, int32_t end, float beyond);

// In place of a slot: what lies beyond the plan decides.
#define FOLLOW_BY_BEYOND KERB_FOLLOWER_LINE_KNOTS

// The speed² that the plan allows at a distance between its knots, and the slot of the knot that
// decides.
float kerb_in_follow_plan_at(const kerb_follower* follower, double distance, int32_t* by);

// What bends leave of the tyres for the brake: shares of their grip. [1]
float kerb_in_follow_brake_left(float bend, float sum);

typedef struct follow_line_place {
    kerb_vec3 position;
    kerb_vec2 direction; // level, of about unit length
    float curvature;     // left positive [1/m]
    bool doubles_back;   // the path turns back on itself here
} follow_line_place;

follow_line_place kerb_in_follow_line_at(const kerb_follower* follower, double distance);

// Only a point of the line, between knots straight, `offset` to the left; cheaper.
kerb_vec3 kerb_in_follow_line_point(const kerb_follower* follower, double distance, float offset);

// Only its curvature, left positive. [1/m]
float kerb_in_follow_line_curvature(const kerb_follower* follower, double distance);

// The mean of five places of a stretch. [1/m]
float kerb_in_follow_line_mean_curvature(const kerb_follower* follower, double from, float length);

// The corridor's narrower side, the less of the knots around. [m]
float kerb_in_follow_line_room(const kerb_follower* follower, double distance);

// How far along the line from `place` the foot of `point` lies, by one step of Newton's method.
float kerb_in_follow_line_step(const kerb_follower* follower, const follow_line_place* place,
                               kerb_vec3 point);

// Corners are planned sharper than the vehicle turns: what it then runs wide behind them weighs
// against what it cuts before them. Of 0.7 to 1.2, this keeps the most vehicles in the corridor and
// nearest to the path, here and in Bullet.
#define FOLLOW_RADIUS_MARGIN 0.75f

// How the line uses the corridor (room.c). Knots to each side that a wide bend reaches, and over
// which its apex is found.
#define FOLLOW_ROOM_REACH 22
#define FOLLOW_APEX_KNOTS 2

// How far a vehicle that turns steadily reaches beyond the circle of its reference point. [m]
typedef struct follow_swept {
    float outer, inner; // away from the centre of the bend, and towards it
} follow_swept;

// Curvatures that the vehicle cannot turn count as its sharpest.
follow_swept kerb_in_follow_swept_band(const kerb_vehicle* vehicle, float curvature);

// How far the reference point must move towards the inside of a bend for the band to keep off both
// edges of a corridor; where they are too near, for the same room on both sides. [m]
float kerb_in_follow_shift_inwards(const follow_swept* band, float outside, float inside);

// Forgets what is known about all knots, or about one that comes into the window.
void kerb_in_follow_room_reset(kerb_follower* follower);
void kerb_in_follow_room_clear(kerb_follower* follower, int32_t knot);

// Finds out what the bends around a knot need; those from `first` on have been looked at.
void kerb_in_follow_room_look(kerb_follower* follower, int32_t knot, int32_t first);

// How far a knot is moved, where the line goes in `direction`. False: not at all.
bool kerb_in_follow_room_shift(const kerb_follower* follower, int32_t knot, kerb_vec2 direction,
                               kerb_vec2* shift);

// Whether what turns around a knot is an arc, which is driven wide, 1, or a corner, which is
// rounded, 0.
float kerb_in_follow_room_arc(const kerb_follower* follower, int32_t knot);

// The speed window (far.c), which begins where the line window ends.
void kerb_in_follow_far_update(kerb_follower* follower, const kerb_path* path, double to);

// The speed² that what lies between the line window, which ends at `at`, and the distance `to`
// allows at that end.
float kerb_in_follow_far_plan(kerb_follower* follower, const follow_frame* frame,
                              float deceleration, double at, double to);
void kerb_in_follow_far_reset(kerb_follower* follower);

// KERB's steering for vehicles that hover (hover.c): fills the wish but for its speed.
void kerb_in_follow_hover_steer(kerb_follower* follower, const follow_frame* frame,
                                const follow_line_place* place, float error, double here,
                                follow_wish* wish);

// Fan and brake for a force along the line, per mass, and for what the wish asks across it. [m/s²]
void kerb_in_follow_hover_pedals(const kerb_follower* follower, const follow_frame* frame,
                                 const follow_wish* wish, float force, float capacity,
                                 kerb_controls* controls);

// The lateral acceleration that bends are planned with at a place of the path, where its skirt
// finds so much grip to brake with. [m/s²]
float kerb_in_follow_hover_lateral(const kerb_vehicle* vehicle, const kerb_path_point* point,
                                   float grip, float curvature);

// The methods.
follow_wish kerb_in_follow_kerb(kerb_follower* follower, const follow_frame* frame);
follow_wish kerb_in_follow_paper(kerb_follower* follower, const follow_frame* frame);
follow_wish kerb_in_follow_baseline(kerb_follower* follower, const follow_frame* frame);

// Others (others.c): limits the wish's speed, and says how far beside its line the vehicle drives
// for their sake.
void kerb_in_follow_others(kerb_follower* follower, const follow_frame* frame, follow_wish* wish);
float kerb_in_follow_others_aside(kerb_follower* follower, const follow_frame* frame);

// Stuck because of others, it begins to back out.
void kerb_in_follow_others_make_room(kerb_follower* follower);

// Room behind the vehicle, against its travel, to the next neighbour. [m]
float kerb_in_follow_others_behind(const kerb_follower* follower, const follow_frame* frame);

// A place `step` metres further, that does not leave the stretch of one direction of travel: past
// its ends, `along` counts on (or below 0) on the straight continuation.
kerb_path_location kerb_in_follow_walk(const kerb_path* path, kerb_path_location from, float step);

// The same, to a distance from the path's start, by the short way round a closed path.
kerb_path_location kerb_in_follow_walk_to(const kerb_path* path, kerb_path_location from,
                                          double distance);

// The greatest whole number not above x. [|x|: < 2^63]
double kerb_in_follow_floor(double x);

#endif
