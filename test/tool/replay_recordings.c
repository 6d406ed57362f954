// A kinematic bicycle with pure pursuit, and thoughts that are true of it.
#include "test/tool/replay_recordings.h"

#include <math.h>
#include <stdio.h>

typedef struct drive {
    kerb_path path;
    kerb_path_location nearest;
    float x, y, heading, speed, steering;
} drive;

static const char* const follower_names[REPLAY_FOLLOWERS] = {"kerb", "paper", "baseline"};
static const float lookahead_times[REPLAY_FOLLOWERS] = {0.45f, 0.8f, 1.3f};

static float sharpest_ahead(const drive* now, float reach) {
    float sharpest = 0.0f;
    for (float step = 0.0f; step < reach; step += 1.0f) {
        kerb_path_location there = kerb_path_advance(&now->path, now->nearest, step);
        kerb_path_sample sample = kerb_path_sample_at(&now->path, there);
        sharpest = kerb_max(kerb_abs(sample.curvature), sharpest);
    }
    return kerb_min(sharpest, 0.25f);
}

static void think(const drive* now, const tool_recording* recording, float time_ahead,
                  kerb_follower_decision* thoughts) {
    kerb_vec3 here = kerb_vec3_make(now->x, now->y, 0.0f);
    float speed = recording->settings.speed;
    thoughts->lookahead = 3.0f + time_ahead * now->speed;
    kerb_path_location there = kerb_path_advance(&now->path, now->nearest, thoughts->lookahead);
    thoughts->nearest = kerb_path_position(&now->path, now->nearest);
    thoughts->target = kerb_path_position(&now->path, there);
    thoughts->limiting_curvature = sharpest_ahead(now, 14.0f);
    thoughts->target_speed = kerb_speed_in_curve(thoughts->limiting_curvature, 4.0f, speed);
    thoughts->reason =
        thoughts->target_speed < speed * 0.98f ? KERB_REASON_CURVE : KERB_REASON_CRUISE;
    thoughts->cross_track_error = kerb_path_cross_track(&now->path, now->nearest, here);
    thoughts->distance = kerb_path_distance(&now->path, now->nearest);
    float to_end = (float)(now->path.length - thoughts->distance);
    if (kerb_approach_speed(0.3f, to_end, 2.5f) < thoughts->target_speed) {
        thoughts->target_speed = kerb_approach_speed(0.3f, to_end, 2.5f);
        thoughts->reason = KERB_REASON_END;
    }
    kerb_vec3 way = kerb_path_sample_at(&now->path, now->nearest).direction;
    thoughts->heading_error = kerb_wrap_angle(now->heading - kerb_atan2(way.y, way.x));
    float dx = thoughts->target.x - now->x;
    float dy = thoughts->target.y - now->y;
    float sine, cosine;
    kerb_sin_cos(now->heading, &sine, &cosine);
    kerb_vec2 ahead = {dx * cosine + dy * sine, dy * cosine - dx * sine};
    thoughts->commanded_curvature = kerb_clamp(kerb_pure_pursuit(ahead), -0.2f, 0.2f);
    thoughts->acceleration = kerb_clamp(2.0f * (thoughts->target_speed - now->speed), -5.0f, 3.0f);
}

static void move(drive* now, const kerb_vehicle* vehicle, const kerb_follower_decision* thoughts,
                 float step) {
    float wanted = atanf(vehicle->wheelbase * thoughts->commanded_curvature);
    now->steering += kerb_clamp(wanted - now->steering, -0.8f * step, 0.8f * step);
    now->speed = kerb_max(now->speed + thoughts->acceleration * step, 0.0f);
    now->heading += now->speed * kerb_tan(now->steering) / vehicle->wheelbase * step;
    now->x += now->speed * kerb_cos(now->heading) * step;
    now->y += now->speed * kerb_sin(now->heading) * step;
    kerb_vec3 here = kerb_vec3_make(now->x, now->y, 0.0f);
    kerb_vec3 facing = kerb_vec3_make(kerb_cos(now->heading), kerb_sin(now->heading), 0.0f);
    now->nearest = kerb_path_track(&now->path, now->nearest, here, facing);
}

