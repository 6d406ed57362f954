// Kerb path: the path type that all drivers use.
//
// Courses, lanes, racing lines and motion plans can all be paths. A path is a row of waypoints,
// joined by straight segments. It may be open or closed, level or with hills, and it may cross over
// and under itself. Each waypoint has a corridor, banking, grip and a stop time. Each segment has a
// speed limit and a direction of travel.
//
// Call order: fill waypoints, create the path, find the vehicle's location once, then track this
// location and sample the path in every frame. Destroy the path at the end.
//
//     kerb_waypoint waypoints[3] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
//                                   kerb_waypoint_at(50, 50, 0)};
//     kerb_vec3 position = {1, 0, 0}, forward = {1, 0, 0}; // of the vehicle
//     kerb_host host = kerb_host_default();
//     kerb_error error;
//     kerb_path path;
//     if (kerb_path_create(&path, waypoints, 3, false, &host, &error) != KERB_OK)
//         printf("waypoint %d, field %s: %s\n", error.index, error.field, error.message);
//     kerb_path_location here = kerb_path_nearest(&path, position);  // once
//     here = kerb_path_track(&path, here, position, forward);        // every frame
//     kerb_path_sample sample = kerb_path_sample_at(&path, here);
//     kerb_path_destroy(&path);
//
// Banking: drivers take a vehicle for a point mass on a surface that is rolled by `bank`, as a
// raycast vehicle on a banked mesh is. In a bend with its outside up, gravity pulls inwards by
// g·sin(bank); all drivers count on that. The bend also presses the vehicle onto the surface by
// v²·curvature·sin(bank), so that its tyres hold more; line solver and racer count on that too. On
// 10 degrees at 50 m/s and a radius of 60 m these are 1.7 and 7.2 m/s². A host whose physics is
// flat knows neither, whatever its meshes look like: there call kerb_waypoints_level before the
// path is built. Then line solver, racer and follower count on the grip of a level road.
//
// Threads and lifetimes: a built path never changes, except by kerb_path_shift_origin. Any number
// of threads may read it at the same time. A path from kerb_path_create owns its memory until
// kerb_path_destroy. A path from kerb_path_build uses memory of the caller and allocates nothing:
// use it to replace paths while driving. The waypoints are copied and may be released after the
// call. Cost: the functions allocate nothing, except kerb_path_create.
//
// Does not: search for a path (see plan.h), or smooth it (drivers do that themselves).
#ifndef KERB_PATH_H
#define KERB_PATH_H

#include "math.h"

/// Value of a speed limit that means: no limit. [m/s]
#define KERB_SPEED_UNLIMITED 1.0e6f
/// Value of a stop time that means: wait until the host lets the vehicle continue
/// (kerb_follower_go). [s]
#define KERB_STOP_FOREVER 1.0e6f

/// One point of a path as the host gives it. Begin with kerb_waypoint_at and change what differs.
/// Corridor, bank and grip change linearly from one waypoint to the next. Speed limit and direction
/// are those of the segment from this waypoint to the next one.
typedef struct kerb_waypoint {
    kerb_vec3 position; ///< [m] [-KERB_POSITION_MAX … KERB_POSITION_MAX]
    float left;         ///< Width of the corridor to the left. [m] [0 … KERB_POSITION_MAX]
    float right;        ///< Width of the corridor to the right. [m] [0 … KERB_POSITION_MAX]
    float speed_limit;  ///< Of the segment. [m/s] [0.01 … KERB_SPEED_UNLIMITED]
    float stop;         ///< Time to wait here. 0: no stop. [s] [0 … KERB_STOP_FOREVER]
    /// Roll of the surface. Positive: left side up. It counts as grip: see "Banking" above.
    /// [rad] [-1.5 … 1.5]
    float bank;
    float grip;        ///< Of the surface. 1: dry asphalt. [1] [0.01 … 10]
    int32_t direction; ///< Of travel on the segment. 1: forwards. -1: in reverse.
} kerb_waypoint;

