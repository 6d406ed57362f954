// One trial: a vehicle drives a course from its first waypoint to its last (EA section IV), and
// what is measured meanwhile. The command, the tests and the benchmarks share it.
#ifndef KERB_SCENE_COURSE_TRIAL_H
#define KERB_SCENE_COURSE_TRIAL_H

#include "kerb/kerb.h"
#include "sim/physics.h"
#include "sim/vehicle.h"
#include "sim/world.h"

/// A course: waypoints, what lies round them, and how it is called.
typedef struct kerb_scene_course {
    char name[64];
    char about[128]; ///< one line; may be empty
    kerb_waypoint* waypoints;
    int32_t count;
    size_t bytes; ///< of the allocation that begins with the waypoints and holds all else
    bool closed;
    float speed; ///< requested unless the user says otherwise [m/s]
    kerb_sim_world
        world; ///< terrain, grip, solids; where it has no terrain, the ground is the road's
} kerb_scene_course;

/// What is known after one frame.
typedef struct kerb_scene_frame {
    double time; ///< since the start [s]
    kerb_motion motion;
    kerb_controls controls;
    kerb_follower_decision thoughts;
    float cross_track_error; ///< of the reference point, from the course, left positive [m]
    double progress;         ///< of the nearest point along the course [m]
    bool inside_corridor;    ///< the whole footprint
    bool stuck;              ///< a stuck event is open
    bool touching;           ///< it touched a solid since the last frame
    bool absent;             ///< not in the world now: hidden where the frame is shown
} kerb_scene_frame;

/// What is measured over a trial; see "what the words mean" in docs/command.md.
typedef struct kerb_scene_result {
    bool finished;
    int32_t stuck_events;
    int32_t contacts;      ///< touches of solids, each counted once until apart for a second
    int32_t teleports;     ///< how often the driver was put back onto the course: never finishes
    double time;           ///< of an unfinished trial the time limit [s]
    double distance;       ///< driven [m]
    double cte_mean;       ///< over path distance [m]
    double cte_max;        ///< [m]
    double inside_percent; ///< of path distance
    double left_road;      ///< greatest distance of its reference point beyond the corridor [m]
    double speed_mean;     ///< distance driven over time [m/s]
    double speed_ratio;    ///< least time of scene/course/fastest.h over time, 1 being the best
    double drive_ns;       ///< median cost of a drive call; 0 without a clock
    double drive_ns_max;
    int32_t frames;
} kerb_scene_result;

/// How to run a trial.
typedef struct kerb_scene_trial {
    const kerb_scene_course* course;
    const kerb_vehicle* vehicle;     ///< what the driver is told
    const kerb_sim_model* model;     ///< what is simulated; NULL: built from `vehicle`
    const kerb_sim_physics* physics; ///< where it is simulated; NULL: in sim/vehicle.h
    kerb_follower_settings settings;
    float drive_hz;   ///< drive calls per simulated second [> 0]
    float physics_hz; ///< at least this many physics steps per second
    /// May be NULL; once a drive call. Sees up to 3 s after the finish of an open course, until the
    /// driver says that it has arrived; nothing of that is in the result.
    void (*watch)(void* context, const kerb_scene_frame* frame);
    void* context;
    uint64_t (*clock_ns)(void); ///< may be NULL
} kerb_scene_trial;

/// 60 Hz driving, 240 Hz physics, nobody watching.
kerb_scene_trial kerb_scene_trial_default(const kerb_scene_course* course,
                                          const kerb_vehicle* vehicle,
                                          const kerb_follower_settings* settings);

/// Runs it to its end. Bad courses, vehicles that the physics does not have, and failed allocations
/// come back as errors.
kerb_result kerb_scene_trial_run(const kerb_scene_trial* trial, const kerb_host* host,
                                 kerb_scene_result* result, kerb_error* error);

#endif
