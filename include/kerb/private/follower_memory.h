// What a follower keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_FOLLOWER_MEMORY_H
#define KERB_PRIVATE_FOLLOWER_MEMORY_H

#include "../control.h"
#include "../host_check.h"
#include "../math.h"
#include "../others.h"
#include "../path.h"
#include "hand_over_memory.h"
#include "line_memory.h"
#include "motion_memory.h"
#include "track_memory.h"

// KERB sees the path through two windows that move with the vehicle. Each window has a fixed number
// of bins. The near window holds the line that the vehicle will drive. The far window holds the
// speeds that curves and limits allow. The content of a bin depends on the path, the vehicle and
// the settings alone, never on how the vehicle came there. All arrays are rings: index modulo their
// size.
#define KERB_FOLLOWER_LINE_KNOTS KERB_LINE_KNOTS ///< points of the line in the near window
#define KERB_FOLLOWER_SPEED_BINS 64              ///< bins of the far window: a power of two
#define KERB_FOLLOWER_ROUNDING_STEPS 12          ///< entries of the table of corner roundings
#define KERB_FOLLOWER_CALM_KNOTS 24              ///< most knots to each side that calm one

// What a follower remembers.
typedef struct kerb_follower_memory {
    uint64_t path_id;             ///< kerb_path.id of its path; 0: no path yet
    double path_length;           ///< length of that path [m]
    kerb_vec3 path_start;         ///< its first point [m]
    kerb_path_location location;  ///< location on it in the last frame
    int32_t travel;               ///< direction of travel there: 1 forwards, -1 in reverse
    float scale;                  ///< of the vehicle in the last frame; 0: none yet [1]
    double rounds;                ///< length of all whole rounds driven on a closed path [m]
    double distance;              ///< station of `location`, with `rounds` added [m]
    double line_distance;         ///< station of the vehicle on the line, with `rounds` added [m]
    kerb_path_location rabbit;    ///< PAPER: location of the moving target point
    kerb_path_location stop_scan; ///< location up to which it has looked for stops
    double stop_scan_distance;    ///< station of that location [m]
    double stop_distance;         ///< station of the next stop found [m]
    float stop_time;              ///< time to wait there [s]
    int32_t stop_kind;            ///< none found yet, stop, reversal, end
    int32_t phase;                ///< driving, waiting, arrived
    float waited;                 ///< time waited at the present stop [s]
    bool left_stop;               ///< it has set off from a stop and is still near it
    kerb_vec3 left_stop_at;       ///< where it waited at that stop [m]
    kerb_motion_memory motion;    ///< what the host told in the last frame
    int32_t goal;         ///< drives to a point: 1 forwards, -1 in reverse; 0: it follows the path
    bool goal_is_end;     ///< that point is the end of the path; false: the end of a knot
    bool goal_makes_room; ///< it drives away from the point, which lies in its turning circle
    bool goal_ahead;      ///< in this piece the point has been ahead
    bool goal_passed;     ///< this piece brings it no nearer: it stops
    int32_t goal_pieces;  ///< pieces driven for it so far
    kerb_vec3 goal_at;    ///< that point [m]
    double goal_station;  ///< station of that point, for being stuck [m]
    kerb_path_location goal_exit; ///< location of the end of a knot
    double knot_looked;           ///< station up to which it has looked for knots [m]
    kerb_stuck stuck;
    float detour; ///< extra lateral offset to pass the place where it got stuck [m]
    kerb_pedals_memory pedals;
    kerb_gearbox gearbox;
    float stood;          ///< time at standstill near a stop, before it counts as reached [s]
    float turning;        ///< time for which it has turned the wheels at standstill [s]
    float push;           ///< HOVER: acceleration along the line that the nose turns for [m/s²]
    float skirt;          ///< HOVER: speed along the line that the skirt has yet to take away [m/s]
    float curvature;      ///< commanded, in the direction of travel, left positive [1/m]
    float lateral_offset; ///< offset from the path, on its way to the setting [m]
    float aside;          ///< extra lateral offset because of other vehicles [m]
    kerb_avoid avoid;
    int32_t blocked; ///< 1: others have blocked it for so long that it should back out
    kerb_line line;  ///< the line that it drives
    struct {
        float key[15];             ///< what the grid was made for: vehicle, rounding, path length
        float turning_radius;      ///< smallest turning radius of the vehicle [m]
        int32_t calmed;            ///< one past the last knot with a place on the line
        int32_t placed;            ///< one past the last knot with a place on the rounded path
        int32_t needs;             ///< one past the last knot with a known need of rounding
        int32_t looked_from;       ///< first knot since the window was begun
        int32_t ahead;             ///< one past the last knot with a heading
        kerb_path_location cursor; ///< location of the last heading
        kerb_path_location front;  ///< location of the last knot of the line
        float turn_allowed[KERB_FOLLOWER_ROUNDING_STEPS]; ///< greatest turn that a window of that
                                                          ///< many knots rounds enough [rad]
        float heading[KERB_FOLLOWER_LINE_KNOTS];          ///< heading of the path [rad]
        kerb_path_location location[KERB_FOLLOWER_LINE_KNOTS]; ///< of knots with a heading
        float room_left[KERB_FOLLOWER_LINE_KNOTS];  ///< clearance of the path to the left [m]
        float room_right[KERB_FOLLOWER_LINE_KNOTS]; ///< clearance of the path to the right [m]
        /// Clearance to the left of what the vehicle sweeps on the rounded path. [m]
        float spare_left[KERB_FOLLOWER_LINE_KNOTS];
        float spare_right[KERB_FOLLOWER_LINE_KNOTS]; ///< the same to the right [m]
        kerb_vec3 raw[KERB_FOLLOWER_LINE_KNOTS];     ///< the rounded path, before it is calmed [m]
        int32_t calm_reach;                          ///< knots to each side that calm one
        float calm_weight[KERB_FOLLOWER_CALM_KNOTS + 1]; ///< of knots by their distance [1]
        float window[KERB_FOLLOWER_LINE_KNOTS];  ///< half width of the moving average [knots]
        float deficit[KERB_FOLLOWER_LINE_KNOTS]; ///< width that a bend needs beyond the path's [m]
        float aside[KERB_FOLLOWER_LINE_KNOTS];   ///< offset for the vehicle's corners, left [m]
        float swing[KERB_FOLLOWER_LINE_KNOTS];   ///< offset for bends driven wide, left [m]
        float wide[KERB_FOLLOWER_LINE_KNOTS];    ///< how far it is part of such a bend [0 … 1]
        kerb_vec2 slide[KERB_FOLLOWER_LINE_KNOTS]; ///< shift of such a bend as a whole [m]
        float plan_key[4];  ///< what the plan was made for: deceleration, lateral, grip, travel
        int32_t plan_first; ///< lowest knot of the plan
        float plan_beyond;  ///< speed² at its end that the path beyond it allows [m²/s²]
        int32_t plan_end;   ///< one past its last knot
        float plan_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< speed² with all later limits [m²/s²]
        uint8_t plan_by[KERB_FOLLOWER_LINE_KNOTS];    ///< slot of the knot that decides it
    } fill;                                           ///< from the path to the line
    struct {
        float spacing;                               ///< length of a bin [m]
        int32_t first;                               ///< lowest bin that is filled
        int32_t bins;                                ///< one past the last bin
        kerb_path_location cursor;                   ///< location of the start of the last bin
        float curvature[KERB_FOLLOWER_SPEED_BINS];   ///< sharpest in the bin, over its grip [1/m]
        float speed_limit[KERB_FOLLOWER_SPEED_BINS]; ///< lowest in the bin [m/s]
        float grip[KERB_FOLLOWER_SPEED_BINS];        ///< lowest in the bin [1]
        float fall[KERB_FOLLOWER_SPEED_BINS];        ///< slope, downhill positive [1]
        float least_grip;                            ///< lowest grip of the bins ahead [1]
        float plan_key[3]; ///< what the plan was made for: deceleration, lateral, grip
        int32_t plan_end;  ///< one past its last bin
        int32_t decides;   ///< slot of the bin that decides the speed at the end of the line
        float plan_squared[KERB_FOLLOWER_SPEED_BINS]; ///< speed² with all later limits [m²/s²]
        float plan_grip[KERB_FOLLOWER_SPEED_BINS];    ///< lowest grip of this and later bins [1]
        uint8_t plan_by[KERB_FOLLOWER_SPEED_BINS];    ///< slot of the bin that decides it
    } far_ahead;
    kerb_track_memory track;
    kerb_host_check host_check;
    kerb_hand_over_memory hand_over;
} kerb_follower_memory;

#endif
