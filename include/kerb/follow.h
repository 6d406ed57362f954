// Kerb follow: drives a vehicle along a path.
//
//     kerb_follower follower = kerb_follower_make(&vehicle);      // default settings
//     follower.settings.speed = 12.0f;                            // any time
//     each frame:
//         kerb_controls controls =
//             kerb_follower_drive(&follower, &path, &motion, &surroundings, time_step);
//         → throttle, brake, steering, gear to the vehicle, as if a player had pressed them
//
// The path may be another one in every frame: the follower finds itself on it and goes on without
// a jerk. The whole memory of a follower is its struct, without pointers: copy it to save a game,
// copy it back to roll back a frame.
//
// Three methods share the interface, so that they can be compared:
//   KERB      Kerb's own. Drives the smoothest line near the path that the vehicle can hold,
//             with the speed that its curves, limits, stops and braking distances allow. Where a
//             bend ends in a change of direction it stops up to 1.5 m beyond, or 0.8 m before it
//             from reverse: where the rear axle comes to it.
//   PAPER     "Efficient Ground Vehicle Path Following in Game AI" (EA): target speed from Bézier
//             curvature (Algorithm 1), target point, PI speed control, pure pursuit.
//   BASELINE  what EA compares with: speed falling with the largest angle ahead, P control.
//
// KERB keeps clear of the neighbours that the surroundings name: it follows, gives way, meets
// others on its driving side and goes round what stands, all within the path's corridor. Vehicles
// that tell one another what they mean to do (kerb_follower_intent) pass junctions best. PAPER and
// BASELINE ignore them, as their sources do.
//
// Does not: see for itself, leave the corridor to avoid somebody, or overtake what drives.
#ifndef KERB_FOLLOW_H
#define KERB_FOLLOW_H

#include "control.h"
#include "path.h"

/// Who drives; see above.
typedef enum kerb_follower_method {
    KERB_FOLLOWER_KERB,    ///< Kerb's own
    KERB_FOLLOWER_PAPER,   ///< EA's
    KERB_FOLLOWER_BASELINE ///< what EA compares with
} kerb_follower_method;

/// Where the point comes from at which PAPER and BASELINE steer.
typedef enum kerb_target_point {
    KERB_TARGET_LOOKAHEAD, ///< on the path, the lookahead distance in front of the nearest point
    KERB_TARGET_RABBIT     ///< runs along the path at the target speed, waits for the vehicle
} kerb_target_point;

/// What KERB does about its neighbours.
typedef enum kerb_neighbours {
    KERB_NEIGHBOURS_IGNORE, ///< nothing
    KERB_NEIGHBOURS_AVOID   ///< keeps clear of them: kerb_avoid_others
} kerb_neighbours;

/// How PAPER limits its speed for what lies ahead.
typedef enum kerb_speed_ahead {
    KERB_AHEAD_SHARPEST, ///< the sharpest curve within the samples limits at once (EA eq. 1)
    KERB_AHEAD_BRAKING   ///< each curve by the braking distance left to it
} kerb_speed_ahead;

/// All that can be set on a follower. Ranges and defaults: kerb_follower_settings_table.
typedef struct kerb_follower_settings {
    int32_t method; ///< kerb_follower_method

    // For all methods.
    float speed;                ///< wanted on a straight (EA v_max) [m/s]
    float reverse_speed;        ///< KERB: wanted on a straight driven in reverse [m/s]
    float speed_least;          ///< never slower for a curve (EA v_min) [m/s]
    float lateral_acceleration; ///< wanted in curves (EA a_lat, as a multiple of g) [g]
    float deceleration;         ///< wanted when slowing for what lies ahead [m/s²]
    float acceleration;         ///< wanted when gaining speed [m/s²]
    float lateral_offset;       ///< drive this far to the left of the path [m]
    kerb_speed_settings speed_control;
    kerb_stuck_settings stuck;

    // KERB's steering.
    float response_time;     ///< errors fade over about this time at speed … [s]
    float response_distance; ///< … and over about this distance when slow [m]
    float corner_cut;        ///< how far corners may be rounded for smoothness alone [m]
    float lateral_jerk;      ///< greatest change of lateral acceleration [m/s³]

    // KERB and others.
    int32_t neighbours; ///< kerb_neighbours
    kerb_avoid_settings avoid;

    // PAPER's and BASELINE's.
    float sample_spacing;     ///< EA Δh [m]
    int32_t sample_count;     ///< EA N [3 … 16]
    int32_t speed_ahead;      ///< kerb_speed_ahead
    int32_t target_point;     ///< kerb_target_point
    float lookahead_time;     ///< lookahead distance per speed [s]
    float lookahead_least;    ///< [m]
    float lookahead_most;     ///< [m]
    float proportional_angle; ///< BASELINE: beyond this angle the speed falls as 1/angle [rad]
} kerb_follower_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_follower_settings_table;

