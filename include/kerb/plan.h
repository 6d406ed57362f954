// Kerb plan: the fastest movement that a vehicle can really make.
//
// From a pose and a speed to a pose and a speed, round obstacles, under the vehicle's own limits
// (turning radius, acceleration, braking, sideways acceleration, reverse), in seconds. The result
// is a row of pieces, each with one curvature and one acceleration: where the vehicle is at any
// time is a closed form.
//
//     kerb_plan_limits limits = kerb_plan_limits_of(&car, 1.0f);
//     kerb_planner_settings settings = kerb_planner_settings_default();
//     kerb_planner planner;
//     if (kerb_planner_create(&planner, &limits, &settings, &host, &error) != KERB_OK) …
//     if (kerb_planner_world(&planner, &world, &error) != KERB_OK) …  // where there are obstacles
//
//     kerb_plan_query query = {.starts = &here, .start_count = 1, .goals = &there,
//                              .goal_count = 1};
//     if (kerb_planner_begin(&planner, &query, &error) != KERB_OK) …
//     while (kerb_planner_advance(&planner, 1000) == KERB_PLAN_RUNNING) …  // a slice each frame
//     kerb_plan plan = kerb_planner_plan(&planner);  // the best so far, at any moment
//     kerb_plan_state now = kerb_plan_at(&plan, seconds);
//     kerb_plan_driver_drive(&driver, &plan, …);     // the controls that drive it, frame by frame
//     kerb_plan_waypoints(&plan, …);                 // the same as waypoints of a kerb_path
//     kerb_planner_destroy(&planner);
//
// Poses are those of the rear axle, kerb_vehicle.reference_to_rear_axle behind the reference point.
// Work is counted in steps, never in milliseconds: every machine gives the same answer. Curvature
// jumps from piece to piece; a vehicle whose wheels take time to turn follows within what that
// costs (steering_time). Does not: build maps, guess how others will move, start threads.
//
// Source: "AIPATH" (planning in the physical state space of a vehicle, chapters 2 to 5).
#ifndef KERB_PLAN_H
#define KERB_PLAN_H

#include "control.h"
#include "curve.h"
#include "path.h"
#include "vehicle.h"

// --------------------------------------------------------------------------- limits

/// What a movement must keep to. Begin with kerb_plan_limits_of or kerb_plan_limits_default. A
/// settings struct: kerb_plan_limits_table has the ranges.
typedef struct kerb_plan_limits {
    float turning_radius;       ///< least, of the rear axle [m] [> 0] Cars: 4 to 6.
    float speed_max;            ///< forwards [m/s] [> 0]
    float reverse_speed_max;    ///< 0: never in reverse [m/s] [>= 0]
    float acceleration;         ///< gaining speed forwards [m/s²] [> 0]
    float braking;              ///< losing it [m/s²] [> 0]
    float reverse_acceleration; ///< gaining speed in reverse [m/s²] [> 0]
    float reverse_braking;      ///< losing it [m/s²] [> 0]
    float lateral_acceleration; ///< most of speed² · |curvature| [m/s²] [> 0]
    float yaw_rate_max;         ///< most of speed · |curvature| [rad/s] [> 0]
    float reversal_time;        ///< standing at a change of direction [s] [>= 0]
    float
        steering_time; ///< of the wheels from straight to the tightest turn; 0: at once [s] [>= 0]
    float front;       ///< footprint: from the rear axle forwards [m]
    float rear;        ///< from the rear axle backwards [m]
    float width;       ///< across [m] [>= 0]
    float margin;      ///< further room round the footprint [m] [>= 0]
} kerb_plan_limits;

/// Curvature jumps from piece to piece; wheels take `steering_time · turning_radius · jump` for it.
/// Who turns them evenly, so that the jump lies in the middle, ends up so far aside at most: where
/// it would be more, movements are slower there. [m]
#define KERB_PLAN_DRIFT 0.1f
/// At a change of direction a movement stands until the wheels have turned, but for so long, which
/// they may turn while it comes to rest and sets off. From rest it stands likewise, as if they were
/// straight: a query does not say where they are. [s]
#define KERB_PLAN_TURNS_ROLLING 0.4f

