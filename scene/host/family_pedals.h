// Ordinary driving with the pedals of a host of the family, and what an estimate should learn of
// it.
#ifndef KERB_SCENE_HOST_FAMILY_PEDALS_H
#define KERB_SCENE_HOST_FAMILY_PEDALS_H

#include "scene/host/family.h"

/// What the foot does at present.
typedef enum kerb_family_phase {
    KERB_FAMILY_ACCELERATES,
    KERB_FAMILY_HOLDS,
    KERB_FAMILY_COASTS,
    KERB_FAMILY_BRAKES,
    KERB_FAMILY_WAITS,   ///< at standstill with a brake
    KERB_FAMILY_RELEASES ///< without pedals from standstill
} kerb_family_phase;

/// A drive that accelerates, holds a speed, coasts, brakes and stops, with a little steering.
typedef struct kerb_family_pedal_drive {
    kerb_family_host host;
    kerb_random random;
    kerb_family_phase phase;
    double time, next; ///< now, and the end of the phase at the latest [s]
    float speed;       ///< that the phase ends at, or holds [m/s]
    float press;       ///< of the pedal of this phase [1]
    float throttle, brake, steering;
    bool handbrake;
    float fastest; ///< [m/s]
} kerb_family_pedal_drive;

/// A host with pedals of its own (kerb_family_add_pedals), at rest.
void kerb_family_pedal_drive_make(kerb_family_pedal_drive* drive, uint64_t seed);

/// One frame. Returns its length; the controls of it are in `controls`. [s]
float kerb_family_pedal_drive_step(kerb_family_pedal_drive* drive, kerb_controls* controls);

/// Acceleration that a pedal alone gives on the host's tyres, measured with a copy that is held at
/// a speed: what it does, less what it does without pedals. Negative for the brake. [m/s²]
float kerb_family_force(const kerb_family_host* host, float speed, float throttle, float brake);

/// What is true of the pedals.
typedef struct kerb_family_pedals {
    float power;         ///< greatest speed · drive [W/kg]
    float half_throttle; ///< share of the drive at half throttle, where the tyres hold [1]
    float half_brake;
    float throttle_delay, brake_delay; ///< lag included [s]
    float creep_speed;                 ///< [m/s]
    bool brake_holds;                  ///< … against it
    float shift_pause;                 ///< [s]
    bool spins, locks;                 ///< the full pedal is beyond what the tyres hold
} kerb_family_pedals;

/// Measures it by driving copies of the host.
kerb_family_pedals kerb_family_pedals_of(const kerb_family_host* host);

#endif
