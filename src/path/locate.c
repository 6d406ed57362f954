// Locations on a path: from distance to location and back, a step onward, the properties of the
// path at a location, and its moving average. All O(1), except the search by distance, O(log n),
// and functions that walk along the path, O(points passed).
#include "../base/shared.h"
#include "kerb/path.h"

double kerb_path_distance(const kerb_path* path, kerb_path_location location) {
    return path->points[location.segment].distance + (double)location.segment_distance;
}

// The last segment that starts at or before `distance`.
static int32_t segment_at(const kerb_path* path, double distance) {
    int32_t low = 0, high = path->segment_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (path->points[middle].distance <= distance)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static double hold_distance(const kerb_path* path, double distance) {
    if (!(distance > 0.0)) // also catches NaN
        return 0.0;
    return distance < path->length ? distance : path->length;
}

static double wrap_distance(const kerb_path* path, double distance) {
    if (!(distance > -1.0e12 && distance < 1.0e12)) // NaN, or too far to leave a precise rest
        return 0.0;
    double rounds = distance / path->length;
    double whole = (double)(int64_t)rounds;
    if (whole > rounds)
        whole -= 1.0;
    return distance - whole * path->length;
}

kerb_path_location kerb_path_locate(const kerb_path* path, double distance) {
    KERB_ASSERT(path->count >= 2);
    distance = path->closed ? wrap_distance(path, distance) : hold_distance(path, distance);
    kerb_path_location location = {0, 0.0f};
    location.segment = segment_at(path, distance);
    const kerb_path_point* point = &path->points[location.segment];
    location.segment_distance =
        kerb_clamp((float)(distance - point->distance), 0.0f, point->length);
    return location;
}

static bool has_next(const kerb_path* path, int32_t segment) {
    return path->closed || segment + 1 < path->segment_count;
}

static int32_t locate_next_of(const kerb_path* path, int32_t segment) {
    return segment + 1 < path->segment_count ? segment + 1 : 0;
}

static int32_t previous_of(const kerb_path* path, int32_t segment) {
    return segment > 0 ? segment - 1 : path->segment_count - 1;
}

kerb_path_location kerb_path_advance(const kerb_path* path, kerb_path_location from, float step) {
    if (!(kerb_abs(step) <= (float)path->length)) // far, or NaN: search instead of a long walk
        return step == step ? kerb_path_locate(path, kerb_path_distance(path, from) + (double)step)
                            : from;
    // In double, because with floats each of thousands of short segments would add a rounding.
    double along = (double)from.segment_distance + (double)step;
    int32_t segment = from.segment;
    while (along > (double)path->points[segment].length) {
        if (!has_next(path, segment)) {
            along = (double)path->points[segment].length;
            break;
        }
        along -= (double)path->points[segment].length;
        segment = locate_next_of(path, segment);
    }
    while (along < 0.0) {
        if (!path->closed && segment == 0) {
            along = 0.0;
            break;
        }
        segment = previous_of(path, segment);
        along += (double)path->points[segment].length;
    }
    return (kerb_path_location){segment, (float)along};
}

float kerb_path_distance_between(const kerb_path* path, kerb_path_location from,
                                 kerb_path_location to) {
    double between = kerb_path_distance(path, to) - kerb_path_distance(path, from);
    if (path->closed) {
        if (between > 0.5 * path->length)
            between -= path->length;
        else if (between < -0.5 * path->length)
            between += path->length;
    }
    return (float)between;
}

kerb_vec3 kerb_path_position(const kerb_path* path, kerb_path_location location) {
    const kerb_path_point* point = &path->points[location.segment];
    return kerb_vec3_along(point->position, point->direction, location.segment_distance);
}

static float locate_mix(float a, float b, float t) {
    return a + (b - a) * t;
}

kerb_path_sample kerb_path_sample_at(const kerb_path* path, kerb_path_location location) {
    const kerb_path_point* a = &path->points[location.segment];
    const kerb_path_point* b = &path->points[(location.segment + 1) % path->count];
    float t = kerb_clamp(location.segment_distance / a->length, 0.0f, 1.0f);
    kerb_vec2 level = {a->direction.x, a->direction.y};
    kerb_path_sample sample = {
        .position = kerb_path_position(path, location),
        .direction = a->direction,
        .curvature = locate_mix(a->curvature, b->curvature, t),
        .slope = a->direction.z / kerb_max(kerb_vec2_length(level), 1.0e-3f),
        .left = locate_mix(a->left, b->left, t),
        .right = locate_mix(a->right, b->right, t),
        .speed_limit = a->speed_limit,
        .bank = locate_mix(a->bank, b->bank, t),
        .grip = a->grip,
        .travel = a->travel,
    };
    return sample;
}

float kerb_path_cross_track(const kerb_path* path, kerb_path_location location, kerb_vec3 point) {
    const kerb_path_point* a = &path->points[location.segment];
    kerb_vec3 from = kerb_vec3_sub(point, kerb_path_position(path, location));
    float level = kerb_sqrt(a->direction.x * a->direction.x + a->direction.y * a->direction.y);
    float across = a->direction.x * from.y - a->direction.y * from.x;
    // On the outside of a corner, the nearest point is the corner itself. There the result is the
    // distance, not only its part across the segment. Past the ends of an open path, the path is
    // treated as a straight line that goes on.
    float distance = kerb_sqrt(from.x * from.x + from.y * from.y);
    bool at_corner =
        (location.segment_distance <= 0.0f && (path->closed || location.segment > 0)) ||
        (location.segment_distance >= a->length && has_next(path, location.segment));
    if (at_corner || level < 1.0e-3f)
        return across < 0.0f ? -distance : distance;
    return across / level;
}

kerb_path_location kerb_path_section_end(const kerb_path* path, kerb_path_location location,
                                         float distance_max) {
    kerb_path_location end = location;
    double left = (double)distance_max;
    for (int32_t i = 0; i < path->segment_count; i++) {
        const kerb_path_point* point = &path->points[end.segment];
        double to_end = (double)point->length - (double)end.segment_distance;
        if (to_end >= left)
            return kerb_path_advance(path, end, (float)left);
        left -= to_end;
        end.segment_distance = point->length;
        if (!has_next(path, end.segment) ||
            path->points[locate_next_of(path, end.segment)].travel != point->travel)
            return end;
        end.segment = locate_next_of(path, end.segment);
        end.segment_distance = 0.0f;
    }
    // Once round the closed path: the walk is back at the segment where it began.
    return kerb_path_advance(path, end, kerb_min((float)left, location.segment_distance));
}

// --------------------------------------------------------------------------- moving average

// Adds the integral of the path's position over `half` metres from `location` onward (side 1) or
// backward (side -1) to `sum`. Positions are relative to `base`. Returns the position at the end.
// Where the direction of travel changes or the path ends, the walk goes straight on.
static kerb_vec3 integrate(const kerb_path* path, kerb_path_location location, float half,
                           int32_t side, kerb_vec3 base, kerb_vec3* sum) {
    kerb_vec3 at = kerb_vec3_sub(kerb_path_position(path, location), base);
    int32_t segment = location.segment;
    float room = side > 0 ? path->points[segment].length - location.segment_distance
                          : location.segment_distance;
    // Rounding may leave a crumb after the last segment of a lap, hence the count.
    for (int32_t i = 0; i <= path->segment_count + 1 && half > 0.0f; i++) {
        const kerb_path_point* point = &path->points[segment];
        int32_t other = side > 0 ? locate_next_of(path, segment) : previous_of(path, segment);
        bool ends = (!path->closed && segment == (side > 0 ? path->segment_count - 1 : 0)) ||
                    path->points[other].travel != point->travel;
        float piece = ends ? half : kerb_min(half, room);
        kerb_vec3 to = kerb_vec3_along(at, point->direction, side > 0 ? piece : -piece);
        *sum = kerb_vec3_along(*sum, kerb_vec3_add(at, to), 0.5f * piece);
        at = to;
        half -= piece;
        segment = other;
        room = path->points[other].length;
    }
    return at;
}

// Whole laps of a closed path contribute the integral of one lap each, so that the work does not
// grow with their number. Returns what is left of `half`.
static float integrate_laps(const kerb_path* path, kerb_path_location location, float half,
                            int32_t side, kerb_vec3 base, kerb_vec3* sum) {
    float length = (float)path->length;
    if (!path->closed || half <= length)
        return half;
    // A section that ends somewhere is continued straight, hence no lap.
    kerb_path_location end = kerb_path_section_end(path, location, length);
    if (end.segment != location.segment || end.segment_distance < location.segment_distance)
        return half;
    kerb_vec3 lap = {0.0f, 0.0f, 0.0f};
    integrate(path, location, length, side, base, &lap);
    float laps = floorf(half / length);
    *sum = kerb_vec3_along(*sum, lap, laps);
    return kerb_clamp(half - laps * length, 0.0f, length);
}

kerb_vec3 kerb_path_mean(const kerb_path* path, kerb_path_location location, float half_length,
                         kerb_vec3* chord) {
    KERB_ASSERT(half_length > 0.0f);
    // Sums relative to the location keep their precision far from the origin.
    kerb_vec3 base = kerb_path_position(path, location);
    kerb_vec3 sum = {0.0f, 0.0f, 0.0f};
    float ahead = integrate_laps(path, location, half_length, 1, base, &sum);
    kerb_vec3 front = integrate(path, location, ahead, 1, base, &sum);
    float behind = integrate_laps(path, location, half_length, -1, base, &sum);
    kerb_vec3 back = integrate(path, location, behind, -1, base, &sum);
    float scale = 0.5f / half_length;
    *chord = kerb_vec3_scale(kerb_vec3_sub(front, back), scale);
    return kerb_vec3_along(base, sum, scale);
}
