// What the forms of directed seek share: on the level, in reverse, in space. Private to the room.
#ifndef KERB_IN_SEEK_DIRECTED_SEEK_H
#define KERB_IN_SEEK_DIRECTED_SEEK_H

#include "../steer/shared.h"
#include "kerb/seek.h"
#include "words.h"

/// Turning circles smaller than this count as this. [m]
#define SEEK_RADIUS_LEAST 1e-4f

/// What kerb_directed_seek was asked.
typedef struct seek_task {
    const kerb_directed_seek_settings* settings;
    const kerb_agent* agent;
    const kerb_directed_goal* goal;
    float time_step;
} seek_task;

/// The pieces of a way that are driven in one direction.
typedef struct seek_pieces {
    int32_t count;
    float turn[KERB_CURVE_PIECES];   ///< left positive [rad]
    float metres[KERB_CURVE_PIECES]; ///< [>= 0]
} seek_pieces;

/// Fills radii and tolerances.
void kerb_in_seek_measure(const seek_task* task, seek_view* view);

/// The goal as the agent sees it on the level, without its heading.
seek_view kerb_in_seek_view_of(const seek_task* task);

/// The best of the ways forwards; one that ends within `reach` before all others.
seek_way kerb_in_seek_best(const seek_view* view, int32_t way, float reach);

seek_pieces kerb_in_seek_pieces_of(const seek_view* view, const seek_way* way);

/// The speed to wish now so that it can be `wanted` after `distance`. [m/s] [>= 0]
float kerb_in_seek_speed(const seek_task* task, float wanted, float distance);

/// By how much to turn over the next `metres` of a way. [rad]
float kerb_in_seek_turn(const seek_task* task, const seek_pieces* pieces, float metres);

/// `forward` turned towards `left`, which is at right angles to it.
kerb_vec3 kerb_in_seek_turned(kerb_vec3 forward, kerb_vec3 left, float turn);

/// The wish on a way in the plane of `forward`, the agent's front there, and `left`.
kerb_steering kerb_in_seek_wish(const seek_task* task, const seek_view* view, const seek_way* way,
                                kerb_vec3 forward, kerb_vec3 left);

/// Writes down a way in that plane.
void kerb_in_seek_think(const seek_task* task, const seek_view* view, const seek_way* way,
                        kerb_vec3 forward, kerb_vec3 left, kerb_directed_decision* thoughts);

kerb_steering kerb_in_seek_in_reverse(const seek_task* task, kerb_directed_decision* thoughts);
kerb_steering kerb_in_seek_in_space(const seek_task* task, kerb_directed_decision* thoughts);

#endif
