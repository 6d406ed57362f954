// Builds a path: checks the waypoints, merges repeated ones, and computes the direction, length and
// heading of each segment and the curvature of each vertex. Drivers then only read these numbers.
//
// O(count): one pass each for checking, copying and measuring. kerb_path_build uses only memory of
// the caller. Distances along the path are doubles, because a float is too coarse for them after a
// few kilometres. All other numbers are small enough for floats.
#include "../base/shared.h"
#include "kerb/path.h"

#include <string.h>

// Waypoints that are closer count as one. Floats have a spacing of 1e-3 m at 10 km from the origin,
// so rounding would dominate the direction between closer waypoints. [m]
#define MERGE_DISTANCE 1.0e-3f

kerb_waypoint kerb_waypoint_at(float x, float y, float z) {
    kerb_waypoint waypoint = {.position = {x, y, z},
                              .left = 2.0f,
                              .right = 2.0f,
                              .speed_limit = KERB_SPEED_UNLIMITED,
                              .stop = 0.0f,
                              .bank = 0.0f,
                              .grip = 1.0f,
                              .direction = 1};
    return waypoint;
}

// --------------------------------------------------------------------------- checking

// Ranges of a waypoint's numbers, as a settings table, so that kerb_settings_validate checks them.
#define BUILD_ROW(field, ...) KERB_IN_SETTING(kerb_waypoint, field, __VA_ARGS__)
static const kerb_setting waypoint_rows[] = {
    BUILD_ROW(position.x, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
              "position of the waypoint"),
    BUILD_ROW(position.y, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
              "position of the waypoint"),
    BUILD_ROW(position.z, "m", -KERB_POSITION_MAX, KERB_POSITION_MAX, 0,
              "position of the waypoint"),
    BUILD_ROW(left, "m", 0, KERB_POSITION_MAX, 2, "width of the corridor to the left"),
    BUILD_ROW(right, "m", 0, KERB_POSITION_MAX, 2, "width of the corridor to the right"),
    BUILD_ROW(speed_limit, "m/s", 0.01f, KERB_SPEED_UNLIMITED, KERB_SPEED_UNLIMITED,
              "speed limit to the next waypoint"),
    BUILD_ROW(stop, "s", 0, KERB_STOP_FOREVER, 0, "time to wait here"),
    BUILD_ROW(bank, "rad", -1.5f, 1.5f, 0, "roll of the surface, positive with the left side up"),
    BUILD_ROW(grip, "1", 0.01f, 10.0f, 1, "grip of the surface, 1 on dry asphalt"),
};
static const kerb_settings_table waypoint_table = {
    "kerb_waypoint", sizeof(kerb_waypoint), waypoint_rows,
    (int32_t)(sizeof waypoint_rows / sizeof waypoint_rows[0])};

kerb_result kerb_waypoint_validate(const kerb_waypoint* waypoint, kerb_error* error) {
    KERB_ASSERT(waypoint != NULL);
    kerb_result result = kerb_settings_validate(&waypoint_table, waypoint, error);
    if (result != KERB_OK)
        return result;
    if (waypoint->direction != 1 && waypoint->direction != -1)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_RANGE, "direction", 0, -1,
                              "must be 1 (forwards) or -1 (in reverse)");
    return KERB_OK;
}

kerb_result kerb_waypoints_validate(const kerb_waypoint* waypoints, int32_t count,
                                    kerb_error* error) {
    KERB_ASSERT(waypoints != NULL || count <= 0);
    for (int32_t i = 0; i < count; i++) {
        kerb_result result = kerb_waypoint_validate(&waypoints[i], error);
        if (result != KERB_OK) {
            if (error != NULL)
                error->index = i;
            return result;
        }
    }
    return KERB_OK;
}

// --------------------------------------------------------------------------- copying

static kerb_path_point point_from(const kerb_waypoint* waypoint) {
    kerb_path_point point = {.position = waypoint->position,
                             .left = waypoint->left,
                             .right = waypoint->right,
                             .speed_limit = waypoint->speed_limit,
                             .stop = waypoint->stop,
                             .bank = waypoint->bank,
                             .grip = waypoint->grip,
                             .travel = waypoint->direction};
    return point;
}