/// Ranges, defaults and meaning of every limit.
KERB_API const kerb_settings_table kerb_plan_limits_table;

/// The car of the AIPATH thesis: radius 5 m, 13.8 m/s, 1.5 m/s² and 5 m/s², sideways 10 m/s², never
/// in reverse; 4.5 m by 1.8 m.
KERB_API kerb_plan_limits kerb_plan_limits_default(void);

/// Those of a vehicle on a surface of so much grip. [grip: > 0] 1: dry asphalt.
///
/// The grip scales braking and sideways acceleration; acceleration it can only lower. What a
/// vehicle does at its very limit, no driver does for long: take a share of the accelerations where
/// somebody is to follow the plan. For TRACKED and HOVER, the radius is what they turn within.
KERB_API kerb_plan_limits kerb_plan_limits_of(const kerb_vehicle* vehicle, float grip);

/// What of those somebody at the wheel drives as planned: that share of acceleration, braking and
/// sideways grip, and 1.1 times the least radius, so that there is something left for corrections;
/// the least radius with what understeer takes of the lock at that sideways acceleration, twice.
/// The greatest speed is that up to which its power, less what resists, still gives the
/// acceleration and 15 % more: a smaller share may be faster. On wheels 0.7 of the braking in
/// reverse, where brakes do most with the axle that carries least. TRACKED turn at 0.6 of their yaw
/// rate. [share: 0 … 1, usually 0.3 to 0.5]
KERB_API kerb_plan_limits kerb_plan_limits_to_drive(const kerb_vehicle* vehicle, float share);

/// Whether a vehicle goes where it points, as movements have it: KERB_OK, or OUT_OF_RANGE of "kind"
/// for HOVER, which goes on sliding where it went, so that no share of its limits makes it keep to
/// a movement with bends.
KERB_API kerb_result kerb_plan_drivable(const kerb_vehicle* vehicle, kerb_error* error);

/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE with the first bad field.
KERB_API kerb_result kerb_plan_limits_validate(const kerb_plan_limits* limits, kerb_error* error);

// --------------------------------------------------------------------------- from where to where

/// One end of a movement.
typedef struct kerb_plan_end {
    kerb_pose pose; ///< of the rear axle
    float speed;    ///< along the pose; negative: in reverse [m/s]
    float penalty;  ///< seconds that choosing this one costs [s] [>= 0]
    // Of a goal; of a start 0. A kerb_plan_search has such for all goals in its settings, too: what
    // lets more do holds.
    float position_tolerance; ///< so far from there will do [m] [>= 0]
    float heading_tolerance;  ///< turned by so much will do; π or more: any heading [rad] [>= 0]
    float speed_tolerance;    ///< slower or faster by so much will do [m/s] [>= 0]
} kerb_plan_end;

/// At (x, y) [m], facing along `heading` [rad], at `speed` [m/s], exactly, without a penalty.
KERB_API kerb_plan_end kerb_plan_end_make(float x, float y, float heading, float speed);

/// Most starts, and most goals, of a query.
#define KERB_PLAN_ENDS_MAX 16

/// From one of the starts to one of the goals, whichever pair costs least. Several starts stand for
/// a choice of the host's; goals that differ little say that better with tolerances.
typedef struct kerb_plan_query {
    const kerb_plan_end* starts; ///< read during kerb_planner_begin alone
    const kerb_plan_end* goals;  ///< read during kerb_planner_begin alone
    int32_t start_count;         ///< [1 … KERB_PLAN_ENDS_MAX]
    int32_t goal_count;          ///< [1 … KERB_PLAN_ENDS_MAX]
} kerb_plan_query;

// --------------------------------------------------------------------------- obstacles

