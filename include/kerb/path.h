// Kerb path: the one path type of the whole house.
//
// A course, a lane, a racing line and a plan are all paths: waypoints joined by straight segments,
// each with its distance along the path, corridor, speed limit, direction of travel, banking and
// grip. Open or closed, level or in space, over and under itself.
//
//     kerb_waypoint waypoints[3] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(50, 0, 0),
//                                   kerb_waypoint_at(50, 50, 0)};
//     kerb_path path;
//     kerb_error error;
//     if (kerb_path_create(&path, waypoints, 3, false, &host, &error) != KERB_OK) …
//     kerb_path_location here = kerb_path_nearest(&path, position);            // once
//     here = kerb_path_track(&path, here, position, forward);                  // every frame
//     kerb_path_sample sample = kerb_path_sample_at(&path, here);
//     kerb_path_destroy(&path);
//
// A built path is constant: any number of threads may read it. Hosts that replace paths every
// frame build into memory of their own with kerb_path_build, which never allocates.
//
// Does not: find a way (that is the planner's work) or smooth (that is the driver's).
#ifndef KERB_PATH_H
#define KERB_PATH_H

#include "math.h"

/// As a speed limit: none.
#define KERB_SPEED_UNLIMITED 1.0e6f
/// Greatest coordinate of a waypoint; beyond it a float cannot place a wheel. [m]
#define KERB_POSITION_MAX 1.0e6f
/// As a stop: wait until the host lets it go on (kerb_follower_go). [s]
#define KERB_STOP_FOREVER 1.0e6f

/// One point of a path as the host gives it. Begin with kerb_waypoint_at and change what differs.
typedef struct kerb_waypoint {
    kerb_vec3 position;
    float left;        ///< width of the corridor to the left of the path [m] [>= 0]
    float right;       ///< and to the right [m] [>= 0]
    float speed_limit; ///< from here to the next waypoint [m/s] [> 0]
    float stop;        ///< stand here for so long; 0: drive through [s] [>= 0]
    float bank;        ///< roll of the surface, left side up positive [rad] [-1.5 … 1.5]
    float grip;        ///< of the surface, 1 dry asphalt [1] [0.01 … 10]
    int32_t direction; ///< from here to the next waypoint: 1 forwards, -1 in reverse
} kerb_waypoint;

/// Corridor 2 m to each side, no limit, no stop, level, grip 1, forwards.
KERB_API kerb_waypoint kerb_waypoint_at(float x, float y, float z);

/// KERB_OK when every waypoint by itself is good for a path, or NOT_FINITE or OUT_OF_RANGE with
/// index and field. O(count), allocates nothing.
KERB_API kerb_result kerb_waypoints_check(const kerb_waypoint* waypoints, int32_t count,
                                          kerb_error* error);

/// The same way from its other end, in place: the order, left and right, the sign of the banking
/// change, and what holds from a waypoint to the next (speed limit, direction) holds on the same
/// segments as before. Each `direction` stays as it is: what was driven forwards is driven forwards
/// the other way. Twice gives back the same. A closed path starts where it started. O(count)
KERB_API void kerb_waypoints_reverse(kerb_waypoint* waypoints, int32_t count, bool closed);

/// A vertex of the built path, with what is known about the segment to the next one.
typedef struct kerb_path_point {
    double distance; ///< along the path from its start [m]
    kerb_vec3 position;
    kerb_vec3 direction; ///< unit vector to the next point
    float length;        ///< to the next point [m] [> 0]
    float heading;       ///< of the segment, continuous along the path (not wrapped) [rad]
    float curvature;     ///< turn at this point over half of both segments, left positive [1/m]
    float left, right;   ///< corridor [m]
    float speed_limit;   ///< on the segment [m/s]
    float stop;          ///< [s]
    float bank;          ///< [rad]
    float grip;          ///< [1]
    int32_t travel;      ///< of the segment: 1 forwards, -1 in reverse
} kerb_path_point;

/// A built path. Read it freely; change it only by building again.
typedef struct kerb_path {
    const kerb_path_point* points;
    int32_t count;         ///< points: at least 2; on a closed path the first is not repeated
    int32_t segment_count; ///< count - 1, or count when closed
    bool closed;           ///< the last point leads back to the first
    double length;         ///< [m]
    uint64_t id;           ///< from the content: two equal paths have the same, others differ
    int32_t merged;        ///< waypoints that repeated their predecessor and were merged
    void* memory;          ///< what kerb_path_create allocated, else NULL
    size_t bytes;
    kerb_allocator allocator;
} kerb_path;

/// Bytes that kerb_path_build needs for so many waypoints; aligned to 8.
KERB_API size_t kerb_path_bytes(int32_t waypoint_count);

/// Builds a path into `memory`, which must outlive it. O(count), allocates nothing.
///
/// Waypoints closer than 1 mm to their predecessor are merged with it (the longer stop, the lower
/// speed limit and the narrower corridor stay). Errors: TOO_FEW (fewer than two different
/// points; three when closed), NOT_FINITE, OUT_OF_RANGE with index and field. On error the path is
/// zeroed.
KERB_API kerb_result kerb_path_build(kerb_path* path, void* memory, const kerb_waypoint* waypoints,
                                     int32_t count, bool closed, kerb_error* error);

