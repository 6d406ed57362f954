// What driving on a line needs, for the drivers on the floors above. The steering law's knowledge
// of the vehicle: where it will be when a command acts, and which command gives a curvature. And
// the pedal law: throttle and brake for a speed.
#ifndef KERB_IN_TRACK_SHARED_H
#define KERB_IN_TRACK_SHARED_H

#include "wheels.h"

#include "../line/shared.h"

#include "kerb/control.h"
#include "kerb/private/track_memory.h"

/// One frame. Curvatures and speeds are those of the travel: left turns are positive, whichever way
/// the vehicle faces.
typedef struct kerb_in_track_frame {
    const kerb_vehicle* vehicle;
    const kerb_motion* motion;
    float travel;      ///< 1 forwards, -1 in reverse
    kerb_vec3 heading; ///< unit vector of the travel of the body
    float speed;       ///< along it [m/s]
    float ahead;     ///< of the reference point, along the travel, to the point that is steered [m]
    float bend;      ///< curvature that the wheels stand for [1/m]
    float grip;      ///< of the surface [1]
    float climb;     ///< sine of the slope along the travel [1]
    float radius;    ///< of the sharpest bend that it can turn [m]
    float scale;     ///< of the vehicle [1]
    float time_step; ///< [s]
    bool teaches;    ///< its motion follows from what was asked
} kerb_in_track_frame;

/// Begins anew: it knows the description only. O(estimate)
void kerb_in_track_begin(kerb_track_memory* track, const kerb_vehicle* vehicle);

/// Takes it that this curvature was asked for all along, as where the travel changes or somebody
/// else has driven. O(ticks)
void kerb_in_track_start(kerb_track_memory* track, float curvature);

/// Takes what the frame tells: delay, gain, slip, and what it steers beside what was asked. Feed
/// track->estimate before. O(ticks of the delay)
void kerb_in_track_watch(kerb_track_memory* track, const kerb_in_track_frame* frame);

/// Where the steered point will be when a command of this frame acts.
typedef struct kerb_in_track_soon {
    float time;         ///< until then [s]
    kerb_vec3 position; ///< [m]
    kerb_vec2 course;   ///< unit vector of its heading, with its crab angle
    float lead;         ///< by which its course is ahead of this heading, per curvature [m]
} kerb_in_track_soon;

kerb_in_track_soon kerb_in_track_soon_of(const kerb_track_memory* track,
                                         const kerb_in_track_frame* frame);

/// How far ahead of the reference point, along the travel, the point is that is kept on a line: the
/// axle that does not steer where it leads, because what trails it swings out when the wheels turn;
/// else the reference point. [m]
float kerb_in_track_ahead(const kerb_track_memory* track, const kerb_vehicle* vehicle,
                          float travel);

/// How far the axle that does not steer is behind the reference point. [m]
float kerb_in_track_axle(const kerb_track_memory* track, const kerb_vehicle* vehicle);

/// The shortest time in which errors may fade with enough of a margin. [s]
float kerb_in_track_response(const kerb_track_memory* track, float time_step);

/// The curvature of the travel for which wheels stand by now. [1/m] O(ticks of the delay)
float kerb_in_track_bend(const kerb_track_memory* track);

/// Greatest rate of the wheels that it knows. [rad/s]
float kerb_in_track_rate(const kerb_track_memory* track, const kerb_vehicle* vehicle);

/// The command for wheels at this share of the lock, from which the driver expects this curvature
/// of the travel.
float kerb_in_track_steer(kerb_track_memory* track, float steering, float curvature);

/// The command that gives a curvature of the travel, and asks for it.
float kerb_in_track_command(kerb_track_memory* track, const kerb_in_track_frame* frame,
                            float curvature);

// --------------------------------------------------------------------------- the law