/// What stands in the way. Zeros are nothing; a grid and polygons may be given together. Read while
/// a call lasts, but for `is_free` and `context`.
typedef struct kerb_plan_world {
    /// Occupancy, row by row, the first cell's corner at `origin`, rows along y. 255: blocked,
    /// anything else: free. Beyond the grid it is free. NULL: none.
    const uint8_t* cells;
    int32_t columns, rows; ///< of cells and prices [1 … KERB_PLAN_CELLS_MAX each]
    float cell_size;       ///< [m] [0.001 … 1000]
    kerb_vec2 origin;      ///< [m]
    /// Prices of ground that may be driven on but had better not, row by row like `cells`, on the
    /// same grid: each metre of the rear axle's way there costs value / 255 · price beside its
    /// time. NULL: none.
    const uint8_t* prices;
    float price; ///< of a metre where the value is 255 [s/m] [0 … 10000]
    /// Polygons that are blocked inside: simple, either way round, one after the other.
    const kerb_vec2* vertices;
    const int32_t* vertex_counts; ///< of each polygon [>= 3]
    int32_t polygon_count;        ///< 0: none [0 … 1e6; all vertices together up to 1e7]
    /// Corners of the box that the footprint must stay in; both (0, 0): no box. [m]
    kerb_vec2 least, most;
    /// Asked as well where all else is free, on the calling thread, at least every 10 cm; NULL:
    /// nobody. The same pose of the rear axle must get the same answer until the query ends.
    bool (*is_free)(void* context, kerb_pose pose);
    void* context;
} kerb_plan_world;

/// Most cells of a world's grid along a side.
#define KERB_PLAN_CELLS_MAX 32768

/// Somebody who crosses the way: a box whose motion is known. It goes straight on at `velocity` and
/// keeps facing the way it faces, or where `pose_at` says.
typedef struct kerb_plan_mover {
    kerb_pose pose;     ///< of its middle when the movement begins
    kerb_vec2 velocity; ///< [m/s] [0 … 200]
    float length;       ///< the way it faces [m] [> 0]
    float width;        ///< across [m] [> 0]
    /// Where its middle is and how it faces so many seconds after the movement begins [>= 0], in
    /// any order of times, on the calling thread; `pose` and `velocity` then count for nothing. The
    /// same time must get the same answer until the query ends, and a direction of unit length.
    /// NULL: it goes straight on.
    kerb_pose (*pose_at)(void* context, float time);
    void* context;
    float speed_max; ///< of `pose_at`: no point of the box is ever faster [m/s] [0 … 400]
} kerb_plan_mover;

/// Most of them.
#define KERB_PLAN_MOVERS_MAX 32

// --------------------------------------------------------------------------- movements

/// A piece of a movement: one curvature, one acceleration, one direction of travel.
typedef struct kerb_plan_piece {
    kerb_pose start;
    float time;     ///< since the start of the movement [s]
    float duration; ///< [s] [>= 0]
    float length;   ///< travelled [m] [>= 0]; 0 where it stands: for a change of direction, or for
                    ///< its wheels before it sets off
    float speed;    ///< at its start, of travel [m/s] [>= 0]
    float acceleration; ///< change of that speed [m/s²]
    float curvature;    ///< left positive, whichever way it is driven [1/m]
    int32_t travel;     ///< 1 forwards, -1 in reverse
} kerb_plan_piece;

/// How a movement was found.
typedef enum kerb_plan_method {
    KERB_PLAN_NONE,  ///< not at all
    KERB_PLAN_SHOT,  ///< an analytic way from start to goal, improved as far as the steps reached
    KERB_PLAN_ROUTE, ///< a search round the obstacles, shortened and improved likewise
    KERB_PLAN_STATES ///< a search with speed in its states; of kerb_planner shortened and improved
                     ///< likewise, where it arrives too fast to turn as tightly as it could
} kerb_plan_method;

