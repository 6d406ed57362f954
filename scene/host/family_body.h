// Spirited driving with a host of the family, and what is true of its body.
#ifndef KERB_SCENE_HOST_FAMILY_BODY_H
#define KERB_SCENE_HOST_FAMILY_BODY_H

#include "scene/host/family.h"

/// A drive that asks for lateral accelerations up to the limit and a little beyond, at speeds that
/// change. Where the vehicle spins, it brakes with straight wheels.
typedef struct kerb_family_spirited {
    kerb_family_host host;
    kerb_random random;
    float base;     ///< speed at which 0.4 of the lock take the whole grip [m/s]
    float speed;    ///< that it holds [m/s]
    float asked;    ///< lateral acceleration, over the grip [1]
    float steering; ///< commanded now [1]
    bool spins;
    double next;  ///< time of the next demand [s]
    double time;  ///< [s]
    double begun; ///< when it was fast enough; negative before [s]
    double limit; ///< time with more than 0.9 of the grip used [s]
} kerb_family_spirited;

void kerb_family_spirited_make(kerb_family_spirited* drive, uint64_t seed);

/// One frame. Returns its length; the controls of it are in `controls`. [s]
float kerb_family_spirited_step(kerb_family_spirited* drive, kerb_controls* controls);

/// What is true of a body at a speed.
typedef struct kerb_family_body {
    float following_axle;      ///< from the reference point back to it [m]
    float compliance;          ///< of that axle, at 0.15 of the grip [rad s²/m]
    float understeer_gradient; ///< [rad s²/m]
    float gyration_square;     ///< [m²]
    float grip;                ///< greatest lateral acceleration, held for half a second [m/s²]
    bool tyres;
} kerb_family_body;

/// Measures it by driving copies of the host.
kerb_family_body kerb_family_body_of(const kerb_family_host* host, float speed);

#endif
