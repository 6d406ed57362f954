// A neighbour in the axes of the reference line. Private to the room.
#ifndef KERB_IN_OTHERS_MEETING_H
#define KERB_IN_OTHERS_MEETING_H

#include "way.h"

#define LED_ON 6.0f       // others are predicted for this time, chosen by trial [s]
#define LED_ON_LEAST 8.0f // and at least this distance: slow ones may be setting off [m]
// A neighbour higher or lower by this is on another level of the road. [m]
#define MEETING_HEIGHT 3.5f
#define BESIDE_OTHERS 0.35f // lateral clearance to a vehicle: allowance for errors of tracking [m]

// A neighbour in the axes of the reference line at the station nearest to it.
typedef struct others_meeting {
    const kerb_neighbour* neighbour;
    int32_t index;                // among the neighbours
    float along, aside;           // of its centre [m]
    float half_along, half_aside; // extents of its box [m]
    float gap;                    // from the vehicle's front to its near end [m]
    float passed; // station at which the vehicle's tail has left its far end behind [m]
    float speed_along, speed_aside; // [m/s]
    float speed;                    // [m/s]
    float facing;                   // cosine between its heading and the line
    int32_t station;
} others_meeting;

// False when the neighbour cannot matter for this line, or its numbers are not sound.
bool kerb_in_meeting_with(const kerb_reference_line* way, const kerb_neighbour* neighbour,
                          int32_t index, others_meeting* m);

// kerb_gap_behind, and the index of the neighbour that is there; -1: none.
float kerb_in_avoid_behind(const kerb_reference_line* line, const kerb_neighbour* neighbours,
                           int32_t count, int32_t* index);

// Half the extents of a neighbour that faces `forward`, along a direction and to the left of it.
// [m]
way_spot kerb_in_meeting_extents(const kerb_neighbour* n, kerb_vec2 forward, kerb_vec2 direction);

// The direction of a vector, or the fallback when the vector is too short to have one.
kerb_vec2 kerb_in_meeting_direction(kerb_vec2 v, kerb_vec2 fallback);

// Distance for which a neighbour is predicted. [m]
static inline float meeting_led_on(const others_meeting* m) {
    return kerb_max(LED_ON * m->speed, LED_ON_LEAST);
}

#endif
