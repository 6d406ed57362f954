// Purpose: a host of the family (scene/host/) on one of its courses: late controls, trim, wheels
//          that turn otherwise than told. What an estimate learns of it while it drives.
// Idea:    The hero steers by what it learns, the ghost by what it was told. Both drive the same
//          host; what is true of it was measured before.
// Cost:    per step about one frame of each host, a drive call and an estimate.
#include "scene/stage/stage_rooms.h"

#include "scene/host/family_course.h"
#include "scene/host/family_drive.h"
#include "scene/host/family_ride.h"
#include "scene/host/family_trial.h"

#include <string.h>

#define STAGE_HOST_AGAIN 2.0f // after an open course has ended [s]
#define STAGE_HOST_LOST 30.0f // a ghost that is so late is not waited for [s]
#define STAGE_HOST_END 3.0    // before the end of a course it has arrived [m]

typedef struct stage_hosts {
    kerb_path* path; // fixed
    kerb_family_host host;
    kerb_vehicle told;
    kerb_family_steering truth; // at a gentle speed …
    float told_gain;            // … where the description says this [1/m]
    kerb_family_ride rides[2];
    kerb_estimate estimates[2];
    kerb_controls controls[2];
    kerb_path_location places[2];
    float errors[2];
    double error_sum[2], error_time[2];
    float waited;
    int32_t rounds;
} stage_hosts;

static int32_t stage_hosts_courses(void) {
    return KERB_FAMILY_COURSES;
}

static int32_t stage_hosts_ghosts(void) {
    return 2;
}

static const char* stage_hosts_ghost(int32_t index) {
    return index == 0 ? "none" : "told";
}

static const stage_choice stage_hosts_choices[] = {
    {.name = "course",
     .meaning = "what is driven",
     .fallback = 6,
     .count = stage_hosts_courses,
     .option = kerb_family_course_name},
    {.name = "host", .meaning = "which host is drawn", .min = 1, .max = 40, .fallback = 13},
    {.name = "wrong",
     .meaning = "by how many percent its power, grip and brakes are told wrongly, at most",
     .min = 0,
     .max = 50,
     .fallback = 20},
    {.name = "ghost",
     .meaning = "a second driver that steers by what it was told",
     .fallback = 1,
     .count = stage_hosts_ghosts,
     .option = stage_hosts_ghost},
};
STAGE_TABLE(hosts, kerb_follower_settings_table)

static const stage_table stage_hosts_tables[] = {
    {"driver", stage_table_of_hosts_kerb_follower_settings_table},
    {"ghost", stage_table_of_hosts_kerb_follower_settings_table}};
static const stage_figure stage_hosts_figures[] = {{"true delay", "s"},
                                                   {"true gain, over what was told", "1"},
                                                   {"true trim", "1"},
                                                   {"cross-track error, mean", "m"},
                                                   {"the ghost's error, mean", "m"},
                                                   {"rounds", "1"}};

static void stage_hosts_start(kerb_stage* stage, stage_hosts* h, int32_t index) {
    kerb_family_ride* ride = &h->rides[index];
    kerb_vec3 start = h->path->points[0].position;
    float heading = h->path->points[0].heading;
    kerb_family_put(&ride->host, start, heading, 0.0f);
    ride->follower = kerb_follower_make(&h->told);
    memcpy(&ride->follower.settings, stage->settings[index], sizeof ride->follower.settings);
    ride->motion = kerb_family_motion(&ride->host);
    h->places[index] = (kerb_path_location){0, 0.0f};
    h->controls[index] = ride->follower.controls;
}

static kerb_result stage_hosts_lay(kerb_stage* stage, stage_hosts* h, kerb_error* error) {
    kerb_family_course* course = kerb_scene_stage_fix(stage, sizeof *course);
    h->path = kerb_scene_stage_fix(stage, sizeof *h->path);
    if (course == NULL || h->path == NULL)
        return kerb_scene_stage_no_memory(error);
    kerb_family_course_draw(course, stage->choices[0], &h->told, stage->seed);
    kerb_result result =
        kerb_path_create(h->path, course->waypoints, course->count, false, &stage->fixed, error);
    stage->fixed.allocator.release(stage->fixed.allocator.context, course, 0);
    return result;
}

