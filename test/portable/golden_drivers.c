// One hash for each driver, over every frame of a drive in the reference simulation.
#include "golden.h"
#include "scene/city/city_plan.h"
#include "scene/city/city_run.h"
#include "scene/course/calibration.h"
#include "scene/course/course.h"
#include "scene/crowd/chase.h"
#include "scene/crowd/seeking.h"
#include "scene/host/host_drive.h"
#include "scene/lane/lane_drive.h"
#include "scene/lane/lane_player.h"
#include "scene/race/race.h"
#include "scene/race/race_pace.h"
#include "scene/race/tracks.h"
#include "sim/airplane.h"
#include "sim/car.h"

static void add_frame(void* context, const kerb_scene_frame* frame) {
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
    const kerb_sim_car_model model = kerb_sim_pickup_model();
    const kerb_vehicle vehicle = kerb_sim_car_vehicle(&model);
    kerb_scene_course course;
    golden_require(kerb_scene_course_make(name, &host, &course, NULL) == KERB_OK,
                   "making a course");
    kerb_scene_trial trial = kerb_scene_trial_default(&course, &vehicle, settings);
    trial.watch = add_frame;
    trial.context = hash;
    kerb_scene_result result;
    golden_require(kerb_scene_trial_run(&trial, &host, &result, NULL) == KERB_OK,
                   "running a trial");
    golden_add_int(hash, result.finished);
    kerb_scene_course_free(&course, &host);
}

// Every course, or every so manieth.
static uint64_t drive_courses(const kerb_follower_settings* settings, int32_t every) {
    golden_hash hash = golden_start();
    for (int32_t i = 0; i < kerb_scene_course_count(); i += every)
        add_drive(&hash, kerb_scene_course_name(i), settings);
    return hash.value;
}

uint64_t follower_kerb(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    return drive_courses(&settings, 1);
}

uint64_t follower_told(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_KERB);
    settings.steering = KERB_STEERING_TOLD;
    return drive_courses(&settings, 1);
}

uint64_t follower_paper(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    return drive_courses(&settings, 3);
}

uint64_t follower_paper_rabbit(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_PAPER);
    settings.paper.target_point = KERB_TARGET_RABBIT;
    settings.paper.speed_ahead = KERB_AHEAD_BRAKING;
    return drive_courses(&settings, 3);
}

