// Kerb racing_line: race tracks, and the line and the speeds that are fastest on them.
//
// This header checks and smooths a track, searches for its racing line, and reads a finished line.
// A racing driver (kerb/racer.h) drives the line. kerb_racing_line_waypoints turns it into
// waypoints of a kerb_path for every other driver.
//
// Call order:
// 1. kerb_track_validate says whether waypoints make a track; kerb_track_smooth removes noise.
// 2. kerb_path_create makes the track from the waypoints (kerb/path.h).
// 3. kerb_line_solver_create begins the search; kerb_line_solver_advance does it in slices.
// 4. kerb_racing_line_create makes the line from the solver, at any moment of the search.
// 5. kerb_line_solver_destroy; kerb_racing_line_destroy when no driver needs the line any more.
//
//     kerb_host host = kerb_host_default();
//     kerb_performance car = kerb_performance_of(&vehicle);
//     kerb_line_settings settings = kerb_line_settings_default();
//     kerb_line_solver solver;
//     kerb_racing_line line;
//     kerb_error error;
//     if (kerb_line_solver_create(&solver, &track, &car, &settings, &host, &error) != KERB_OK)
//         return false;                                              // `error` says what is wrong
//     while (kerb_line_solver_advance(&solver, 4) == KERB_LINE_RUNNING)
//         continue;                                                  // one slice per frame
//     bool is_made = kerb_racing_line_create(&line, &solver, 2.0f, &host, &error) == KERB_OK;
//     kerb_line_solver_destroy(&solver);
//
// The track is a kerb_path: centre line, widths to the left and to the right, elevation, banking
// and grip. It may be open or closed. It may cross itself, on a bridge or at the same level.
// Hairpins may be tighter than half of the track's width. The widths are measured along the banked
// surface. kerb_waypoints_reverse (kerb/path.h) gives the track in the other direction.
//
// Lifetimes: a solver keeps copies of what it needs from the track, the performance and the
// settings. A line keeps nothing of its solver. Of the host only the allocator is used after
// creation.
//
// Floating origin: a solver works in the coordinates of the track that it was given last, and has
// no function that shifts them. When the host moves the world's origin during a search, either let
// the search end and shift the line made of it with kerb_racing_line_shift_origin, which costs
// nothing; or give the solver the shifted path with kerb_line_solver_set_track, which keeps its
// line, because that is offsets from the track, and begins a shorter search from it.
//
// Threads: use a solver from one thread at a time. A finished line is constant: any number of
// threads may read it and drive on it.
//
// Does not: read files (io/track.h does), drive (kerb/racer.h does), or notice that a track has
// changed (call kerb_line_solver_set_track).
#ifndef KERB_RACING_LINE_H
#define KERB_RACING_LINE_H

#include "control.h"
#include "path.h"

// --------------------------------------------------------------------------- tracks

/// Smallest width of a track at any waypoint, left and right together. [m]
#define KERB_TRACK_WIDTH_MIN 0.1f
/// Greatest width of a track to one side. Greater numbers are probably not in metres. [m]
#define KERB_TRACK_WIDTH_MAX 1000.0f
/// Greatest length of a track. [m]
#define KERB_TRACK_LENGTH_MAX 1.0e6

/// Checks whether waypoints make a track for racing. O(count), allocates nothing.
///
/// Errors, with the field and the index of the waypoint:
/// - all errors of kerb_path_build;
/// - TOO_FEW: fewer than three waypoints, or fewer than three different positions;
/// - OUT_OF_RANGE of `left` or `right`: a width is negative (are two columns swapped?), both widths
///   together are below KERB_TRACK_WIDTH_MIN, or one is above KERB_TRACK_WIDTH_MAX;
/// - OUT_OF_RANGE of `direction`: a waypoint is driven in reverse;
/// - TOO_MANY of `waypoints`: the track is longer than KERB_TRACK_LENGTH_MAX;
/// - CONTRADICTION of `closed`: the gap from the last waypoint to the first is larger than the
///   width of the track there and larger than four times the longest gap between two others;
/// - CONTRADICTION of `position`: the centre line turns by more than 170 degrees at one waypoint;
/// - CONTRADICTION of `left` or `right`: an edge runs backwards more than is allowed, see below.
///
/// Inside a bend that is tighter than the width, neighbouring cross-sections intersect and the edge
/// runs backwards, as in a hairpin. This is allowed for up to 240 degrees of turn in one piece, and
/// for up to a quarter of all segments. More means wrong widths or a noisy centre line.
KERB_API kerb_result kerb_track_validate(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                         kerb_error* error);

