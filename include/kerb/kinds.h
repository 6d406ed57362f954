// Kerb kinds: descriptions of ships and other vehicles that are no kerb_vehicle.
//
// For each kind there is a struct with the numbers of a vehicle and a settings table with their
// ranges and defaults. kerb/plan_kind.h plans for them, and kerb/kind_driver.h drives them:
//
//     kerb_ship ship = kerb_ship_default();                // a freighter of 161 m
//     ship.current = kerb_vec2_make(0.5f, 0.0f);           // the water moves east
//     kerb_kind kind = kerb_kind_of_ship(&ship);           // `ship` must outlive `kind`
//
// States and controls of a plan, what kerb_controls means for a real vehicle, and the model are
// written at each struct. The reference point of kerb_motion is the centre of mass; for states it
// is the point that is named at each struct.
//
// All functions are pure, allocate nothing and may be called from any thread.
#ifndef KERB_KINDS_H
#define KERB_KINDS_H

#include "base.h"
#include "math.h"

// --------------------------------------------------------------------------- ship

/// A ship with a propeller and a rudder. A settings struct: kerb_ship_table has all ranges.
///
/// State: x, y, heading, speed through the water along the hull [m/s], yaw rate [rad/s], of the
/// pivot point. A ship that turns slides outwards, but its pivot point moves where the ship points.
/// Controls: throttle [-1 … 1], negative astern; rudder [-1 … 1], left positive.
/// kerb_controls: `throttle` is the share of full power ahead in gear 1 and astern in gear -1, also
/// against the motion; `steering` is the share of the greatest rudder angle. `brake` and
/// `handbrake` do nothing.
///
/// Model: Nomoto's of first order with a time constant and a gain that scale with the speed, so the
/// curvature of the path answers the rudder over a distance, whatever the speed; resistance grows
/// with speed² and in turns. Current and wind carry the ship along. Source: Nomoto and others, "On
/// the Steering Qualities of Ships", 1957; Fossen, "Handbook of Marine Craft Hydrodynamics and
/// Motion Control", 2011, chapters 7, 8 and 10.
typedef struct kerb_ship {
    float length, width;      ///< [m] [> 0]
    float reference_to_bow;   ///< from the centre of mass forward to the bow [m]
    float reference_to_pivot; ///< from the centre of mass forward to the pivot point [m]
    float speed_max;          ///< through the water, full ahead [m/s] [> 0]
    float acceleration;       ///< full ahead from rest [m/s²] [> 0] Freighters: 0.02 to 0.05.
    float astern;             ///< deceleration of full astern, without resistance [m/s²] [> 0]
    float turning_radius;     ///< of the pivot point, full rudder, steady [m] [> 0]
    float turning_speed; ///< speed that is left in that turn, as a share [1] [0.1 … 1] 0.5 to 0.8.
    float yaw_lag; ///< distance over which the curvature comes within 37 % of the rudder's [m]
                   ///< [> 0] One to two lengths.
    float throttle_delay; ///< from a command to the propeller's force [s] [>= 0]
    float rudder_delay;   ///< from a command to the rudder's angle [s] [>= 0]
    kerb_vec2 current;    ///< velocity of the water [m/s]
    kerb_vec2 wind;       ///< velocity of the wind [m/s]
    float leeway; ///< share of the wind's velocity with which it drives the ship [1] [0 … 0.1]
} kerb_ship;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_ship_table;
/// A freighter of the Mariner class: 161 m, 7.7 m/s (15 knots).
KERB_API kerb_ship kerb_ship_default(void);

#endif
