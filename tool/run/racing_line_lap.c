// A lap for the replay page. Nothing is simulated: the vehicle is where the speed profile says, and
// its pedals are those that the profile's acceleration needs from the vehicle at its limit.
#include "tool/run/racing_line.h"

#include <math.h>

#define FRAMES_A_SECOND 60.0
#define AHEAD_SECONDS 1.0f // of what the driver "looks at"

// Where on the line, and how far the places that are followed from frame to frame have come.
typedef struct racing_line_lap_lap {
    const tool_racing_line* found;
    const kerb_racing_line* line;
    double step;   // between the line's points [m]
    double begun;  // when point `index` was passed [s]
    int32_t index; // of the point that was passed last
    double scale;  // of the profile's time, which was taken on a finer grid
    kerb_path_location place;
    double progress; // along the centre line [m]
    kerb_gearbox gearbox;
} racing_line_lap_lap;

static int32_t segments_of(const kerb_racing_line* line) {
    return line->closed ? line->count : line->count - 1;
}

static double racing_line_lap_speed_at(const racing_line_lap_lap* l, int32_t index) {
    return fmax((double)l->line->points[index % l->line->count].speed, 0.01);
}

static double time_of(const racing_line_lap_lap* l, int32_t segment) {
    return l->scale * 2.0 * l->step /
           (racing_line_lap_speed_at(l, segment) + racing_line_lap_speed_at(l, segment + 1));
}

static racing_line_lap_lap racing_line_lap_begin(const tool_racing_line* found,
                                                 const kerb_racing_line* line) {
    racing_line_lap_lap l = {.found = found, .line = line, .scale = 1.0};
    l.step = line->length / (double)segments_of(line);
    double sum = 0.0;
    for (int32_t i = 0; i < segments_of(line); i++)
        sum += time_of(&l, i);
    l.scale = line->time / sum;
    const kerb_line_point* p = &line->points[0];
    kerb_vec3 at = kerb_vec3_make((float)p->x, (float)p->y, (float)p->z);
    l.place = kerb_path_nearest(&found->path, at);
    return l;
}

// The distance along the line at a time: between two points the acceleration is constant.
static double distance_at(racing_line_lap_lap* l, double time) {
    while (l->index + 1 < segments_of(l->line) && l->begun + time_of(l, l->index) <= time)
        l->begun += time_of(l, l->index++);
    double whole = time_of(l, l->index), from = racing_line_lap_speed_at(l, l->index);
    double share = fmin(fmax((time - l->begun) / whole, 0.0), 1.0),
           to = racing_line_lap_speed_at(l, l->index + 1);
    double way = (from + 0.5 * (to - from) * share) * share * whole / l->scale;
    return (double)l->index * l->step + fmin(way, l->step);
}

static kerb_motion motion_of(const kerb_line_point* p) {
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make((float)p->x, (float)p->y, (float)p->z);
    motion.rotation = kerb_quat_from_heading(p->heading);
    motion.velocity = kerb_vec3_scale(kerb_quat_forward(motion.rotation), p->speed);
    return motion;
}

// Along the centre line, a lap's end being its length and not 0 again.
static void follow_place(racing_line_lap_lap* l, const kerb_motion* motion) {
    const kerb_path* path = &l->found->path;
    l->place =
        kerb_path_track(path, l->place, motion->position, kerb_quat_forward(motion->rotation));
    double now = kerb_path_distance(path, l->place), length = path->length;
    if (path->closed && now < l->progress - 0.5 * length)
        now += length;
    else if (path->closed && now > l->progress + 0.5 * length)
        now -= length;
    l->progress = fmax(now, 0.0);
}

// What the vehicle does at the limit, as shares of its pedals.
static void press_pedals(const racing_line_lap_lap* l, const kerb_profile_point* point, float speed,
                         float wanted, kerb_controls* controls) {
    const kerb_performance* p = &l->found->wish->performance;
    float free = -KERB_GRAVITY * point->up_forward - p->rolling - p->drag * speed * speed;
    float most = kerb_driving_acceleration(p, point, speed) - free;
    float least = kerb_braking_acceleration(p, point, speed) - free;
    if (wanted > free && most > 0.0f)
        controls->throttle = kerb_clamp((wanted - free) / most, 0.0f, 1.0f);
    if (wanted < free && least < 0.0f)
        controls->brake = kerb_clamp((wanted - free) / least, 0.0f, 1.0f);
}

