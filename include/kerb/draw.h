// Kerb draw: shows what a driver does and plans, as lines, points and texts in world coordinates.
//
// The functions write into a buffer that the caller owns. The host's renderer then draws it.
//
// Call order: make a buffer once. In every frame clear it, call any of the draw functions, and
// render its items.
//
//     static kerb_draw_line lines[512];
//     static kerb_draw_point points[64];
//     static kerb_draw_text texts[16];
//     kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 512, points, 64, texts, 16);
//     // In every frame, with the kerb_path, kerb_follower and kerb_motion of a vehicle:
//     kerb_draw_clear(&buffer);
//     kerb_draw_path(&buffer, &path, 0.0, path.length);
//     kerb_draw_follower(&buffer, &follower, &path, &motion);
//     for (int i = 0; i < buffer.line_count; i++) // engine_line is a function of the host
//         engine_line(lines[i].from, lines[i].to, kerb_draw_color(lines[i].role));
//
// Threads: each thread may draw into its own buffer, as long as no other thread changes the driver
// that it draws.
// Lifetimes: the items are copies. They stay valid when the driver changes or is destroyed, until
// the buffer is cleared. The arrays must stay valid as long as the buffer is used.
// Cost: O(items drawn). Nothing allocates. Items that do not fit into the buffer are not written;
// `dropped` counts them. Items whose position is not finite are left out.
//
// Does not: render.
#ifndef KERB_DRAW_H
#define KERB_DRAW_H

#include "follow.h"
#include "group.h"
#include "lane.h"
#include "plan.h"
#include "plan_driver.h"
#include "racer.h"
#include "seek.h"
#include "steer.h"

/// What an item shows. Hosts choose its colour by the role, or use kerb_draw_color.
typedef enum kerb_draw_role {
    KERB_DRAW_PATH,         ///< The path.
    KERB_DRAW_CORRIDOR,     ///< The edges of the path's corridor.
    KERB_DRAW_PLANNED_PATH, ///< The planned path: what the driver intends to drive.
    KERB_DRAW_TARGET,       ///< The point that the driver steers to.
    KERB_DRAW_ARC,          ///< The arc that the commanded steering drives.
    KERB_DRAW_NEAREST,      ///< The nearest point of the path, and the line from it to the vehicle.
    KERB_DRAW_FOOTPRINT,    ///< The outline of the vehicle.
    KERB_DRAW_SPEED,        ///< Text: the speed and what limits it.
    KERB_DRAW_NEIGHBOUR,    ///< The neighbour that the driver reacts to, and a line to it.
    KERB_DRAW_BRAKING,      ///< Part of the planned path on which the vehicle will lose speed.
    KERB_DRAW_ACCELERATING, ///< Part of the planned path on which the vehicle will gain speed.
    KERB_DRAW_TREE,         ///< The tree of a planner's search.
    KERB_DRAW_RAY,          ///< A ray of a lane keeper, with a point where it hit something.
    KERB_DRAW_RAY_VEHICLE,  ///< A ray of a lane keeper that hit a vehicle.
    KERB_DRAW_ROLE_COUNT
} kerb_draw_role;

/// In a few words, such as "planned path"; "unknown" out of range. Never NULL.
KERB_API const char* kerb_draw_role_text(kerb_draw_role value);

/// A straight line between two positions. [m]
typedef struct kerb_draw_line {
    kerb_vec3 from, to;
    kerb_draw_role role;
} kerb_draw_line;

/// A point. [m]
typedef struct kerb_draw_point {
    kerb_vec3 position;
    kerb_draw_role role;
} kerb_draw_point;

/// A short text at a position. [m]
typedef struct kerb_draw_text {
    kerb_vec3 position;
    kerb_draw_role role;
    char text[48];
} kerb_draw_text;

/// Arrays of the caller, and how many of their items are in use.
typedef struct kerb_draw_buffer {
    kerb_draw_line* lines;
    kerb_draw_point* points;
    kerb_draw_text* texts;
    int32_t line_capacity, point_capacity, text_capacity;
    int32_t line_count, point_count, text_count;
    int32_t dropped; ///< Number of items that did not fit.
} kerb_draw_buffer;

/// Makes an empty buffer from arrays of the caller. An array may be NULL when its capacity is 0.
KERB_API kerb_draw_buffer kerb_draw_buffer_make(kerb_draw_line* lines, int32_t line_capacity,
                                                kerb_draw_point* points, int32_t point_capacity,
                                                kerb_draw_text* texts, int32_t text_capacity);

/// Removes all items from the buffer, for the next frame.
KERB_API void kerb_draw_clear(kerb_draw_buffer* buffer);

