// How the pictures of this room put items into a buffer. Private to the room.
#ifndef KERB_DRAW_ITEMS_H
#define KERB_DRAW_ITEMS_H

#include "kerb/draw.h"

// Each adds one item, counts it as dropped when there is no room, or leaves it out when a
// coordinate is not finite: a host may hand over what it likes, its renderer gets numbers.
void draw_line(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 from, kerb_vec3 to);
void draw_point(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position);
void draw_text(kerb_draw_buffer* buffer, kerb_draw_role role, kerb_vec3 position, const char* text);

// The path itself, without corridor: `length` metres from a place on, held to the path's end.
void draw_path_ahead(kerb_draw_buffer* buffer, kerb_draw_role role, const kerb_path* path,
                     kerb_path_location from, double length);

#endif
