// One hash for each driver, over every frame of a drive in the reference simulation.
#include "golden.h"
#include "scene/calibration.h"
#include "scene/course.h"
#include "scene/seeking.h"
#include "sim/car.h"

static void add_frame(void* context, const scene_frame* frame) {
    golden_hash* hash = context;
    golden_add_vec3(hash, frame->motion.position);
    golden_add_quat(hash, frame->motion.rotation);
    golden_add_vec3(hash, frame->motion.velocity);
    golden_add_float(hash, frame->controls.throttle);
    golden_add_float(hash, frame->controls.brake);
    golden_add_float(hash, frame->controls.steering);
    golden_add_int(hash, frame->controls.gear);
    golden_add_int(hash, (int32_t)frame->controls.reason);
    golden_add_vec3(hash, frame->thoughts.target);
    golden_add_float(hash, frame->thoughts.target_speed);
    golden_add_float(hash, frame->cross_track_error);
}

static void add_drive(golden_hash* hash, const char* name, const kerb_follower_settings* settings) {
    const kerb_host host = kerb_host_default();
    const sim_car_model model = sim_pickup_model();
    const kerb_vehicle vehicle = sim_car_vehicle(&model);
    scene_course course;
    golden_require(scene_course_make(name, &host, &course, NULL) == KERB_OK, "making a course");
    scene_trial trial = scene_trial_default(&course, &vehicle, settings);
    trial.watch = add_frame;
    trial.context = hash;
    scene_result result;
    golden_require(scene_trial_run(&trial, &host, &result, NULL) == KERB_OK, "running a trial");
    golden_add_int(hash, result.finished);
    scene_course_free(&course, &host);
}

static uint64_t drive_all_courses(const kerb_follower_settings* settings) {
    golden_hash hash = golden_start();
    for (int32_t i = 0; i < scene_course_count(); i++)
        add_drive(&hash, scene_course_name(i), settings);
    return hash.value;
}

uint64_t follower_kerb(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    return drive_all_courses(&settings);
}

uint64_t follower_paper(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    return drive_all_courses(&settings);
}

uint64_t follower_paper_rabbit(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    settings.target_point = KERB_TARGET_RABBIT;
    settings.speed_ahead = KERB_AHEAD_BRAKING;
    return drive_all_courses(&settings);
}

uint64_t follower_baseline(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_BASELINE);
    return drive_all_courses(&settings);
}

static void add_modules(golden_hash* hash, const kerb_path* path) {
    const kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    const kerb_vec3 forward = {1.0f, 0.0f, 0.0f};
    kerb_path_location rabbit = kerb_path_locate(path, 0.0);
    for (double distance = 0.0; distance < path->length; distance += 0.9) {
        kerb_path_location here = kerb_path_locate(path, distance);
        kerb_vec3 position = kerb_path_position(path, here);
        float curvature = 0.0f, angle = 0.0f;
        golden_add_float(hash, kerb_follow_curvature_ahead(path, here, position, 6.0f, 5));
        golden_add_float(hash,
                         kerb_follow_target_speed(&settings, path, here, position, &curvature));
        golden_add_float(hash, curvature);
        golden_add_vec3(hash, kerb_follow_target_point(path, here, 7.0f, 0.5f));
        rabbit = kerb_follow_rabbit(path, here, rabbit, 12.0f, 3.0f, 15.0f, 0.05f);
        golden_add_vec3(hash, kerb_path_position(path, rabbit));
        golden_add_float(hash, kerb_follow_baseline_speed(&settings, path, here, forward, &angle));
        golden_add_float(hash, angle);
    }
}

uint64_t follower_modules(void) {
    const kerb_host host = kerb_host_default();
    golden_hash hash = golden_start();
    for (int32_t i = 0; i < scene_course_count(); i++) {
        scene_course course;
        kerb_path path;
        golden_require(scene_course_make(scene_course_name(i), &host, &course, NULL) == KERB_OK,
                       "making a course");
        golden_require(kerb_path_create(&path, course.waypoints, course.count, course.closed, &host,
                                        NULL) == KERB_OK,
                       "building a course's path");
        add_modules(&hash, &path);
        kerb_path_destroy(&path);
        scene_course_free(&course, &host);
    }
    return hash.value;
}