/// Smooths a noisy centre line in place, for example one from satellite positions with a point
/// every metre and errors of metres. No waypoint moves by more than `tolerance` in space.
///
/// The amount of smoothing comes from the data: it is the amount that predicts a point best from
/// the others. This amount needs a tolerance of 4 σ, where σ is the standard deviation of the
/// noise. With a smaller tolerance the result is the smoothest line within the tolerance. A line
/// that is already smooth changes very little. The ends of an open track may move within the
/// tolerance.
///
/// The widths are smoothed with the same weights. So each edge becomes the same line as if the edge
/// itself were smoothed, also where the widths compensate for the noise of the centre line. No
/// other field changes. O(count), allocates 176 bytes per waypoint for the duration of the call.
///
/// [tolerance: 0.001 … 1000 m] Open tracks of fewer than 5 waypoints and closed tracks of fewer
/// than 8 stay as they are. Errors: OUT_OF_RANGE or NOT_FINITE as for kerb_path_build, or of
/// `tolerance`; OUT_OF_MEMORY. On error nothing has changed.
///
/// Source: a smoothing spline (Reinsch 1967). Its penalty is the third derivative, which is small
/// for a clothoid. Generalized cross-validation sets the amount (Craven and Wahba 1979).
KERB_API kerb_result kerb_track_smooth(kerb_waypoint* waypoints, int32_t count, bool closed,
                                       float tolerance, const kerb_host* host, kerb_error* error);

/// What kerb_track_check finds. The track can be driven all the same, but perhaps not as meant.
typedef enum kerb_track_finding_kind {
    KERB_TRACK_CREST,  ///< a crest limits the speed; value: the speed there [m/s]
    KERB_TRACK_NARROW, ///< the vehicle does not fit on the track; value: the width [m]
    KERB_TRACK_EDGE,   ///< an edge crosses itself outside of a hairpin; value: the width there [m]
    KERB_TRACK_DOUBLE, ///< the same place as the waypoint before; value: the distance [m]
    KERB_TRACK_KINK,   ///< the track turns more sharply than the vehicle can; value: angle [rad]
    KERB_TRACK_GAP,    ///< no waypoints for long where the track turns; value: the distance [m]
    KERB_TRACK_STEP,   ///< the height jumps, or the slope is above 0.7; value: the step [m]
    KERB_TRACK_BANK    ///< banked by more than 0.85 rad; value: the bank without its sign [rad]
} kerb_track_finding_kind;

/// "crest", "narrow", "edge", "double", "kink", "gap", "step" or "bank"; "unknown" out of range.
KERB_API const char* kerb_track_finding_kind_text(kerb_track_finding_kind value);

/// One finding about a track.
typedef struct kerb_track_finding {
    int32_t kind;  ///< kerb_track_finding_kind
    int32_t index; ///< of the waypoint; of several in a row, that of the worst value
    float value;   ///< see kerb_track_finding_kind
    char text[96]; ///< what is found, such as "speed limited by a crest, to 38.2 m/s"
} kerb_track_finding;