/// Defaults for one of the three methods; PAPER's and BASELINE's are those of EA section III.
KERB_API kerb_follower_settings kerb_follower_settings_default(kerb_follower_method method);

/// What the follower thought in the last frame, for pictures and for questions.
typedef struct kerb_follower_thoughts {
    kerb_vec3 nearest;        ///< on the path, in the world [m]
    kerb_vec3 target;         ///< where it steers, in the world [m]
    float lookahead;          ///< distance to the target along the path [m]
    float target_speed;       ///< [m/s]
    float curvature;          ///< the sharpest found ahead, or the one that limits [1/m]
    float steer_curvature;    ///< of the arc that it steers, left positive [1/m]
    float cross_track_error;  ///< left positive [m]
    float heading_error;      ///< of the direction of travel, left positive [rad]
    float acceleration;       ///< wanted along the direction of travel [m/s²]
    double distance;          ///< of the nearest point from the path's start [m]
    kerb_neighbour neighbour; ///< that decides what it does; length 0: none does
    kerb_reason reason;
} kerb_follower_thoughts;

// KERB looks at the path through two windows of fixed bins, filled as the vehicle moves: near it,
// the line that it will drive; farther out, the speeds that curves and limits allow. What they
// hold depends only on the path, the vehicle and the settings, never on how the vehicle came here.
#define KERB_FOLLOWER_LINE_KNOTS 64     ///< of the line near the vehicle
#define KERB_FOLLOWER_SPEED_BINS 64     ///< of the speeds farther out
#define KERB_FOLLOWER_ROUNDING_STEPS 12 ///< of its table of how corners are rounded

/// A follower: settings, vehicle, memory. Plain data; change settings and vehicle at any time.
typedef struct kerb_follower {
    kerb_follower_settings settings;
    kerb_vehicle vehicle;
    kerb_follower_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
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
        float acceleration; ///< of the commanded speed, smoothed [m/s²]
        float stood;        ///< at a stop, before it counts [s]
        float pulling;      ///< setting off uphill, so far [s]
        float rolling;      ///< back at full throttle, so far [s]
        float pushing;      ///< uphill at full throttle, so far [s]
        float holding;      ///< on a hill that is too steep, still [s]
        float hold_time;    ///< and in all, this time [s]
        int32_t hill_tries; ///< how often that hill was tried
        kerb_vec3 hill;     ///< where it held first [m]
        float turning;      ///< wheels turned so far, standing [s]
        float push; ///< HOVER: along the line, per mass, that the nose is turned for [m/s²]
        float speed_command;  ///< target speed after the limit of acceleration [m/s]
        float curvature;      ///< commanded, in the direction of travel, left positive [1/m]
        float lateral_offset; ///< on its way to the setting [m]
        float aside;          ///< and further for the sake of others [m]
        kerb_avoid avoid;
        int32_t blocked; ///< 1: others stand in the way for so long that it should back out
    } memory;
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
} kerb_follower;

/// A follower at the start of its life, method KERB, default settings. The settings and vehicle
/// must be valid (see kerb_settings_validate); driving with invalid ones asserts.
KERB_API kerb_follower kerb_follower_make(const kerb_vehicle* vehicle);

/// The controls for this frame. `surroundings` may be NULL. Allocates nothing.
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.008 to 0.05]. Another step repeats
/// the last controls; motion that is not finite gives the safe controls (brake, wheels straight).
/// Both are counted in bad_frames. At the end of an open path it stands with the brake held, reason
/// KERB_REASON_ARRIVED. Who ends up beside it, farther than the corridor there and than the
/// vehicle's length, has not arrived: it backs out and tries again, as when stuck, and asks in the
/// end to be put back.
///
/// Cost: O(1) a frame, plus O(neighbours), plus O(metres of new path ahead). The first frame on a
/// path finds the vehicle on it, O(points), once.
KERB_API kerb_controls kerb_follower_drive(kerb_follower* follower, const kerb_path* path,
                                           const kerb_motion* motion,
                                           const kerb_surroundings* surroundings, float time_step);

/// What the follower means to drive next, for the neighbours of its vehicle: ask after
/// kerb_follower_drive, on the same path, and hand it to the others in their next frame. Count 0:
/// unknown, before the first frame and after arriving. O(places), allocates nothing.
KERB_API void kerb_follower_intent(const kerb_follower* follower, const kerb_path* path,
                                   kerb_intent* intent);

/// Ends the wait at the stop where the follower stands now, however long it was to be.
KERB_API void kerb_follower_go(kerb_follower* follower);

#endif
