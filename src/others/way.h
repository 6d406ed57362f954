// Places and times relative to the reference line of a vehicle. Private to the room.
#ifndef KERB_IN_OTHERS_WAY_H
#define KERB_IN_OTHERS_WAY_H

#include "kerb/others.h"

// A point in the axes of the reference line: its station and its lateral offset to the left. [m]
typedef struct way_spot {
    float along, aside;
} way_spot;

// The station up to which the line is known. [m]
static inline float way_end(const kerb_reference_line* way) {
    return way->stations[way->count - 1].distance;
}

// Square of the horizontal distance from a station. [m²]
static inline float way_square_to(const kerb_reference_line* way, int32_t station,
                                  kerb_vec2 point) {
    float x = point.x - way->stations[station].position.x;
    float y = point.y - way->stations[station].position.y;
    return x * x + y * y;
}

// The station nearest to a point. O(count)
int32_t kerb_in_way_nearest(const kerb_reference_line* way, kerb_vec2 point);

// The station nearest to a point, for a point near one whose nearest station is known.
int32_t kerb_in_way_nearest_from(const kerb_reference_line* way, int32_t station, kerb_vec2 point);

// A point in the axes of the reference line at a station.
way_spot kerb_in_way_measure(const kerb_reference_line* way, int32_t station, kerb_vec2 point);

// The time at which the vehicle plans to be at a station. [s]
float kerb_in_way_time_at(const kerb_reference_line* way, float along);

// The smallest width on one side (left: 1, right: -1) over a stretch of the line. [m]
float kerb_in_way_room(const kerb_reference_line* way, float from, float to, float side);

#endif