/// Lists what is odd about a track for a vehicle: the reasons for which it is slower there than
/// expected, or cannot be driven. Call it once when a track is loaded, and show the texts to who
/// made the track. Returns the number of findings; at most `findings_max` of them are written, in
/// the order of the waypoints, crests last. Several waypoints in a row are one finding.
///
/// `vehicle` NULL: kerb_vehicle_default, on tracks narrower than 6 m or wider than 24 m in
/// proportion. `performance` NULL: that of the vehicle. Numbers that are
/// not finite find nothing: ask kerb_track_validate before. Allocates nothing. O(count · waypoints
/// within half a second of driving)
KERB_API int32_t kerb_track_check(const kerb_waypoint* waypoints, int32_t count, bool closed,
                                  const kerb_vehicle* vehicle, const kerb_performance* performance,
                                  kerb_track_finding* findings, int32_t findings_max);

/// Scale of a track: 1 where its mean width is 6 to 24 m, the tracks of cars. Narrower and wider
/// tracks are for vehicles of another size: then it is the mean width over 10 m. Lengths that
/// follow the track are multiplied by it. [1] O(points)
KERB_API float kerb_track_scale(const kerb_path* track);

// --------------------------------------------------------------------------- racing line

/// How a racing line is found. Vamos is "Computer-Controlled Cars in Vamos".
typedef enum kerb_line_method {
    KERB_LINE_SPRING,    ///< a chain of springs that straightens itself (Vamos section 2)
    KERB_LINE_CURVATURE, ///< minimum curvature: the same line for every vehicle
    KERB_LINE_TIME       ///< minimum lap time for one vehicle
} kerb_line_method;

/// "spring", "curvature" or "time"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_line_method_text(kerb_line_method value);

/// Which part of the track the line uses. A driver can choose between several lines of a track.
typedef enum kerb_line_side {
    KERB_LINE_NORMAL, ///< the whole width
    KERB_LINE_LEFT,   ///< the left half
    KERB_LINE_RIGHT,  ///< the right half
    /// For defending a position: from the braking point to the middle of each corner the line stays
    /// so close to the inside that no other car fits between. Elsewhere it uses the whole width.
    KERB_LINE_DEFENSIVE
} kerb_line_side;

/// "normal", "left", "right" or "defensive"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_line_side_text(kerb_line_side value);

/// How to search for a line. A settings struct: begin with kerb_line_settings_default and change
/// what differs. A field marked with a method has no effect on the other methods.
typedef struct kerb_line_settings {
    int32_t method; ///< kerb_line_method
    int32_t side;   ///< kerb_line_side
    float margin;   ///< smallest distance from the line to an edge; half of the car's width and a
                    ///< reserve [m] [0 … 20]
    /// Distance between nodes along the centre line. 0: 0.4 of the track's mean width; for SPRING
    /// the 8 m of the paper times kerb_track_scale. [m] [0 … 500]
    float node_spacing;
    /// Distance between the axles. The heights of the track count for the load on the tyres as
    /// their mean over the wheelbase and the distance driven in `ride_time`: a kink does not lift a
    /// vehicle off the road as it would lift a point. 0: 2.7 m times kerb_track_scale. [m] [0 …
    /// 100]
    float wheelbase;
    /// Time in which the springs pass a change of slope on to the body: half a period of the body
    /// on its springs. [s] [0 … 2] Cars: 0.25 to 0.5, racing cars: 0.15 to 0.25.
    float ride_time;
    /// How light the vehicle may get over a crest: smallest load on its tyres as a share of that on
    /// level ground. At 0 the wheels just stay on the road. A vehicle that must still steer or
    /// brake there needs more. [1] [0 … 0.9]
    float crest_load;
    int32_t curvature_steps; ///< steps of CURVATURE; TIME begins with them [1 … 1000]
    int32_t time_steps;      ///< further steps of TIME [1 … 10000]
    int32_t spring_steps;    ///< steps of SPRING [1 … 100000]
    /// SPRING: of the hinges, for mass 1, time step 1 and kerb_track_scale 1. [N·m/rad] [0 … 10]
    float stiffness;
    float damping;       ///< SPRING: of the nodes [kg/s] [0 … 1]
    int32_t halve_nodes; ///< SPRING: 1 deletes every second node at the end, as in the paper; 0 not
} kerb_line_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_line_settings_table;

