// Kerb mesh: navigation meshes for vehicles: convex polygons with their neighbours, in 3D.
//
// Most games have a navigation mesh. This room copies it from plain arrays, finds the polygon at a
// point, the corridor of polygons from one place to another, the shortest line in the corridor,
// and a line that a vehicle with a turning radius can follow, with the free width on both sides.
// Levels may lie above one another: ramps, bridges, storeys. kerb/plan_mesh.h plans in a corridor.
//
// Call order: fill kerb_mesh_data; kerb_mesh_create once; kerb_mesh_search_create once per thread;
// then for each query kerb_mesh_nearest for start and goal, kerb_mesh_find_corridor, and
// kerb_mesh_pull or kerb_mesh_line; destroy both at the end.
//
//     kerb_vec3 vertices[4] = {{0, 0, 0}, {40, 0, 0}, {40, 20, 2}, {0, 20, 2}};
//     int32_t corner_counts[1] = {4}, corners[4] = {0, 1, 2, 3};
//     kerb_mesh_data data = {.vertices = vertices, .vertex_count = 4, .polygon_count = 1,
//                            .corner_counts = corner_counts, .corners = corners};
//     kerb_host host = kerb_host_default();
//     kerb_error error;
//     kerb_mesh mesh;
//     kerb_mesh_search search;
//     if (kerb_mesh_create(&mesh, &data, &host, &error) != KERB_OK)
//         return false;                                            // `error` says what is wrong
//     if (kerb_mesh_search_create(&search, &mesh, &host, &error) != KERB_OK)
//         return false;
//     kerb_mesh_place from = kerb_mesh_nearest(&mesh, (kerb_vec3){5, 5, 0}, 2.0f, 2.0f);
//     kerb_mesh_place to = kerb_mesh_nearest(&mesh, (kerb_vec3){35, 15, 2}, 2.0f, 2.0f);
//     kerb_mesh_step steps[64];
//     kerb_mesh_corridor corridor = {.steps = steps, .capacity = 64};
//     kerb_mesh_agent agent = kerb_mesh_agent_default();
//     if (kerb_mesh_find_corridor(&mesh, &search, &agent, from, to, &corridor) == KERB_MESH_FOUND)
//         printf("%d polygons\n", corridor.count);
//     kerb_mesh_search_destroy(&search);
//     kerb_mesh_destroy(&mesh);
//
// Seen from above, each polygon must be convex and anticlockwise; heights are free. Recast has y
// up: its (x, y, z) are (z, x, y) here (kerb/math.h converts other axes too).
//
// Threads and lifetimes: a mesh never changes, so any number of threads may ask it. A search
// belongs to one thread at a time and to one mesh. The memory of both holds no pointers.
// Cost: only the two _create functions allocate.
//
// Does not: build meshes from triangles (Recast does), change a mesh, or know other vehicles.
#ifndef KERB_MESH_H
#define KERB_MESH_H

#include "math.h"

/// Greatest number of polygons, and of vertices.
#define KERB_MESH_POLYGONS_MAX (1 << 22)
/// Greatest number of corners of a polygon.
#define KERB_MESH_CORNERS_MAX 32
/// Number of areas: kinds of ground, from 0.
#define KERB_MESH_AREAS 64

// --------------------------------------------------------------------------- data

/// A connection that is not a side of two polygons: a jump, a lift, a ferry.
typedef struct kerb_mesh_link {
    kerb_vec3 from, to;               ///< Its ends. [m]
    int32_t from_polygon, to_polygon; ///< Polygons of its ends. [0 … polygon_count - 1]
    float cost;                       ///< Added to its length. [m] [0 … 1e6]
    bool both_ways;                   ///< Also passed from `to` to `from`.
    uint8_t area;                     ///< Its kind of ground. [0 … KERB_MESH_AREAS - 1]
} kerb_mesh_link;

/// A navigation mesh as the host gives it. All of it is copied.
typedef struct kerb_mesh_data {
    const kerb_vec3* vertices; ///< [m] [-KERB_POSITION_MAX … KERB_POSITION_MAX]
    int32_t vertex_count;      ///< [3 … KERB_MESH_POLYGONS_MAX]
    /// Number of corners of each polygon. [3 … KERB_MESH_CORNERS_MAX]
    const int32_t* corner_counts;
    /// Indices of vertices, one polygon after another. Seen from above each polygon is convex and
    /// anticlockwise. Three corners on a line are allowed: divide a side that has two neighbours.
    const int32_t* corners;
    /// For each corner, the polygon on the other side of the side from this corner to the next one;
    /// -1: none, a border. Both polygons must name each other. Sides may overlap in part, as on the
    /// seams of tiles. NULL: polygons that share two vertices are neighbours.
    const int32_t* neighbours;
    const uint8_t* areas;        ///< Area of each polygon [0 … KERB_MESH_AREAS - 1]. NULL: all 0.
    int32_t polygon_count;       ///< [1 … KERB_MESH_POLYGONS_MAX]
    const kerb_mesh_link* links; ///< NULL: none.
    int32_t link_count;          ///< [0 … KERB_MESH_POLYGONS_MAX]
} kerb_mesh_data;

