// The location of a vehicle on its path. The first location comes from a search of the whole path.
// Later ones are tracked frame by frame from the last location, so that the location never jumps to
// another part of the path that happens to be near.
//
// Tracking slides along the path as long as the distance to the vehicle decreases, to a local
// minimum. Sliding alone gets stuck where a vehicle cuts a corner: the foot on the first leg stays
// behind, and the nearer foot on the second leg lies beyond a maximum of the distance. It also gets
// stuck where a path doubles back. So tracking compares further locations by a cost: squared
// distance + (a third of the distance along the path)² + (3 m)² · (how much the direction of the
// path opposes that of the vehicle). The cost of the best location limits how far along the path a
// better one can be, so a vehicle near the path needs no search.
// Cost: O(segments) for the first search, then O(segments within that limit).
#include "kerb/path.h"

// Weights of the cost above, chosen by trial.
#define WAY_WEIGHT (1.0f / 9.0f) // of the squared distance along the path [1]
#define FACING_WEIGHT 9.0f       // of a path that goes against the vehicle [m²]
#define NEARLY_STRAIGHT 0.95f    // cosine of 18 degrees

// Sets `along` to the foot of the perpendicular on a segment, clamped to its ends. Returns the
// squared distance from the foot to the point.
static float foot_on(const kerb_path_point* segment, kerb_vec3 point, float* along) {
    kerb_vec3 from = kerb_vec3_sub(point, segment->position);
    *along = kerb_clamp(kerb_vec3_dot(from, segment->direction), 0.0f, segment->length);
    kerb_vec3 off = kerb_vec3_along(from, segment->direction, -*along);
    return kerb_vec3_dot(off, off);
}