/// Minimum lap time, whole width, margin 1 m, distance of nodes and wheelbase by the track's scale.
KERB_API kerb_line_settings kerb_line_settings_default(void);

/// The same, with all lengths in metres, for a track and a vehicle of any size. The margin is half
/// of the vehicle's width and a reserve of 0.3 m, but of a tenth to a sixth of its width. `vehicle`
/// NULL: 1 m times kerb_track_scale. O(points of the track)
KERB_API kerb_line_settings kerb_line_settings_of(const kerb_path* track,
                                                  const kerb_vehicle* vehicle);

/// The spring chain of the Vamos paper: a node every 8 m, 800 steps, stiffness 1, damping 0.1.
KERB_API kerb_line_settings kerb_line_settings_vamos(void);

/// The spring chain of the Vamos program: margin 1.6 m times kerb_track_scale, node spacing twice
/// the mean width between the margins, 500 steps, stiffness 0.5, damping 0.01. O(points of the
/// track)
KERB_API kerb_line_settings kerb_line_settings_vamos_program(const kerb_path* track);

/// Greatest number of nodes of a line.
#define KERB_LINE_NODES_MAX 1000000

/// Searches for the racing line of a track in slices of work, for example while a game loads.
///
/// `memory` holds the whole state of the search and contains no pointers. A copy of this struct
/// with a copy of `memory` goes on and gives exactly the same result, to the bit. The result
/// depends on the number of steps alone, not on how the steps were sliced. One thread at a time.
typedef struct kerb_line_solver {
    void* memory;             ///< state of the search, aligned to 64
    size_t bytes;             ///< size of `memory`
    kerb_allocator allocator; ///< owner of `memory`
} kerb_line_solver;

/// Whether a search has steps left.
typedef enum kerb_line_state { KERB_LINE_RUNNING, KERB_LINE_DONE } kerb_line_state;

/// "running" or "done"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_line_state_text(kerb_line_state value);

/// Size of the memory of a solver: about 0.95 KB per node. 0: the line would have more than
/// KERB_LINE_NODES_MAX nodes. O(points of the track)
KERB_API size_t kerb_line_solver_bytes(const kerb_path* track, const kerb_line_settings* settings);

/// Begins the search. The track should pass kerb_track_validate. O(track), allocates the solver's
/// memory, and further memory for the duration of the call.
///
/// `performance` shapes the line for the method TIME and for KERB_LINE_DEFENSIVE. For other lines
/// it only gives the speeds of kerb_racing_line_create. Errors: NOT_FINITE or OUT_OF_RANGE of a
/// setting or of `performance`; TOO_MANY nodes; OUT_OF_MEMORY. On error the solver is zeroed.
KERB_API kerb_result kerb_line_solver_create(kerb_line_solver* solver, const kerb_path* track,
                                             const kerb_performance* performance,
                                             const kerb_line_settings* settings,
                                             const kerb_host* host, kerb_error* error);

/// Releases the memory and zeroes the solver. Has no effect on a zeroed solver.
KERB_API void kerb_line_solver_destroy(kerb_line_solver* solver);

/// Gives the solver a changed track, for example with an obstacle or a wet part. The search starts
/// again from its present line, with half of the steps of TIME or SPRING. Widths, grip and banking
/// may differ; the number of points must be the same, and their positions nearly so. O(track),
/// allocates for the duration of the call only.
///
/// Errors: CONTRADICTION of `track` when it is another track; OUT_OF_MEMORY. On error nothing has
/// changed.
KERB_API kerb_result kerb_line_solver_set_track(kerb_line_solver* solver, const kerb_path* track,
                                                kerb_error* error);

/// Does at most `steps` steps of the search. O(steps · nodes), allocates nothing. A step of TIME is
/// the most expensive, a step of SPRING the cheapest.
KERB_API kerb_line_state kerb_line_solver_advance(kerb_line_solver* solver, int32_t steps);

