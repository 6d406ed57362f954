// What the forms of directed seek share: on the plane, in reverse, in space. Private to the room.
#ifndef KERB_IN_SEEK_DIRECTED_SEEK_H
#define KERB_IN_SEEK_DIRECTED_SEEK_H

#include "../steer/shared.h"
#include "kerb/seek.h"
#include "words.h"

/// Smaller turning circles count as this: the radius is a divisor. [m]
#define SEEK_RADIUS_LEAST 1e-4f

/// The arguments of kerb_directed_seek.
typedef struct seek_task {
    const kerb_directed_seek_settings* settings;
    const kerb_agent* agent;
    const kerb_directed_goal* goal;
    float time_step;
} seek_task;

/// The pieces of a path that are driven in one direction of travel.
typedef struct seek_pieces {
    int32_t count;
    float turn[KERB_CURVE_PIECES];   ///< left positive [rad]
    float metres[KERB_CURVE_PIECES]; ///< [>= 0]
} seek_pieces;

/// Sets radii and tolerances of a view.
void kerb_in_seek_measure(const seek_task* task, seek_view* view);

/// The goal in the agent's axes on the plane. The field `heading` is not set.
seek_view kerb_in_seek_view_of(const seek_task* task);

/// The best of the forward paths. A path that ends within `reach` has priority.
seek_way kerb_in_seek_best(const seek_view* view, int32_t way, float reach);

seek_pieces kerb_in_seek_pieces_of(const seek_view* view, const seek_way* way);

/// The desired speed now, so that the speed is at most `wanted` after `distance`. [m/s] [>= 0]
float kerb_in_seek_speed(const seek_task* task, float wanted, float distance);

/// Angle by which to turn over the next `metres` of a path. [rad]
float kerb_in_seek_turn(const seek_task* task, const seek_pieces* pieces, float metres);

/// `forward` turned towards `left`, which is at a right angle to it.
kerb_vec3 kerb_in_seek_turned(kerb_vec3 forward, kerb_vec3 left, float turn);

/// The desired steering along a path in the plane of `forward` (the agent's front there) and
/// `left`.
kerb_steering kerb_in_seek_wish(const seek_task* task, const seek_view* view, const seek_way* way,
                                kerb_vec3 forward, kerb_vec3 left);

/// Writes a path in that plane into a decision.
void kerb_in_seek_think(const seek_task* task, const seek_view* view, const seek_way* way,
                        kerb_vec3 forward, kerb_vec3 left, kerb_directed_decision* thoughts);

kerb_steering kerb_in_seek_on_level(const seek_task* task, kerb_directed_decision* thoughts);
kerb_steering kerb_in_seek_in_reverse(const seek_task* task, kerb_directed_decision* thoughts);
kerb_steering kerb_in_seek_in_space(const seek_task* task, kerb_directed_decision* thoughts);

#endif
