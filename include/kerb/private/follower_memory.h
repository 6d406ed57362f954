// What a follower keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_FOLLOWER_MEMORY_H
#define KERB_PRIVATE_FOLLOWER_MEMORY_H

#include "../control.h"
#include "../math.h"
#include "../path.h"

// KERB sees the path through two windows that move with the vehicle, each of a fixed number of
// bins. The near one holds the line that the vehicle will drive. The far one holds the speeds that
// curves and limits allow. What a bin holds depends on the path, the vehicle and the settings
// alone, never on how the vehicle came there.
#define KERB_FOLLOWER_LINE_KNOTS 64     ///< points of the line in the near window
#define KERB_FOLLOWER_SPEED_BINS 64     ///< bins of the far window
#define KERB_FOLLOWER_ROUNDING_STEPS 12 ///< entries of the table of corner roundings

// What a follower remembers.
typedef struct kerb_follower_memory {
    uint64_t path_id;   ///< 0: on no path yet
    double path_length; ///< of that path [m]
    kerb_path_location location;
    int32_t travel;       ///< there: 1 forwards, -1 in reverse
    double rounds;        ///< whole rounds of a closed path driven so far [m]
    double distance;      ///< of `location`, counting on over the rounds of a closed path [m]
    double line_distance; ///< where it is on the line that it drives, likewise [m]
    kerb_path_location rabbit;
    kerb_path_location stop_scan; ///< how far it has looked for stops
    double stop_scan_distance;    ///< [m]
    double stop_distance;         ///< of the next stop found [m]
    float stop_time;              ///< how long to stand there [s]
    int32_t stop_kind;            ///< none found yet, stop, reversal, end
    int32_t phase;                ///< driving, waiting, arrived
    float waited;                 ///< [s]
    bool left_stop;               ///< it set off from a stop and still is near it …
    kerb_vec3 left_stop_at;       ///< … where it stood here [m]
    kerb_vec3 position;           ///< of the vehicle in the last frame [m]
    kerb_stuck stuck;
    float detour; ///< further offset round the place where it got stuck [m]
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    float acceleration;   ///< of the commanded speed, smoothed [m/s²]
    float stood;          ///< at a stop, before it counts [s]
    float pulling;        ///< setting off uphill, so far [s]
    float rolling;        ///< back at full throttle, so far [s]
    float pushing;        ///< uphill at full throttle, so far [s]
    float holding;        ///< on a hill that is too steep, still [s]
    float hold_time;      ///< and in all, this time [s]
    int32_t hill_tries;   ///< how often that hill was tried
    kerb_vec3 hill;       ///< where it held first [m]
    float turning;        ///< wheels turned so far, standing [s]
    float push;           ///< HOVER: along the line, per mass, that the nose is turned for [m/s²]
    float speed_command;  ///< target speed after the limit of acceleration [m/s]
    float curvature;      ///< commanded, in the direction of travel, left positive [1/m]
    float lateral_offset; ///< on its way to the setting [m]
    float aside;          ///< and further for the sake of others [m]
    kerb_avoid avoid;
    int32_t blocked; ///< 1: others stand in the way for so long that it should back out
    struct {
        float key[13];             ///< what the grid was made for: vehicle, rounding, path length
        float turning_radius;      ///< the smallest of the vehicle [m]
        float spacing;             ///< between knots [m]
        double per_metre;          ///< knots per metre: 1/spacing
        int32_t first;             ///< lowest knot that is filled
        int32_t knots;             ///< one past the last knot that is whole
        int32_t placed;            ///< one past the last knot whose place is known
        int32_t needs;             ///< one past the last knot whose need of rounding is known
        int32_t looked_from;       ///< the first knot since the window was begun
        int32_t ahead;             ///< one past the last knot whose heading is known
        kerb_path_location cursor; ///< of the last heading
        kerb_path_location front;  ///< of the last knot
        kerb_path_location behind; ///< of the knot before it
        float turn_allowed[KERB_FOLLOWER_ROUNDING_STEPS];
        float heading[KERB_FOLLOWER_LINE_KNOTS];
        float window[KERB_FOLLOWER_LINE_KNOTS];     ///< half width of the moving average [knots]
        float room_left[KERB_FOLLOWER_LINE_KNOTS];  ///< corridor at each knot [m]
        float room_right[KERB_FOLLOWER_LINE_KNOTS]; ///< [m]
        float deficit[KERB_FOLLOWER_LINE_KNOTS];   ///< room that a bend needs beyond the path's [m]
        float aside[KERB_FOLLOWER_LINE_KNOTS];     ///< to the left, for the vehicle's corners [m]
        float swing[KERB_FOLLOWER_LINE_KNOTS];     ///< to the left, for bends driven wide [m]
        float wide[KERB_FOLLOWER_LINE_KNOTS];      ///< share of such a bend in it [0 … 1]
        kerb_vec2 slide[KERB_FOLLOWER_LINE_KNOTS]; ///< such bends as a whole [m]
        kerb_vec3 position[KERB_FOLLOWER_LINE_KNOTS];
        kerb_vec2 direction[KERB_FOLLOWER_LINE_KNOTS]; ///< level, unit length
        float pace[KERB_FOLLOWER_LINE_KNOTS];          ///< metres of line per metre of path
        float curvature[KERB_FOLLOWER_LINE_KNOTS];     ///< left positive [1/m]
        float lateral;       ///< acceleration in bends that `allowed_squared` was made for [m/s²]
        float least_allowed; ///< of `allowed_squared`, whether of use now or not [m²/s²]
        float allowed_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< of all limits, speed² [m²/s²]
        float plan_key[4];  ///< what the plan was made for: deceleration, lateral, grip, travel
        int32_t plan_first; ///< lowest knot of the plan
        float plan_beyond;  ///< speed² that what lies beyond it allows at its end [m²/s²]
        int32_t plan_end;   ///< one past its last knot
        float plan_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< from which all beyond can be met [m²/s²]
        uint8_t plan_by[KERB_FOLLOWER_LINE_KNOTS];    ///< slot of the knot that decides
        float limit_squared[KERB_FOLLOWER_LINE_KNOTS]; ///< speed limit² [m²/s²]
        float turn_squared[KERB_FOLLOWER_LINE_KNOTS];  ///< speed² that turning allows [m²/s²]
        float least_grip;                              ///< of the knots ahead
        float grip[KERB_FOLLOWER_LINE_KNOTS];          ///< of the surface
        float grip_radius[KERB_FOLLOWER_LINE_KNOTS];   ///< grip / |curvature| [m]
        float bend[KERB_FOLLOWER_LINE_KNOTS];          ///< |curvature| / grip [1/m]
        float bank_radius[KERB_FOLLOWER_LINE_KNOTS];   ///< speed² that the banking adds [m²/s²]
    } line;
    struct {
        float spacing; ///< of the bins [m]
        int32_t first; ///< lowest bin that is filled
        int32_t bins;  ///< one past the last bin
        kerb_path_location cursor;
        float curvature[KERB_FOLLOWER_SPEED_BINS]; ///< sharpest in the bin, over its grip [1/m]
        float speed_limit[KERB_FOLLOWER_SPEED_BINS];
        float grip[KERB_FOLLOWER_SPEED_BINS]; ///< the lowest in the bin
        float fall[KERB_FOLLOWER_SPEED_BINS]; ///< down, per metre [1]
        float least_grip;                     ///< of the bins ahead
        float plan_key[3]; ///< what the plan was made for: deceleration, lateral, grip
        int32_t plan_end;  ///< one past its last bin
        int32_t decides;   ///< slot of the bin that decides what lies beyond the line
        float plan_squared[KERB_FOLLOWER_SPEED_BINS]; ///< from which all beyond can be met [m²/s²]
        float plan_grip[KERB_FOLLOWER_SPEED_BINS];    ///< lowest from here on
        uint8_t plan_by[KERB_FOLLOWER_SPEED_BINS];    ///< slot of the bin that decides
    } far_ahead;
} kerb_follower_memory;

#endif