// A repeated waypoint tightens the limits of the point that represents it: the narrower corridor,
// the lower limit and grip, the longer stop.
static void demand(kerb_path_point* point, const kerb_path_point* more) {
    point->left = kerb_min(point->left, more->left);
    point->right = kerb_min(point->right, more->right);
    point->speed_limit = kerb_min(point->speed_limit, more->speed_limit);
    point->stop = kerb_max(point->stop, more->stop);
    point->grip = kerb_min(point->grip, more->grip);
}

// The properties of the segment that leaves the point come from the later waypoint.
static void build_merge(kerb_path_point* point, const kerb_path_point* later) {
    demand(point, later);
    point->bank = later->bank;
    point->travel = later->travel;
}

static bool repeats(kerb_vec3 a, kerb_vec3 b) {
    return kerb_vec3_length(kerb_vec3_sub(a, b)) < MERGE_DISTANCE;
}

static int32_t copy_points(kerb_path_point* points, const kerb_waypoint* waypoints, int32_t count,
                           bool closed) {
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        kerb_path_point point = point_from(&waypoints[i]);
        if (kept > 0 && repeats(points[kept - 1].position, point.position))
            build_merge(&points[kept - 1], &point);
        else
            points[kept++] = point;
    }
    // A closed path that ends where it begins: the segment that leaves there is that of the first
    // waypoint.
    if (closed && kept > 1 && repeats(points[kept - 1].position, points[0].position))
        demand(&points[0], &points[--kept]);
    return kept;
}

// --------------------------------------------------------------------------- measuring

static void build_measure_segments(kerb_path* path, kerb_path_point* points) {
    double distance = 0.0;
    for (int32_t i = 0; i < path->count; i++) {
        points[i].distance = distance;
        if (i == path->segment_count) { // the end of an open path keeps the last direction
            points[i].direction = points[i - 1].direction;
            points[i].travel = points[i - 1].travel;
            break;
        }
        kerb_vec3 step = kerb_vec3_sub(points[(i + 1) % path->count].position, points[i].position);
        points[i].length = kerb_vec3_length(step);
        points[i].direction = kerb_vec3_scale(step, 1.0f / points[i].length);
        distance += (double)points[i].length;
    }
    path->length = distance;
}

// The turn from one direction to the next, seen from above, in (-π, π]. 0 when one is vertical.
static float build_turn_between(kerb_vec3 from, kerb_vec3 to) {
    float cross = from.x * to.y - from.y * to.x;
    float dot = from.x * to.x + from.y * to.y;
    return kerb_atan2(cross, dot);
}

static void measure_turns(kerb_path* path, kerb_path_point* points) {
    int32_t first = path->closed ? 0 : 1;
    points[0].heading = kerb_atan2(points[0].direction.y, points[0].direction.x);
    for (int32_t i = first; i < path->segment_count; i++) {
        const kerb_path_point* before = &points[i > 0 ? i - 1 : path->count - 1];
        float turn = build_turn_between(before->direction, points[i].direction);
        if (i > 0)
            points[i].heading = before->heading + turn;
        // Where the direction of travel changes, the vehicle stops and the corner has no curvature.
        if (before->travel == points[i].travel)
            points[i].curvature = turn / (0.5f * (before->length + points[i].length));
    }
    if (!path->closed)
        points[path->count - 1].heading = points[path->count - 2].heading;
}