static kerb_scene_frame look(const drive* now, const tool_recording* recording, double time,
                             const kerb_follower_decision* thoughts) {
    kerb_scene_frame frame = {.time = time, .motion = kerb_motion_default(), .thoughts = *thoughts};
    kerb_vec3 forward = kerb_vec3_make(kerb_cos(now->heading), kerb_sin(now->heading), 0.0f);
    frame.motion.position = kerb_vec3_make(now->x, now->y, 0.0f);
    frame.motion.rotation = kerb_quat_from_heading(now->heading);
    frame.motion.velocity = kerb_vec3_scale(forward, now->speed);
    frame.motion.steering = now->steering / recording->vehicle.steering_angle_max;
    frame.motion.gear = 1 + (int32_t)(now->speed / 4.0f);
    frame.controls.throttle = kerb_clamp(thoughts->acceleration / 3.0f, 0.0f, 1.0f);
    frame.controls.brake = kerb_clamp(-thoughts->acceleration / 6.0f, 0.0f, 1.0f);
    frame.controls.reason = thoughts->reason;
    frame.cross_track_error = thoughts->cross_track_error;
    frame.progress = thoughts->distance;
    frame.inside_corridor = kerb_abs(thoughts->cross_track_error) < 0.9f;
    return frame;
}

static void sum_up(tool_recording* recording) {
    kerb_scene_result* result = &recording->result;
    const kerb_scene_frame* last = &recording->frames[recording->count - 1];
    for (int32_t i = 0; i < recording->count; i++) {
        double error = fabs((double)recording->frames[i].cross_track_error);
        result->cte_mean += error / recording->count;
        result->cte_max = error > result->cte_max ? error : result->cte_max;
        result->inside_percent += (recording->frames[i].inside_corridor ? 100.0 : 0.0);
    }
    result->inside_percent /= recording->count;
    result->finished = true;
    result->time = last->time;
    result->distance = last->progress;
    result->speed_mean = last->time > 0.0 ? last->progress / last->time : 0.0;
    result->frames = recording->count;
    result->drive_ns = 123.0 + recording->count;
}

tool_recording replay_recording_make(const kerb_scene_course* course, int32_t follower, float hz,
                                     float duration) {
    tool_recording recording = {.course = course, .vehicle = kerb_vehicle_default()};
    recording.settings = kerb_follower_settings_default((kerb_follower_method)follower);
    recording.settings.speed = course->speed;
    snprintf(recording.vehicle_name, sizeof recording.vehicle_name, "pickup");
    snprintf(recording.follower_name, sizeof recording.follower_name, "%s",
             follower_names[follower]);
    kerb_host host = kerb_host_default();
    drive now = {0};
    if (kerb_path_create(&now.path, course->waypoints, course->count, course->closed, &host,
                         NULL) != KERB_OK)
        return recording;
    kerb_path_sample start = kerb_path_sample_at(&now.path, now.nearest);
    now.x = start.position.x;
    now.y = start.position.y;
    now.heading = kerb_atan2(start.direction.y, start.direction.x);
    int32_t frames = (int32_t)(duration * hz);
    for (int32_t i = 0; i < frames; i++) {
        kerb_follower_decision thoughts = {0};
        think(&now, &recording, lookahead_times[follower], &thoughts);
        kerb_scene_frame frame = look(&now, &recording, (double)i / (double)hz, &thoughts);
        tool_recording_watch(&recording, &frame);
        if (now.path.length - thoughts.distance < 0.15)
            break;
        move(&now, &recording.vehicle, &thoughts, 1.0f / hz);
    }
    sum_up(&recording);
    kerb_path_destroy(&now.path);
    return recording;
}