/// Waypoint with a corridor of 2 m to each side, no speed limit, no stop, no bank, grip 1,
/// forwards.
KERB_API kerb_waypoint kerb_waypoint_at(float x, float y, float z);

/// Checks the values of one waypoint. Returns KERB_OK when all are valid. Errors: NOT_FINITE,
/// OUT_OF_RANGE, with the first bad field. `error` may be NULL. O(1)
KERB_API kerb_result kerb_waypoint_validate(const kerb_waypoint* waypoint, kerb_error* error);

/// Checks the values of each waypoint, as kerb_waypoint_validate does, with the index of the first
/// bad one. O(count)
KERB_API kerb_result kerb_waypoints_validate(const kerb_waypoint* waypoints, int32_t count,
                                             kerb_error* error);

/// Reverses the path in place, so that it leads from its end to its start. Exchanges left and right
/// and changes the sign of the bank. Each segment keeps its speed limit and its value of
/// `direction`: a segment that was driven forwards is still driven forwards, but from its other
/// end. A closed path still starts at its first waypoint. Reversing twice restores the waypoints.
/// O(count)
KERB_API void kerb_waypoints_reverse(kerb_waypoint* waypoints, int32_t count, bool closed);

/// Makes the surface level across the path: sets `bank` to 0 and keeps the heights. For hosts with
/// flat physics, see "Banking" above. O(count)
KERB_API void kerb_waypoints_level(kerb_waypoint* waypoints, int32_t count);

/// Point of a built path, with the values of the segment from this point to the next one. The
/// curvature at a point is the angle between its two segments, divided by their mean length.
typedef struct kerb_path_point {
    double distance;     ///< Station: distance along the path from its start. [m]
    kerb_vec3 position;  ///< [m]
    kerb_vec3 direction; ///< Unit vector to the next point.
    float length;        ///< Distance to the next point. 0 at the end of an open path. [m]
    float heading;       ///< Of the segment. Continuous along the path: never wraps. [rad]
    float curvature;     ///< Positive: left. 0 where the direction of travel changes. [1/m]
    float left, right;   ///< Widths of the corridor. [m]
    float speed_limit;   ///< Of the segment. [m/s]
    float stop;          ///< Time to wait here. [s]
    float bank;          ///< Roll of the surface. Positive: left side up. [rad]
    float grip;          ///< Of the surface. 1: dry asphalt. [1]
    int32_t travel;      ///< Direction of travel on the segment. 1: forwards. -1: in reverse.
} kerb_path_point;

/// A built path. Any field may be read. To change a path, build it again. A closed path does not
/// repeat its first point.
typedef struct kerb_path {
    const kerb_path_point* points;
    int32_t count;         ///< Number of points. [>= 2]
    int32_t segment_count; ///< count - 1 on an open path, count on a closed one.
    bool closed;           ///< True: the last point leads back to the first.
    double length;         ///< Of the whole path. [m]
    uint64_t id;           ///< Hash of the content, never 0. Equal paths have equal ids.
    int32_t merged;        ///< Number of waypoints that were merged with their predecessor.
    void* memory;          ///< Memory that kerb_path_create allocated, else NULL.
    size_t bytes;          ///< Size of that memory.
    kerb_allocator allocator;
} kerb_path;

/// Size of the memory that kerb_path_build needs, aligned to 8 bytes. [bytes]
KERB_API size_t kerb_path_bytes(int32_t waypoint_count);

/// Builds a path in `memory`, which must stay valid as long as the path is used. O(count)
///
/// Merges each waypoint that is closer than 1 mm to its predecessor. The merged point gets the
/// longer stop and the lower speed limit, the narrower corridor and the lower grip, and the later
/// waypoint's bank and direction of travel. On a closed path, also merges the last waypoint with
/// the first one; the first one's bank and direction stay.
/// Errors: TOO_FEW (fewer than two different points, three when closed), NOT_FINITE, OUT_OF_RANGE,
/// with index and field. On error all fields of the path are 0. `error` may be NULL.
KERB_API kerb_result kerb_path_build(kerb_path* path, void* memory, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error);