/// A movement. Plain data but for `pieces`.
typedef struct kerb_plan {
    const kerb_plan_piece* pieces; ///< `count` of them, each beginning where the last one ended
    int32_t count;                 ///< 0: there is no movement
    int32_t steps;                 ///< of work so far
    int32_t expansions;            ///< those of them that expanded a node of a search
    int32_t start, goal;           ///< which of the query's
    int32_t method;                ///< kerb_plan_method
    float cost;                    ///< time plus penalties plus toll [s]
    float toll;                    ///< what the world's prices come to [s]
    float time;                    ///< [s]
    float length;                  ///< [m]
    float lower_bound;             ///< no movement costs less [s]
} kerb_plan;

/// Where a vehicle is at some time.
typedef struct kerb_plan_state {
    kerb_pose pose;
    float time;         ///< since the start of the movement [s]
    float speed;        ///< along the pose; negative in reverse [m/s]
    float curvature;    ///< left positive [1/m]
    float acceleration; ///< of travel: positive gains speed, in reverse too [m/s²]
    int32_t travel;     ///< 1 forwards, -1 in reverse
} kerb_plan_state;

/// The state `time` seconds after the start; before it (or NaN) the start, beyond the end the end.
/// A plan without pieces: zero. O(log pieces), allocates nothing.
KERB_API kerb_plan_state kerb_plan_at(const kerb_plan* plan, float time);

/// How a movement becomes waypoints. Begin with kerb_plan_path_settings_default;
/// kerb_plan_path_settings_table has the ranges.
typedef struct kerb_plan_path_settings {
    float ahead;       ///< whose path it is: the point so far ahead of the rear axle [m] 0: its own
    float chord_error; ///< segments leave the movement's arcs by at most this [m] [0.001 … 10]
    float speed_step;  ///< speed changes by at most this from waypoint to waypoint [m/s] [>= 0.05]
    float room;        ///< corridor to either side, for all waypoints [m] [>= 0]
} kerb_plan_path_settings;

KERB_API const kerb_settings_table kerb_plan_path_settings_table;
/// The rear axle's path within 1 cm, speeds in steps of 4 m/s at most, 0.3 m to either side.
/// Finer steps are nearer to the plan, but a driver who obeys them crawls off from rest.
KERB_API kerb_plan_path_settings kerb_plan_path_settings_default(void);

/// A movement as waypoints of an open path, for kerb_path_build and whoever drives along paths.
///
/// A kerb_follower keeps the reference point on its path forwards, the rear axle in reverse: for a
/// movement that is all forwards take kerb_vehicle.reference_to_rear_axle as `ahead`, else 0.
///
/// Waypoints lie on the movement, wherever a piece begins and in between; those that would come
/// within 2 mm of the one before are left out, but for changes of direction, stands and the end.
/// `speed_limit` is the greatest planned speed from there to the next waypoint, of the rear axle
/// and at least 0.01 m/s; so at a waypoint the plan drives what the lower one of the limits before
/// and after it says, at rest less. `direction` is the travel, `stop` how long the plan stands
/// there, at cusps too. What the plan does not know is as kerb_waypoint_at has it: level, grip 1.
/// At what speed the last piece arrives is in the last waypoint's limit; a path's end is where
/// followers stop, so one that is to drive on needs further waypoints behind.
///
/// `count` becomes how many there are, also where `capacity` is too small for them, else 0 on
/// error; capacity 0 with NULL only counts. On error the array's content means nothing.
///
/// Errors: NOT_FINITE or OUT_OF_RANGE of a setting; TOO_FEW of "count" where there is no movement
/// and of "length" where it goes nowhere; NOT_FINITE of "pieces", OUT_OF_RANGE of "travel",
/// "length" or "duration", TOO_MANY of "pieces" beyond a million waypoints for one of them, all
/// with the piece's index; TOO_MANY of "waypoints" where `capacity` is too small. Coordinates
/// beyond KERB_POSITION_MAX are for kerb_path_build to refuse. O(pieces + waypoints), allocates
/// nothing.
KERB_API kerb_result kerb_plan_waypoints(const kerb_plan* plan,
                                         const kerb_plan_path_settings* settings,
                                         kerb_waypoint* waypoints, int32_t capacity, int32_t* count,
                                         kerb_error* error);

