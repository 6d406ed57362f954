// Kerb race: tracks, the line and the speed that win on them, and a driver that drives it.
//
// A track is a kerb_path: its centre line, the widths to the left and to the right, elevation,
// banking and grip. Open or closed; it may cross itself, by a bridge or level, and its hairpins
// may be tighter than half its width. `left` and `right` are measured along the surface, which is
// banked. To drive it the other way round: kerb_waypoints_reverse (kerb/path.h).
//
//     if (kerb_track_check(waypoints, count, true, &error) != KERB_OK) …   // says what is wrong
//     kerb_track_smooth(waypoints, count, true, 2.0f, &host, &error);      // only if it is noisy
//     kerb_path_create(&track, waypoints, count, true, &host, &error);
//
// Does not: read files; that is done outside the library (io/track.h).
#ifndef KERB_RACE_H
#define KERB_RACE_H

#include "control.h"
#include "path.h"

// --------------------------------------------------------------------------- tracks

/// A track must be so wide everywhere, left and right together. [m]
#define KERB_TRACK_WIDTH_MIN 0.1f
/// And no wider than that on either side: beyond it the widths are in another unit. [m]
#define KERB_TRACK_WIDTH_MAX 1000.0f
/// And no longer. [m]
#define KERB_TRACK_LENGTH_MAX 1.0e6

/// Says whether waypoints make a track that can be raced on, and if not, why. O(count), allocates
/// nothing.
///
/// Errors, with field and the waypoint's index: those of kerb_path_build; TOO_FEW (fewer than
/// three waypoints, or different places); OUT_OF_RANGE of `left` or `right` (negative: are the
/// columns in another order? no width at all, or far too much), of `direction` (in reverse);
/// TOO_MANY of `waypoints` (longer than KERB_TRACK_LENGTH_MAX); CONTRADICTION of
/// `closed` (the way from the last waypoint to the first is longer than the track is wide there
/// and than four times the longest between two others), of `position` (it turns back by more than
/// 170 degrees at one waypoint), of `left` or `right` (its edge crosses itself: see below).
///
/// On the inside of a bend tighter than its width, cross-sections cross and the edge runs
/// backwards. That is legal as in a hairpin: over up to 240 degrees of turn in one piece, and over
/// up to a quarter of all segments. Beyond that the widths are wrong or the centre line is noisy.
KERB_API kerb_result kerb_track_check(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                      kerb_error* error);

/// Smooths a noisy centre line in place: one with metre noise and a point every metre, say, as
/// from satellite positions. No waypoint moves by more than `tolerance` in space.
///
/// How much it smooths follows from the data: the amount that predicts left-out points best. For
/// noise of standard deviation σ a tolerance of 4 σ leaves it free to do so; with less, it is the
/// smoothest line that keeps within `tolerance`. What is smooth already hardly changes. An open
/// track keeps its ends within the tolerance, not exactly.
///
/// The widths are smoothed alike, so that each edge comes to where it would if it had been smoothed
/// itself. It makes no difference whether the noise was in the centre line alone, or widths made up
/// for it. All else stays. O(count), about 3 to 7 µs a waypoint; allocates 176 bytes a waypoint
/// meanwhile.
///
/// [tolerance: 0.001 … 1000 m] Fewer than 5 waypoints, or 8 of a closed track, stay as they are.
/// Errors: OUT_OF_RANGE or NOT_FINITE as kerb_path_build, or of `tolerance`; OUT_OF_MEMORY. On
/// error nothing has changed.
///
/// Source: a smoothing spline (Reinsch 1967) with the third derivative as the penalty, which a
/// clothoid hardly pays; its amount by generalized cross-validation (Craven and Wahba 1979).
KERB_API kerb_result kerb_track_smooth(kerb_waypoint* waypoints, int32_t count, bool closed,
                                       float tolerance, const kerb_host* host, kerb_error* error);

// --------------------------------------------------------------------------- racing line

/// How a racing line is found.
typedef enum kerb_line_method {
    KERB_LINE_SPRING,    ///< a chain of springs that straightens itself (Vamos section 2)
    KERB_LINE_CURVATURE, ///< least curvature: the same line for every vehicle
    KERB_LINE_TIME       ///< least lap time for one vehicle
} kerb_line_method;