/// A navigation mesh. Plain data; `memory` holds no pointers, so a copy of it at another address
/// is a mesh too. Read its fields, do not write them.
typedef struct kerb_mesh {
    void* memory; ///< Aligned to 8.
    size_t bytes; ///< Of `memory`.
    int32_t polygon_count;
    size_t owned_size; ///< Size of memory from kerb_mesh_create. 0: the caller's memory.
    kerb_allocator allocator;
} kerb_mesh;

/// Checks all but neighbours. KERB_OK, or, with the index: MISSING_FIELD of "vertices",
/// "corner_counts", "corners" or "links"; TOO_FEW or TOO_MANY of "vertex_count", "polygon_count",
/// "link_count" or (with the polygon) "corner_counts"; NOT_FINITE or OUT_OF_RANGE of "vertices"
/// (with the vertex), "corners" (with the corner: no such vertex), "areas" (with the polygon) or
/// "links" (with the link); CONTRADICTION of "corners" with the polygon: clockwise, not convex,
/// without area, or with two corners at one place. `error` may be NULL. O(corners + links)
KERB_API kerb_result kerb_mesh_data_validate(const kerb_mesh_data* data, kerb_error* error);

/// Size of the memory that kerb_mesh_build needs; 0 where kerb_mesh_data_validate would fail. About
/// 150 bytes per polygon of four corners. [bytes] O(corners)
KERB_API size_t kerb_mesh_bytes(const kerb_mesh_data* data);

/// Builds a mesh in `memory`: kerb_mesh_bytes bytes, aligned to 8, which stay valid as long as the
/// mesh is used. Such a mesh need not be destroyed.
///
/// Errors: those of kerb_mesh_data_validate; with the corner, OUT_OF_RANGE of "neighbours" (no such
/// polygon, or the polygon itself) and CONTRADICTION of "neighbours" (the other polygon has no side
/// there that names this one); CONTRADICTION of "corners" (without `neighbours`: two polygons lie
/// on the same side of a side). On error the mesh is zeroed. `error` may be NULL. O(corners)
KERB_API kerb_result kerb_mesh_build(kerb_mesh* mesh, void* memory, const kerb_mesh_data* data,
                                     kerb_error* error);

/// Builds a mesh like kerb_mesh_build, in memory from the host's allocator. Further error:
/// OUT_OF_MEMORY.
KERB_API kerb_result kerb_mesh_create(kerb_mesh* mesh, const kerb_mesh_data* data,
                                      const kerb_host* host, kerb_error* error);

/// Releases the memory of kerb_mesh_create and zeroes the mesh. No effect on a zeroed mesh.
KERB_API void kerb_mesh_destroy(kerb_mesh* mesh);

/// A polygon of a mesh. The arrays lie in the mesh.
typedef struct kerb_mesh_polygon {
    const int32_t* corners;    ///< Indices for kerb_mesh_vertex.
    const int32_t* neighbours; ///< Polygon across the side from each corner to the next; -1: none.
    int32_t corner_count;
    int32_t area;
} kerb_mesh_polygon;

/// [polygon: 0 … polygon_count - 1] O(1)
KERB_API kerb_mesh_polygon kerb_mesh_polygon_at(const kerb_mesh* mesh, int32_t polygon);
/// [index: 0 … vertex_count - 1] [m] O(1)
KERB_API kerb_vec3 kerb_mesh_vertex(const kerb_mesh* mesh, int32_t index);

// --------------------------------------------------------------------------- places

/// A place on a mesh.
typedef struct kerb_mesh_place {
    int32_t polygon;    ///< -1: there is none.
    kerb_vec3 position; ///< On the polygon. [m]
} kerb_mesh_place;