/// Says whether a plan keeps every limit and leads from its start to its goal without a jump, and
/// if not, what is wrong where.
///
/// It integrates the pieces in steps of at most 2 cm or 5 ms, in double precision, and shares
/// nothing with what makes plans. Speeds may be off by 1e-3 m/s plus 2e-4 of the fastest,
/// accelerations and curvatures by a thousandth; tolls by 2 % and half a cell; places by 2 mm and
/// 1e-5 of the coordinates and of the length; headings by 5e-4 rad.
///
/// With a world (may be NULL) the footprint with its margin, less 2 mm and what floats cannot say
/// so far from the origin, is held at every step against each blocked cell and polygon, the box and
/// the host's own function.
///
/// Errors: OUT_OF_RANGE of "turning_radius", "speed_max" …, the limit that is broken, or of "world"
/// where it meets an obstacle; CONTRADICTION of "pose", "speed", "time", "length", "travel",
/// "goal", "cost", "toll": pieces that do not fit one another, or the ends, or the world's prices;
/// TOO_FEW of "count"; NOT_FINITE. With the piece's index. O(length), about 0.1 ms a 100 m; with a
/// world times the cells under the footprint and the vertices. The world must be one that
/// kerb_planner_world takes. Allocates nothing.
KERB_API kerb_result kerb_plan_check(const kerb_plan_limits* limits, const kerb_plan_query* query,
                                     const kerb_plan_world* world, const kerb_plan* plan,
                                     kerb_error* error);

/// Says whether a movement, at its own times, meets one of those that cross its way. As
/// kerb_plan_check it integrates by itself, in steps of at most 2 cm or 5 ms, and shrinks the
/// footprint by 2 mm and what floats cannot say. Errors: OUT_OF_RANGE of "movers", with the
/// piece's index; TOO_FEW of "count". O(length · count)
KERB_API kerb_result kerb_plan_check_movers(const kerb_plan_limits* limits,
                                            const kerb_plan_mover* movers, int32_t count,
                                            const kerb_plan* plan, kerb_error* error);

// --------------------------------------------------------------------------- planner

/// How to plan. Begin with kerb_planner_settings_default and change what differs.
typedef struct kerb_planner_settings {
    int32_t improvement; ///< steps spent on improving the first answer; 0: the first answer it is
    int32_t seed;        ///< of the improvement's random numbers
    // Of searches round obstacles.
    int32_t expansions;  ///< of nodes at most, then the outcome is BUDGET_SPENT
    int32_t nodes;       ///< places that a search can keep, about 138 bytes each
    int32_t field_cells; ///< of what a world's obstacles are measured on, 4 bytes each at most:
                         ///< where a quarter of the vehicle's width is too fine, it is coarser
} kerb_planner_settings;

KERB_API const kerb_settings_table kerb_planner_settings_table;
KERB_API kerb_planner_settings kerb_planner_settings_default(void);

typedef enum kerb_plan_outcome {
    KERB_PLAN_RUNNING,       ///< there is more to do
    KERB_PLAN_FOUND,         ///< done
    KERB_PLAN_NO_PATH,       ///< there is none, however it drives
    KERB_PLAN_BUDGET_SPENT,  ///< none found with this much work, or none of up to 2,048 arcs
    KERB_PLAN_CANCELLED,     ///< by the host; the plan is the best until then
    KERB_PLAN_IMPOSSIBLE,    ///< every start or every goal has a speed beyond the limits
    KERB_PLAN_START_BLOCKED, ///< at every start the footprint meets an obstacle
    KERB_PLAN_GOAL_BLOCKED,  ///< at every goal it does
    KERB_PLAN_OUTCOME_COUNT
} kerb_plan_outcome;

