// Purpose: the path beyond the line window, for fast vehicles, whose braking distance is longer
//          than that window.
// Idea:    The path is divided into bins on a fixed grid, long enough that 64 of them cover the
//          braking distance from the desired speed. A bin holds its lowest speed limit and its
//          sharpest curvature, divided by its grip. Curvature is measured over chords of at least
//          half the turning radius, so that jitter of waypoints counts little. The result is rough
//          and on the safe side: nearer, the line window computes the bend exactly.
// Cost:    O(points in the bin) for each bin that comes in view. The plan over the bins: O(1) for a
//          new bin that allows no less than the ones before, at most O(bins).
#include "frame.h"

#include <string.h>

#define FOLLOW_FAR_BINS KERB_FOLLOWER_SPEED_BINS
// A quarter turn over two chords of this length is as sharp as the vehicle turns. [turning radii]
#define LONGEST_CHORD 1.5f
// Length of the window in braking distances from the desired speed with the desired deceleration:
// enough for half of that deceleration, as lorries have, and for bends and ice on the way. [1]
#define FOLLOW_FAR_REACH 4.0f

void kerb_in_follow_far_reset(kerb_follower* follower) {
    follower->memory.far_ahead.spacing = 0.0f;
    follower->memory.far_ahead.first = follower->memory.far_ahead.bins = 0;
    follower->memory.far_ahead.least_grip = 1.0e6f;
}

// From the settings alone: the grid must not move with speed or grip.
static float follow_far_spacing_for(const kerb_follower* follower, const kerb_path* path) {
    float speed = kerb_min(follower->settings.speed, follower->vehicle.speed_max);
    float braking = speed * speed / (2.0f * follower->settings.deceleration);
    float spacing = kerb_clamp(FOLLOW_FAR_REACH * braking / (float)FOLLOW_FAR_BINS,
                               follow_scale(follower), 1000.0f * follow_scale(follower));
    if (path->closed) {
        double whole = kerb_in_follow_floor(path->length / (double)spacing);
        spacing = (float)(path->length / (whole > 1.0 ? whole : 1.0));
    }
    return spacing;
}

// Curvature of the circle through three points, in plan. [1/m]
static float follow_far_circle_curvature(kerb_vec3 a, kerb_vec3 b, kerb_vec3 c) {
    kerb_vec2 ab = {b.x - a.x, b.y - a.y}, bc = {c.x - b.x, c.y - b.y};
    kerb_vec2 ac = {c.x - a.x, c.y - a.y};
    float area = kerb_abs(kerb_vec2_cross(ab, bc));
    float sides = kerb_vec2_length(ab) * kerb_vec2_length(bc) * kerb_vec2_length(ac);
    if (sides < 1.0e-9f) // doubles back
        return kerb_vec2_dot(ab, bc) < 0.0f ? 1.0e3f : 0.0f;
    return 2.0f * area / sides;
}

static float curvature_in_bin(const kerb_follower* follower, const kerb_path* path,
                              kerb_path_location start) {
    float spacing = follower->memory.far_ahead.spacing;
    float radius = follower->memory.fill.turning_radius;
    float span = kerb_max(0.5f * spacing, 0.5f * radius);
    float sharpest = 0.0f;
    for (int32_t i = 0; i < 2; i++) {
        kerb_path_location middle =
            kerb_in_follow_walk(path, start, spacing * (0.25f + 0.5f * (float)i));
        // Over chords shorter than the path's own segments every bend would look like a kink.
        float chord = kerb_min(path->points[middle.segment].length, LONGEST_CHORD * radius);
        chord = kerb_max(chord, span);
        kerb_vec3 a = kerb_path_position(path, kerb_in_follow_walk(path, middle, -chord));
        kerb_vec3 b = kerb_path_position(path, middle);
        kerb_vec3 c = kerb_path_position(path, kerb_in_follow_walk(path, middle, chord));
        sharpest = kerb_max(sharpest, follow_far_circle_curvature(a, b, c));
    }
    // A kink sharper than the vehicle turns will be rounded to what it can.
    return kerb_min(sharpest, 0.9f / radius);
}

typedef struct bin_least {
    float limit, grip;
} bin_least;

static bin_least least_in_bin(const kerb_path* path, kerb_path_location start, float spacing) {
    const kerb_path_point* point = &path->points[start.segment];
    bin_least least = {point->speed_limit, point->grip};
    float way = point->length - start.segment_distance;
    int32_t segment = start.segment;
    while (way < spacing) {
        segment++;
        if (segment >= path->segment_count) {
            if (!path->closed)
                break;
            segment = 0;
        }
        point = &path->points[segment];
        least.limit = kerb_min(least.limit, point->speed_limit);
        least.grip = kerb_min(least.grip, point->grip);
        way += point->length;
    }
    return least;
}

static void follow_far_fill_bin(kerb_follower* follower, const kerb_path* path) {
    int32_t bin = follower->memory.far_ahead.bins++;
    int32_t slot = bin & (FOLLOW_FAR_BINS - 1);
    double distance = (double)bin * (double)follower->memory.far_ahead.spacing;
    kerb_path_location start =
        kerb_in_follow_walk_to(path, follower->memory.far_ahead.cursor, distance);
    follower->memory.far_ahead.cursor = start;
    bin_least least = least_in_bin(path, start, follower->memory.far_ahead.spacing);
    follower->memory.far_ahead.curvature[slot] =
        curvature_in_bin(follower, path, start) / least.grip;
    follower->memory.far_ahead.speed_limit[slot] = least.limit;
    follower->memory.far_ahead.grip[slot] = least.grip;
    follower->memory.far_ahead.fall[slot] = -path->points[start.segment].direction.z;
}