/// Which part of the track a line keeps to: several lines for a driver to choose from.
typedef enum kerb_line_side {
    KERB_LINE_NORMAL, ///< the whole width
    KERB_LINE_LEFT,   ///< the left half
    KERB_LINE_RIGHT,  ///< the right half
    /// From where braking begins to the middle of each corner so near to its inside that nobody
    /// fits in there; elsewhere the whole width.
    KERB_LINE_DEFENSIVE
} kerb_line_side;

/// How to find a line. Begin with kerb_line_settings_default and change what differs.
typedef struct kerb_line_settings {
    int32_t method; ///< kerb_line_method
    int32_t side;   ///< kerb_line_side
    float margin;   ///< from the track's edges to the line: half the vehicle's width and some [m]
    float node_spacing;      ///< of the unknowns, along the centre line [m]
    int32_t curvature_steps; ///< CURVATURE; TIME begins with them
    int32_t time_steps;      ///< TIME
    int32_t sweeps;          ///< SPRING: iterations
    float stiffness;         ///< SPRING: of the hinges, mass and time step 1 [N·m/rad]
    float damping;           ///< SPRING: [kg/s]
    int32_t thin; ///< SPRING: 1 deletes every other node at the end, as the paper advises
} kerb_line_settings;

KERB_API const kerb_settings_table kerb_line_settings_table;

/// Least lap time, whole width, margin 1 m, nodes every 4 m.
KERB_API kerb_line_settings kerb_line_settings_default(void);

/// The paper's spring chain: nodes every 8 m, 800 iterations, stiffness 1, damping 0.1.
KERB_API kerb_line_settings kerb_line_settings_vamos(void);

/// The chain as the program Vamos has it: nodes every two usable widths, 500 iterations, stiffness
/// 0.5, damping 0.01, margin 1.6 m. O(points of the track)
KERB_API kerb_line_settings kerb_line_settings_vamos_program(const kerb_path* track);

/// Most nodes of a line.
#define KERB_LINE_NODES_MAX 1000000

/// Looks for the racing line of a track, a slice of work at a time: while a game loads, or when the
/// track has changed.
///
///     kerb_line_settings settings = kerb_line_settings_default();
///     kerb_line_solver solver;
///     if (kerb_line_solver_create(&solver, &track, &car, &settings, &host, &error) != KERB_OK) …
///     while (kerb_line_solver_advance(&solver, 4) == KERB_LINE_RUNNING) …  // a frame each
///     kerb_racing_line line;
///     if (kerb_racing_line_create(&line, &solver, 2.0f, &host, &error) != KERB_OK) …
///     kerb_line_solver_destroy(&solver);
///
/// All it knows lies in `memory`, without pointers: copied elsewhere, together with this struct, it
/// goes on with the same bits. The answer depends on the number of steps only, never on how they
/// were sliced. It does not refer to the track after creation.
typedef struct kerb_line_solver {
    void* memory; ///< aligned to 64
    size_t bytes;
    kerb_allocator allocator;
} kerb_line_solver;

typedef enum kerb_line_state { KERB_LINE_RUNNING, KERB_LINE_DONE } kerb_line_state;

/// Bytes of a solver's memory, about 0.95 KB a node; 0 when there would be too many nodes.
KERB_API size_t kerb_line_solver_bytes(const kerb_path* track, const kerb_line_settings* settings);

