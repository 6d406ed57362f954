// How the pictures of this room put items into a buffer. Private to the room.
#ifndef KERB_IN_DRAW_ITEMS_H
#define KERB_IN_DRAW_ITEMS_H

#include "kerb/draw.h"

#include "../base/shared.h"

// Each adds one item, counts it as dropped when there is no room, or leaves it out when a
// coordinate is not finite: a host may hand over what it likes, its renderer gets numbers.
void kerb_in_draw_line(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 from, kerb_vec3 to);
void kerb_in_draw_point(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position);
void kerb_in_draw_text(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position,
                       const char* text);

// The path itself, without corridor: `length` metres from a place on, held to the path's end.
void kerb_in_draw_path_ahead(kerb_draw_buffer* buffer, kerb_draw_role role, const kerb_path* path,
                             kerb_path_location from, double length);

// --------------------------------------------------------------------------- vehicle.c

// A vehicle's own axes in the world. Unit length even when the host's quaternion has drifted.
typedef struct body_axes {
    kerb_vec3 forward, left;
} body_axes;

body_axes kerb_in_axes_of(kerb_quat q);

// Its rectangle.
void kerb_in_draw_footprint(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                            const kerb_motion* motion, const body_axes* axes);

// The rear axle's way at a curvature, `length` metres of it, at most half a circle.
void kerb_in_draw_arc(kerb_draw_buffer* buffer, const kerb_vehicle* vehicle,
                      const kerb_motion* motion, const body_axes* axes, float curvature,
                      float length, bool backwards);

// The neighbour that decides, and a line to it; nothing when its length is 0.
void kerb_in_draw_neighbour(kerb_draw_buffer* buffer, const kerb_neighbour* neighbour,
                            const kerb_motion* motion);

// A number with one decimal. Not printf: it writes 0,5 under some locales.
void kerb_in_add_tenths(kerb_text* text, float value);

// "12.3/13.9 m/s: bend ahead": the speed, the target speed, and why.
kerb_text kerb_in_words_of(const kerb_motion* motion, const body_axes* axes, float target_speed,
                           kerb_reason reason);
void kerb_in_draw_words(kerb_draw_buffer* buffer, const kerb_motion* motion, const kerb_text* text);

#endif
