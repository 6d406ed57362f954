// Kerb racing_line: race tracks, and the line and the speed that win on them.
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
#ifndef KERB_RACING_LINE_H
#define KERB_RACING_LINE_H

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

#endif