/// The place of the mesh that is nearest to a point: at most `reach` away seen from above, and at
/// most `height_reach` above or below it. The nearest is that of the least distance in 3D, so a car
/// on a bridge is on the bridge, and one below it on the road. Of equally near polygons it is the
/// one of the lowest index. The polygon is -1 where there is none, or where a number is not finite.
/// O(polygons in reach) [reach, height_reach: m, >= 0]
KERB_API kerb_mesh_place kerb_mesh_nearest(const kerb_mesh* mesh, kerb_vec3 point, float reach,
                                           float height_reach);

/// Height of a polygon at a place seen from above. Outside of the polygon, it is the height at the
/// nearest place on it. A polygon with four or more corners is a fan of triangles from its first
/// corner. [m] O(corners)
KERB_API float kerb_mesh_height(const kerb_mesh* mesh, int32_t polygon, float x, float y);

/// Where a straight line on the mesh ends.
typedef struct kerb_mesh_hit {
    float distance;        ///< Length of the line, seen from above. [m]
    bool border;           ///< True: it ends at a border of the mesh.
    kerb_mesh_place place; ///< Its end.
} kerb_mesh_hit;

/// Follows a straight line over neighbouring polygons, until a border or its whole length. Polygons
/// above and below do not count; links are not passed. Borders count as 1 cm farther out, because
/// lines may run along them and positions are rounded to floats. O(polygons passed)
/// [direction: unit vector] [length: m, >= 0]
KERB_API kerb_mesh_hit kerb_mesh_ray(const kerb_mesh* mesh, kerb_mesh_place from,
                                     kerb_vec2 direction, float length);

// --------------------------------------------------------------------------- corridors

/// Who asks for a corridor.
typedef struct kerb_mesh_agent {
    /// Distance to keep from borders. Openings narrower than twice this are closed. 0 on a mesh
    /// that was built for this vehicle's radius. [m] [>= 0]
    float clearance;
    float area_cost[KERB_MESH_AREAS]; ///< Cost of a metre in each area. [1] [0.01 … 1000]
    uint64_t areas_allowed;           ///< Bit n: area n may be used.
} kerb_mesh_agent;

/// Clearance 0, all areas allowed, a metre costs 1.
KERB_API kerb_mesh_agent kerb_mesh_agent_default(void);
/// KERB_OK, or NOT_FINITE or OUT_OF_RANGE of "clearance" or, with the index, "area_cost".
KERB_API kerb_result kerb_mesh_agent_validate(const kerb_mesh_agent* agent, kerb_error* error);

/// One polygon of a corridor.
typedef struct kerb_mesh_step {
    int32_t polygon;
    /// How the corridor leaves it: the corner [0 …] where the side begins that it crosses; -1: not
    /// at all, this is the last polygon; -2 - n: along link n.
    int32_t exit;
} kerb_mesh_step;

/// A row of polygons from one place to another.
typedef struct kerb_mesh_corridor {
    kerb_mesh_step* steps; ///< The caller's array.
    int32_t capacity;      ///< Of `steps`.
    int32_t count;         ///< Polygons of the corridor, also where `capacity` is too small.
    kerb_mesh_place from, to;
    float cost; ///< Lengths times costs of areas. With NO_PATH also the distance left. An estimate.
                ///< [m]
} kerb_mesh_corridor;

/// Outcome of kerb_mesh_find_corridor.
typedef enum kerb_mesh_outcome {
    KERB_MESH_FOUND,    ///< The corridor leads to the goal.
    KERB_MESH_NO_PATH,  ///< No corridor exists. The one returned ends where it comes nearest.
    KERB_MESH_NO_PLACE, ///< Start or goal is on no polygon; no corridor.
    KERB_MESH_TOO_LONG, ///< `capacity` is smaller than `count`; the array is not written.
    KERB_MESH_OUTCOME_COUNT
} kerb_mesh_outcome;

/// "found", "no_path", "no_place" or "too_long"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_mesh_outcome_text(kerb_mesh_outcome value);

/// Working memory of searches in one mesh. `memory` holds no pointers.
typedef struct kerb_mesh_search {
    void* memory; ///< Aligned to 8.
    size_t bytes; ///< Of `memory`.
    size_t owned_size;
    kerb_allocator allocator;
} kerb_mesh_search;

/// Size of the memory that a search in this mesh needs: 80 bytes per polygon. [bytes]
KERB_API size_t kerb_mesh_search_bytes(const kerb_mesh* mesh);
/// Makes a search in memory of the caller, aligned to 8. O(polygons)
KERB_API void kerb_mesh_search_init(kerb_mesh_search* search, void* memory, const kerb_mesh* mesh);
/// Makes a search in memory from the host's allocator. Error: OUT_OF_MEMORY. O(polygons)
KERB_API kerb_result kerb_mesh_search_create(kerb_mesh_search* search, const kerb_mesh* mesh,
                                             const kerb_host* host, kerb_error* error);