uint64_t follower_baseline(void) {
    kerb_follower_settings settings = kerb_follower_settings_default(KERB_FOLLOWER_BASELINE);
    return drive_courses(&settings, 3);
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
    for (int32_t i = 0; i < kerb_scene_course_count(); i++) {
        kerb_scene_course course;
        kerb_path path;
        golden_require(kerb_scene_course_make(kerb_scene_course_name(i), &host, &course, NULL) ==
                           KERB_OK,
                       "making a course");
        golden_require(kerb_path_create(&path, course.waypoints, course.count, course.closed, &host,
                                        NULL) == KERB_OK,
                       "building a course's path");
        add_modules(&hash, &path);
        kerb_path_destroy(&path);
        kerb_scene_course_free(&course, &host);
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
    for (int32_t variant = 0; variant < KERB_SCENE_SEEK_VARIANTS; variant++) {
        const kerb_scene_seek_plan plan = {
            (kerb_scene_seek_variant)variant, 5.0f, 5.0f, 20.0f, variant % 2 == 0, 7};
        for (int64_t i = 0; i < 20; i++) {
            kerb_scene_seek_trial trial = kerb_scene_seek_trial_make(&plan, i);
            for (int32_t k = 0; k < 150; k++) {
                kerb_directed_decision thoughts;
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

// ---------------------------------------------------------------------------- behaviours

static kerb_vec3 golden_place(kerb_random* random, bool level) {
    float x = kerb_random_between(random, -30.0f, 30.0f);
    float y = kerb_random_between(random, -30.0f, 30.0f);
    float z = kerb_random_between(random, -30.0f, 30.0f);
    return kerb_vec3_make(x, y, level ? 0.0f : z);
}

static kerb_agent golden_agent(kerb_random* random, bool level) {
    kerb_agent agent = {.radius = 0.5f, .speed_max = 12.0f, .acceleration = 4.0f, .braking = 6.0f};
    agent.position = golden_place(random, level);
    agent.forward = kerb_vec3_unit(golden_place(random, level), kerb_vec3_make(1, 0, 0));
    agent.speed = kerb_random_between(random, 0.0f, 12.0f);
    agent.turning_radius = kerb_random_between(random, 1.0f, 10.0f);
    return agent;
}

static void add_wish(golden_hash* hash, kerb_steering wish) {
    golden_add_vec3(hash, wish.direction);
    golden_add_float(hash, wish.speed);
}

static void add_regions(golden_hash* hash, const kerb_agent* agent) {
    const kerb_vec2 corners[4] = {{-20, -20}, {20, -25}, {25, 20}, {-20, 15}};
    kerb_region region = {KERB_REGION_POLYGON, corners,   4, {-25, -25, -25},
                          {25, 25, 25},        {0, 0, 0}, 25};
    for (region.kind = KERB_REGION_POLYGON; region.kind <= KERB_REGION_ROUND; region.kind++)
        add_wish(hash, kerb_contain(agent, &region, 0.5f, 0.05f));
}

// Every behaviour from random places, on the level and in space.
uint64_t steering_behaviours(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(2024, 41);
    kerb_wander_settings settings = kerb_wander_settings_default();
    settings.climb_rate = 0.2f;
    kerb_wander wander = kerb_wander_make(7);
    for (int i = 0; i < 2000; i++) {
        bool level = i % 2 == 0;
        kerb_agent agent = golden_agent(&random, level), other = golden_agent(&random, level);
        kerb_agent third = golden_agent(&random, level);
        kerb_vec3 place = golden_place(&random, level);
        kerb_obstacle walls[2] = {kerb_obstacle_between(place, third.position),
                                  kerb_obstacle_round(other.position, 2.0f)};
        golden_add_float(&hash, kerb_seek_distance(&agent, place));
        add_wish(&hash, kerb_seek(&agent, place, 0.05f));
        add_wish(&hash, kerb_flee(&agent, place, 30.0f));
        add_wish(&hash, kerb_arrive(&agent, place, 0.05f));
        add_wish(&hash, kerb_pursue(&agent, &other, 10.0f, 0.05f));
        add_wish(&hash, kerb_evade(&agent, &other, 50.0f, 10.0f));
        add_wish(&hash, kerb_offset_pursue(&agent, &other, place, 10.0f, 0.05f));
        add_wish(&hash, kerb_interpose(&agent, &other, &third, 10.0f, 0.05f));
        add_wish(&hash, kerb_hide(&agent, place, walls, 2, 0.5f, 0.05f));
        add_wish(&hash, kerb_follow_wall(&agent, walls, 2, level ? 1 : -1, 2.0f, 0.5f));
        add_wish(&hash, kerb_wander_steer(&wander, &settings, &agent, 0.05f));
        add_regions(&hash, &agent);
    }
    return hash.value;
}

// Wishes among obstacles, and several made one.
uint64_t steering_combined(void) {
    golden_hash hash = golden_start();
    kerb_random random = kerb_random_make(2024, 42);
    kerb_avoid_obstacles_settings settings = kerb_avoid_obstacles_settings_default();
    const float weights[3] = {0.5f, 0.3f, 0.9f};
    for (int i = 0; i < 400; i++) {
        bool level = i % 2 == 0;
        kerb_agent agent = golden_agent(&random, level);
        kerb_obstacle obstacles[8];
        kerb_steering wishes[3];
        for (int k = 0; k < 8; k++)
            obstacles[k] = kerb_obstacle_round(golden_place(&random, level), 2.0f);
        for (int k = 0; k < 3; k++)
            wishes[k] = kerb_seek(&agent, golden_place(&random, level), 0.05f);
        settings.space = level ? 0 : 1;
        add_wish(&hash,
                 kerb_avoid_obstacles(&settings, &agent, &wishes[0], obstacles, 8, 50.0f, 0.05f));
        add_wish(&hash, kerb_steering_blend(wishes, weights, 3));
        add_wish(&hash, kerb_steering_priority(wishes, weights, 3));
        kerb_context context = kerb_context_make(level);
        for (int k = 0; k < 3; k++)
            kerb_context_add_steering(&context, &wishes[k], weights[k]);
        kerb_context_add_danger(&context, agent.forward, 0.3f);
        kerb_context_add_obstacles(&context, &agent, obstacles, 8, 0.3f, 20.0f, 0.05f);
        add_wish(&hash, kerb_context_decide(&context));
    }
    return hash.value;
}

// Vehicles park, and a police chase.
uint64_t steering_drivers(void) {
    static kerb_scene_chase scene;
    static const char* const names[] = {"arrivals", "police-chase", "convoy", "formation"};
    golden_hash hash = golden_start();
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        golden_require(kerb_scene_chase_make(names[k], 7, &scene), "finding a scene");
        for (int32_t i = 0; i < 600; i++) {
            kerb_scene_chase_step(&scene, 1.0f / 60.0f);
            for (int32_t car = 0; car < scene.count && i % 20 == 0; car++) {
                kerb_neighbour seen = kerb_scene_chase_seen(&scene, car);
                golden_add_float(&hash, seen.position.x);
                golden_add_float(&hash, seen.position.y);
                golden_add_float(&hash, seen.forward.x);
                golden_add_float(&hash, scene.cars[car].controls.steering);
                golden_add_float(&hash, scene.cars[car].controls.throttle);
            }
        }
    }
    return hash.value;
}

// What the calibrator finds out about every reference vehicle.
static void add_flight(golden_hash* hash, kerb_sim_airplane* airplane,
                       const kerb_controls* controls) {
    golden_add_float(hash, controls->throttle);
    golden_add_float(hash, controls->pitch);
    golden_add_float(hash, controls->roll);
    golden_add_float(hash, controls->yaw);
    golden_add_int(hash, (int32_t)controls->reason);
    for (int32_t i = 0; i < 4; i++)
        kerb_sim_airplane_step(airplane, controls, 1.0f / 240.0f);
    golden_add_vec3(hash, airplane->position);
}

// From upside down to level flight, along a climbing square, and to a pose above.
uint64_t flyer(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    const kerb_waypoint corners[4] = {
        kerb_waypoint_at(0.0f, 0.0f, 1000.0f), kerb_waypoint_at(1500.0f, 0.0f, 1050.0f),
        kerb_waypoint_at(1500.0f, 1500.0f, 1100.0f), kerb_waypoint_at(0.0f, 1500.0f, 1050.0f)};
    kerb_path path;
    golden_require(kerb_path_create(&path, corners, 4, true, &host, NULL) == KERB_OK,
                   "building a path in the air");
    const kerb_sim_airplane_model model = kerb_sim_trainer_model();
    const kerb_aircraft aircraft = kerb_sim_airplane_aircraft(&model);
    const kerb_directed_goal goal = {{1000.0f, -800.0f, 1400.0f}, {0.0f, -1.0f, 0.0f}, 60.0f, 1.0f};
    kerb_sim_airplane airplane =
        kerb_sim_airplane_make(&model, kerb_vec3_make(0.0f, 0.0f, 1000.0f), 0.0f, 62.0f);
    airplane.rotation = kerb_quat_from_angles(0.0f, 0.0f, 3.0f);
    kerb_flyer pilot = kerb_flyer_make(&aircraft);
    for (int32_t i = 0; i < 60 * 180; i++) {
        kerb_motion motion = kerb_sim_airplane_motion(&airplane);
        kerb_controls controls = i < 600 ? kerb_flyer_drive(&pilot, NULL, &motion, 1.0f / 60.0f)
                                 : i < 6000
                                     ? kerb_flyer_follow(&pilot, &path, &motion, 1.0f / 60.0f)
                                     : kerb_flyer_arrive(&pilot, &goal, &motion, 1.0f / 60.0f);
        add_flight(&hash, &airplane, &controls);
    }
    kerb_path_destroy(&path);
    return hash.value;
}

static void add_line(golden_hash* hash, const kerb_racing_line* line) {
    golden_add_int(hash, line->count);
    golden_add_double(hash, line->length);
    golden_add_double(hash, line->time);
    golden_add_double(hash, line->violation);
    for (int32_t i = 0; i < line->count; i++) {
        const kerb_line_point* p = &line->points[i];
        golden_add_double(hash, p->x);
        golden_add_double(hash, p->y);
        golden_add_double(hash, p->z);
        golden_add_float(hash, p->heading);
        golden_add_float(hash, p->curvature);
        golden_add_float(hash, p->normal_curvature);
        golden_add_float(hash, p->left);
        golden_add_float(hash, p->right);
        golden_add_float(hash, p->speed);
    }
}

// Every method on every other built-in track, with downforce and drag; least time with either
// budget.
uint64_t racing_lines(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_performance car = kerb_performance_point_mass(12.0f, 9.0f, 12.0f, 70.0f);
    car.downforce = 0.002f;
    car.drag = 0.001f;
    for (int32_t i = 0; i < 4 * (kerb_scene_track_count() / 2); i++) {
        kerb_line_settings settings =
            i % 4 == 0 ? kerb_line_settings_vamos() : kerb_line_settings_default();
        settings.method = i % 4 < 2 ? i % 4 : KERB_LINE_TIME;
        car.budget = i % 4 == 3 ? KERB_TRACTION_LINEAR : KERB_TRACTION_ELLIPSE;
        kerb_scene_track track;
        kerb_path path;
        kerb_line_solver solver;
        kerb_racing_line line;
        golden_require(
            kerb_scene_track_make(kerb_scene_track_name(i / 4 * 2), &host, &track, NULL) ==
                    KERB_OK &&
                kerb_path_create(&path, track.waypoints, track.count, track.closed, &host, NULL) ==
                    KERB_OK &&
                kerb_line_solver_create(&solver, &path, &car, &settings, &host, NULL) == KERB_OK,
            "beginning a racing line");
        kerb_line_solver_advance(&solver, INT32_MAX);
        golden_require(kerb_racing_line_create(&line, &solver, 5.0f, &host, NULL) == KERB_OK,
                       "making a racing line");
        add_line(&hash, &line);
        kerb_racing_line_destroy(&line);
        kerb_line_solver_destroy(&solver);
        kerb_path_destroy(&path);
        kerb_scene_track_free(&track, &host);
    }
    return hash.value;
}

static void add_race_frame(void* context, const kerb_scene_race_frame* frame) {
    golden_hash* hash = context;
    const kerb_controls* controls = &frame->controls;
    golden_add_float(hash, controls->throttle);
    golden_add_float(hash, controls->brake);
    golden_add_float(hash, controls->steering);
    golden_add_float(hash, controls->clutch);
    golden_add_int(hash, controls->gear);
    golden_add_int(hash, (int32_t)controls->reason);
    golden_add_float(hash, frame->motion.position.x);
    golden_add_float(hash, frame->racer->decision.target_speed);
}

// The cars that race below, on the hills and banks of one track: found out about once, because that
// takes as long as several laps. They stay until the program ends.
typedef enum race_car { RACE_GT, RACE_RALLY, RACE_CAR_COUNT } race_car;

static const kerb_scene_race_pace* pace_of(race_car car) {
    static const char* const names[RACE_CAR_COUNT] = {"gt", "rally"};
    static kerb_scene_race_pace paces[RACE_CAR_COUNT];
    const kerb_host host = kerb_host_default();
    if (!paces[car].line.count)
        golden_require(kerb_scene_race_pace_open(&paces[car], "downs", false, names[car], &host,
                                                 NULL) == KERB_OK,
                       "preparing a lap");
    return &paces[car];
}

// A lap from standing, driven 60 times a second.
static kerb_scene_race_lap lap_of(race_car car) {
    kerb_scene_race_lap lap = kerb_scene_race_pace_lap(pace_of(car));
    lap.laps = 1;
    lap.drive_every = 4;
    return lap;
}

static void add_race_lap(golden_hash* hash, kerb_scene_race_lap* lap) {
    lap->watch = add_race_frame;
    lap->context = hash;
    kerb_scene_race_lap_result result;
    kerb_scene_race_lap_run(lap, &result);
    golden_add_double(hash, result.best);
}

uint64_t racing_driver(void) {
    golden_hash hash = golden_start();
    for (race_car car = RACE_GT; car <= RACE_RALLY; car++) {
        kerb_scene_race_lap lap = lap_of(car);
        add_race_lap(&hash, &lap);
    }
    return hash.value;
}

// Somebody who errs, and is paced by the host.
uint64_t racing_driver_with_skill(void) {
    golden_hash hash = golden_start();
    kerb_scene_race_lap lap = lap_of(RACE_RALLY);
    lap.racer.settings = kerb_racer_settings_of_seed(7, 0.4f);
    lap.racer.settings.pace_help = 0.5f;
    add_race_lap(&hash, &lap);
    return hash.value;
}

// Less grip than told, and what is learnt of it for the second lap.
uint64_t racing_driver_that_learns(void) {
    golden_hash hash = golden_start();
    kerb_scene_race_lap lap = lap_of(RACE_GT);
    lap.laps = 2;
    lap.grip = 0.9f;
    lap.racer.settings.learning = 1;
    add_race_lap(&hash, &lap);
    return hash.value;
}

// At 30 calls a second, whose controls act a frame late.
uint64_t racing_driver_with_latency(void) {
    golden_hash hash = golden_start();
    kerb_scene_race_lap lap = lap_of(RACE_GT);
    lap.drive_every = 8;
    lap.controls_late = 1;
    lap.racer.settings.latency = 1.0f / 30.0f;
    add_race_lap(&hash, &lap);
    return hash.value;
}

static void add_traffic(void* context, const kerb_scene_race* race) {
    golden_hash* hash = context;
    for (int32_t i = 0; i < race->count; i++) {
        const kerb_scene_race_car* car = &race->cars[i];
        golden_add_float(hash, car->controls.throttle);
        golden_add_float(hash, car->controls.brake);
        golden_add_float(hash, car->controls.steering);
        golden_add_int(hash, (int32_t)car->controls.reason);
        golden_add_float(hash, car->motion.position.x);
        golden_add_int(hash, car->racer.memory.traffic.yields);
    }
}

// From a reverse grid, long enough for the first bends, passes, and others let by.
uint64_t racing_among_others(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    const float skills[6] = {0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f};
    const kerb_scene_race_pace* pace = pace_of(RACE_GT);
    kerb_scene_race_settings settings =
        kerb_scene_race_settings_default(&pace->line, &pace->ground, &pace->model);
    settings.cars = 6;
    settings.skills = skills;
    settings.order = KERB_SCENE_RACE_ORDER_REVERSE;
    settings.time_most = 40.0;
    settings.watch = add_traffic;
    settings.context = &hash;
    kerb_scene_race race;
    golden_require(kerb_scene_race_create(&race, &settings, &host, NULL) == KERB_OK,
                   "beginning a race");
    while (kerb_scene_race_step(&race)) {
    }
    for (int32_t place = 1; place <= race.count; place++)
        golden_add_int(&hash, kerb_scene_race_result_at(&race, place).driver);
    kerb_scene_race_destroy(&race);
    return hash.value;
}

uint64_t calibration(void) {
    golden_hash hash = golden_start();
    const kerb_calibration_settings settings = kerb_calibration_settings_default();
    for (int32_t i = 0; i < kerb_sim_model_count(); i++) {
        kerb_sim_model model;
        kerb_calibrator calibrator;
        golden_require(kerb_sim_model_named(kerb_sim_model_name(i), &model), "finding a vehicle");
        golden_require(kerb_scene_calibrate(&model, NULL, 60.0f, &settings, &calibrator, NULL) ==
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

// What a host check concludes from hosts that tell the truth, and each mistake.
uint64_t host_checks(void) {
    golden_hash hash = golden_start();
    for (int32_t i = 0; i < 2 * KERB_HOST_MISTAKE_COUNT; i++) {
        const kerb_host_mistake mistake = (kerb_host_mistake)(i % KERB_HOST_MISTAKE_COUNT);
        kerb_scene_host_drive drive;
        kerb_scene_host_drive_make(&drive, (uint64_t)i + 1, mistake, 0);
        kerb_host_check check = kerb_host_check_make(&drive.vehicle);
        while (drive.time < 8.0f) {
            kerb_scene_host_drive_frame(&drive);
            kerb_host_check_feed(&check, &drive.told, &drive.given, drive.told_step);
        }
        for (int32_t k = 0; k < KERB_HOST_MISTAKE_COUNT; k++)
            golden_add_float(&hash, check.evidence[k]);
    }
    return hash.value;
}

static void add_lane_cars(void* context, double time, const kerb_scene_lane_car* cars,
                          int32_t count) {
    (void)time;
    golden_hash* hash = context;
    for (int32_t i = 0; i < count; i++) {
        const kerb_lane_keeper* keeper = &cars[i].keeper;
        golden_add_float(hash, keeper->controls.throttle);
        golden_add_float(hash, keeper->controls.brake);
        golden_add_float(hash, keeper->controls.steering);
        golden_add_int(hash, (int32_t)keeper->controls.reason);
        golden_add_vec3(hash, keeper->decision.target);
        golden_add_float(hash, keeper->decision.target_speed);
        golden_add_int(hash, cars[i].ray_count);
    }
}

static void add_lane_drivers(void* context, double time, const kerb_scene_lane_driver* drivers,
                             int32_t count, kerb_scene_lane_mood mood) {
    (void)time;
    golden_hash* hash = context;
    golden_add_int(hash, (int32_t)mood);
    for (int32_t i = 0; i < count; i++) {
        golden_add_float(hash, drivers[i].keeper.controls.steering);
        golden_add_float(hash, drivers[i].keeper.settings.speed);
        golden_add_float(hash, drivers[i].keeper.settings.edge_distance);
        golden_add_int(hash, drivers[i].moved);
    }
}

// A few bots round a human on a country road.
uint64_t lane_company(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_sim_model model;
    kerb_scene_lane_road road;
    kerb_waypoint* waypoints;
    int32_t count;
    golden_require(kerb_sim_model_named("road", &model), "making a car");
    golden_require(
        kerb_scene_lane_country(7, 3000.0f, &host, &waypoints, &count, NULL) == KERB_OK &&
            kerb_scene_lane_road_create(&road, waypoints, count, false, &host, NULL) == KERB_OK,
        "making a country road");
    host.allocator.release(host.allocator.context, waypoints, (size_t)count * sizeof *waypoints);
    kerb_scene_lane_player_plan plan = kerb_scene_lane_player_plan_default(&road, &model);
    plan.bots = 12;
    plan.seconds = 8.0;
    plan.style = KERB_SCENE_LANE_HASTY;
    plan.watch = add_lane_drivers;
    plan.context = &hash;
    kerb_scene_lane_player_result result;
    golden_require(kerb_scene_lane_player_run(&plan, &host, &result, NULL) == KERB_OK, "a company");
    golden_add_int(&hash, result.moves);
    kerb_scene_lane_road_destroy(&road);
    return hash.value;
}

// Each scenario once round a track.
uint64_t lane_keeper(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    kerb_sim_model model;
    kerb_scene_track track;
    kerb_scene_lane_road road;
    golden_require(kerb_sim_model_named("road", &model), "making a car");
    golden_require(kerb_scene_track_make("vamos", &host, &track, NULL) == KERB_OK &&
                       kerb_scene_lane_road_create(&road, track.waypoints, track.count,
                                                   track.closed, &host, NULL) == KERB_OK,
                   "making a road");
    for (int32_t i = KERB_SCENE_LANE_KEEP; i <= KERB_SCENE_LANE_AVOID; i++) {
        kerb_scene_lane_plan plan = kerb_scene_lane_plan_default(&road, &model);
        plan.scenario = (kerb_scene_lane_scenario)i;
        plan.cars = 2;
        plan.distance = 400.0;
        plan.watch = add_lane_cars;
        plan.context = &hash;
        kerb_scene_lane_result result;
        golden_require(kerb_scene_lane_run(&plan, &host, &result, NULL) == KERB_OK,
                       "keeping a lane");
        golden_add_int(&hash, result.finished);
    }
    kerb_scene_lane_road_destroy(&road);
    kerb_scene_track_free(&track, &host);
    return hash.value;
}

// Each built-in city for a minute and a half, with signals, yielding, lane changes and reroutes.
uint64_t city_traffic(void) {
    golden_hash hash = golden_start();
    const kerb_host host = kerb_host_default();
    const kerb_traffic_type car = kerb_traffic_car();
    for (int32_t i = 0; kerb_scene_city_name(i); i++) {
        kerb_scene_city city;
        kerb_scene_city_run run;
        kerb_scene_city_set_up set_up = {
            .types = &car, .type_count = 1, .vehicles = 60, .dt = 0.1f, .seed = 3};
        golden_require(kerb_scene_city_make(&city, kerb_scene_city_name(i), 4, i % 2 == 1) &&
                           kerb_scene_city_run_make(&run, &city.plan, &set_up, &host, NULL) ==
                               KERB_OK,
                       "making a city");
        while (run.time < 90.0) {
            kerb_scene_city_run_step(&run);
            for (int32_t k = 0; k < 60; k++) {
                kerb_traffic_vehicle v = kerb_traffic_vehicle_of(&run.traffic, &run.network, k);
                golden_add_vec3(&hash, v.position);
                golden_add_float(&hash, v.speed);
                golden_add_int(&hash, (int32_t)v.wait);
            }
        }
        kerb_scene_city_run_free(&run);
        kerb_scene_city_free(&city);
    }
    return hash.value;
}