/// Begins. The track: kerb_track_check says whether it is one. O(track), allocates the solver's
/// memory, and some for the track's spline meanwhile.
///
/// The vehicle of `performance` matters for TIME alone. Errors: NOT_FINITE or OUT_OF_RANGE of a
/// setting or of `performance`; TOO_MANY nodes; OUT_OF_MEMORY. On error the solver is zeroed.
KERB_API kerb_result kerb_line_solver_create(kerb_line_solver* solver, const kerb_path* track,
                                             const kerb_performance* performance,
                                             const kerb_line_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed solver.
KERB_API void kerb_line_solver_destroy(kerb_line_solver* solver);

/// The track has changed, an obstacle or a wet stretch: the search starts again from the line that
/// it has, with half of TIME's or SPRING's steps. Widths, grip and bank may differ; the points must
/// be the same, or nearly, and as many. Errors: CONTRADICTION of `track` when it is another one;
/// OUT_OF_MEMORY. On error nothing has changed. O(track), allocates for the meantime only.
KERB_API kerb_result kerb_line_solver_change(kerb_line_solver* solver, const kerb_path* track,
                                             kerb_error* error);

/// Goes on by so many steps at most. A step of TIME costs about 230 ns a node, of CURVATURE 110 ns,
/// of SPRING 10 ns. Allocates nothing.
KERB_API kerb_line_state kerb_line_solver_advance(kerb_line_solver* solver, int32_t steps);

/// Share of the steps that are done. [0 … 1]
KERB_API float kerb_line_solver_progress(const kerb_line_solver* solver);

/// One place of a racing line.
typedef struct kerb_line_point {
    double distance;                      ///< along the line [m]
    double x, y, z;                       ///< [m]
    float heading;                        ///< of travel, in (-π, π] [rad]
    float slope;                          ///< rise per level metre [1]
    float curvature;                      ///< within the track's surface, left positive [1/m]
    float normal_curvature;               ///< out of it: dip positive, crest negative [1/m]
    float up_forward, up_left, up_normal; ///< the world's up, as in kerb_profile_point
    float bank;                           ///< of the track across, left side up positive [rad]
    float grip;                           ///< [1]
    float offset;      ///< from the centre line along the surface, left positive [m]
    float left, right; ///< room from the line to the track's edges [m]
    float lane;        ///< offset as a share of the way to the edge: 1 left, -1 right edge [1]
    float speed;       ///< the fastest there [m/s]
} kerb_line_point;

/// A line ready to drive. Read it freely.
typedef struct kerb_racing_line {
    kerb_line_point* points; ///< evenly spaced along the line
    int32_t count;
    bool closed;
    double length;    ///< [m]
    double time;      ///< of a lap, or from end to end starting at full speed [s]
    double violation; ///< how far the line comes nearer to an edge than the margin, at most [m]
    void* memory;
    size_t bytes;
    kerb_allocator allocator;
} kerb_racing_line;

/// The best line that the solver has so far, as a point every `spacing` metres or a little less or
/// more, with the speed profile of the solver's vehicle. Length, time and violation are measured on
/// a grid of 1 m at most. [spacing: 0.05 … 100 m] O(length), allocates the points, and about
/// 80 bytes a metre meanwhile. Errors: OUT_OF_RANGE of `spacing`, OUT_OF_MEMORY; then the line is
/// zeroed.
KERB_API kerb_result kerb_racing_line_create(kerb_racing_line* line, const kerb_line_solver* solver,
                                             float spacing, const kerb_host* host,
                                             kerb_error* error);

/// Gives the memory back. Harmless on a zeroed line.
KERB_API void kerb_racing_line_destroy(kerb_racing_line* line);

/// The line at a distance from its start, between points: position by a cubic, all else linear.
/// Wraps when closed, else held to the ends; NaN counts as 0. O(1)
KERB_API kerb_line_point kerb_racing_line_at(const kerb_racing_line* line, double distance);

/// Writes the line's points as waypoints, to make a kerb_path for any driver: the corridor is the
/// room to the edges, the speed limit the profile's. [waypoints: line->count of them] O(count)
KERB_API void kerb_racing_line_waypoints(const kerb_racing_line* line, kerb_waypoint* waypoints);

// --------------------------------------------------------------------------- racing driver

/// What a racer learns of the grip stays between these, by what it was told. [1]
#define KERB_RACER_LEARNT_LEAST 0.4f
#define KERB_RACER_LEARNT_MOST 1.15f

/// How a racing driver steers.
typedef enum kerb_racer_steering {
    KERB_RACER_LINE, ///< Kerb's own: the line's curvature ahead, errors, yaw, understeer, slides
    KERB_RACER_POLE  ///< the tip of a pole in front of the car is held on the line (Vamos 3)
} kerb_racer_steering;

/// What a racing driver does about wheels that spin or lock.
typedef enum kerb_racer_slip {
    KERB_RACER_SLIP_OFF,  ///< nothing: the host has traction control and anti-lock brakes
    KERB_RACER_SLIP_ON,   ///< eases off, by kerb_motion.wheel_slip, or as far as it can tell
    KERB_RACER_SLIP_LOCKS ///< the same, and counts on brakes that lock before it has felt it
} kerb_racer_slip;

/// All that can be set on a racing driver. Ranges and defaults: kerb_racer_settings_table.
typedef struct kerb_racer_settings {
    int32_t steering; ///< kerb_racer_steering

    // Speed.
    float grip_used;    ///< share of the sideways grip that it plans corners with [1]
    float braking_used; ///< share of the brakes that it plans with [1]
    float loss_margin;  ///< further braking_loss that it plans with [1]
    float speed_time;   ///< speed errors fade over about this time [s]
    float fuel_saving;  ///< 0 none … 1: lifts early and shifts up early (Vamos 5) [1]
    /// kerb_racer_slip. LOCKS is for cars without anti-lock brakes in hosts that cannot tell of the
    /// wheels; left ON, a driver finds that out where they lock first.
    int32_t slip_control;

    /// From the moment that the motion is of to that from which the controls for it act, where that
    /// is later: a host whose controls act a frame late has the time of a frame here, one that
    /// tells motion late the delay of that, both the sum. The vehicle's own delays (steering,
    /// throttle) and the time step itself are not in it. It drives from where it will be then. [s]
    float latency;

    // Steering, KERB_RACER_LINE.
    float response_time;     ///< errors fade over about this time at speed … [s]
    float response_distance; ///< … and over about this distance when slow [m]
    float slip_most;         ///< of the front tyres, by that of half grip: more only scrubs [1]
    float slide;             ///< of the rear tyres, likewise: at it the pedals are let go [1]

    // Steering, KERB_RACER_POLE.
    float pole_time;  ///< length of the pole per speed [s]
    float pole_least; ///< and at least [m]

    /// Beside the line, as a share of the room to the edge: 0 on the line, 1 at the left edge, -1
    /// at the right edge. (Vamos 6, lane shift)
    float lane;
    float margin; ///< that it keeps from the side of the car to the edge when off the line [m]

    // Skill and temper. What is lacking to skill 1 takes from the pace, makes the car wander and
    // mistakes happen; the other numbers say how that shows. At skill 1 none of them does anything,
    // aggression and pace_help apart.
    float skill;        ///< 0 learner … 1: as fast as it can, without errors [1]
    int32_t seed;       ///< another one, other errors at other places
    float aggression;   ///< among others: 0 patient … 1 takes every gap [1]
    float consistency;  ///< 0 no two laps alike, more mistakes … 1 nearly all laps alike [1]
    float late_braking; ///< 0 slow in, fast out … 1 brakes late, and is slower in the bend [1]
    float smoothness;   ///< 0 quick feet … 1 presses the pedals down slowly [1]
    /// Rubber-banding, for the host to set at any time; see kerb_racer_pace_help. 0 none; -1 paces
    /// it as skill 0, 1 as skill 1, between them in proportion, never faster than that. Its errors
    /// stay as they are. It comes and goes over ten seconds a unit. [-1 … 1]
    float pace_help;
    /// Learns lap by lap where a line holds more or less than it was told, between
    /// KERB_RACER_LEARNT_LEAST and KERB_RACER_LEARNT_MOST of that. Off: keeps what it has learnt
    /// and does not use it.
    int32_t learning; ///< 0 off, 1 on
    // Others.
    float gap_time;  ///< behind another, until it brakes when that one does [s]
    float gap_least; ///< behind another [m]
    float side_gap;  ///< between the sides of cars side by side; aggression takes from it [m]
    /// The wake behind others in this host, as in kerb_slipstream: the share of its drag that a car
    /// loses close behind another, and where half of that is left. 0: the host has none. [1], [m]
    float slipstream;
    float slipstream_length;

    kerb_stuck_settings stuck;
} kerb_racer_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_racer_settings_table;

/// Kerb's own driver, as fast as it can.
KERB_API kerb_racer_settings kerb_racer_settings_default(void);

/// The same, steering as the paper does. The pole cuts bends and damps nothing, so `grip_used` is
/// 0.5 and laps take a quarter longer; among others it may still run wide.
KERB_API kerb_racer_settings kerb_racer_settings_vamos(void);

/// Somebody: default settings with this skill, held to [0, 1], and a temper and habits that follow
/// from the seed, most of them near the middle. A field of opponents: a seed for each.
KERB_API kerb_racer_settings kerb_racer_settings_of_person(uint32_t seed, float skill);

/// A value for settings.pace_help from the gap to the player: negative, holding back, when the
/// racer leads by `gap`, positive when it is behind; `most` from a gap of `range` on, in proportion
/// before. [gap: racer ahead of the player, any unit] [range: the same unit, > 0] [most: 0 … 1]
KERB_API float kerb_racer_pace_help(float gap, float range, float most);

/// The share of its drag that a car loses behind another: most / (1 + gap / length), so `most` at
/// his bumper, a half of it `length` farther back, a third at twice that; less, the farther it is
/// beside his track, nothing from a car's width on. A simple wake for hosts that have none of their
/// own. [gap: bumper to bumper; less than 0: 0] [aside: between the middles, by a car's width]
KERB_API float kerb_slipstream(float most, float length, float gap, float aside);

/// What it is doing, apart from its reasons to be slow.
typedef enum kerb_racer_phase {
    KERB_RACER_DRIVES,   ///< races, or comes back to the track
    KERB_RACER_SPINS,    ///< has lost the car: brakes until it stands or goes straight again
    KERB_RACER_TURNS,    ///< faces the wrong way and turns round, forwards
    KERB_RACER_BACKS_OUT ///< the same or stuck, in reverse
} kerb_racer_phase;

/// What the racer thought in the last frame, for pictures and for questions.
typedef struct kerb_racer_thoughts {
    double distance;          ///< along the line, in [0, length] [m]
    double total;             ///< the same, laps counted, since it first found itself there [m]
    float cross_track_error;  ///< from where it wants to be beside the line, left positive [m]
    float course_error;       ///< of the direction of motion against the line's [rad]
    float heading_error;      ///< of the body against the line's direction [rad]
    float line_curvature;     ///< of the line where the wheels will have turned [1/m]
    float curvature;          ///< commanded, left positive [1/m]
    float target_speed;       ///< [m/s]
    float acceleration;       ///< wanted along the direction of travel [m/s²]
    float slip_front;         ///< slip angles of the axles, left bends positive [rad]
    float slip_rear;          ///< [rad]
    float lane;               ///< where it is: lane shift, beyond 1 or -1 off the track [1]
    bool off_track;           ///< the middle of the car is past the edge
    kerb_vec3 target;         ///< on its way ahead, in the world [m]
    kerb_neighbour neighbour; ///< that decides what it does; length 0: none does; no intent
    int32_t phase;            ///< kerb_racer_phase
    float asks;               ///< to be let by: for kerb_neighbour.asks, or to flash its lights
    kerb_reason reason;
} kerb_racer_thoughts;

/// Most other cars that a racer minds: the nearest.
#define KERB_RACER_OTHERS 24

/// Places of the line ahead that a racer keeps in mind.
#define KERB_RACER_BINS 128

/// Frames that may lie within kerb_racer_settings.latency; the rest count as the oldest of them.
#define KERB_RACER_LATE 32

/// Pieces of a line of which a racer learns, at most.
#define KERB_RACER_LEARNT_BINS 128

/// A racing driver: settings, vehicle, memory. Plain data without pointers; change settings,
/// vehicle and performance at any time.
typedef struct kerb_racer {
    kerb_racer_settings settings;
    kerb_vehicle vehicle;
    /// What the car can do at its limit; measured is better than kerb_performance_of.
    kerb_performance performance;
    kerb_racer_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
        double line_key[4]; ///< of the line that it is on: points, length, start; 0: none yet
        double distance;    ///< along it [m]
        double rounds;      ///< whole rounds before that [m]
        kerb_vec3 position; ///< of the car in the last frame [m]
        int32_t phase;      ///< kerb_racer_phase
        float in_phase;     ///< [s]
        float side;         ///< turning round: to the left (1) or right (-1)
        kerb_stuck stuck;
        float tipped;       ///< on its side or roof for so long [s]
        float since_shift;  ///< [s]
        int32_t gear;       ///< told last
        float launch;       ///< share of the clutch that is let in [1]
        float slip;         ///< throttle taken because of spinning wheels [0 … 1]
        float throttle;     ///< told, smoothed [1]
        float pushed;       ///< forwards by the tyres, smoothed [m/s²]
        float pulls;        ///< the engine, by what power and gears promise, as learnt; 0: not yet
        float locked;       ///< front wheels seem to stand [0 … 1]
        float slide;        ///< slip of the rear that no bend explains, lately [rad]
        float wide;         ///< its front gives way, and it runs wide, smoothed [0 … 1]
        float trim;         ///< further angle of the wheels at the limit, as learnt [rad]
        float firm;         ///< seems to be a host in which cars slip nowhere; below 0: surely not
        float firm_place;   ///< there what moves along the body: rear axle 0 … reference point 1
        float half_slip[2]; ///< slip angles of front and rear at half of the grip, as learnt [rad]
        float seen_slip[2]; ///< the same, by what it has measured alone; 0: nothing yet [rad]
        float half_slip_time; ///< for so long it has measured them [s]
        float steering;       ///< angle told last [rad]
        float wheels;         ///< where the wheels should stand by what they were told [rad]
        kerb_vec3 forward;    ///< of the body in the last frame
        float turned;         ///< how fast that turns, smoothed [rad/s]
        float brakes;         ///< deceleration by the whole pedal, as learnt; 0: not yet [m/s²]
        bool locks;           ///< it is told of wheels that nothing keeps from locking
        bool stood;           ///< it is not told, but has felt wheels stand
        float hold;           ///< share of the brakes that is to be had without locking [1]
        float tail;           ///< share of the brakes that brings the rear round, as learnt [1]
        float held;           ///< slowing by the brakes, smoothed [m/s²]
        float pressed;        ///< the brake pedal, smoothed [1]
        float lock;           ///< brakes taken because of locking wheels [0 … 1]
        float push;           ///< of the tyres along the car, as wanted last [m/s²]
        float speed;          ///< of the last frame [m/s]
        float course;         ///< of the motion against the line's [rad]
        float course_cosine;  ///< of the last frame's
        float turning;        ///< how fast that changes, smoothed; not the body's yaw [rad/s]
        float lane;           ///< on its way to the setting [1]
    } memory;
    // What it told in the last frames, the last first, where that acts late.
    struct {
        int32_t count;
        float grip_aside; ///< of the last frame [m/s²]
        float last[4];    ///< then: speeds ahead and aside, yaw, wheels [m/s], [rad/s], [rad]
        float lacks[3];   ///< accelerations that its model lacks [m/s²], [rad/s²]
        float time_step[KERB_RACER_LATE]; ///< of the frame for which it was told [s]
        float steering[KERB_RACER_LATE];  ///< [rad]
        float wheels[KERB_RACER_LATE];    ///< where they should have stood after it [rad]
        float push[KERB_RACER_LATE];      ///< of the tyres along the car [m/s²]
    } late;
    // Skill and temper.
    struct {
        float help;            ///< pace_help on its way [1]
        float near;            ///< somebody is near: 0 no … 1 yes, on its way [1]
        bool is_near;          ///< when it last looked
        float waits;           ///< until it answers to what let it go [s]
        float throttle, brake; ///< where its feet are [1]
    } skill;
    // What it has learnt of the line, in even pieces of 40 m at least; all forgotten on another.
    struct {
        double length;      ///< of the line that it is about [m]
        int32_t count;      ///< and its points
        double way;         ///< so far it came on it [m]
        int32_t bin;        ///< that it is in
        float common;       ///< what the pieces have in common [1]
        float pause;        ///< learns nothing for so long [s]
        float driven, slip; ///< in this bin at the limit of its plan, and the slip then [s]
        float lost;         ///< in this bin, with tyres at their limit [s]
        float lost_use;     ///< what they held then, by what it was told [1]
        float along, aside; ///< what the tyres hold, by what the car does [m/s²]
        float use_now;      ///< that in all, by what it was told [1]
        float use;          ///< the most of it in the last seconds [1]
        float lacks;        ///< what they held less where they slid, on average [1]
        float slids;        ///< of so many slides, only bad ones counted whole
        float edge_slip;    ///< the front's most near an edge, by that at the limit [1]
        float slides;       ///< for so long [s]
        float bad;          ///< how bad it is now, not yet blamed on anything [0 … 1]
        float lasting;      ///< of that what is not only a slide [0 … 1]
        float chain;  ///< how far it came since a slide that may be to blame for what comes [m]
        float quiet;  ///< since it slid [s]
        int32_t away; ///< it has left the track, and that is blamed on something (1)
        kerb_vec3 velocity;                   ///< of the last frame [m/s]
        float grip[KERB_RACER_LEARNT_BINS];   ///< share of the grip it was told [1]
        uint8_t seen[KERB_RACER_LEARNT_BINS]; ///< times that it has learnt of it; 0: `common` holds
        uint8_t held[KERB_RACER_LEARNT_BINS]; ///< times that it must not rise
        uint8_t falls[KERB_RACER_LEARNT_BINS]; ///< times that it fell
    } learnt;
    // The others, and the way beside the line that they make it take.
    struct {
        struct {
            uint32_t id;
            float age;          ///< since it was looked at [s]
            float ahead;        ///< of the racer's middle, along the line, now [m]
            float speed;        ///< along the line [m/s]
            float acceleration; ///< smoothed [m/s²]
            float pace;         ///< in bends, by what the racer plans there [1]
            float brakes;       ///< at the hardest so far, by what the racer could have [1]
            int32_t side;       ///< on which it is passed: 1 left, -1 right, 0 not; 2: dropped back
            // The rest is for frames in which he is not looked at.
            float offset, drift; ///< from the line to the left, and how fast that grows [m], [m/s]
            float scale;         ///< metres of the racer's lane for each of the line [1]
            float half_length, half_width; ///< along and across the line [m]
            float catch_in, clear_in;      ///< reached, and passed, in so long; 1e6: not [s]
            float catch_at, clear_at;      ///< so far on from the racer's middle [m]
        } known[KERB_RACER_OTHERS];
        /// Where in `known` the host's neighbours are: guesses.
        uint8_t hints[32];
        int32_t known_count;
        float braked;    ///< the first of the others before it, so long ago; 0: none yet [s]
        float looked;    ///< so long ago it looked where those near are [s]
        float since;     ///< it last thought of whom to pass [s]
        float pause;     ///< it thinks again so long after that [s]
        float passed;    ///< between the last two thoughts [s]
        float far_speed; ///< that those far ahead allowed then [m/s]
        bool active;     ///< the way differs from the line
        int32_t yields;  ///< lets another lap it, and moves to the left (1) or right (-1) for that
        int32_t defends; ///< covers the inside of a bend to the left (1) or right (-1)
        double defends_to;  ///< until there, in thoughts.total; 0: never yet [m]
        uint32_t yields_to; ///< its id
        float yields_for;   ///< so long already [s]
        float yield_speed;  ///< lets by who asked, and drives no faster [m/s]
        float yield_least;  ///< and never need be slower [m/s]
        int32_t bend;       ///< next to brake for with others beside it: left (1), right (-1), none
        double bend_brakes, bend_apex; ///< where, in thoughts.total [m]
        bool squeezed;                 ///< somebody must give way: no room side by side
        bool kept;                     ///< its last thought left the way as it was
        bool way_due;                  ///< the way of its last thought is laid in the next frame
        float held;       ///< share of its speed that rivals before it have cost it lately [1]
        float asks;       ///< to be let by: its pace, or 0 [1]
        float asked;      ///< somebody behind it has asked to be let by for so long [s]
        float blocked;    ///< stands behind what stands, for so long [s]
        float way_offset; ///< of the way from the line, where the car is [m]
        float way_slope;  ///< and by which it changes, per metre [1]
    } traffic;
    // The line ahead in even bins, with the greatest speeds from which all beyond can be met.
    struct {
        float key[7];  ///< what it was made for
        float spacing; ///< of the bins [m]
        int32_t first; ///< lowest bin that is filled, counted from the line's start
        int32_t end;   ///< one past the last
        int32_t taken; ///< before it the way was laid anew, and its speeds are not known yet
        int32_t aside; ///< from there on the way is the lane, as if nobody were there
        int32_t fresh; ///< from there on bins are new
        /// The next whose speed on the way new ones may lower, and on its lane; before first: none.
        int32_t back, back_lane;
        bool anew;                        ///< all of it was filled since the others were looked at
        float curvature[KERB_RACER_BINS]; ///< of the way driven, left positive [1/m]
        float line_curvature[KERB_RACER_BINS];               ///< of the line
        float left[KERB_RACER_BINS], right[KERB_RACER_BINS]; ///< from it to the edges [m]
        float normal_curvature[KERB_RACER_BINS];
        float up_forward[KERB_RACER_BINS], up_left[KERB_RACER_BINS], up_normal[KERB_RACER_BINS];
        float grip[KERB_RACER_BINS];
        float brakes[KERB_RACER_BINS];      ///< share of the braking that this would give [1]
        float offset[KERB_RACER_BINS];      ///< of the way from the line, left positive [m]
        float wander[KERB_RACER_BINS];      ///< by which it errs from that, alone [m]
        float corner[KERB_RACER_BINS];      ///< greatest speed² for the bend itself [m²/s²]
        float squared[KERB_RACER_BINS];     ///< from which all beyond can be met [m²/s²]
        float free_corner[KERB_RACER_BINS]; ///< both on its lane, as if nobody were there [m²/s²]
        float free_squared[KERB_RACER_BINS]; ///< …
    } ahead;
} kerb_racer;

