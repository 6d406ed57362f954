// Drives courses in another engine: the trials, the judge and the calibration of scene/course with
// a physics whose functions are imports of the module. The host is JavaScript with Jolt.
//
// Build: playground/jolt/build.mjs. Nothing here knows Jolt; a vehicle is known by its name.
#include "playground/jolt/native/judge.h"

#include "kerb/kerb.h"
#include "scene/course/calibration.h"
#include "scene/course/trial.h"

#include <stdlib.h>
#include <string.h>

#define JOLT_IMPORT(name) __attribute__((import_module("jolt"), import_name(#name)))

// A change of direction of the steering counts from this share of the lock on.
#define JOLT_SWING 0.02f

// --------------------------------------------------------------------------- the host's functions

/// Makes a vehicle at rest; 0: failed. Terrain: five numbers and heights; obstacles: rows of six.
JOLT_IMPORT(make)
int32_t jolt_make(const char* name, float x, float y, float height, float nx, float ny, float nz,
                  float heading, const kerb_sim_terrain* terrain,
                  const kerb_sim_obstacle* obstacles, int32_t obstacle_count);
JOLT_IMPORT(step)
void jolt_step(int32_t vehicle, float throttle, float brake, float steering, float clutch,
               int32_t gear, int32_t handbrake, float height, float nx, float ny, float nz,
               float grip, float time_step);
/// Writes position, rotation, velocity, angular velocity, steering, gear, engine speed, slip,
/// touch.
JOLT_IMPORT(motion)
void jolt_motion(int32_t vehicle, float* numbers);
JOLT_IMPORT(destroy) void jolt_destroy(int32_t vehicle);
JOLT_IMPORT(now) double jolt_now(void); ///< wall clock [ms]

// --------------------------------------------------------------------------- as a physics

typedef struct jolt_vehicle {
    int32_t id;
    const kerb_sim_world* world;
} jolt_vehicle;

static void* jolt_physics_make(const kerb_sim_model* model, const kerb_sim_world* world,
                               const kerb_sim_ground* road, kerb_vec3 position, float heading,
                               kerb_error* error) {
    jolt_vehicle* vehicle = malloc(sizeof *vehicle);
    if (vehicle == NULL) {
        kerb_error_set(error, KERB_ERROR_OUT_OF_MEMORY, "vehicle", 0, -1, "no memory");
        return NULL;
    }
    kerb_sim_ground ground = kerb_sim_world_ground(world, position, road);
    vehicle->world = world;
    vehicle->id = jolt_make(model->name, position.x, position.y, ground.height, ground.normal.x,
                            ground.normal.y, ground.normal.z, heading, &world->terrain,
                            world->obstacles, world->obstacle_count);
    return vehicle;
}

static kerb_motion jolt_physics_motion(const void* vehicle) {
    float n[18];
    jolt_motion(((const jolt_vehicle*)vehicle)->id, n);
    kerb_motion motion = kerb_motion_default();
    motion.position = kerb_vec3_make(n[0], n[1], n[2]);
    motion.rotation = (kerb_quat){n[3], n[4], n[5], n[6]};
    motion.velocity = kerb_vec3_make(n[7], n[8], n[9]);
    motion.angular_velocity = kerb_vec3_make(n[10], n[11], n[12]);
    motion.steering = n[13];
    motion.gear = (int32_t)n[14];
    motion.engine_speed = n[15];
    motion.wheel_slip = n[16];
    return motion;
}

static void jolt_physics_step(void* vehicle, const kerb_controls* controls,
                              const kerb_sim_ground* road, float time_step) {
    jolt_vehicle* v = vehicle;
    kerb_sim_ground ground =
        kerb_sim_world_ground(v->world, jolt_physics_motion(vehicle).position, road);
    jolt_step(v->id, controls->throttle, controls->brake, controls->steering, controls->clutch,
              controls->gear, controls->handbrake, ground.height, ground.normal.x, ground.normal.y,
              ground.normal.z, ground.grip, time_step);
}