// One step of a hash of the path. It works on words, not bytes, so that byte order does not matter.
static uint64_t build_mix(uint64_t hash, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static uint64_t fingerprint(const kerb_path* path) {
    uint64_t hash = path->closed ? 3 : 1;
    for (int32_t i = 0; i < path->count; i++) {
        const kerb_path_point* p = &path->points[i];
        const float values[] = {p->position.x,  p->position.y,   p->position.z, p->left,
                                p->right,       p->stop,         p->bank,       p->grip,
                                p->speed_limit, (float)p->travel};
        for (size_t j = 0; j < sizeof values / sizeof values[0]; j++)
            hash = build_mix(hash, values[j]);
    }
    return hash != 0 ? hash : 1;
}

// --------------------------------------------------------------------------- the interface

size_t kerb_path_bytes(int32_t waypoint_count) {
    return waypoint_count > 0 ? (size_t)waypoint_count * sizeof(kerb_path_point) : 0;
}

kerb_result kerb_path_build(kerb_path* path, void* memory, const kerb_waypoint* waypoints,
                            int32_t count, bool closed, kerb_error* error) {
    KERB_ASSERT(path != NULL);
    memset(path, 0, sizeof *path);
    if (count < (closed ? 3 : 2))
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "waypoints", 0, -1,
                              closed ? "a closed path needs at least three waypoints"
                                     : "a path needs at least two waypoints");
    KERB_ASSERT(memory != NULL && waypoints != NULL);
    kerb_result result = kerb_waypoints_validate(waypoints, count, error);
    if (result != KERB_OK)
        return result;

    kerb_path_point* points = memory;
    int32_t kept = copy_points(points, waypoints, count, closed);
    if (kept < (closed ? 3 : 2))
        return kerb_error_set(error, KERB_ERROR_TOO_FEW, "waypoints", 0, -1,
                              "too few of the waypoints are different places");
    path->points = points;
    path->count = kept;
    path->segment_count = closed ? kept : kept - 1;
    path->closed = closed;
    path->merged = count - kept;
    build_measure_segments(path, points);
    measure_turns(path, points);
    path->id = fingerprint(path);
    return KERB_OK;
}

// "N waypoints repeated their predecessor and were merged", without the C library's formatting.
static void note_merged(const kerb_log* log, int32_t merged) {
    if (merged == 0 || log->write == NULL)
        return;
    char text[80] = "";
    char digits[12];
    int32_t length = 0;
    for (int32_t rest = merged; rest > 0; rest /= 10)
        digits[length++] = (char)('0' + rest % 10);
    int32_t at = 0;
    while (length > 0)
        text[at++] = digits[--length];
    memcpy(text + at, " waypoints repeated their predecessor and were merged", 54);
    log->write(log->context, KERB_LOG_NOTE, text);
}

kerb_result kerb_path_create(kerb_path* path, const kerb_waypoint* waypoints, int32_t count,
                             bool closed, const kerb_host* host, kerb_error* error) {
    KERB_ASSERT(path != NULL && host != NULL);
    memset(path, 0, sizeof *path);
    const kerb_allocator* allocator = &host->allocator;
    size_t bytes = kerb_path_bytes(count);
    void* memory = bytes > 0 ? allocator->allocate(allocator->context, bytes, 8) : NULL;
    if (bytes > 0 && memory == NULL)
        return kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "path", 0, -1,
                              "no memory for the path's points");
    kerb_result result = kerb_path_build(path, memory, waypoints, count, closed, error);
    if (result != KERB_OK) {
        if (memory != NULL)
            allocator->release(allocator->context, memory, bytes);
        return result;
    }
    path->memory = memory;
    path->bytes = bytes;
    path->allocator = *allocator;
    note_merged(&host->log, path->merged);
    return KERB_OK;
}

void kerb_path_destroy(kerb_path* path) {
    if (path->memory != NULL)
        path->allocator.release(path->allocator.context, path->memory, path->bytes);
    memset(path, 0, sizeof *path);
}

void kerb_path_shift_origin(kerb_path* path, kerb_vec3 new_origin) {
    KERB_ASSERT(path != NULL);
    if (!kerb_vec3_is_finite(new_origin))
        return;
    kerb_path_point* points = (kerb_path_point*)path->points; // in memory that can be written
    for (int32_t i = 0; i < path->count; i++)
        points[i].position = kerb_vec3_sub(points[i].position, new_origin);
}