/// As kerb_path_build, with memory from the host's allocator. Notes merged waypoints in its log.
KERB_API kerb_result kerb_path_create(kerb_path* path, const kerb_waypoint* waypoints,
                                      int32_t count, bool closed, const kerb_host* host,
                                      kerb_error* error);

/// Gives the memory back. Harmless on a zeroed path or one from kerb_path_build.
KERB_API void kerb_path_destroy(kerb_path* path);

/// A place on a path: exact however long the path is. On [0, segment_count) and [0, length]; the
/// functions below return `along` beyond these where the text says so.
typedef struct kerb_path_location {
    int32_t segment; ///< index of the segment's first point
    float along;     ///< distance from that point [m]
} kerb_path_location;

/// Distance from the start of the path. [m] O(1)
KERB_API double kerb_path_distance(const kerb_path* path, kerb_path_location location);

/// The place at a distance from the start, held to the path's ends or wrapped when closed. NaN
/// counts as 0. O(log count)
KERB_API kerb_path_location kerb_path_locate(const kerb_path* path, double distance);

/// The place `step` metres further (negative: back). Held to the ends; wraps when closed. NaN
/// leads nowhere. O(points passed)
KERB_API kerb_path_location kerb_path_advance(const kerb_path* path, kerb_path_location from,
                                              float step);

/// How far along the path `to` lies from `from`; on a closed path in [-length/2, length/2]. [m]
KERB_API float kerb_path_ahead(const kerb_path* path, kerb_path_location from,
                               kerb_path_location to);

/// All that is known about one place of the path.
typedef struct kerb_path_sample {
    kerb_vec3 position;
    kerb_vec3 direction; ///< unit vector of travel along the path
    float curvature;     ///< left positive, between vertices linear [1/m]
    float slope;         ///< rise per level metre in the direction of travel [1]
    float left, right;   ///< corridor, between vertices linear [m]
    float speed_limit;   ///< [m/s]
    float bank;          ///< [rad]
    float grip;          ///< [1]
    int32_t travel;      ///< 1 forwards, -1 in reverse
} kerb_path_sample;

/// O(1). `along` may lie outside the segment: the straight continuation.
KERB_API kerb_path_sample kerb_path_sample_at(const kerb_path* path, kerb_path_location location);

/// Only the position. O(1).
KERB_API kerb_vec3 kerb_path_position(const kerb_path* path, kerb_path_location location);

/// The nearest place of the whole path: for the start, or after a teleport. O(count).
KERB_API kerb_path_location kerb_path_nearest(const kerb_path* path, kerb_vec3 point);

/// The nearest place, preferring where the path goes the vehicle's way: `facing` is the unit
/// vector in which the vehicle travels; a stretch that goes against it, by more than 60 degrees,
/// counts as farther away by up to 3 m. O(count).
KERB_API kerb_path_location kerb_path_nearest_facing(const kerb_path* path, kerb_vec3 point,
                                                     kerb_vec3 facing);

/// Follows a moving point from where it was on the path to where it is now. O(points passed), and
/// the farther off the path, the farther it looks: at most `KERB_PATH_WINDOW` metres each way.
///
/// It slides to the foot of the perpendicular and leaves it only for a place that is nearer even
/// after paying for the way along the path in between (a third of a metre for each metre): so it
/// gets round the corner that a vehicle cuts, but does not jump to a parallel, crossing or
/// overlapping stretch. It never passes a change between forwards and reverse: that is the
/// driver's decision. `facing` as above; the zero vector when unknown. A point that is not finite
/// leaves it where it was.
KERB_API kerb_path_location kerb_path_track(const kerb_path* path, kerb_path_location from,
                                            kerb_vec3 point, kerb_vec3 facing);

/// How far kerb_path_track looks each way along the path. [m]
#define KERB_PATH_WINDOW 20.0f

/// Signed distance from the path, measured level and across it: left positive; past an end, from
/// the straight continuation. [m] O(1)
KERB_API float kerb_path_cross_track(const kerb_path* path, kerb_path_location location,
                                     kerb_vec3 point);

/// Where the stretch of one direction of travel that holds `location` ends: at the next change
/// between forwards and reverse, or at the path's end. A closed path without changes has no end:
/// `location` itself plus one round. O(points to the end), at most `most` metres ahead.
KERB_API kerb_path_location kerb_path_stretch_end(const kerb_path* path,
                                                  kerb_path_location location, float most);

/// The mean position of the path over [location - half, location + half], and the chord between
/// its ends divided by its length: a moving average. Beyond the ends of the stretch of travel the
/// path goes on straight. Rounds a corner as a quadratic Bézier does. O(points in the window)
KERB_API kerb_vec3 kerb_path_mean(const kerb_path* path, kerb_path_location location, float half,
                                  kerb_vec3* chord);

#endif