static kerb_controls controls_at(racing_line_lap_lap* l, const kerb_line_point* p,
                                 kerb_motion* motion, float wanted) {
    const kerb_vehicle* vehicle = &l->found->wish->vehicle;
    kerb_controls controls = {.reason = KERB_REASON_CRUISE};
    kerb_profile_point point = tool_racing_line_profile(l->line, l->index % l->line->count);
    press_pedals(l, &point, p->speed, wanted, &controls);
    float corner = kerb_cornering_speed(&l->found->wish->performance, &point);
    if (controls.brake > 0.05f || p->speed > 0.97f * kerb_min(corner, 1e6f))
        controls.reason = KERB_REASON_CURVE;
    if (corner >= l->found->wish->performance.speed_max && controls.brake <= 0.05f)
        controls.reason = KERB_REASON_CRUISE;
    controls.steering = kerb_steering_for(vehicle, p->curvature, p->speed);
    controls.gear = kerb_gearbox_drive(&l->gearbox, vehicle, motion, 1, controls.throttle,
                                       (float)(1.0 / FRAMES_A_SECOND), &controls.clutch);
    motion->steering = controls.steering;
    motion->gear = controls.gear;
    return controls;
}

static kerb_follower_decision thoughts_of(const racing_line_lap_lap* l, const kerb_line_point* p,
                                          float wanted, kerb_reason reason) {
    kerb_follower_decision t = {.reason = reason, .acceleration = wanted};
    kerb_path_sample centre = kerb_path_sample_at(&l->found->path, l->place);
    t.nearest = centre.position;
    t.lookahead = AHEAD_SECONDS * p->speed;
    double ahead = p->distance + (double)t.lookahead;
    kerb_line_point target = kerb_racing_line_at(l->line, ahead);
    t.target = kerb_vec3_make((float)target.x, (float)target.y, (float)target.z);
    t.target_speed = target.speed;
    t.limiting_curvature = t.commanded_curvature = p->curvature;
    t.cross_track_error = p->lateral_offset;
    t.heading_error =
        kerb_wrap_angle(p->heading - kerb_atan2(centre.direction.y, centre.direction.x));
    t.distance = l->progress;
    return t;
}

// For the vehicle's width, on the track as it is: the centre line was found on one without width.
static bool has_room(const racing_line_lap_lap* l, const kerb_line_point* p) {
    float half = 0.5f * l->found->wish->vehicle.width;
    kerb_path_sample track = kerb_path_sample_at(&l->found->path, l->place);
    return track.left - p->lateral_offset >= half && track.right + p->lateral_offset >= half;
}

static kerb_scene_frame frame_at(racing_line_lap_lap* l, double time) {
    const kerb_racing_line* line = l->line;
    kerb_line_point p = kerb_racing_line_at(line, distance_at(l, time));
    double from = racing_line_lap_speed_at(l, l->index),
           to = racing_line_lap_speed_at(l, l->index + 1);
    float wanted = (float)((to * to - from * from) / (2.0 * l->step));
    kerb_scene_frame frame = {.time = time, .motion = motion_of(&p)};
    follow_place(l, &frame.motion);
    frame.controls = controls_at(l, &p, &frame.motion, wanted);
    frame.thoughts = thoughts_of(l, &p, wanted, frame.controls.reason);
    frame.cross_track_error = p.lateral_offset;
    frame.progress = l->progress;
    frame.inside_corridor = has_room(l, &p);
    return frame;
}

// Means over the way, as frames are even in time.
static void racing_line_lap_sum_up(tool_recording* recording, const kerb_racing_line* line) {
    kerb_scene_result* result = &recording->result;
    double way = 0.0;
    for (int32_t i = 0; i < recording->count; i++) {
        const kerb_scene_frame* f = &recording->frames[i];
        double speed = (double)kerb_motion_forward_speed(&f->motion);
        double error = fabs((double)f->cross_track_error);
        way += speed;
        result->cte_mean += speed * error;
        result->cte_max = fmax(result->cte_max, error);
        result->inside_percent += f->inside_corridor ? 100.0 * speed : 0.0;
    }
    result->cte_mean /= way;
    result->inside_percent /= way;
    result->time = line->time;
    result->distance = line->length;
    result->speed_mean = line->length / line->time;
    result->finished = true;
}

void tool_racing_line_record(tool_recording* recording, const tool_racing_line* found, bool centre,
                             const kerb_scene_course* course) {
    const tool_racing_line_wish* wish = found->wish;
    const kerb_racing_line* line = centre ? &found->centre : &found->line;
    *recording = (tool_recording){.course = course, .vehicle = wish->vehicle};
    snprintf(recording->vehicle_name, sizeof recording->vehicle_name, "%s",
             wish->vehicle_name ? wish->vehicle_name : "point mass");
    snprintf(recording->follower_name, sizeof recording->follower_name, "%s",
             centre ? "centre line" : tool_racing_line_method(wish->method));
    recording->settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    recording->settings.lateral_acceleration = wish->performance.lateral / KERB_GRAVITY;
    racing_line_lap_lap l = racing_line_lap_begin(found, line);
    int32_t frames = (int32_t)fmin(ceil(line->time * FRAMES_A_SECOND), 1e7);
    for (int32_t i = 0; i <= frames && !recording->out_of_memory; i++) {
        kerb_scene_frame frame = frame_at(&l, fmin((double)i / FRAMES_A_SECOND, line->time));
        tool_recording_watch(recording, &frame);
    }
    racing_line_lap_sum_up(recording, line);
}