/// A word for an outcome, never NULL: "found", "no_path".
KERB_API const char* kerb_plan_outcome_text(kerb_plan_outcome outcome);

/// Looks for a movement, a slice of work at a time. All it knows lies in `memory`, `site` and
/// `crossing`, without pointers but for a world's `is_free` and a mover's `pose_at`: copied
/// elsewhere, together with this struct, it goes on with the same bits. The answer depends on the
/// number of steps only, never on how they were sliced.
typedef struct kerb_planner {
    void* memory; ///< aligned to 64
    size_t bytes;
    void* site; ///< the obstacles and the searches among them, aligned to 64; NULL: open ground
    size_t site_bytes;
    void* crossing; ///< those who cross the way, aligned to 64; NULL: nobody
    size_t crossing_bytes;
    kerb_allocator allocator;
} kerb_planner;

/// Bytes of a planner's memory on open ground: half a megabyte, for movements of kilometres.
KERB_API size_t kerb_planner_bytes(void);

/// Errors: those of kerb_plan_limits_validate; OUT_OF_RANGE or NOT_FINITE of a setting;
/// OUT_OF_MEMORY. On error the planner is zeroed. Allocates its memory, once for all queries.
KERB_API kerb_result kerb_planner_create(kerb_planner* planner, const kerb_plan_limits* limits,
                                         const kerb_planner_settings* settings,
                                         const kerb_host* host, kerb_error* error);

/// Gives the memory back. Harmless on a zeroed planner.
KERB_API void kerb_planner_destroy(kerb_planner* planner);

/// Says what stands in the way from now on; whatever ran before is dropped. A world of zeros, or
/// NULL: open ground. Copies it.
///
/// Allocates: the obstacles' memory (a bit a cell of the grid, a byte a price, 12 bytes a vertex,
/// up to 5 bytes for each of settings.field_cells, up to 8 MB for the distances round obstacles,
/// about 139 bytes for each of settings.nodes) and as much again meanwhile. So it is a call for the
/// loading screen; queries allocate nothing. O(cells + vertices), 2 ms for 100 m by 100 m.
///
/// Errors, which leave open ground: NOT_FINITE or OUT_OF_RANGE of "columns", "rows", "cell_size",
/// "origin" (all within 1e6 m), "price", "vertices", "polygon_count", "least", "most", with the
/// vertex's index; TOO_FEW of "vertex_counts", with the polygon's; MISSING_FIELD of "vertices" or
/// "vertex_counts"; OUT_OF_RANGE of "width" or "front" where the limits' footprint is empty;
/// OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_world(kerb_planner* planner, const kerb_plan_world* world,
                                        kerb_error* error);

/// Says who crosses the way in the queries that begin from now on; 0: nobody. Copies them.
///
/// A movement is then driven slower, or waits on its way, where it would meet one of them; what is
/// shown at any moment is so already. Where the movement that was found without them meets one at
/// full speed, a search with speed and time (up to a tenth of settings.expansions) then looks for
/// another way: past them, behind them, aside until they have passed. The better of both is the
/// answer; without improvement (0) the first that there is. Where neither is found the outcome is
/// BUDGET_SPENT. Timing costs up to some milliseconds each time that a better movement is shown.
/// After a movement's end nobody is looked for.
///
/// Allocates where there was nobody before: 2 MB and 31 bytes for each of settings.nodes.
///
/// Errors, with the index, which leave nobody: NOT_FINITE or OUT_OF_RANGE of "pose", "velocity",
/// "length", "width" or "speed_max"; TOO_MANY of "count"; OUT_OF_MEMORY.
KERB_API kerb_result kerb_planner_movers(kerb_planner* planner, const kerb_plan_mover* movers,
                                         int32_t count, kerb_error* error);

