// A neighbour as the way sees it. Private to the room.
#ifndef KERB_IN_CONTROL_MEETING_H
#define KERB_IN_CONTROL_MEETING_H

#include "way.h"

#define LED_ON 6.0f         // others are led on for so long [s]
#define LED_ON_LEAST 8.0f   // … and at least as far: slow ones may be setting off [m]
#define BESIDE_OTHERS 0.35f // so much room to a vehicle, else they would touch [m]

// A neighbour in the way's axes at the station next to it.
typedef struct control_meeting {
    const kerb_neighbour* neighbour;
    int32_t index;                  // among the neighbours
    float along, aside;             // of its middle [m]
    float half_along, half_aside;   // extents of its box [m]
    float gap;                      // from the vehicle's front to its near end [m]
    float passed;                   // there the vehicle's tail has left its far end behind [m]
    float speed_along, speed_aside; // [m/s]
    float speed;                    // [m/s]
    float facing;                   // cosine between its length and the way
    int32_t station;
} control_meeting;

// False when it can have nothing to do with this way, or is not sound.
bool kerb_in_meeting_with(const kerb_reference_line* way, const kerb_neighbour* neighbour,
                          int32_t index, control_meeting* m);

// Half the extents along and to the left of a direction of a neighbour that faces `forward`. [m]
way_spot kerb_in_meeting_extents(const kerb_neighbour* n, kerb_vec2 forward, kerb_vec2 direction);

// The direction of a vector, or the fallback where it has none.
kerb_vec2 kerb_in_meeting_direction(kerb_vec2 v, kerb_vec2 fallback);

// How far one is led on. [m]
static inline float meeting_led_on(const control_meeting* m) {
    return kerb_max(LED_ON * m->speed, LED_ON_LEAST);
}

#endif