static bool is_zero(kerb_vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

// Cost of the direction of a segment: 0 when it agrees with the vehicle's heading, FACING_WEIGHT
// when it is opposite. Differences up to 60 degrees cost nothing: a vehicle that slides in a bend
// must not move to another place only because the path there points as the vehicle does.
static float against(const kerb_path_point* segment, kerb_vec3 facing) {
    float beyond = 0.5f - kerb_vec3_dot(segment->direction, facing);
    return kerb_max(FACING_WEIGHT / 1.5f * beyond, 0.0f);
}

kerb_path_location kerb_path_nearest_facing(const kerb_path* path, kerb_vec3 point,
                                            kerb_vec3 facing) {
    bool faces = !is_zero(facing);
    kerb_path_location best = {0, 0.0f};
    float best_cost = -1.0f;
    for (int32_t i = 0; i < path->segment_count; i++) {
        float along;
        float cost = foot_on(&path->points[i], point, &along);
        if (faces)
            cost += against(&path->points[i], facing);
        if (best_cost < 0.0f || cost < best_cost) {
            best_cost = cost;
            best.segment = i;
            best.segment_distance = along;
        }
    }
    return best;
}

kerb_path_location kerb_path_nearest(const kerb_path* path, kerb_vec3 point) {
    return kerb_path_nearest_facing(path, point, kerb_vec3_make(0.0f, 0.0f, 0.0f));
}

// --------------------------------------------------------------------------- places passed twice

// Cost of the foot on a segment for a search, which facing and direction of travel decide with.
static float cost_for(const kerb_path_search* search, const kerb_path_point* segment,
                      float* along) {
    float cost = foot_on(segment, search->point, along);
    if (!is_zero(search->forward))
        cost += against(segment, kerb_vec3_scale(search->forward, (float)segment->travel));
    return cost;
}

static bool is_searched(const kerb_path_search* search, const kerb_path_point* segment) {
    return search->travel == 0 || segment->travel == search->travel;
}

// Distance between stations; on a closed path the shorter way round.
static double stations_apart(const kerb_path* path, double a, double b) {
    double apart = a > b ? a - b : b - a;
    return path->closed && apart > 0.5 * path->length ? path->length - apart : apart;
}

// The least cost of all searched segments; -1 when none has the wanted direction of travel.
static float least_cost(const kerb_path* path, const kerb_path_search* search) {
    float least = -1.0f, along;
    for (int32_t i = 0; i < path->segment_count; i++) {
        if (!is_searched(search, &path->points[i]))
            continue;
        float cost = cost_for(search, &path->points[i], &along);
        if (least < 0.0f || cost < least)
            least = cost;
    }
    return least;
}

// A pass is a run of segments that are all near enough. Its place is its nearest one.
kerb_path_location kerb_path_find(const kerb_path* path, const kerb_path_search* search) {
    float least = least_cost(path, search);
    if (least < 0.0f) {
        kerb_path_search any = *search;
        any.travel = 0;
        return kerb_path_find(path, &any);
    }
    float farthest = kerb_sqrt(least) + search->tolerance;
    float most = kerb_max(farthest * farthest, least); // which a rounded root could miss
    kerb_path_location best = {0, 0.0f}, pass = {0, 0.0f};
    double best_apart = -1.0;
    float pass_cost = -1.0f; // below 0: between passes
    for (int32_t i = 0; i <= path->segment_count; i++) {
        float along = 0.0f, cost = -1.0f;
        if (i < path->segment_count && is_searched(search, &path->points[i]))
            cost = cost_for(search, &path->points[i], &along);
        bool near = cost >= 0.0f && cost <= most;
        if (near && (pass_cost < 0.0f || cost < pass_cost)) {
            pass_cost = cost;
            pass = (kerb_path_location){i, along};
        }
        if (near || pass_cost < 0.0f)
            continue;
        double apart = stations_apart(path, kerb_path_distance(path, pass), search->station);
        if (best_apart < 0.0 || apart < best_apart) {
            best_apart = apart;
            best = pass;
        }
        pass_cost = -1.0f;
    }
    return best;
}

// --------------------------------------------------------------------------- tracking

// The neighbour of a segment, or -1 where the path or its direction of travel ends.
static int32_t neighbour_of(const kerb_path* path, int32_t segment, int32_t side) {
    int32_t other = segment + side;
    if (other < 0 || other >= path->segment_count) {
        if (!path->closed)
            return -1;
        other = side > 0 ? 0 : path->segment_count - 1;
    }
    return path->points[other].travel == path->points[segment].travel ? other : -1;
}

// Slides from `from` downhill to a local minimum of the distance.
static kerb_path_location slide(const kerb_path* path, kerb_path_location from, kerb_vec3 point) {
    int32_t segment = from.segment;
    for (int32_t i = 0; i < path->segment_count; i++) {
        const kerb_path_point* here = &path->points[segment];
        float along = kerb_vec3_dot(kerb_vec3_sub(point, here->position), here->direction);
        int32_t side = along > here->length ? 1 : along < 0.0f ? -1 : 0;
        if (side == 0)
            return (kerb_path_location){segment, kerb_clamp(along, 0.0f, here->length)};
        kerb_path_location corner = {segment, side > 0 ? here->length : 0.0f};
        int32_t other = neighbour_of(path, segment, side);
        if (other < 0)
            return corner;
        const kerb_path_point* there = &path->points[other];
        kerb_vec3 vertex = side > 0 ? there->position : here->position;
        float beyond = kerb_vec3_dot(kerb_vec3_sub(point, vertex), there->direction);
        if (beyond * (float)side <= 0.0f)
            return corner;
        segment = other;
    }
    return (kerb_path_location){segment, 0.0f};
}

typedef struct nearest_candidate {
    kerb_path_location location;
    float cost;
    float window, against; // greatest distance along the path [m]; factor of FACING_WEIGHT
} nearest_candidate;

// Compares the segments on one side of `from` with `best`. The first of them is `way` metres away.
static void nearest_weigh(const kerb_path* path, kerb_path_location from, kerb_vec3 point,
                          kerb_vec3 facing, int32_t side, float way, float reach,
                          nearest_candidate* best) {
    const kerb_path_point* here = &path->points[from.segment];
    int32_t segment = from.segment;
    bool straight = true;
    while (way < reach) {
        segment = neighbour_of(path, segment, side);
        if (segment < 0 || segment == from.segment)
            return;
        const kerb_path_point* there = &path->points[segment];
        // The usual case: a path that is nearly straight within reach has no second minimum.
        straight = straight && kerb_vec3_dot(here->direction, there->direction) > NEARLY_STRAIGHT;
        if (straight && way + there->length >= reach)
            return;
        float along;
        float cost = foot_on(there, point, &along);
        float to_foot = way + (side > 0 ? along : there->length - along);
        cost += WAY_WEIGHT * to_foot * to_foot;
        if (!is_zero(facing))
            cost += best->against * against(there, facing);
        if (cost < best->cost && to_foot <= best->window) {
            best->cost = cost;
            best->location = (kerb_path_location){segment, along};
        }
        way += there->length;
    }
}

kerb_path_location kerb_path_track(const kerb_path* path, kerb_path_location from, kerb_vec3 point,
                                   kerb_vec3 facing) {
    return kerb_path_track_scaled(path, from, point, facing, 1.0f);
}

kerb_path_location kerb_path_track_scaled(const kerb_path* path, kerb_path_location from,
                                          kerb_vec3 point, kerb_vec3 facing, float scale) {
    if (!kerb_vec3_is_finite(point))
        return from;
    kerb_path_location near = slide(path, from, point);
    const kerb_path_point* here = &path->points[near.segment];
    kerb_vec3 off = kerb_vec3_sub(point, kerb_path_position(path, near));
    float squared = kerb_vec3_dot(off, off);
    // What is far off has left this stretch, however much path lies in a knot before the next one.
    float window = kerb_max(KERB_PATH_WINDOW * scale, 2.0f * kerb_sqrt(squared));
    nearest_candidate best = {near, squared, window, scale * scale};
    if (!is_zero(facing))
        best.cost += best.against * against(here, facing);
    // No location farther along the path can cost less.
    float reach = kerb_min(kerb_sqrt(best.cost / WAY_WEIGHT), best.window);
    if (here->length - near.segment_distance < reach)
        nearest_weigh(path, near, point, facing, 1, here->length - near.segment_distance, reach,
                      &best);
    if (near.segment_distance < reach)
        nearest_weigh(path, near, point, facing, -1, near.segment_distance, reach, &best);
    return best.location;
}
