// docs/command.md defines the terms. Means are over metres of progress, not over time, so that a
// vehicle gains nothing by driving fast through its errors or by waiting on the line.
#include "scene/course/judge.h"

#include <string.h>

#define STOP_METRES 3.0f       // from a stop, standing may be meant
#define STOP_EXTRA_SECONDS 5.0 // beyond the stop itself, to come to rest and to leave
#define REVERSAL_SECONDS 2.0   // to stand still and change gear
#define CUSP_METRES 1.5f       // from a change of direction, it may be taken
#define MOVING 0.1f            // [m/s]

kerb_scene_judge kerb_scene_judge_make(const kerb_path* path, const kerb_vehicle* vehicle) {
    kerb_scene_judge judge;
    memset(&judge, 0, sizeof judge);
    judge.path = path;
    judge.vehicle = *vehicle;
    judge.inside = true;
    judge.excused_at = -1;
    return judge;
}

void kerb_scene_judge_put_back(kerb_scene_judge* judge) {
    judge->location = kerb_path_locate(judge->path, judge->best);
    judge->progress = judge->best;
}

// Of its vehicle: lengths and speeds here are multiplied by it.
static double judge_scale(const kerb_scene_judge* judge) {
    return (double)kerb_vehicle_scale(&judge->vehicle);
}

// --------------------------------------------------------------------------- progress

// The direction in which the course would have the vehicle move, were it to move as it faces.
static kerb_vec3 facing_of(const kerb_scene_judge* judge, const kerb_motion* motion) {
    float travel = (float)judge->path->points[judge->location.segment].travel;
    return kerb_vec3_scale(kerb_quat_forward(motion->rotation), travel);
}

// Whether the stretch of travel ends here, at the path's end or at a change of direction.
static bool at_stretch_end(const kerb_path* path, kerb_path_location location) {
    kerb_path_location end = kerb_path_section_end(path, location, 0.01f);
    return end.segment_distance >= path->points[end.segment].length &&
           kerb_path_distance_between(path, location, end) < 0.005f;
}

// The first place after the change of direction that lies within reach, if there is one.
static bool cusp_within(const kerb_path* path, kerb_path_location location, float reach,
                        kerb_path_location* beyond) {
    kerb_path_location end = kerb_path_section_end(path, location, reach);
    int32_t next = end.segment + 1 < path->segment_count ? end.segment + 1 : 0;
    if (end.segment_distance < path->points[end.segment].length ||
        path->points[next].travel == path->points[end.segment].travel ||
        (next == 0 && !path->closed))
        return false;
    *beyond = (kerb_path_location){next, 0.0f};
    return true;
}

static void follow_progress(kerb_scene_judge* judge, const kerb_motion* motion) {
    const kerb_path* path = judge->path;
    kerb_path_location before = judge->location, beyond;
    if (cusp_within(path, before, CUSP_METRES * (float)judge_scale(judge), &beyond) &&
        kerb_motion_forward_speed(motion) * (float)path->points[beyond.segment].travel >
            MOVING * (float)judge_scale(judge))
        judge->location = beyond;
    judge->location = kerb_path_track_scaled(path, judge->location, motion->position,
                                             facing_of(judge, motion), (float)judge_scale(judge));
    judge->progress += (double)kerb_path_distance_between(path, before, judge->location);
}

// --------------------------------------------------------------------------- error and corridor

// As kerb_path_cross_track, but where a stretch of travel ends only what lies across it counts: a
// vehicle that drives a little past a change of direction is not beside the course.
static float cross_track(const kerb_path* path, kerb_path_location location, kerb_vec3 point) {
    if (!at_stretch_end(path, location))
        return kerb_path_cross_track(path, location, point);
    kerb_vec3 direction = path->points[location.segment].direction;
    kerb_vec3 off = kerb_vec3_sub(point, kerb_path_position(path, location));
    float level = kerb_sqrt(direction.x * direction.x + direction.y * direction.y);
    return (direction.x * off.y - direction.y * off.x) / kerb_max(level, 1.0e-3f);
}

static bool corner_inside(const kerb_scene_judge* judge, const kerb_motion* motion, float along,
                          float aside) {
    kerb_vec3 corner = kerb_vec3_add(
        motion->position, kerb_quat_rotate(motion->rotation, kerb_vec3_make(along, aside, 0.0f)));
    kerb_path_location at = kerb_path_track_scaled(
        judge->path, judge->location, corner, facing_of(judge, motion), (float)judge_scale(judge));
    float error = cross_track(judge->path, at, corner);
    kerb_path_sample sample = kerb_path_sample_at(judge->path, at);
    return error <= sample.left && error >= -sample.right;
}

static bool footprint_inside(const kerb_scene_judge* judge, const kerb_motion* motion) {
    float front = judge->vehicle.reference_to_front;
    float back = front - judge->vehicle.length;
    float half = 0.5f * judge->vehicle.width;
    return corner_inside(judge, motion, front, half) &&
           corner_inside(judge, motion, front, -half) && corner_inside(judge, motion, back, half) &&
           corner_inside(judge, motion, back, -half);
}