/// How a line shall be driven.
typedef struct kerb_in_track_drive {
    const kerb_line* line;   ///< not empty
    double station;          ///< of the vehicle on it, in the frame before [m]
    float offset;            ///< lateral offset that is wanted, left positive [m]
    float slope;             ///< … its derivative by station [1]
    float bow;               ///< … and its second one [1/m]
    float curvature;         ///< commanded in the frame before [1/m]
    float lateral;           ///< that the way back to the line may take [m/s²] [> 0]
    float response_distance; ///< errors fade over this distance [m] …
    float response_time;     ///< … or this time, if that takes it farther [s]
} kerb_in_track_drive;

/// Where it will be on the line when a command of this frame acts.
typedef struct kerb_in_track_aim {
    kerb_line_place place; ///< near there
    float step;            ///< from `place` on to the foot of the steered point [m]
    float error;           ///< lateral offset from what is wanted [m]
    float curvature; ///< to ask for, without errors, if the wheels stood for drive->curvature [1/m]
    double here;     ///< station of the vehicle now [m]
    double acts;     ///< … and where it will be when a command of this frame acts [m]
    float delay;     ///< … which is after this time [s]
} kerb_in_track_aim;

/// frame->ahead must be that of the steered point. O(1)
kerb_in_track_aim kerb_in_track_aim_of(const kerb_in_track_drive* drive,
                                       const kerb_in_track_frame* frame,
                                       const kerb_in_track_soon* soon);

/// From one direction to another one of about unit length, left positive. [rad]
float kerb_in_track_angle_between(kerb_vec2 a, kerb_vec2 b);

/// Wheels that are turned farther than the line asks keep turning the vehicle while they come back:
/// half the curvature over the time that takes. Counting that turn now is what lets slow wheels be
/// straight again when the vehicle is. What turns by itself takes its time to stop turning, too.
/// [rad] O(1)
float kerb_in_track_unwinding(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                              float curvature);

/// The angle from what is wanted to its course there. [rad] O(1)
float kerb_in_track_angle(const kerb_in_track_drive* drive, const kerb_in_track_frame* frame,
                          const kerb_in_track_soon* soon, const kerb_in_track_aim* aim);

/// Distance in which errors fade: with enough of a margin, and far off so that the way back takes
/// no more than drive->lateral. [m] O(1)
float kerb_in_track_reach(const kerb_track_memory* track, const kerb_in_track_drive* drive,
                          const kerb_in_track_frame* frame, float error);

/// Usual limit of the angle by which the way back points to the line. [rad]
#define KERB_IN_TRACK_STEEPEST 0.8f

/// The curvature beside that of the line that lets an error and an angle fade over `reach`. The way
/// back points to the line by at most the angle `steepest`. [1/m]
float kerb_in_track_correction(float error, float angle, float reach, float steepest);

/// What a command may not exceed.
typedef struct kerb_in_track_limits {
    float rate;    ///< of the wheels [rad/s]
    float jerk;    ///< change of the lateral acceleration [m/s³]
    float lateral; ///< acceleration, beside that of the grip [m/s²]
} kerb_in_track_limits;

/// What the law asks for. [1/m]
typedef struct kerb_in_track_asked {
    float line;       ///< the curvature of the line
    float correction; ///< beside it, for errors
} kerb_in_track_asked;

/// The law: `angle` and `reach` from the two functions above. It depends on where the wheels stand,
/// because they take their time: the farther they have to go, the sooner they begin. Asked from
/// where they stood in the frame before, they would go too far in one frame and back in the next,
/// for as long as the line turns quickly. So it is asked from where they will stand at its end:
/// the answer is what it asks for there, or, where they cannot get so far, from here. [1/m] O(1)
kerb_in_track_asked kerb_in_track_ask(const kerb_in_track_drive* drive,
                                      const kerb_in_track_frame* frame,
                                      const kerb_in_track_aim* aim,
                                      const kerb_in_track_limits* limits, float angle, float reach);

/// A wanted curvature within lock and grip, and no farther from the one `before` than wheels and
/// ride allow. It steers against a slide. [1/m] O(1)
float kerb_in_track_limited(const kerb_in_track_frame* frame, const kerb_in_track_limits* limits,
                            float before, float wanted);