void kerb_in_follow_far_update(kerb_follower* follower, const kerb_path* path, double to) {
    float spacing = follow_far_spacing_for(follower, path);
    double from = (double)follower->memory.line.knots * (double)follower->memory.line.spacing;
    int32_t first = (int32_t)kerb_in_follow_floor(from / (double)spacing);
    int32_t last = (int32_t)kerb_in_follow_floor(to / (double)spacing);
    bool holds = spacing == follower->memory.far_ahead.spacing &&
                 first >= follower->memory.far_ahead.first &&
                 first <= follower->memory.far_ahead.bins;
    if (!holds) {
        follower->memory.far_ahead.plan_end = 0;
        follower->memory.far_ahead.spacing = spacing;
        follower->memory.far_ahead.first = follower->memory.far_ahead.bins = first;
        follower->memory.far_ahead.cursor = follower->memory.fill.front;
    }
    if (last > first + FOLLOW_FAR_BINS - 1)
        last = first + FOLLOW_FAR_BINS - 1;
    while (follower->memory.far_ahead.bins <= last)
        follow_far_fill_bin(follower, path);
    follower->memory.far_ahead.first = first;
}

// --------------------------------------------------------------------------- the plan

static float allowed_in(const kerb_follower* follower, int32_t slot) {
    float limit = follower->memory.far_ahead.speed_limit[slot];
    float curvature = kerb_max(follower->memory.far_ahead.curvature[slot], 1.0e-6f);
    return kerb_min(limit * limit, follower->memory.line.lateral / curvature);
}

static float before_bin(const kerb_follower* follower, const follow_planner* planner, int32_t slot,
                        float way, float squared) {
    follow_stretch stretch = {
        .length = way,
        .fall = follower->memory.far_ahead.fall[slot] * way,
        .grip = follower->memory.far_ahead.grip[slot],
        .bend = follower->memory.far_ahead.curvature[slot],
    };
    return kerb_in_follow_before(planner, squared, &stretch);
}

// Backwards over the bins up to the last, and no further than where nothing changes any more.
static void plan_bins(kerb_follower* follower, const follow_planner* planner, int32_t known,
                      int32_t end) {
    float squared = 1.0e12f, least_grip = 1.0e6f;
    for (int32_t bin = end - 1; bin >= follower->memory.far_ahead.first; bin--) {
        int32_t slot = bin & (FOLLOW_FAR_BINS - 1), next = (bin + 1) & (FOLLOW_FAR_BINS - 1);
        float allowed = allowed_in(follower, slot);
        squared = before_bin(follower, planner, slot, follower->memory.far_ahead.spacing, squared);
        uint8_t by = squared < allowed ? follower->memory.far_ahead.plan_by[next] : (uint8_t)slot;
        squared = kerb_min(squared, allowed);
        least_grip = kerb_min(least_grip, follower->memory.far_ahead.grip[slot]);
        if (bin < known && squared == follower->memory.far_ahead.plan_squared[slot] &&
            least_grip == follower->memory.far_ahead.plan_grip[slot])
            return;
        follower->memory.far_ahead.plan_squared[slot] = squared;
        follower->memory.far_ahead.plan_grip[slot] = least_grip;
        follower->memory.far_ahead.plan_by[slot] = by;
    }
}

static void update_plan(kerb_follower* follower, const follow_frame* frame, float deceleration,
                        int32_t end) {
    const float key[3] = {deceleration, follower->memory.line.lateral, frame->grip};
    bool same = memcmp(key, follower->memory.far_ahead.plan_key, sizeof key) == 0 &&
                end >= follower->memory.far_ahead.plan_end &&
                follower->memory.far_ahead.plan_end > follower->memory.far_ahead.first;
    if (same && end == follower->memory.far_ahead.plan_end)
        return;
    follow_planner planner = kerb_in_follow_planner_for(follower, frame, deceleration);
    plan_bins(follower, &planner, same ? follower->memory.far_ahead.plan_end : 0, end);
    memcpy(follower->memory.far_ahead.plan_key, key, sizeof key);
    follower->memory.far_ahead.plan_end = end;
}

float kerb_in_follow_far_plan(kerb_follower* follower, const follow_frame* frame,
                              float deceleration, double at, double to) {
    kerb_in_follow_far_update(follower, frame->path, to);
    int32_t end =
        (int32_t)kerb_in_follow_floor(to / (double)follower->memory.far_ahead.spacing) + 1;
    end = end < follower->memory.far_ahead.bins ? end : follower->memory.far_ahead.bins;
    if (end <= follower->memory.far_ahead.first)
        return 1.0e12f;
    update_plan(follower, frame, deceleration, end);
    // Of the first bin the line has a part.
    int32_t slot = follower->memory.far_ahead.first & (FOLLOW_FAR_BINS - 1);
    int32_t next = (follower->memory.far_ahead.first + 1) & (FOLLOW_FAR_BINS - 1);
    follower->memory.far_ahead.least_grip = follower->memory.far_ahead.plan_grip[slot];
    follower->memory.far_ahead.decides = follower->memory.far_ahead.plan_by[slot];
    if (end == follower->memory.far_ahead.first + 1)
        return follower->memory.far_ahead.plan_squared[slot];
    follow_planner planner = kerb_in_follow_planner_for(follower, frame, deceleration);
    float way = (float)((double)(follower->memory.far_ahead.first + 1) *
                            (double)follower->memory.far_ahead.spacing -
                        at);
    float squared = before_bin(follower, &planner, slot,
                               kerb_clamp(way, 0.0f, follower->memory.far_ahead.spacing),
                               follower->memory.far_ahead.plan_squared[next]);
    return kerb_min(squared, allowed_in(follower, slot));
}