/// Releases the memory and zeroes the search. No effect on a zeroed search.
KERB_API void kerb_mesh_search_destroy(kerb_mesh_search* search);

/// Finds the corridor from one place to another by A* over polygons. Each polygon keeps the
/// cheapest pulled string that leads to it, so the corridor is nearly that of the shortest line,
/// not always exactly. The agent must be valid; the polygon of the start may be of any area. The
/// answer does not depend on earlier ones. O(polygons reached · log polygons), allocates nothing.
KERB_API kerb_mesh_outcome kerb_mesh_find_corridor(const kerb_mesh* mesh, kerb_mesh_search* search,
                                                   const kerb_mesh_agent* agent,
                                                   kerb_mesh_place from, kerb_mesh_place to,
                                                   kerb_mesh_corridor* corridor);

/// Distance from a place to the nearest border, over neighbouring polygons; `reach` where none is
/// nearer. Borders of other levels do not count. [m] O(polygons in reach) [reach: m, >= 0]
KERB_API float kerb_mesh_border_distance(const kerb_mesh* mesh, kerb_mesh_search* search,
                                         kerb_mesh_place place, float reach);

// --------------------------------------------------------------------------- lines

/// Pulls a string tight in a corridor: the shortest line that keeps `clearance` from the ends of
/// the sides that it crosses, or half of a side that is narrower. Writes its corners with start and
/// end, on the mesh. A link gives both of its ends. Returns the number of corners; where that is
/// more than `capacity`, only the first ones are written. 0: there is no corridor. O(steps²) at
/// worst, O(steps) usually. [clearance: m, >= 0]
KERB_API int32_t kerb_mesh_pull(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                                float clearance, kerb_mesh_place* corners, int32_t capacity);

/// How a corridor becomes a reference line.
typedef struct kerb_mesh_line_settings {
    float turning_radius; ///< Corners are rounded with arcs of this radius. [m] [0 … 1000]
    float clearance;      ///< Distance to keep from the corners of the corridor. [m] [0 … 1000]
    float spacing;        ///< Greatest distance of points. [m] [0.05 … 1000]
    float width_max;      ///< Greatest width to either side that is looked for. [m] [0 … 1000]
} kerb_mesh_line_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_mesh_line_settings_table;
/// Radius 5 m, clearance 1.2 m, a point every 2 m, widths up to 6 m.
KERB_API kerb_mesh_line_settings kerb_mesh_line_settings_default(void);

/// A point of a reference line.
typedef struct kerb_mesh_line_point {
    kerb_vec3 position; ///< [m]
    /// Distance to the border on each side, at right angles to the line, to 1 cm. 0 on a link.
    /// [m] [0 … width_max]
    float left, right;
    int32_t polygon; ///< The polygon that it lies on.
} kerb_mesh_line_point;

/// A reference line.
typedef struct kerb_mesh_line {
    kerb_mesh_line_point* points; ///< The caller's array.
    int32_t capacity;             ///< Of `points`.
    int32_t count;                ///< Points of the line, also where `capacity` is too small.
    float length;                 ///< [m]
    float radius_min; ///< Least radius of its arcs. 0: a sharp corner. [m] [0 … turning_radius]
} kerb_mesh_line;

/// Makes the reference line of a corridor, without a search: the pulled string with its corners
/// rounded. Each corner becomes an arc of the turning radius that touches the corner on its inside,
/// joined by common tangents, so that the line swings out before a bend and does not cut it. Where
/// there is no room to swing out, the radius is halved. Below a fiftieth of the first radius the
/// corner stays sharp: `radius_min` says so. Links are straight. The line begins in the direction
/// of the corridor, whatever the vehicle's heading is.
/// Errors: NOT_FINITE or OUT_OF_RANGE of a setting; TOO_FEW of "count" (no corridor); TOO_MANY of
/// "count" (over 512 corners) or "capacity" (`count` says how many it needs). `error` may be
/// NULL. O(points · polygons across), allocates nothing, uses 50 kB of stack.
KERB_API kerb_result kerb_mesh_make_line(const kerb_mesh* mesh, const kerb_mesh_corridor* corridor,
                                         const kerb_mesh_line_settings* settings,
                                         kerb_mesh_line* line, kerb_error* error);

#endif