/// Colour of a role, as 0xRRGGBB. It is visible on light and on dark backgrounds.
KERB_API uint32_t kerb_draw_color(kerb_draw_role role);

/// Draws the path and its corridor between the stations `from` and `to`. On an open path the
/// stations are limited to its ends. On a closed path they may have any value, and at most one
/// round is drawn. [from, to: m]
KERB_API void kerb_draw_path(kerb_draw_buffer* buffer, const kerb_path* path, double from,
                             double to);

/// Draws a follower: footprint, nearest point of the path, target, steering arc of the rear axle,
/// planned path, the neighbour that decides what it does, and a text with speed, target speed and
/// reason, such as "12.3/13.9 m/s: bend ahead".
///
/// While the follower backs out, arc and target are behind it. The text then also contains the side
/// to which the nose turns: "nose left" or "nose right". Draws nothing when the motion is not
/// finite. Draws only footprint and text before the follower's first frame.
KERB_API void kerb_draw_follower(kerb_draw_buffer* buffer, const kerb_follower* follower,
                                 const kerb_path* path, const kerb_motion* motion);

/// Draws a racer: footprint, nearest point of the racing line, target, steering arc (one second of
/// driving), planned path, the neighbour that decides what it does, and a text with speed, target
/// speed, reason and lane shift (kerb_racer_decision.lane_shift), such as "52.3/61.0 m/s: bend
/// ahead, lane -0.4". The text does not contain a lane shift between -0.1 and 0.1.
///
/// The planned path contains the racer's lateral offset from the racing line. It is as long as the
/// racer's look-ahead. Its role is BRAKING where the racer will lose more than 0.5 m/s²,
/// ACCELERATING where it will gain more than 0.5 m/s², and PLANNED_PATH elsewhere. These values are
/// computed from the current speed and the racer's performance on this ground.
///
/// At most 154 lines. Draws nothing when the motion is not finite. Draws only footprint and text
/// before the racer's first frame, and when its last frame was on another racing line.
KERB_API void kerb_draw_racer(kerb_draw_buffer* buffer, const kerb_racer* racer,
                              const kerb_racing_line* line, const kerb_motion* motion);

/// Draws a lane keeper: footprint, the rays of this frame up to what they hit, a point where a ray
/// hit something, the look-ahead point P_Ahead (NEAREST) and the target P_DriveTo (TARGET) with
/// lines to them, the steering arc (half a second of driving), and a text with speed, target speed
/// and reason, such as "19.6/20.0 m/s: vehicle ahead". A ray with an invalid answer is drawn like a
/// ray that hit nothing. At most 32 lines. Draws nothing when the motion is not finite.
KERB_API void kerb_draw_lane_keeper(kerb_draw_buffer* buffer, const kerb_lane_keeper* keeper,
                                    const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                    int32_t count, const kerb_motion* motion);

/// Draws an agent: the circle of its body with a line to its front, both turning circles (ARC), and
/// the desired steering as a line (TARGET) to where it leads in one second. When `context` is not
/// NULL, also draws two lines for each direction of the context map: the interest (PLANNED_PATH)
/// and the danger (CORRIDOR). They start at the same distance from the agent; the interest points
/// outwards, the danger inwards. At most 167 lines.
KERB_API void kerb_draw_steering(kerb_draw_buffer* buffer, const kerb_agent* agent,
                                 const kerb_steering* desired, const kerb_context* context);

/// Draws a motion plan at z = `height`: PLANNED_PATH where it keeps its speed, BRAKING and
/// ACCELERATING where it loses and gains speed, and points (TARGET) at its cusps and its end. One
/// line for every 0.2 rad of an arc. [height: m]
KERB_API void kerb_draw_plan(kerb_draw_buffer* buffer, const kerb_plan* plan, float height);

/// Draws a driver of motion plans: footprint, the planned position of the rear axle with a line
/// from it to the real one (NEAREST), the steering arc of the next second, at least 1 m long (ARC),
/// and a text with speed, target speed and reason. It does not draw the plan: see kerb_draw_plan.
/// Draws nothing when the motion is not finite. Draws only footprint and text before the driver's
/// first frame.
KERB_API void kerb_draw_plan_driver(kerb_draw_buffer* buffer, const kerb_plan_driver* driver,
                                    const kerb_motion* motion);

/// Draws the search tree of a planner, as it is now, at z = `height`: lines (TREE), one for every
/// 0.2 rad of an arc, and a point at the root. Draws nothing when there was no search. [height: m]
KERB_API void kerb_draw_plan_tree(kerb_draw_buffer* buffer, const kerb_planner* planner,
                                  float height);

#endif