/// A driver at the start of its life: default settings, the performance of kerb_performance_of.
KERB_API kerb_racer kerb_racer_make(const kerb_vehicle* vehicle);

/// The controls for this frame: as fast along the line as the car can. `surroundings` may be NULL,
/// when there is nothing to tell; else every field of it counts. Allocates nothing. O(1) a frame,
/// O(points) when it finds itself on a line anew.
///
///     kerb_racer racer = kerb_racer_make(&car);
///     each frame: controls = kerb_racer_drive(&racer, &line, &motion, &surroundings, time_step);
///
/// examples/race_a_car.c is a whole program, examples/race_each_other.c one with others.
///
/// The line may be another one in every frame. On an open line it goes through the end at full
/// speed and stops behind it, reason KERB_REASON_ARRIVED.
///
/// - Speeds: the line's shape and surface, the car's performance. Braking points come from braking
///   in thought from each corner backwards, with what cornering leaves of the tyres. The line's own
///   `speed` is not used, so cars of any kind may share a line.
/// - Others (Vamos 6 and what it leaves open): it follows who is in its way so that it could stop
///   behind him; leaves who is beside it his width and a margin; passes who is slower where it will
///   be clear of him, or at least beside him on the inside, before the next bend, or comes up to
///   him there faster than the way round him costs; goes round what stands or is in trouble; and
///   lets by who comes to lap it (kerb_surroundings.laps). Neighbours are placed on the line, so
///   they may be told in any order; the nearest KERB_RACER_OTHERS count.
/// - Gears as in Vamos 5: up when the next gear pulls more, down before the corner, none in the
///   middle of it; the throttle matches the engine to the gear.
/// - Off the track it comes back at an angle that it can hold; having spun it stops, turns round
///   and goes on; stuck it backs out, and asks in the end to be put back (KERB_REASON_TELEPORT).
///   On its side or roof it asks for that as soon as it lies still for a second.
///
/// time_step: since the last call [s] [> 0, < 1000, usually 0.005 to 0.05]. Another step repeats
/// the last controls; motion that is not finite, or faster than 10 km/s or 10,000 rad/s, gives the
/// safe controls. Both are counted.
KERB_API kerb_controls kerb_racer_drive(kerb_racer* racer, const kerb_racing_line* line,
                                        const kerb_motion* motion,
                                        const kerb_surroundings* surroundings, float time_step);

#endif