static bool jolt_physics_touching(const void* vehicle) {
    float n[18];
    jolt_motion(((const jolt_vehicle*)vehicle)->id, n);
    return n[17] > 0.5f;
}

static void jolt_physics_destroy(void* vehicle) {
    if (vehicle == NULL)
        return;
    jolt_destroy(((jolt_vehicle*)vehicle)->id);
    free(vehicle);
}

const kerb_sim_physics jolt_physics = {
    .name = "jolt",
    .make = jolt_physics_make,
    .step = jolt_physics_step,
    .motion = jolt_physics_motion,
    .touching = jolt_physics_touching,
    .destroy = jolt_physics_destroy,
};

static uint64_t jolt_clock_ns(void) {
    return (uint64_t)(jolt_now() * 1.0e6);
}

// --------------------------------------------------------------------------- vehicles

kerb_sim_model jolt_models[JOLT_VEHICLES_MAX];
kerb_vehicle jolt_measured[JOLT_VEHICLES_MAX];
static kerb_calibrator jolt_calibrator;

JOLT_EXPORT(error_message) const char* jolt_error_message(void) {
    return jolt_error.message;
}

JOLT_EXPORT(error_field) const char* jolt_error_field(void) {
    return jolt_error.field;
}

/// Gears that the driver shifts: ratios with the final drive, radius of the driven wheels, engine
/// speeds (idle, of greatest power, greatest) and the time of a shift. Call it after describe().
JOLT_EXPORT(describe_gears)
void jolt_describe_gears(int32_t vehicle, const float* ratios, int32_t count, float wheel_radius,
                         float idle, float power, float max, float shift_time) {
    kerb_drive_train* gears = &jolt_models[vehicle].vehicle.drive_train;
    gears->gear_count = count;
    for (int32_t i = 0; i < count && i < KERB_GEARS_MAX; i++)
        gears->gear_ratio[i] = ratios[i];
    gears->wheel_radius = wheel_radius;
    gears->engine_speed_idle = idle;
    gears->engine_speed_power = power;
    gears->engine_speed_max = max;
    gears->shift_time = shift_time;
}

/// Says what a game knows of a vehicle without measuring; its name is in text().
JOLT_EXPORT(describe)
void jolt_describe(int32_t vehicle, int32_t kind, float length, float width, float front,
                   float rear_axle, float wheelbase, float mass) {
    kerb_vehicle known = kerb_vehicle_default();
    known.kind = kind;
    known.length = length;
    known.width = width;
    known.reference_to_front = front;
    known.reference_to_rear_axle = rear_axle;
    known.wheelbase = wheelbase;
    known.mass = mass;
    memset(&jolt_models[vehicle], 0, sizeof jolt_models[vehicle]);
    jolt_models[vehicle].vehicle = known;
    strncpy(jolt_models[vehicle].name, jolt_name, sizeof jolt_models[vehicle].name - 1);
}

/// Measures it by Kerb's calibrator. Returns the outcome; seconds driven in `seconds`.
JOLT_EXPORT(calibrate)
int32_t jolt_calibrate(int32_t vehicle, float drive_hz, float* seconds) {
    kerb_calibration_settings settings = kerb_calibration_settings_default();
    kerb_result made = kerb_scene_calibrate(&jolt_models[vehicle], &jolt_physics, drive_hz,
                                            &settings, &jolt_calibrator, &jolt_error);
    if (made != KERB_OK)
        return -1;
    *seconds = jolt_calibrator.time;
    jolt_measured[vehicle] = jolt_calibrator.measured;
    return (int32_t)jolt_calibrator.outcome;
}

JOLT_EXPORT(calibration_failure) const char* jolt_calibration_failure(void) {
    return kerb_calibration_failure_text(jolt_calibrator.failure);
}

/// What was measured: fields in the order of kerb_calibration_field, by name and value.
JOLT_EXPORT(field_count) int32_t jolt_field_count(void) {
    return KERB_CALIBRATION_FIELD_COUNT;
}

JOLT_EXPORT(field_name) const char* jolt_field_name(int32_t field) {
    return kerb_calibration_field_name((kerb_calibration_field)field);
}

