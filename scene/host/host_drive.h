// Random drives as hosts tell them, right or with one mistake: for checks of what a host tells.
//
// A drive draws a vehicle, a physics rate, frame times, ground, noise and a way of driving: calm,
// to and fro, at the limit, drifting, with collisions and jumps. The same seed gives the same drive
// on every machine, and on every frame the truth is the same whatever mistake is told, but for what
// the mistake itself changes.
//
//     kerb_scene_host_drive drive;
//     kerb_scene_host_drive_make(&drive, seed, KERB_HOST_NO_MISTAKE, 0);
//     while (drive.time < 20.0f) {
//         kerb_scene_host_drive_frame(&drive);
//         kerb_host_check_feed(&check, &drive.told, &drive.given, drive.told_step);
//     }
#ifndef KERB_SCENE_HOST_HOST_DRIVE_H
#define KERB_SCENE_HOST_HOST_DRIVE_H

#include "kerb/control.h"
#include "kerb/host_check.h"
#include "sim/vehicle.h"

/// How it is driven.
typedef enum kerb_scene_host_style {
    KERB_SCENE_HOST_CALM,    ///< within the grip
    KERB_SCENE_HOST_TO_FRO,  ///< forwards, reverse, standstill
    KERB_SCENE_HOST_WILD,    ///< any pedals, any steering
    KERB_SCENE_HOST_DRIFT,   ///< slides, and steers against the slide
    KERB_SCENE_HOST_CRASHES, ///< hit, pushed and put elsewhere
    KERB_SCENE_HOST_STYLES
} kerb_scene_host_style;

typedef struct kerb_scene_host_drive {
    // What the driver has.
    kerb_motion told;
    kerb_controls given; ///< that acted since the frame before
    float told_step;     ///< [s]
    // The truth.
    kerb_vehicle vehicle;
    kerb_scene_host_style style;
    float time;    ///< [s]
    float excited; ///< time above 3 m/s with at least a tenth of the lock used [s]
    float speed;   ///< [m/s]
    // What is told wrongly.
    kerb_host_mistake mistake;
    int32_t variant;
    // How the host works.
    kerb_random random;
    kerb_sim_model model;
    kerb_sim_vehicle body;
    kerb_vec3 offset; ///< of the origin [m]
    float physics_step, frame_time, frame_spread, leftover;
    float position_noise, velocity_noise, velocity_lag, grip, hill, hill_length;
    bool interpolates, tells_turning, tells_steering, kinematic, along_body;
    kerb_motion now, before; ///< states of the physics
    float kinematic_speed, kinematic_heading, kinematic_steering;
    kerb_vec3 smooth_velocity;
    // How it is driven.
    kerb_gearbox gearbox;
    float target, target_time, steer, steer_rate, steer_time, push_time, push;
    kerb_controls controls; ///< for the next frame
    kerb_controls late[64]; ///< the last ones, for a host that applies them late
    int32_t frames;
} kerb_scene_host_drive;

/// Number of ways to make a mistake, such as the axes of different engines. [>= 1]
int32_t kerb_scene_host_variants(kerb_host_mistake mistake);

void kerb_scene_host_drive_make(kerb_scene_host_drive* drive, uint64_t seed,
                                kerb_host_mistake mistake, int32_t variant);

/// One frame: moves the vehicle, tells its motion, and drives on.
void kerb_scene_host_drive_frame(kerb_scene_host_drive* drive);

#endif