/// Builds a path like kerb_path_build, in memory from the host's allocator. Reports merged
/// waypoints in the host's log. Further error: OUT_OF_MEMORY. O(count)
KERB_API kerb_result kerb_path_create(kerb_path* path, const kerb_waypoint* waypoints,
                                      int32_t count, bool closed, const kerb_host* host,
                                      kerb_error* error);

/// Releases the memory and sets all fields to 0. Does nothing when all fields are already 0. Does
/// not release the caller's memory of a path from kerb_path_build.
KERB_API void kerb_path_destroy(kerb_path* path);

/// Location on a path. Its accuracy does not depend on the length of the path.
typedef struct kerb_path_location {
    int32_t segment;        ///< Index of the segment's first point. [0 … segment_count - 1]
    float segment_distance; ///< Distance from that point. [m] [0 … the segment's length]
} kerb_path_location;

/// Station of a location: distance along the path from its start. [m] O(1)
KERB_API double kerb_path_distance(const kerb_path* path, kerb_path_location location);

/// Location at a station. An open path limits the station to its ends, a closed path wraps it. NaN
/// counts as 0. O(log count)
KERB_API kerb_path_location kerb_path_locate(const kerb_path* path, double distance);

/// Location `step` metres further along the path. Negative: back. An open path limits it to its
/// ends, a closed path wraps it. NaN counts as 0. O(points passed)
KERB_API kerb_path_location kerb_path_advance(const kerb_path* path, kerb_path_location from,
                                              float step);

/// Distance along the path from `from` to `to`. Negative when `to` lies behind `from`. On a closed
/// path it is in [-length/2, length/2]. [m] O(1)
KERB_API float kerb_path_distance_between(const kerb_path* path, kerb_path_location from,
                                          kerb_path_location to);

/// Values at one location of a path.
typedef struct kerb_path_sample {
    kerb_vec3 position;  ///< [m]
    kerb_vec3 direction; ///< Unit vector along the path, towards its end.
    float curvature;     ///< Positive: left. Linear between points. [1/m]
    float slope;         ///< Rise per horizontal metre towards the end of the path. [1]
    float left, right;   ///< Widths of the corridor. Linear between points. [m]
    float speed_limit;   ///< Of the segment. [m/s]
    float bank;          ///< Positive: left side up. Linear between points. [rad]
    float grip;          ///< Linear between points. [1]
    int32_t travel;      ///< Direction of travel. 1: forwards. -1: in reverse.
} kerb_path_sample;

/// Values at a location. `segment_distance` may be outside of the segment: then the position lies
/// on the segment's straight continuation, and the other values are those of its nearer end. O(1)
KERB_API kerb_path_sample kerb_path_sample_at(const kerb_path* path, kerb_path_location location);

/// Position at a location: that of kerb_path_sample_at, at a lower cost. O(1)
KERB_API kerb_vec3 kerb_path_position(const kerb_path* path, kerb_path_location location);

/// Nearest location of the whole path. Use it at the start and after a teleport. O(count)
KERB_API kerb_path_location kerb_path_nearest(const kerb_path* path, kerb_vec3 point);

/// Nearest location of the whole path, but prefers segments in the vehicle's direction of travel.
/// `facing` is the unit vector of this direction (in reverse, the opposite of the vehicle's nose),
/// or the zero vector when it is unknown. When it differs from a segment's direction by more than
/// 60 degrees, the segment counts as farther away: up to 9 m² are added to its squared distance.
/// O(count)
KERB_API kerb_path_location kerb_path_nearest_facing(const kerb_path* path, kerb_vec3 point,
                                                     kerb_vec3 facing);