static void judge_measure(kerb_scene_judge* judge, const kerb_motion* motion) {
    judge->error = cross_track(judge->path, judge->location, motion->position);
    judge->inside = footprint_inside(judge, motion);
    double gained = judge->progress - judge->best;
    double error = (double)kerb_abs(judge->error);
    if (gained > 0.0) {
        judge->best = judge->progress;
        judge->error_sum += error * gained;
        judge->inside_sum += judge->inside ? gained : 0.0;
    }
    if (error > judge->error_max)
        judge->error_max = error;
    kerb_path_sample sample = kerb_path_sample_at(judge->path, judge->location);
    double outside = (double)kerb_max(judge->error - sample.left, -judge->error - sample.right);
    if (outside > judge->outside_max)
        judge->outside_max = outside;
}

// --------------------------------------------------------------------------- stuck events

// How long a vehicle may stand at a point of the course. [s]
static double standing_at(const kerb_path* path, int32_t point) {
    int32_t before = point > 0 ? point - 1 : path->segment_count - 1;
    bool has_both = path->closed || (point > 0 && point < path->segment_count);
    double stop = (double)path->points[point].stop;
    bool reversal = has_both && path->points[before].travel != path->points[point].travel;
    return reversal && stop < REVERSAL_SECONDS ? REVERSAL_SECONDS : stop;
}

// The point nearest to the vehicle, within STOP_METRES, at which it may stand; -1: none.
static int32_t stop_nearby(const kerb_scene_judge* judge) {
    const float metres = STOP_METRES * (float)judge_scale(judge);
    const kerb_path* path = judge->path;
    kerb_path_location from = kerb_path_advance(path, judge->location, -metres);
    kerb_path_location to = kerb_path_advance(path, judge->location, metres);
    int32_t first = from.segment_distance > 0.0f ? from.segment + 1 : from.segment;
    int32_t last = to.segment + (to.segment < from.segment ? path->count : 0);
    int32_t nearest = -1;
    float least = 2.0f * metres;
    for (int32_t i = first; i <= last; i++) {
        kerb_path_location point = {i % path->count, 0.0f};
        float away = kerb_abs(kerb_path_distance_between(path, judge->location, point));
        if (away < least && standing_at(path, point.segment) > 0.0) {
            least = away;
            nearest = point.segment;
        }
    }
    return nearest;
}

// True while standing is what the course asks for.
static bool is_excused(kerb_scene_judge* judge, double time_step) {
    int32_t stop = stop_nearby(judge);
    judge->excused = stop == judge->excused_at ? judge->excused + time_step : 0.0;
    judge->excused_at = stop;
    return stop >= 0 && judge->excused <= standing_at(judge->path, stop) + STOP_EXTRA_SECONDS;
}

static void restart_window(kerb_scene_judge* judge) {
    judge->window_best = judge->best;
    judge->window_time = 0.0;
}

static void open_event(kerb_scene_judge* judge) {
    judge->stuck = true;
    judge->stuck_events++;
    judge->stuck_time = 0.0;
    judge->stuck_best = judge->best;
}

static void keep_event(kerb_scene_judge* judge, double time_step) {
    judge->stuck_time += time_step;
    if (judge->best >= judge->stuck_best + KERB_SCENE_FREE_METRES * judge_scale(judge)) {
        judge->stuck = false;
        restart_window(judge);
    } else if (judge->stuck_time >= KERB_SCENE_AGAIN_SECONDS) {
        judge->stuck_events++;
        judge->stuck_time = 0.0;
    }
}

static void watch_stuck(kerb_scene_judge* judge, double time_step) {
    if (judge->best >= judge->window_best + KERB_SCENE_STUCK_METRES * judge_scale(judge))
        restart_window(judge);
    if (!judge->path->closed &&
        judge->best > judge->path->length - KERB_SCENE_END_METRES * judge_scale(judge)) {
        judge->stuck = false;
        return;
    }
    if (is_excused(judge, time_step))
        return;
    judge->window_time += time_step;
    if (judge->stuck)
        keep_event(judge, time_step);
    else if (judge->window_time >= KERB_SCENE_STUCK_SECONDS)
        open_event(judge);
}

// --------------------------------------------------------------------------- the end

static bool past_the_end(const kerb_scene_judge* judge, const kerb_motion* motion) {
    const kerb_path* path = judge->path;
    if (path->closed)
        return judge->best >= path->length;
    const kerb_path_point* last = &path->points[path->count - 1];
    kerb_path_location end = {path->segment_count - 1, path->points[path->count - 2].length};
    kerb_vec3 off = kerb_vec3_sub(motion->position, last->position);
    float error = cross_track(path, end, motion->position);
    return judge->best >= path->length - 0.5 * judge_scale(judge) &&
           kerb_vec3_dot(off, last->direction) >= 0.0f && error <= last->left &&
           error >= -last->right;
}

void kerb_scene_judge_watch(kerb_scene_judge* judge, const kerb_motion* motion, float time_step) {
    follow_progress(judge, motion);
    judge_measure(judge, motion);
    watch_stuck(judge, (double)time_step);
    judge->finished = judge->finished || past_the_end(judge, motion);
}