JOLT_EXPORT(field_value) float jolt_field_value(int32_t vehicle, int32_t field) {
    const kerb_vehicle* v = &jolt_measured[vehicle];
    const char* name = kerb_calibration_field_name((kerb_calibration_field)field);
    const kerb_setting* setting = kerb_settings_find(&kerb_vehicle_table, name);
    return setting != NULL ? kerb_settings_get(setting, v) : 0.0f;
}

// --------------------------------------------------------------------------- courses and trials

typedef struct jolt_watch {
    float extreme; // of the steering since it last turned round
    int32_t way;   // 1: it grows, -1: it falls, 0: not known
    int32_t swings;
    double time;
    double lean;    // greatest tilt of its up axis [rad], by its cosine
    double arrived; // when the driver first said that it has arrived; 0: not [s]
} jolt_watch;

static void jolt_watch_frame(void* context, const kerb_scene_frame* frame) {
    jolt_watch* w = context;
    float s = frame->controls.steering;
    if (w->way == 0) {
        w->extreme = s;
        w->way = 1;
    }
    if ((s - w->extreme) * (float)w->way > 0.0f)
        w->extreme = s;
    else if ((w->extreme - s) * (float)w->way >= JOLT_SWING) {
        w->way = -w->way;
        w->extreme = s;
        w->swings++;
    }
    if (frame->controls.reason == KERB_REASON_ARRIVED && w->arrived == 0.0)
        w->arrived = frame->time;
    w->time = frame->time;
    kerb_vec3 up = kerb_quat_rotate(frame->motion.rotation, kerb_vec3_make(0.0f, 0.0f, 1.0f));
    if ((double)up.z < w->lean)
        w->lean = (double)up.z;
}

/// One trial. numbers: finished, stuck events, error mean, error max, inside %, time, mean speed,
/// ns a call, changes of direction a second, teleports, length, greatest lean as a cosine, and when
/// a driver arrived that stands short of the last waypoint's normal, which the judge counts as not
/// finished. The course's name is in text(). 0: fine.
JOLT_EXPORT(trial)
int32_t jolt_trial(int32_t vehicle, int32_t index, float drive_hz, float physics_hz,
                   double* numbers) {
    kerb_host host = kerb_host_default();
    kerb_scene_course course;
    kerb_result result = jolt_course(index, &course, &host);
    if (result != KERB_OK)
        return (int32_t)result;
    const kerb_vehicle* driven = &jolt_measured[vehicle];
    kerb_follower_settings settings = kerb_follower_settings_of(KERB_FOLLOWER_KERB, driven);
    settings.speed = course.speed * kerb_vehicle_scale(driven);
    settings.steering = KERB_STEERING_LEARNED;
    kerb_scene_trial trial = kerb_scene_trial_default(&course, driven, &settings);
    jolt_watch watch = {.lean = 1.0};
    trial.model = &jolt_models[vehicle];
    trial.physics = &jolt_physics;
    trial.drive_hz = drive_hz;
    trial.physics_hz = physics_hz;
    trial.watch = jolt_watch_frame;
    trial.context = &watch;
    trial.clock_ns = jolt_clock_ns;
    kerb_scene_result r;
    result = kerb_scene_trial_run(&trial, &host, &r, &jolt_error);
    double arrived = r.finished || r.teleports > 0 ? 0.0 : watch.arrived;
    double seconds = arrived > 0.0 ? arrived : watch.time > 0.0 ? watch.time : 1.0;
    const double all[] = {r.finished,   r.stuck_events,   r.cte_mean,
                          r.cte_max,    r.inside_percent, r.time,
                          r.speed_mean, r.drive_ns,       (double)watch.swings / seconds,
                          r.teleports,  r.distance,       watch.lean,
                          arrived};
    memcpy(numbers, all, sizeof all);
    strncpy(jolt_name, course.name, sizeof jolt_name - 1);
    kerb_scene_course_free(&course, &host);
    return (int32_t)result;
}
