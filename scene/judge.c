// What the words mean: see docs/command.md. Means are over metres of progress, not over time, so
// that a vehicle does not gain by hurrying through its errors or by standing on the line.
#include "scene/judge.h"

#include <string.h>

#define STUCK_SECONDS 5.0
#define STUCK_METRES 2.0
#define FREE_METRES 5.0
#define AGAIN_SECONDS 30.0
#define END_METRES 3.0
#define STOP_METRES 3.0
#define STOP_EXTRA_SECONDS 10.0

scene_judge scene_judge_make(const kerb_path* path, const kerb_vehicle* vehicle) {
    scene_judge judge;
    memset(&judge, 0, sizeof judge);
    judge.path = path;
    judge.vehicle = *vehicle;
    judge.facing = path->points[0].direction;
    judge.inside = true;
    return judge;
}

static void follow_progress(scene_judge* judge, const kerb_motion* motion) {
    float speed = kerb_vec3_length(motion->velocity);
    if (speed > 0.3f)
        judge->facing = kerb_vec3_scale(motion->velocity, 1.0f / speed);
    kerb_path_location before = judge->location;
    judge->location = kerb_path_track(judge->path, before, motion->position, judge->facing);
    judge->progress += (double)kerb_path_ahead(judge->path, before, judge->location);
}

static bool corner_inside(const scene_judge* judge, const kerb_motion* motion, float along,
                          float aside) {
    kerb_vec3 corner = kerb_vec3_add(
        motion->position, kerb_quat_rotate(motion->rotation, kerb_vec3_make(along, aside, 0.0f)));
    kerb_path_location at = kerb_path_track(judge->path, judge->location, corner, judge->facing);
    float error = kerb_path_cross_track(judge->path, at, corner);
    // Over the ends of an open course there is no corridor to leave sideways.
    if (!judge->path->closed) {
        kerb_vec3 off = kerb_vec3_sub(corner, kerb_path_position(judge->path, at));
        kerb_vec3 direction = judge->path->points[at.segment].direction;
        bool at_end = kerb_path_distance(judge->path, at) >= judge->path->length - 1.0e-3 ||
                      kerb_path_distance(judge->path, at) <= 1.0e-3;
        if (at_end)
            error = direction.x * off.y - direction.y * off.x;
    }
    kerb_path_sample sample = kerb_path_sample_at(judge->path, at);
    return error <= sample.left && error >= -sample.right;
}

static bool footprint_inside(const scene_judge* judge, const kerb_motion* motion) {
    float front = judge->vehicle.reference_to_front;
    float back = front - judge->vehicle.length;
    float half = 0.5f * judge->vehicle.width;
    return corner_inside(judge, motion, front, half) &&
           corner_inside(judge, motion, front, -half) && corner_inside(judge, motion, back, half) &&
           corner_inside(judge, motion, back, -half);
}

// Near a stop or a change of direction of the course, standing is what was asked for.
static bool at_commanded_stop(const scene_judge* judge, double* allowed) {
    const kerb_path* path = judge->path;
    for (int32_t i = -1; i <= 2; i++) {
        int32_t point = judge->location.segment + i;
        if (point < 0 || point >= path->count)
            continue;
        double away = path->points[point].distance - kerb_path_distance(path, judge->location);
        bool near = away < STOP_METRES && away > -STOP_METRES;
        if (near && path->points[point].stop > 0.0f) {
            *allowed = (double)path->points[point].stop + STOP_EXTRA_SECONDS;
            return true;
        }
    }
    return false;
}

static void restart_window(scene_judge* judge) {
    judge->window_best = judge->best;
    judge->window_time = 0.0;
}

static void watch_stuck(scene_judge* judge, double time_step) {
    if (judge->best >= judge->window_best + STUCK_METRES)
        restart_window(judge);
    double allowed = 0.0;
    if (at_commanded_stop(judge, &allowed) && judge->excused < allowed)
        judge->excused += time_step;
    else
        judge->window_time += time_step;
    if (allowed == 0.0)
        judge->excused = 0.0;
    bool at_end = !judge->path->closed && judge->best > judge->path->length - END_METRES;
    if (judge->stuck) {
        judge->stuck_time += time_step;
        if (judge->best >= judge->stuck_best + FREE_METRES) {
            judge->stuck = false;
            restart_window(judge);
        } else if (judge->stuck_time >= AGAIN_SECONDS) {
            judge->stuck_events++;
            judge->stuck_time = 0.0;
        }
    } else if (judge->window_time >= STUCK_SECONDS && !at_end) {
        judge->stuck = true;
        judge->stuck_events++;
        judge->stuck_time = 0.0;
        judge->stuck_best = judge->best;
    }
}

static bool past_the_end(const scene_judge* judge, const kerb_motion* motion) {
    const kerb_path* path = judge->path;
    if (path->closed)
        return judge->best >= path->length;
    if (judge->best < path->length - 0.5)
        return false;
    const kerb_path_point* last = &path->points[path->count - 1];
    kerb_vec3 off = kerb_vec3_sub(motion->position, last->position);
    float past = kerb_vec3_dot(off, last->direction);
    float aside = last->direction.x * off.y - last->direction.y * off.x;
    return past >= 0.0f && aside <= last->left && aside >= -last->right;
}

void scene_judge_watch(scene_judge* judge, const kerb_motion* motion, float time_step) {
    follow_progress(judge, motion);
    judge->error = kerb_path_cross_track(judge->path, judge->location, motion->position);
    judge->inside = footprint_inside(judge, motion);
    double gained = judge->progress - judge->best;
    double error = (double)kerb_abs(judge->error);
    if (gained > 0.0) {
        judge->best = judge->progress;
        judge->error_sum += error * gained;
        if (judge->inside)
            judge->inside_sum += gained;
    }
    if (error > judge->error_max)
        judge->error_max = error;
    watch_stuck(judge, (double)time_step);
    judge->finished = judge->finished || past_the_end(judge, motion);
}