// --------------------------------------------------------------------------- pedals

/// Slower than this at a stop, the handbrake stops it, too: some hosts' brakes do not hold against
/// an engine that creeps. [m/s]
#define KERB_IN_PEDALS_CREEPS 0.5f

/// What the tyres leave for the pedals beside the bend that they hold. [m/s²] [>= 0]
typedef struct kerb_in_pedals_room {
    float push;  ///< by the drive
    float brake; ///< by the brakes
} kerb_in_pedals_room;

/// `turning`: a yaw rate that is about to come, as that of tracks; 0: the one that is driven.
/// [rad/s] [>= 0] O(1)
kerb_in_pedals_room kerb_in_pedals_room_of(const kerb_in_track_frame* frame, float turning);

/// The hardest braking that the tyres leave in an emergency: beside the bend, and beside what the
/// slip angle of the rear axle says that they hold. [m/s²] O(1)
float kerb_in_pedals_hardest(const kerb_track_memory* track, const kerb_in_track_frame* frame);

/// What a bend that uses this share of the tyres leaves for braking, where both may use `sum`
/// together, as a share of their grip. [1] O(1)
float kerb_in_pedals_brake_left(float bend, float sum);

/// What a driver wants of the pedals.
typedef struct kerb_in_pedals_wish {
    float speed;              ///< [m/s] [>= 0]
    float soon;               ///< a higher speed is not worth reaching [m/s]
    bool knows;               ///< `known` is valid
    float known;              ///< acceleration, as that which ends at a stop ahead [m/s²]
    float acceleration;       ///< with which speeds rise [m/s²]
    float deceleration;       ///< with which they are planned to fall [m/s²]
    bool shares_grip;         ///< `room` is valid
    kerb_in_pedals_room room; ///< of the tyres
    bool stands;              ///< it shall stand
    bool at_stop;             ///< it comes to a stop now, as where `speed` is 0
    float rolls; ///< faster than this against the travel, the brake comes before the drive [m/s]
    const kerb_controls* controls; ///< of the frame before
} kerb_in_pedals_wish;

/// What drive (positive) or brake shall give, over the mass. [m/s²]
typedef struct kerb_in_pedals_force {
    float acceleration; ///< of the vehicle
    float force;        ///< … and what slope and resistance take
    float resisting;    ///< what those take
    float capacity;     ///< of full throttle at this speed
} kerb_in_pedals_force;

/// A stop ahead.
typedef struct kerb_in_pedals_stop {
    float left;         ///< distance to it; negative past it [m]
    float deceleration; ///< planned [m/s²] [> 0]
} kerb_in_pedals_stop;

/// The speed from which the vehicle still stops there. [m/s] O(1)
float kerb_in_pedals_stop_speed(const kerb_pedals_memory* memory, const kerb_in_pedals_stop* stop);

/// The deceleration that ends there. [m/s²] O(1)
float kerb_in_pedals_stop_braking(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                                  const kerb_in_pedals_stop* stop);

/// It stands, or is about to, this far before where it was to stop; negative past it. Learns how
/// late its brakes are. [m] O(1)
void kerb_in_pedals_stood(kerb_pedals_memory* memory, float scale, float left);

/// The set point starts from this speed, and what was summed for another is forgotten. [m/s]
void kerb_in_pedals_start(kerb_pedals_memory* memory, float speed);

/// O(1)
kerb_in_pedals_force kerb_in_pedals_force_for(kerb_pedals_memory* memory,
                                              const kerb_in_track_frame* frame,
                                              const kerb_speed_settings* settings,
                                              const kerb_in_pedals_wish* wish);

/// With throttle and brake for that force in `controls` (kerb_pedals): hills, stops and rolling the
/// wrong way. True: it has just begun to wait on a hill that is too steep for it. O(1)
bool kerb_in_pedals_press(kerb_pedals_memory* memory, const kerb_in_track_frame* frame,
                          const kerb_in_pedals_wish* wish, kerb_controls* controls);

#endif
