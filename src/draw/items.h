// Functions that add items to a buffer. Private to the room.
#ifndef KERB_IN_DRAW_ITEMS_H
#define KERB_IN_DRAW_ITEMS_H

#include "kerb/draw.h"

#include "../base/shared.h"

// Each adds one item. When the buffer is full, the item is counted as dropped. When a coordinate is
// not finite, the item is left out, so that a renderer gets only finite numbers.
void kerb_in_draw_line(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 from, kerb_vec3 to);
void kerb_in_draw_point(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position);
void kerb_in_draw_text(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position,
                       const char* text);

// The path without its corridor: `length` metres from a location on, at most to the path's end.
void kerb_in_draw_path_ahead(kerb_draw_buffer* buffer, kerb_draw_role role, const kerb_path* path,
                             kerb_path_location from, double length);

// --------------------------------------------------------------------------- vehicle.c

// The forward and left axis of a vehicle in the world, of unit length even when the host's
// quaternion has drifted.
typedef struct body_axes {
    kerb_vec3 forward, left;
} body_axes;

body_axes kerb_in_axes_of(kerb_quat q);

// The rectangle of the vehicle.
void kerb_in_draw_footprint(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                            const kerb_motion* motion, const body_axes* axes);

// The path of the rear axle at a curvature: `length` metres, at most half a circle.
void kerb_in_draw_arc(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                      const kerb_motion* motion, const body_axes* axes, float curvature,
                      float length, bool backwards);

// The neighbour that decides the speed, and a line to it. Nothing when its length is 0.
void kerb_in_draw_neighbour(kerb_draw_buffer* buffer, const kerb_neighbour* neighbour,
                            const kerb_motion* motion);

// A number with one decimal. printf is not used, because it writes "0,5" in some locales.
void kerb_in_add_tenths(kerb_text* text, float value);

// A text such as "12.3/13.9 m/s: bend ahead": the speed, the target speed, and the reason.
kerb_text kerb_in_words_of(const kerb_motion* motion, const body_axes* axes, float target_speed,
                           kerb_reason reason);
void kerb_in_draw_words(kerb_draw_buffer* buffer, const kerb_motion* motion, const kerb_text* text);

#endif