static kerb_result stage_hosts_make(kerb_stage* stage, kerb_error* error) {
    stage_hosts* h = kerb_scene_stage_allocate(stage, sizeof *h);
    if (h == NULL)
        return kerb_scene_stage_no_memory(error);
    stage->scene_data = h;
    uint64_t seed = (uint64_t)stage->choices[1];
    kerb_family_host_make(&h->host, seed);
    h->told = kerb_family_wrong_vehicle(&h->host, seed, 0.01f * (float)stage->choices[2]);
    kerb_result result = stage_hosts_lay(stage, h, error);
    if (result != KERB_OK)
        return result;
    float speed = kerb_family_course_speed(&h->host);
    kerb_family_drive gentle; // at a speed at which no tyre slips
    kerb_family_drive_make(&gentle, seed);
    h->truth = kerb_family_steering_of(&h->host, gentle.speed);
    h->told_gain = kerb_curvature_of(&h->told, 0.3f, gentle.speed) / 0.3f;
    stage->vehicle_count = 1 + stage->choices[3];
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        kerb_family_ride_make(&h->rides[i], &h->host, &h->told, speed);
        kerb_follower_settings* settings = stage->settings[i];
        *settings = h->rides[i].follower.settings;
        settings->steering = i == 0 ? KERB_STEERING_LEARNED : KERB_STEERING_TOLD;
        h->estimates[i] = kerb_estimate_make(&h->told);
        stage_hosts_start(stage, h, i);
    }
    return KERB_OK;
}

static void stage_hosts_apply(kerb_stage* stage) {
    stage_hosts* h = stage->scene_data;
    for (int32_t i = 0; i < stage->vehicle_count; i++)
        memcpy(&h->rides[i].follower.settings, stage->settings[i],
               sizeof h->rides[i].follower.settings);
}

// Its frames are its own, longer and shorter than a step.
static void stage_hosts_ride(kerb_stage* stage, stage_hosts* h, int32_t index) {
    kerb_family_ride* ride = &h->rides[index];
    kerb_motion now = kerb_family_motion(&ride->host);
    ride->player = kerb_scene_stage_player(stage, index, &h->told, &now);
    double until = (double)(stage->state->frame + 1) * (double)KERB_STAGE_STEP;
    while (ride->time < until) {
        float step = kerb_family_ride_step(ride, h->path);
        h->controls[index] = ride->controls;
        kerb_motion after = kerb_family_motion(&ride->host);
        kerb_estimate_feed(&h->estimates[index], &after, &ride->controls, NULL, step);
        h->places[index] = kerb_path_track(h->path, h->places[index], after.position,
                                           kerb_quat_forward(after.rotation));
        h->errors[index] = kerb_path_cross_track(h->path, h->places[index], after.position);
        h->error_sum[index] += (double)(kerb_abs(h->errors[index]) * step);
        h->error_time[index] += (double)step;
    }
}

static bool stage_hosts_arrived(const stage_hosts* h, int32_t index) {
    return kerb_path_distance(h->path, h->places[index]) > h->path->length - STAGE_HOST_END;
}

// What was learned is kept for the next round.
static void stage_hosts_go_on(kerb_stage* stage, stage_hosts* h) {
    bool all = true;
    for (int32_t i = 0; i < stage->vehicle_count; i++)
        all = all && stage_hosts_arrived(h, i);
    bool first = stage_hosts_arrived(h, 0);
    h->waited = first ? h->waited + KERB_STAGE_STEP : 0.0f;
    bool teleport = h->controls[0].reason == KERB_REASON_TELEPORT ||
                    h->controls[0].reason == KERB_REASON_GIVEN_UP;
    if (!(all && h->waited > STAGE_HOST_AGAIN) && h->waited < STAGE_HOST_LOST && !teleport)
        return;
    h->waited = 0.0f;
    h->rounds++;
    for (int32_t i = 0; i < stage->vehicle_count; i++) {
        kerb_follower learned = h->rides[i].follower;
        stage_hosts_start(stage, h, i);
        h->rides[i].follower = learned; // it sees that it was put elsewhere
    }
}

static void stage_hosts_step(kerb_stage* stage) {
    stage_hosts* h = stage->scene_data;
    for (int32_t i = 0; i < stage->vehicle_count; i++)
        stage_hosts_ride(stage, h, i);
    stage_hosts_go_on(stage, h);
}

