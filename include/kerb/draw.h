// Kerb draw: what a driver thinks, as lines, points and text in a buffer that the caller owns.
//
//     kerb_draw_line lines[512]; kerb_draw_point points[64]; kerb_draw_text texts[16];
//     kerb_draw_buffer buffer = kerb_draw_buffer_make(lines, 512, points, 64, texts, 16);
//     kerb_draw_follower(&buffer, &follower, &path, &motion); // or kerb_draw_racer
//     for (int i = 0; i < buffer.line_count; i++) engine_line(lines[i].from, lines[i].to, …);
//
// World coordinates. What does not fit is counted in `dropped`, never written; what has no finite
// place is left out. O(items drawn), allocates nothing. Does not: render.
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

/// What an item stands for; hosts choose colours by it, or take kerb_draw_color.
typedef enum kerb_draw_role {
    KERB_DRAW_PATH,        ///< the path
    KERB_DRAW_CORRIDOR,    ///< its corridor
    KERB_DRAW_LINE,        ///< the line that the driver means to drive
    KERB_DRAW_TARGET,      ///< where it steers
    KERB_DRAW_ARC,         ///< the arc of its steering
    KERB_DRAW_NEAREST,     ///< the nearest point of the path, and the error to it
    KERB_DRAW_FOOTPRINT,   ///< the vehicle's outline
    KERB_DRAW_SPEED,       ///< speed and what limits it
    KERB_DRAW_NEIGHBOUR,   ///< the outline of the neighbour that decides, and a line to it
    KERB_DRAW_BRAKING,     ///< where on the line that it means to drive it will slow down
    KERB_DRAW_DRIVING,     ///< and where it will gain speed
    KERB_DRAW_TREE,        ///< what a search for a way has looked at
    KERB_DRAW_RAY,         ///< a ray that a lane keeper asked for, dot where it met something
    KERB_DRAW_RAY_STOPPED, ///< one that met a vehicle
    KERB_DRAW_ROLE_COUNT
} kerb_draw_role;

/// A straight line.
typedef struct kerb_draw_line {
    kerb_vec3 from, to;
    kerb_draw_role role;
} kerb_draw_line;

/// A dot.
typedef struct kerb_draw_point {
    kerb_vec3 position;
    kerb_draw_role role;
} kerb_draw_point;

/// A few words beside a place.
typedef struct kerb_draw_text {
    kerb_vec3 position;
    kerb_draw_role role;
    char text[48];
} kerb_draw_text;

/// Arrays of the caller's, and how much of them is filled.
typedef struct kerb_draw_buffer {
    kerb_draw_line* lines;
    kerb_draw_point* points;
    kerb_draw_text* texts;
    int32_t line_capacity, point_capacity, text_capacity;
    int32_t line_count, point_count, text_count;
    int32_t dropped; ///< items that did not fit
} kerb_draw_buffer;

/// An empty buffer over the caller's arrays; any may be NULL with capacity 0.
KERB_API kerb_draw_buffer kerb_draw_buffer_make(kerb_draw_line* lines, int32_t line_capacity,
                                                kerb_draw_point* points, int32_t point_capacity,
                                                kerb_draw_text* texts, int32_t text_capacity);

/// Empties the buffer for the next frame.
KERB_API void kerb_draw_clear(kerb_draw_buffer* buffer);

/// A colour for a role that reads on light and dark ground, as 0xRRGGBB.
KERB_API uint32_t kerb_draw_color(kerb_draw_role role);

/// The path and its corridor from `from` to `to` metres along it, held to an open path's ends; on a
/// closed one they may lie anywhere, and more than a round is drawn as one.
KERB_API void kerb_draw_path(kerb_draw_buffer* buffer, const kerb_path* path, double from,
                             double to);

/// Footprint, nearest point, target, steering arc (of the rear axle), the line ahead, the neighbour
/// that decides what it does, and a text with the speed, the target speed and the reason:
/// "12.3/13.9 m/s: bend ahead". Backing out, arc and target lie behind, and the text says to which
/// side the nose turns: "-1.9/0.0 m/s: stuck: backing out nose left". Nothing when the
/// motion is not finite; only footprint and text before the follower's first frame.
KERB_API void kerb_draw_follower(kerb_draw_buffer* buffer, const kerb_follower* follower,
                                 const kerb_path* path, const kerb_motion* motion);

/// Footprint, the nearest point of the line and the error to it, target, steering arc (a second of
/// driving), the way ahead, the neighbour that decides what it does, and a text with speed, target
/// speed, reason, and the lane where it is a tenth or more beside the line: "52.3/61.0 m/s: bend
/// ahead, lane -0.4".
///
/// The way ahead is where the racer means to drive, lane shift in it, to the end of what it has
/// looked at: LINE where it will keep its speed, BRAKING where it will lose more than 0.5 m/s² and
/// DRIVING where it will gain more, from the speed it has now, by its performance on that ground.
///
/// At most 154 lines. Nothing when the motion is not finite; only footprint and text before the
/// racer's first frame, or when its last one was on another line.
KERB_API void kerb_draw_racer(kerb_draw_buffer* buffer, const kerb_racer* racer,
                              const kerb_racing_line* line, const kerb_motion* motion);

/// Footprint, the rays of the frame as far as they went, a dot where one met something, P_Ahead
/// (NEAREST) and P_DriveTo (TARGET) with lines to them, the steering arc (half a second of
/// driving), and a text with speed, target speed and reason: "19.6/20.0 m/s: vehicle ahead". A ray
/// whose answer makes no sense is drawn as one that met nothing. At most 32 lines. Nothing when the
/// motion is not finite.
KERB_API void kerb_draw_lane_keeper(kerb_draw_buffer* buffer, const kerb_lane_keeper* keeper,
                                    const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                    int32_t count, const kerb_motion* motion);

/// A body's circle with its front, both turning circles (role ARC), and the wish: as long as it
/// would go in a second (TARGET). With a context map (else NULL), for each direction its interest,
/// outwards from a ring round the body (LINE), and its danger, inwards (CORRIDOR). At most 167
/// lines.
KERB_API void kerb_draw_steering(kerb_draw_buffer* buffer, const kerb_agent* agent,
                                 const kerb_steering* wish, const kerb_context* context);

/// A planned movement, `height` metres above zero: LINE where it keeps its speed, BRAKING and
/// DRIVING where it loses and gains it, and points of role TARGET where it turns back and ends. A
/// line for every fifth of a radian of a piece.
KERB_API void kerb_draw_plan(kerb_draw_buffer* buffer, const kerb_plan* plan, float height);

/// What a driver of plans thinks: footprint, the planned place of the rear axle and the error to it
/// (NEAREST), the arc that it steers over the next second, at least a metre (ARC), and its speed in
/// words. The plan itself is kerb_draw_plan's.
KERB_API void kerb_draw_plan_driver(kerb_draw_buffer* buffer, const kerb_plan_driver* driver,
                                    const kerb_motion* motion);

/// The tree of a planner's search as far as it has grown, `height` metres above zero: lines of role
/// TREE, one for every fifth of a radian, and a point where it begins. Nothing where nothing was
/// searched.
KERB_API void kerb_draw_plan_tree(kerb_draw_buffer* buffer, const kerb_planner* planner,
                                  float height);

#endif
