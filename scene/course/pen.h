// A pen that draws courses: a place, a heading, and a few strokes that leave waypoints behind, so
// that the code of a course reads like its description. Walls follow what was drawn.
//
//     pen p = kerb_scene_pen_make(draft, 5.0f, 3.0f); // waypoints 5 m apart, corridor 3 m per side
//     kerb_scene_pen_straight(&p, 60.0f);
//     kerb_scene_pen_arc(&p, 12.0f, 0.5f * KERB_PI);  // a quarter turn to the left
//     kerb_scene_pen_fence(&p, 4.5f);                 // walls along all of it
#ifndef KERB_SCENE_COURSE_PEN_H
#define KERB_SCENE_COURSE_PEN_H

#include "scene/course/course.h"

#define DRAFT_WAYPOINTS 2048
#define DRAFT_OBSTACLES 512
#define DRAFT_ZONES 16
#define DRAFT_HEIGHTS 16384

/// Room for all that a course is made of; what does not fit is dropped.
typedef struct course_draft {
    kerb_waypoint waypoints[DRAFT_WAYPOINTS]; ///< first, so that their address is the draft's
    kerb_sim_obstacle obstacles[DRAFT_OBSTACLES];
    kerb_sim_zone zones[DRAFT_ZONES];
    float heights[DRAFT_HEIGHTS];
    int32_t count; ///< of waypoints
    int32_t obstacle_count, zone_count;
    kerb_sim_terrain terrain;
} course_draft;

/// An empty draft, NULL with OUT_OF_MEMORY; kerb_scene_course_free gives it back once it is handed
/// out.
course_draft* kerb_scene_course_draft_make(const kerb_host* host, kerb_error* error);

/// Makes an empty course of what was drawn.
void kerb_scene_course_draft_hand_out(course_draft* draft, kerb_scene_course* course);

/// Draws waypoints into a draft.
typedef struct pen {
    course_draft* draft;
    kerb_waypoint next; ///< what the next waypoint will be, apart from its position
    float x, y;
    float heading; ///< of travel along the course [rad]
    float spacing; ///< between waypoints, about [m]
} pen;

/// At the origin, heading along x, with the first waypoint set.
pen kerb_scene_pen_make(course_draft* draft, float spacing, float half_width);

/// Straight on.
void kerb_scene_pen_straight(pen* p, float length);

/// Turns by `angle` (left positive) on a circle of `radius`, with waypoints on the circle.
void kerb_scene_pen_arc(pen* p, float radius, float angle);

/// A corner without radius: waypoints say "turn here", as a navigation mesh's do.
void kerb_scene_pen_corner(pen* p, float angle);

/// Moves sideways (left positive) over a length, by the quintic whose ends are straight.
void kerb_scene_pen_shift(pen* p, float length, float offset);

/// The same by half a wave of a cosine: one after the other they make a sine.
void kerb_scene_pen_swing(pen* p, float length, float offset);

/// The next stretch is driven the other way: from here on in reverse, or forwards again.
void kerb_scene_pen_turn_back(pen* p);

/// The vehicle stands at the last waypoint for so many seconds.
void kerb_scene_pen_stop(pen* p, float seconds);

/// A wall whose middle line runs from `from` to `to`.
void kerb_scene_pen_wall(pen* p, kerb_vec2 from, kerb_vec2 to);

/// A post around a place.
void kerb_scene_pen_post(pen* p, kerb_vec2 at, float diameter);

/// Walls on both sides of the course so far, `clearance` from it to their faces, mitred at corners.
void kerb_scene_pen_fence(pen* p, float clearance);

/// The ground within `radius` of the pen has another grip.
void kerb_scene_pen_slippery(pen* p, float radius, float grip);

/// A height field over the course so far and `margin` metres round it. `height` is asked at its
/// grid's points; the waypoints are laid onto it, and banked as it is.
void kerb_scene_pen_terrain(pen* p, float margin, float spacing, float (*height)(float x, float y));

#endif