/// Share of the steps that are done. [0 … 1] O(1)
KERB_API float kerb_line_solver_progress(const kerb_line_solver* solver);

/// One point of a racing line.
typedef struct kerb_line_point {
    double distance; ///< station: distance along the line [m]
    double x, y, z;  ///< position [m]
    float heading;   ///< direction of travel, in (-π, π] [rad]
    float slope;     ///< rise per horizontal metre [1]
    float curvature; ///< within the surface, left positive [1/m]
    /// Out of the surface, as the load on the tyres sees it: mean over the wheelbase and the
    /// distance driven in `ride_time`. Dip positive, crest negative. [1/m]
    float normal_curvature;
    /// Components of the world's up vector along the direction of travel, along the surface to the
    /// left and along the surface normal, as in kerb_profile_point. [1]
    float up_forward, up_left, up_normal;
    float bank;           ///< roll of the surface, left side up positive [rad]
    float grip;           ///< of the surface, 1 dry asphalt [1]
    float lateral_offset; ///< lateral offset from the centre line along the surface, left positive
                          ///< [m]
    float left, right;    ///< distance from the line to the left and right edge of the track [m]
    float lane_shift; ///< `lateral_offset` as a share: 1 at the left edge, -1 at the right edge [1]
    float speed;      ///< greatest speed of the solver's vehicle here [m/s]
} kerb_line_point;

/// A finished racing line. All fields may be read at any time, from any number of threads.
typedef struct kerb_racing_line {
    kerb_line_point* points; ///< with equal spacing along the line
    int32_t count;           ///< number of points
    bool closed;             ///< the track is closed
    double length;           ///< [m]
    double time;             ///< of a lap; of an open line from end to end, with a flying start [s]
    double violation;        ///< greatest distance by which the line enters the margin [m] [>= 0]
    void* memory;            ///< holds the points
    size_t bytes;            ///< size of `memory`
    kerb_allocator allocator; ///< owner of `memory`
} kerb_racing_line;

/// Makes a line from the best solution that the solver has now, finished or not. The points lie
/// about `spacing` metres apart. Their speeds are the speed profile of the solver's vehicle.
/// Length, time and violation are measured on a grid of at most 1 m, times kerb_track_scale where
/// that is below 1.
///
/// [spacing: 0.05 … 100 m] O(length), allocates the points, and about 80 bytes per metre for the
/// duration of the call. Errors: OUT_OF_RANGE of `spacing`, OUT_OF_MEMORY. On error the line is
/// zeroed.
KERB_API kerb_result kerb_racing_line_create(kerb_racing_line* line, const kerb_line_solver* solver,
                                             float spacing, const kerb_host* host,
                                             kerb_error* error);

/// Releases the memory and zeroes the line. Has no effect on a zeroed line.
KERB_API void kerb_racing_line_destroy(kerb_racing_line* line);

/// The line at a distance from its start. The position is interpolated by a cubic, all other fields
/// linearly. A closed line wraps the distance, an open line clamps it to the ends. NaN counts as 0.
/// O(1)
KERB_API kerb_line_point kerb_racing_line_at(const kerb_racing_line* line, double distance);

/// The world's origin has moved to `new_origin`, given in the old coordinates: subtracts it from
/// the position of every point. No thread may read the line meanwhile. Racers on it need
/// kerb_racer_shift_origin. [m] O(points)
KERB_API void kerb_racing_line_shift_origin(kerb_racing_line* line, kerb_vec3 new_origin);

/// Writes the points of the line as waypoints, from which kerb_path_create makes a path for any
/// driver. The corridor reaches to the edges of the track. The speed limits are the speeds of the
/// points, but at least 0.1 m/s. [waypoints: line->count of them] O(count)
KERB_API void kerb_racing_line_waypoints(const kerb_racing_line* line, kerb_waypoint* waypoints);

#endif