static void add_drawing(golden_hash* hash, const kerb_draw_buffer* buffer) {
    for (int32_t i = 0; i < buffer->line_count; i++) {
        golden_add_vec3(hash, buffer->lines[i].from);
        golden_add_vec3(hash, buffer->lines[i].to);
        golden_add_int(hash, (int32_t)buffer->lines[i].role);
    }
    for (int32_t i = 0; i < buffer->point_count; i++)
        golden_add_vec3(hash, buffer->points[i].position);
    for (int32_t i = 0; i < buffer->text_count; i++)
        for (const char* letter = buffer->texts[i].text; *letter; letter++)
            golden_add_bits(hash, (unsigned char)*letter, 1);
    golden_add_int(hash, buffer->dropped);
}

// What a follower thinks when it is set down beside a bend, turned away from it.
uint64_t drawing(void) {
    static kerb_draw_line lines[2000];
    static kerb_draw_point points[50];
    static kerb_draw_text texts[10];
    const kerb_waypoint waypoints[] = {kerb_waypoint_at(0, 0, 0), kerb_waypoint_at(40, 0, 1),
                                       kerb_waypoint_at(60, 30, 2), kerb_waypoint_at(60, 90, 0)};
    const kerb_host host = kerb_host_default();
    const kerb_vehicle vehicle = kerb_vehicle_default();
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make(35.0f, 1.0f, 0.5f);
    motion.velocity = kerb_vec3_make(9.0f, 1.0f, 0.0f);
    motion.rotation = kerb_quat_from_heading(-0.2f);
    kerb_path path;
    golden_require(kerb_path_create(&path, waypoints, 4, false, &host, NULL) == KERB_OK,
                   "building a path");
    kerb_follower follower = kerb_follower_make(&vehicle);
    kerb_follower_drive(&follower, &path, &motion, NULL, 1.0f / 60.0f);
    kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 2000, points, 50, texts, 10);
    kerb_draw_path(&buffer, &path, 0.0, path.length);
    kerb_draw_follower(&buffer, &follower, &path, &motion);
    kerb_path_destroy(&path);
    golden_hash hash = golden_start();
    add_drawing(&hash, &buffer);
    return hash.value;
}

// Agents by every variant of directed seek; they drive on after they arrive.
uint64_t directed_seek(void) {
    golden_hash hash = golden_start();
    for (int32_t variant = 0; variant < SCENE_SEEK_VARIANTS; variant++) {
        const scene_seek_plan plan = {
            (scene_seek_variant)variant, 5.0f, 5.0f, 20.0f, variant % 2 == 0, 7};
        for (int64_t i = 0; i < 20; i++) {
            scene_seek_trial trial = scene_seek_trial_make(&plan, i);
            for (int32_t k = 0; k < 150; k++) {
                kerb_directed_thoughts thoughts;
                kerb_steering wish = kerb_directed_seek(&trial.settings, &trial.agent, &trial.goal,
                                                        trial.time_step, &thoughts);
                golden_add_vec3(&hash, wish.direction);
                golden_add_float(&hash, wish.speed);
                golden_add_float(&hash, thoughts.distance);
                golden_add_vec3(&hash, thoughts.straight_to);
                golden_add_vec3(&hash, kerb_steering_force(&trial.agent, &wish, 1.0f, 0.05f));
                trial.agent = kerb_agent_step(&trial.agent, &wish, trial.time_step);
            }
            golden_add_vec3(&hash, trial.agent.position);
        }
    }
    return hash.value;
}

// What the calibrator finds out about every reference vehicle.
uint64_t calibration(void) {
    golden_hash hash = golden_start();
    const kerb_calibration_settings settings = kerb_calibration_settings_default();
    for (int32_t i = 0; i < sim_model_count(); i++) {
        sim_model model;
        kerb_calibrator calibrator;
        golden_require(sim_model_named(sim_model_name(i), &model), "finding a vehicle");
        golden_require(scene_calibrate(&model, NULL, 60.0f, &settings, &calibrator, NULL) ==
                           KERB_OK,
                       "calibrating");
        golden_add_int(&hash, (int32_t)calibrator.outcome);
        golden_add_float(&hash, calibrator.time);
        for (int32_t field = 0; field < KERB_CALIBRATION_FIELD_COUNT; field++) {
            const char* name = kerb_calibration_field_name((kerb_calibration_field)field);
            const kerb_setting* row = kerb_settings_find(&kerb_vehicle_table, name);
            golden_add_float(&hash, kerb_settings_get(row, &calibrator.measured));
            golden_add_int(&hash, calibrator.confidence[field]);
        }
    }
    return hash.value;
}
