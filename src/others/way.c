// Places and times relative to the reference line that a vehicle is about to drive.
//
// The line is straight between stations. A point belongs to the station nearest to it. Cost:
// O(stations), or O(1) from a station near by.
#include "way.h"
#include "right_of_way.h"

#define STATIONS_APART 1.0e-3f // smallest spacing of stations, to divide by [m]

int32_t kerb_in_way_nearest(const kerb_reference_line* way, kerb_vec2 point) {
    int32_t best = 0;
    float least = way_square_to(way, 0, point);
    for (int32_t i = 1; i < way->count; i++) {
        float square = way_square_to(way, i, point);
        best = square < least ? i : best;
        least = kerb_min(square, least);
    }
    return best;
}

int32_t kerb_in_way_nearest_from(const kerb_reference_line* way, int32_t station, kerb_vec2 point) {
    while (station > 0 &&
           way_square_to(way, station - 1, point) < way_square_to(way, station, point))
        station--;
    while (station + 1 < way->count &&
           way_square_to(way, station + 1, point) < way_square_to(way, station, point))
        station++;
    return station;
}

way_spot kerb_in_way_measure(const kerb_reference_line* way, int32_t station, kerb_vec2 point) {
    const kerb_reference_station* at = &way->stations[station];
    kerb_vec2 from = {point.x - at->position.x, point.y - at->position.y};
    return (way_spot){.along = at->distance + kerb_vec2_dot(at->direction, from),
                      .aside = kerb_vec2_cross(at->direction, from)};
}

float kerb_in_way_time_at(const kerb_reference_line* way, float along) {
    int32_t i = 1;
    while (i + 1 < way->count && way->stations[i].distance < along)
        i++;
    const kerb_reference_station *a = &way->stations[i - 1], *b = &way->stations[i];
    float share = (along - a->distance) / kerb_max(b->distance - a->distance, STATIONS_APART);
    return a->time + (b->time - a->time) * share;
}

float kerb_in_way_room(const kerb_reference_line* way, float from, float to, float side) {
    float least = UNLIMITED;
    for (int32_t i = 0; i < way->count; i++) {
        const kerb_reference_station* at = &way->stations[i];
        bool in = (i + 1 == way->count || way->stations[i + 1].distance > from) &&
                  (i == 0 || way->stations[i - 1].distance < to);
        if (in)
            least = kerb_min(least, side > 0.0f ? at->left : at->right);
    }
    return least;
}