/// Begins a query; whatever ran before is dropped. Errors, with the end's index, which leave the
/// planner with no query: NOT_FINITE or OUT_OF_RANGE of "pose" (coordinates up to 1e6 m; a
/// direction of unit length within a thousandth), "speed", "penalty", "position_tolerance",
/// "heading_tolerance" or "speed_tolerance"; TOO_FEW or TOO_MANY of "start_count" or "goal_count".
/// Speeds beyond the limits are no error but the outcome KERB_PLAN_IMPOSSIBLE, as ends in obstacles
/// are START_BLOCKED or GOAL_BLOCKED.
KERB_API kerb_result kerb_planner_begin(kerb_planner* planner, const kerb_plan_query* query,
                                        kerb_error* error);

/// Goes on by so many steps at most. On open ground the first step finds the first answer, in 20 to
/// 50 µs, with reverse in 80 to 200; each further one tries to improve it, in about 0.4 µs. Among
/// obstacles, where no direct way is free, steps are first expansions of a search, then shortcuts,
/// of about a microsecond or two each. Allocates nothing.
///
/// Goals with tolerances are aimed at by up to 64 exact ends, and the improvement moves the end
/// within them. Several goals: among obstacles a search takes the one that it reaches first; each
/// other one that might cost less, and lies elsewhere or has another penalty, is then searched for
/// by itself, with four times as much work as the first took.
KERB_API kerb_plan_outcome kerb_planner_advance(kerb_planner* planner, int32_t steps);

/// Ends the query. What was found stays.
KERB_API void kerb_planner_cancel(kerb_planner* planner);

/// The best movement so far; without pieces where there is none. Its pieces stay until the next
/// call that is not this one. O(1)
KERB_API kerb_plan kerb_planner_plan(const kerb_planner* planner);

/// Where there is no movement yet, or will be none: one to where the search has come nearest to a
/// goal, ending there at rest: something to begin with. It costs its time and its start's penalty;
/// `goal` is -1, and kerb_plan_check does not take it. Where there is a movement, that. Without
/// pieces before the first expansion, and where the search goes from the goals backwards. Its
/// pieces stay until the next call that is not this one. O(nodes)
KERB_API kerb_plan kerb_planner_effort(kerb_planner* planner);

// --------------------------------------------------------------------------- what it looks at

/// The tree that a search round obstacles has grown by now, for pictures and for finding out why.
typedef struct kerb_plan_tree {
    int32_t count;  ///< of nodes; they only grow in number while the search is the same
    int32_t search; ///< which of the query's searches: a finer one begins a tree of its own [>= 0]
    bool backwards; ///< it grows from the goals; costs count from there, reverse is forwards
} kerb_plan_tree;

/// A node of it: a place that the search has reached.
typedef struct kerb_plan_node {
    kerb_pose pose;  ///< of the rear axle
    int32_t parent;  ///< whose arc leads here, a lesser index; -1: the search begins here
    float curvature; ///< of that arc, left positive [1/m]
    float length;    ///< of that arc, negative in reverse [m]; 0 where the search begins
    float cost;      ///< of the way here, about [s]
} kerb_plan_node;

/// The tree of the query's latest search; on open ground, and before a search, it has no nodes. It
/// stays as it is until the next call that is not one of this part. O(1)
KERB_API kerb_plan_tree kerb_planner_tree(const kerb_planner* planner);

/// Nodes in the order in which they were reached, so that those of one expansion follow one another
/// with the same parent. [index: 0 … tree.count - 1] O(1)
KERB_API kerb_plan_node kerb_planner_node(const kerb_planner* planner, int32_t index);

/// What is left of limits on a surface of so much grip. [grip: > 0] 1: as they are; wet asphalt
/// 0.7, snow 0.3, ice 0.1 or so. Scales braking and sideways acceleration; acceleration it can only
/// lower.
KERB_API kerb_plan_limits kerb_plan_limits_on(const kerb_plan_limits* limits, float grip);

#endif
