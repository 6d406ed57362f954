// What the pieces of the racing driver share within one frame. Private to the room.
//
//     racer.c           the frame, in order: place, way ahead, steering, speed, gears
//     racer_place.c     where it is on the line
//     racer_ahead.c     the way ahead and its speeds
//     racer_steering.c  steering, slides
//     racer_speed.c     throttle and brake
//     racer_gears.c     gears, clutch, launch
//     racer_recovery.c  spins, the wrong way, stuck
//     racer_skill.c     what it lacks to the best: racer_skill.h
#ifndef KERB_RACE_RACER_H
#define KERB_RACE_RACER_H

#include "kerb/race.h"

// One frame.
typedef struct racer_frame {
    const kerb_racing_line* line;
    const kerb_motion* motion;
    float time_step;
    float speed_cap;
    float grip;           // of the surface as the host has it, times the line's
    kerb_line_point here; // of the line, nearest to the car
    kerb_vec3 forward;    // of the body
    double total;         // distance along the line, rounds counted [m]
    float speed;          // along the body [m/s]
    float side;           // and across it, to the left [m/s]
    float pace;           // of the reference point, whatever its direction [m/s]
    float along;          // speed along the line [m/s]
    float yaw_rate;       // about the body's own up [rad/s]
    float offset;         // of the car from the line, left positive [m]
    float course;         // direction of motion against the line's [rad]
    float heading;        // of the body against the line's direction [rad]
    float reference_to_front_axle;
    float grip_aside;        // sideways grip here and now, all of it [m/s²]
    float grass;             // what the ground beside the track leaves of the grip [1]
    bool past_end;           // of an open line
    kerb_performance limits; // that it plans with: grip and settings in it
} racer_frame;

// What the way ahead says about one place.
typedef struct racer_place {
    float curvature, offset;
    float squared;      // greatest speed², and how it changes by distance [m²/s²], [m/s²]
    float acceleration; // along the way if it keeps to it [m/s²]
    float corner;       // greatest speed² for the bend itself [m²/s²]
} racer_place;

// Unit vectors along the line and to its left, both within the surface.
void racer_axes_at(const kerb_line_point* point, kerb_vec3* along, kerb_vec3* left);
bool racer_find(kerb_racer* racer, racer_frame* frame);
void racer_look_ahead(kerb_racer* racer, racer_frame* frame);
racer_place racer_place_at(const kerb_racer* racer, double total);
kerb_profile_point racer_profile_point(const kerb_racer* racer, int32_t bin, float curvature);
// Curvature that swinging round from bend to bend counts as. [1/m]
float racer_swing_at(const kerb_racer* racer, int32_t bin, float speed);
int32_t racer_bin_at(const kerb_racer* racer, double total);

// The angle of the front wheels. [rad]
float racer_steer(kerb_racer* racer, const racer_frame* frame);
// Slip of the rear beyond what the bend explains, left bends positive. [rad]
float racer_slide(const kerb_racer* racer, const racer_frame* frame);
// Throttle and brake; what they are for is left in the thoughts.
void racer_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// What the gear that is in pulls, as a share of the one that pulls most. [0 … 1]
float racer_gear_share(const kerb_racer* racer, const racer_frame* frame);
// Gear and clutch, and the throttle that goes with them.
void racer_shift(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
void racer_ease_off(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Decides what it is doing; true when it drives the car out of trouble, and then how.
bool racer_recover(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);

#endif
