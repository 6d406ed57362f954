// Places and times measured against the way that a vehicle is about to drive. Private to the room.
#ifndef KERB_IN_CONTROL_WAY_H
#define KERB_IN_CONTROL_WAY_H

#include "kerb/control.h"

// A place in the axes of the way: how far along it, how far to the left of it. [m]
typedef struct way_spot {
    float along, aside;
} way_spot;

// How far the way is known. [m]
static inline float way_end(const kerb_reference_line* way) {
    return way->stations[way->count - 1].distance;
}

// Square of the level distance from a station. [m²]
static inline float way_square_to(const kerb_reference_line* way, int32_t station,
                                  kerb_vec2 point) {
    float x = point.x - way->stations[station].position.x;
    float y = point.y - way->stations[station].position.y;
    return x * x + y * y;
}

// The station nearest to a point. O(count)
int32_t kerb_in_way_nearest(const kerb_reference_line* way, kerb_vec2 point);

// The same, for a point a little farther on than one whose station is known.
int32_t kerb_in_way_nearest_from(const kerb_reference_line* way, int32_t station, kerb_vec2 point);

// A point in the way's axes at a station.
way_spot kerb_in_way_measure(const kerb_reference_line* way, int32_t station, kerb_vec2 point);

// When the vehicle plans to be at a place of its way. [s]
float kerb_in_way_time_at(const kerb_reference_line* way, float along);

// The least room on one side (left: 1, right: -1) over a stretch of the way. [m]
float kerb_in_way_room(const kerb_reference_line* way, float from, float to, float side);

#endif