static void stage_hosts_show(const kerb_stage* stage, int32_t vehicle, stage_shown* shown) {
    const stage_hosts* h = stage->scene_data;
    const kerb_family_ride* ride = &h->rides[vehicle];
    shown->vehicle = &h->told;
    shown->motion = kerb_family_motion(&ride->host);
    // The wheels as they are, whatever the host tells.
    shown->motion.steering = ride->host.wheel / kerb_max(h->told.steering_angle_max, 0.01f);
    shown->controls = h->controls[vehicle];
    shown->look = KERB_STAGE_CAR;
    shown->role = vehicle == 0 ? KERB_STAGE_HERO : KERB_STAGE_GHOST;
    shown->colour = vehicle;
    shown->height = kerb_max(0.33f * h->told.length, 0.8f * h->told.width);
    shown->target_speed = ride->follower.decision.target_speed;
    shown->cross_track_error = h->errors[vehicle];
    shown->progress = (float)kerb_path_distance(h->path, h->places[vehicle]);
    shown->estimate = &h->estimates[vehicle];
}

static void stage_hosts_shapes(kerb_stage* stage) {
    const stage_hosts* h = stage->scene_data;
    kerb_scene_stage_add_path(stage, h->path, true);
}

static bool stage_hosts_can_take(const kerb_stage* stage, int32_t vehicle) {
    (void)stage;
    return vehicle == 0;
}

static kerb_result stage_hosts_drag(kerb_stage* stage, int32_t kind, int32_t index, kerb_pose pose,
                                    kerb_error* error) {
    (void)kind;
    (void)error;
    stage_hosts* h = stage->scene_data;
    kerb_pose at = kerb_scene_stage_reference(&h->told, pose);
    kerb_vec3 place = kerb_vec3_make(at.position.x, at.position.y, 0.0f);
    kerb_family_put(&h->rides[index].host, place, kerb_pose_heading(at), 0.0f);
    h->places[index] = kerb_path_nearest(h->path, place);
    return KERB_OK;
}

static void stage_hosts_draw(kerb_stage* stage, int32_t vehicle, kerb_draw_buffer* buffer) {
    const stage_hosts* h = stage->scene_data;
    const kerb_family_ride* ride = &h->rides[vehicle];
    kerb_motion motion = kerb_family_motion(&ride->host);
    double at = kerb_path_distance(h->path, h->places[vehicle]);
    kerb_draw_path(buffer, h->path, at - 20.0, at + 150.0);
    kerb_draw_follower(buffer, &ride->follower, h->path, &motion);
}

static float stage_hosts_figure(const kerb_stage* stage, int32_t figure) {
    const stage_hosts* h = stage->scene_data;
    switch (figure) {
    case 0:
        return h->truth.delay;
    case 1:
        return h->truth.gain / h->told_gain;
    case 2:
        return h->truth.trim;
    case 3:
    case 4: {
        int32_t i = figure - 3;
        bool known = i < stage->vehicle_count && h->error_time[i] > 0.0;
        return known ? (float)(h->error_sum[i] / h->error_time[i]) : -1.0f;
    }
    default:
        return (float)h->rounds;
    }
}

const stage_scene kerb_scene_stage_hosts = {
    .id = "follower/hosts",
    .group = "Follower",
    .title = "What a driver learns of a host",
    .look = "Controls act late, wheels stand aside and turn otherwise than told: within half a "
            "minute the estimate knows gain and trim, and the delay as well as calm wheels tell "
            "it, each with its doubt.",
    .try_this = "Compare the estimate with the true figures, and choose other hosts: each is drawn "
                "at random.",
    .choices = stage_hosts_choices,
    .choice_count = 4,
    .tables = stage_hosts_tables,
    .table_count = 2,
    .figures = stage_hosts_figures,
    .figure_count = 6,
    .arena_bytes = 2u << 20,
    .make = stage_hosts_make,
    .apply = stage_hosts_apply,
    .step = stage_hosts_step,
    .show = stage_hosts_show,
    .shapes = stage_hosts_shapes,
    .can_take = stage_hosts_can_take,
    .drag = stage_hosts_drag,
    .draw = stage_hosts_draw,
    .figure = stage_hosts_figure,
};
