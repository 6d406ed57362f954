// Kerb aircraft: the description of an aircraft with wings, for kerb/fly.h.
//
// Fill a kerb_aircraft once per model of aircraft: take the default and change what you know. The
// functions here are what follows from it: drag, thrust, climb, load factor and turning radius.
//
//     kerb_aircraft aircraft = kerb_aircraft_default(); // a light aerobatic trainer
//     aircraft.speed_max = 95.0f;
//     kerb_error error;
//     if (kerb_aircraft_validate(&aircraft, &error) != KERB_OK)
//         printf("%s %s\n", error.field, error.message);
//     float climb = kerb_aircraft_climb_rate(&aircraft, 50.0f); // at full throttle [m/s]
//
// Motion and controls of an aircraft are kerb_motion and kerb_controls of kerb/vehicle.h. The
// reference point is the centre of mass.
//
// OWNERSHIP AND THREADS. A kerb_aircraft is a plain value: copy and keep it as you like. Functions
// allocate nothing, keep no state, and may be called from any thread.
//
// DOES NOT: describe helicopters, airships or rockets.
#ifndef KERB_AIRCRAFT_H
#define KERB_AIRCRAFT_H

#include "base.h"

/// What a model of aircraft with wings can do; kerb/fly.h flies it. A settings struct:
/// kerb_aircraft_table has all ranges and defaults. Speeds are true airspeeds at the altitude of
/// the flight.
typedef struct kerb_aircraft {
    /// Length from nose to tail. [m] [> 0]
    float length;
    /// Distance from wing tip to wing tip. [m] [> 0]
    float wingspan;

    /// Slowest speed of level flight with level wings. At load factor n it is sqrt(n) times as
    /// high. [m/s] [> 0] [< cruise_speed]
    float stall_speed;
    /// Angle of the nose above the flight path at which the wings stall. [rad] [> 0]
    float stall_angle;
    /// Speed that a driver flies when no speed is given. [m/s] [> stall_speed] [<= speed_max]
    float cruise_speed;
    /// Greatest speed in level flight. [m/s] [<= speed_never_exceed]
    float speed_max;
    /// Speed that must never be exceeded, not even in a dive. [m/s] [>= speed_max]
    float speed_never_exceed;
    /// Thrust per mass at full throttle at standstill. Thrust falls linearly with speed, to the
    /// drag of level flight at speed_max. [m/s²] [> 0]
    float acceleration_max;
    /// Delay from a throttle command to its thrust. [s] [>= 0]
    float throttle_delay;
    /// Deceleration by drag without lift, divided by speed². [1/m] [> 0]
    float drag;
    /// Best glide ratio: distance flown without thrust per height lost. [1] [>= 1]
    float glide_ratio;

    /// Greatest and smallest load factor: lift divided by weight. [1] [1.1 … 20] and [-10 … 0.5]
    float load_factor_max, load_factor_min;
    /// Greatest bank that a driver flies: angle of the lift about the flight path. [rad] [0.1 …
    /// 1.4]
    float bank_max;
    /// Angular rates at full stick and full pedal. [rad/s] [> 0]
    float roll_rate_max, pitch_rate_max, yaw_rate_max;
    /// Time constant from stick and pedal to these rates. [s] [>= 0]
    float rate_delay;
} kerb_aircraft;

/// Range, default and meaning of every number of a kerb_aircraft.
KERB_API const kerb_settings_table kerb_aircraft_table;

/// A light aerobatic trainer with a propeller: flies from 31 m/s to 78 m/s.
KERB_API kerb_aircraft kerb_aircraft_default(void);

/// KERB_OK, or an error that names the first bad field: NOT_FINITE, OUT_OF_RANGE, or CONTRADICTION
/// for fields that cannot be true together. `error` may be NULL. O(fields)
KERB_API kerb_result kerb_aircraft_validate(const kerb_aircraft* aircraft, kerb_error* error);

/// Deceleration by drag at a speed v and a load factor n, by a parabolic polar: D·v² +
/// (g·n/(2·E·v))²/D, where D is `drag` and E is `glide_ratio`. [m/s²] [speed: > 0] O(1)
KERB_API float kerb_aircraft_drag(const kerb_aircraft* aircraft, float speed, float load_factor);

/// Thrust per mass at full throttle at a speed; drag is not subtracted. [m/s²] [>= 0] O(1)
KERB_API float kerb_aircraft_thrust(const kerb_aircraft* aircraft, float speed);

/// Rate of a steady climb at full throttle at a speed, wings level: speed · (thrust - drag) /
/// weight. Negative where the aircraft sinks. [m/s] [speed: > 0] O(1)
KERB_API float kerb_aircraft_climb_rate(const kerb_aircraft* aircraft, float speed);

/// Greatest load factor at a speed, limited by stall and by load_factor_max. [1] O(1)
KERB_API float kerb_aircraft_load_factor(const kerb_aircraft* aircraft, float speed);

/// Radius of the tightest level turn at a speed v: v²/(g·sqrt(n² - 1)), where n is the greatest
/// load factor that bank_max, stall and load_factor_max allow. 1e6 where it cannot turn. [m] O(1)
KERB_API float kerb_aircraft_turning_radius(const kerb_aircraft* aircraft, float speed);

#endif
