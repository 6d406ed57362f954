// The shortest time in which a vehicle could drive a course: a driver's time is compared with it.
// It uses no driver, only the course, the ground and the vehicle's measured limits.
//
//     kerb_scene_fastest fastest;
//     kerb_scene_fastest_find(&path, &course->world, &vehicle, 10.0, 4.0, &host, &fastest, &error);
//     … fastest.time / driven_time is the driver's share of what is possible
//
// Geometry. A course is a polyline, whose corners no vehicle can drive. So it is measured over
// chords of a quarter of the vehicle's smallest turning circle, c = π/2 ·
// kerb_vehicle_turning_radius, or of its length if that is more: with P(s) the place at the
// distance s, the chords P(s-c)→P(s) and P(s)→P(s+c),
//     curvature(s) = the angle between them, seen from above, / c, at most 1 / turning radius,
//     metres driven for each metre of course = half the sum of both chords' lengths / c.
// On an arc longer than the chords this is the arc's own curvature. A right-angled corner has,
// where it is sharpest, the curvature of the smallest turning circle, unless that circle is tiny.
// Chords do not reach over a change between forwards and reverse or over the ends: there the course
// counts as going on straight.
//
// Limits, at each place. Speed: the requested one, the path's limit, the vehicle's top speed; in
// bends sqrt(a/curvature) with a the lateral grip, times the ground's (hovercraft: once), and what
// the banking adds; no faster than wheels turn (steering_rate_max) or the body does (yaw_rate_max,
// yaw_acceleration_max), by the change of curvature over half a chord. Acceleration: full throttle
// less resistance and slope, limited by the tyres; braking by the same rules. The vehicle starts at
// standstill. It stops at the end of an open path, at its stops, which take their time, and at a
// change between forwards and reverse.
//
// Left out, all in the vehicle's favour: delays of throttle and steering, shifting, and the grip
// that braking takes from steering. A driver that keeps to the course can come near this time. It
// can beat it only by cutting corners more than its turning circle requires.
#ifndef KERB_SCENE_COURSE_FASTEST_H
#define KERB_SCENE_COURSE_FASTEST_H

#include "kerb/path.h"
#include "kerb/vehicle.h"
#include "sim/world.h"

typedef struct kerb_scene_fastest {
    double time;   ///< with all stops [s]
    double length; ///< of what is driven [m]
} kerb_scene_fastest;

/// Finds it for a path from its first point to its last (closed: once round), with the speeds asked
/// for forwards and in reverse. [m/s] [> 0] Where the world has zones they say what grip there is,
/// else the path; `world` may be NULL. A hill that the vehicle cannot climb counts as crawled up.
/// Only memory can fail: OUT_OF_MEMORY. O(length), four places a metre or more.
kerb_result kerb_scene_fastest_find(const kerb_path* path, const kerb_sim_world* world,
                                    const kerb_vehicle* vehicle, double speed, double reverse_speed,
                                    const kerb_host* host, kerb_scene_fastest* fastest,
                                    kerb_error* error);

#endif