/// What kerb_path_find looks for.
typedef struct kerb_path_search {
    kerb_vec3 point;   ///< [m]
    kerb_vec3 forward; ///< Unit vector of the vehicle's nose; the zero vector when unknown.
    int32_t travel;    ///< Only segments of this direction of travel; 0: any. [-1, 0, 1]
    float tolerance; ///< Places that are farther by at most this count as equally near. [m] [>= 0]
    double station;  ///< Of those, the place with the station nearest to this one wins. [m]
} kerb_path_search;

/// Place of a vehicle on a path that passes by the same point several times. Nearness alone cannot
/// tell these passes apart: a rounding error would decide. Here the station decides among all
/// places that are equally near: 0 finds the first pass. Segments against the vehicle's nose count
/// as farther, as in kerb_path_nearest_facing; in reverse the tail leads. When no segment has the
/// wanted direction of travel, all segments are searched. O(count)
KERB_API kerb_path_location kerb_path_find(const kerb_path* path, const kerb_path_search* search);

/// Moves the path with the origin of the world: subtracts `new_origin`, which is given in the old
/// coordinates, from every point. The path keeps its id, so drivers whose origin is shifted too
/// (kerb_follower_shift_origin and its like) drive on as before. Not while another thread reads the
/// path. Does nothing when `new_origin` is not finite. [m] O(count)
KERB_API void kerb_path_shift_origin(kerb_path* path, kerb_vec3 new_origin);

/// Tracks a moving point: takes its location in the last frame and returns its location now.
/// `facing` is that of kerb_path_nearest_facing. When the point is not finite, returns `from`.
/// O(points passed)
///
/// The location slides along the path to the foot of the perpendicular from the point. Then it
/// searches on both sides of this foot for a better location. The farther the point is from the
/// path, the farther it searches, at most KERB_PATH_WINDOW or twice that distance. Another location
/// is better only when its squared distance plus a penalty is less than the squared distance of the
/// foot. The penalty is the square of a third of the distance along the path from the foot. For
/// this reason the location follows a vehicle that cuts a corner, but does not jump to a parallel,
/// crossing or overlapping part of the path.
///
/// The location never passes a cusp, where the direction of travel changes: the driver decides when
/// to pass it.
KERB_API kerb_path_location kerb_path_track(const kerb_path* path, kerb_path_location from,
                                            kerb_vec3 point, kerb_vec3 facing);

/// The same for a vehicle of another scale (kerb_vehicle_scale): the lengths of the search, which
/// are chosen for cars, are multiplied by `scale`. [scale: > 0]
KERB_API kerb_path_location kerb_path_track_scaled(const kerb_path* path, kerb_path_location from,
                                                   kerb_vec3 point, kerb_vec3 facing, float scale);

/// Greatest distance along the path that kerb_path_track searches on each side of the foot, for
/// points that are at most half of it off. [m]
#define KERB_PATH_WINDOW 20.0f

/// Cross-track error: signed horizontal distance of `point` from the segment, across the segment.
/// Positive: the point is on the left. Beyond an end of an open path it is measured from the
/// straight continuation. On the outside of a corner it is the distance from the corner's waypoint.
/// [m] O(1)
KERB_API float kerb_path_cross_track(const kerb_path* path, kerb_path_location location,
                                     kerb_vec3 point);

/// End of the section that contains `location`. A section is a part of the path with one direction
/// of travel. It ends at a cusp, where the direction of travel changes, or at the end of the path.
/// On a closed path without cusps the result is `location` itself, one lap ahead. The result is at
/// most `distance_max` metres ahead. O(points passed) [distance_max: m]
KERB_API kerb_path_location kerb_path_section_end(const kerb_path* path,
                                                  kerb_path_location location, float distance_max);

/// Moving average: mean position of the path over [location - half_length, location + half_length].
/// It rounds a corner like a quadratic Bézier curve. `chord` receives the vector between the ends
/// of this range, divided by the range's length. Beyond the ends of the section, the path is
/// continued straight. O(points in the range), at most two laps [half_length: m, > 0, finite]
KERB_API kerb_vec3 kerb_path_mean(const kerb_path* path, kerb_path_location location,
                                  float half_length, kerb_vec3* chord);

#endif
