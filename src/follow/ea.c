// Purpose: the modules of "Efficient Ground Vehicle Path Following in Game AI" (EA), each alone:
//          target speed from Bézier curvature (Algorithm 1), target point, the rabbit, and the
//          speed rule of the baseline that the paper compares with.
// Cost:    O(points passed); no memory.
#include "../base/shared.h"
#include "kerb/curve.h"
#include "kerb/follow.h"
#include "kerb/follow_paper.h"

// Greatest number of samples of the path.
#define SAMPLES_MAX 16

// The first place after `from` at the straight-line distance `spacing` from the sample at `from`
// (EA Algorithm 1, line 3). False where an open path ends before that.
static bool next_sample(const kerb_path* path, kerb_path_location* from, kerb_vec3 sample,
                        float spacing) {
    kerb_path_location at = *from;
    for (int32_t i = 0; i <= path->segment_count; i++) {
        const kerb_path_point* segment = &path->points[at.segment];
        kerb_vec3 off = kerb_vec3_sub(segment->position, sample);
        // |off + t·direction| = spacing; the greater root is where the path leaves the sphere.
        float half_b = kerb_vec3_dot(off, segment->direction);
        float c = kerb_vec3_dot(off, off) - spacing * spacing;
        float discriminant = half_b * half_b - c;
        if (discriminant >= 0.0f) {
            float along = kerb_sqrt(discriminant) - half_b;
            if (along >= at.segment_distance && along <= segment->length) {
                at.segment_distance = along;
                *from = at;
                return true;
            }
        }
        if (!path->closed && at.segment + 1 >= path->segment_count)
            return false;
        at.segment = at.segment + 1 < path->segment_count ? at.segment + 1 : 0;
        at.segment_distance = 0.0f;
    }
    return false;
}

// Line 1-4: the vehicle, then points of the path. Fewer near the end of an open path, whose last
// point closes the list.
static int32_t sample_ahead(const kerb_path* path, kerb_path_location location, kerb_vec3 position,
                            float spacing, int32_t count, kerb_vec3* samples) {
    KERB_ASSERT(count >= 3 && count <= SAMPLES_MAX && spacing > 0.0f);
    samples[0] = position;
    int32_t filled = 1;
    // The vehicle may be far off: the path is searched from the nearest point, which then lies
    // outside the sphere already, and is itself the next sample.
    kerb_path_location at = location;
    kerb_vec3 off = kerb_vec3_sub(kerb_path_position(path, at), position);
    if (kerb_vec3_dot(off, off) >= spacing * spacing)
        samples[filled++] = kerb_path_position(path, at);
    while (filled < count && next_sample(path, &at, samples[filled - 1], spacing))
        samples[filled++] = kerb_path_position(path, at);
    if (filled < count && !path->closed)
        samples[filled++] = path->points[path->count - 1].position;
    return filled;
}

float kerb_follow_curvature_ahead(const kerb_path* path, kerb_path_location location,
                                  kerb_vec3 position, float spacing, int32_t count) {
    kerb_vec3 samples[SAMPLES_MAX];
    int32_t filled = sample_ahead(path, location, position, spacing, count, samples);
    float sharpest = 0.0f;
    for (int32_t i = 0; i + 2 < filled; i++)
        sharpest = kerb_max(sharpest,
                            kerb_bezier_curvature_max(samples[i], samples[i + 1], samples[i + 2]));
    return sharpest;
}

// Each curve by the distance left to brake for it, its own samples apart.
static float speed_by_braking(const kerb_follower_settings* settings, const kerb_vec3* samples,
                              int32_t filled, float* curvature) {
    float lateral = settings->lateral_acceleration * KERB_GRAVITY;
    float allowed = settings->speed;
    *curvature = 0.0f;
    for (int32_t i = 0; i + 2 < filled; i++) {
        float sharpness = kerb_bezier_curvature_max(samples[i], samples[i + 1], samples[i + 2]);
        float there = kerb_speed_in_curve(sharpness, lateral, settings->speed);
        float distance = (float)i * settings->paper.sample_spacing;
        float now = kerb_approach_speed(there, distance, settings->deceleration);
        if (now < allowed) {
            allowed = now;
            *curvature = sharpness;
        }
    }
    return allowed;
}

float kerb_follow_target_speed(const kerb_follower_settings* settings, const kerb_path* path,
                               kerb_path_location location, kerb_vec3 position, float* curvature) {
    float speed;
    if (settings->paper.speed_ahead == KERB_AHEAD_BRAKING) {
        kerb_vec3 samples[SAMPLES_MAX];
        int32_t filled = sample_ahead(path, location, position, settings->paper.sample_spacing,
                                      settings->paper.sample_count, samples);
        speed = speed_by_braking(settings, samples, filled, curvature);
    } else {
        *curvature = kerb_follow_curvature_ahead(
            path, location, position, settings->paper.sample_spacing, settings->paper.sample_count);
        speed = kerb_speed_in_curve(*curvature, settings->lateral_acceleration * KERB_GRAVITY,
                                    settings->speed);
    }
    return kerb_clamp(speed, kerb_min(settings->speed_min, settings->speed), settings->speed);
}

kerb_vec3 kerb_follow_target_point(const kerb_path* path, kerb_path_location location,
                                   float lookahead, float offset) {
    kerb_path_location at = kerb_path_advance(path, location, lookahead);
    float beyond = lookahead - kerb_path_distance_between(path, location, at);
    if (!path->closed && beyond > 0.0f)
        at.segment_distance += beyond;
    kerb_vec3 direction = path->points[at.segment].direction;
    kerb_vec3 target = kerb_path_position(path, at);
    kerb_vec3 left = kerb_vec3_unit(kerb_vec3_make(-direction.y, direction.x, 0.0f),
                                    kerb_vec3_make(0.0f, 0.0f, 0.0f));
    return kerb_vec3_along(target, left, offset);
}

kerb_path_location kerb_follow_rabbit(const kerb_path* path, kerb_path_location location,
                                      kerb_path_location rabbit, float speed, float lookahead_min,
                                      float lookahead_max, float time_step) {
    float ahead = kerb_path_distance_between(path, location, rabbit) + speed * time_step;
    return kerb_path_advance(path, location, kerb_clamp(ahead, lookahead_min, lookahead_max));
}

float kerb_follow_baseline_speed(const kerb_follower_settings* settings, const kerb_path* path,
                                 kerb_path_location location, kerb_vec3 forward, float* angle) {
    float reach = settings->paper.sample_spacing * (float)(settings->paper.sample_count - 1);
    kerb_path_location at = location;
    float smallest = 1.0f; // cosine of the largest angle
    float way = -at.segment_distance;
    for (int32_t i = 0; i < path->segment_count && way < reach; i++) {
        const kerb_path_point* segment = &path->points[at.segment];
        smallest = kerb_min(smallest, kerb_vec3_dot(segment->direction, forward));
        way += segment->length;
        if (!path->closed && at.segment + 1 >= path->segment_count)
            break;
        at.segment = at.segment + 1 < path->segment_count ? at.segment + 1 : 0;
    }
    *angle = kerb_acos(smallest);
    float speed = settings->speed;
    if (*angle > settings->paper.proportional_angle)
        speed *= settings->paper.proportional_angle / *angle;
    return kerb_clamp(speed, kerb_min(settings->speed_min, settings->speed), settings->speed);
}
