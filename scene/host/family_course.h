// Courses scaled to a host of the family, and the shapes that they are drawn with.
#ifndef KERB_SCENE_HOST_FAMILY_COURSE_H
#define KERB_SCENE_HOST_FAMILY_COURSE_H

#include "scene/host/family.h"

enum { KERB_FAMILY_WAYPOINTS = 4096 };

/// Waypoints that are being drawn. What does not fit is dropped.
typedef struct kerb_family_course {
    kerb_waypoint waypoints[KERB_FAMILY_WAYPOINTS];
    int32_t count;
    float x, y, heading; ///< of the pen
    float spacing;       ///< between waypoints, about [m]
    float half_width;    ///< of the corridor [m]
} kerb_family_course;

/// Begins at a place, with the first waypoint set.
void kerb_family_course_begin(kerb_family_course* course, kerb_vec3 place, float heading,
                              float spacing, float half_width);

void kerb_family_course_straight(kerb_family_course* course, float length);

/// A bend, left positive, whose radius grows by 2 % each turn so that rounds do not coincide.
void kerb_family_course_arc(kerb_family_course* course, float radius, float angle);

/// A corner without radius.
void kerb_family_course_corner(kerb_family_course* course, float angle);

/// Moves each waypoint but the first and the last by up to this distance on each axis. [m]
void kerb_family_course_jitter(kerb_family_course* course, float distance, uint64_t seed);

/// The built path. False: out of memory or too few waypoints. kerb_path_destroy it.
bool kerb_family_course_path(const kerb_family_course* course, kerb_path* path);

/// The ten courses: slalom, hairpin, right angles, S bends, circle, eight, random bends, block,
/// lane change, polygon.
enum { KERB_FAMILY_COURSES = 10 };

/// Name of one of the ten. [0 … KERB_FAMILY_COURSES - 1]
const char* kerb_family_course_name(int32_t kind);

/// Draws one of the ten for a host: radii are shares of its smallest turning radius as the
/// description tells it, the corridor is its width to each side. `seed` draws the random ones.
void kerb_family_course_draw(kerb_family_course* course, int32_t kind, const kerb_vehicle* vehicle,
                             uint64_t seed);

#endif
