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

#include "vehicle.h"

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

// --------------------------------------------------------------------------- pedestrian

/// A person on foot. A settings struct: kerb_pedestrian_table has all ranges.
///
/// State: x, y, heading of the body, speed forwards and to the left [m/s], of the middle of the
/// body. Controls: forwards, sideways and turn [-1 … 1]. A person turns on the spot.
/// kerb_controls: `throttle` is the effort forwards in gear 1 and backwards in gear -1; `roll` is
/// the effort to the side, to the right positive (as one who leans there); `steering` is the share
/// of yaw_rate_max; full `brake` stands still.
///
/// Model: the effort of the legs accelerates the body; what the gait costs grows with the fourth
/// power of the speed, as a share of the greatest speed in its direction. So the speeds that can be
/// kept form an ellipse: who walks at full speed cannot step sideways.
typedef struct kerb_pedestrian {
    float width, depth;   ///< of the body, shoulder to shoulder and front to back [m] [> 0]
    float speed_max;      ///< forwards [m/s] [> 0] Walks: 1.4 to 2; runs: 3 to 8.
    float side_speed_max; ///< sideways [m/s] [> 0]
    float back_speed_max; ///< backwards [m/s] [> 0]
    float acceleration;   ///< at full effort from standstill [m/s²] [> 0]
    float yaw_rate_max;   ///< [rad/s] [> 0]
    float answer_time;    ///< from a command to its effect [s] [>= 0]
} kerb_pedestrian;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_pedestrian_table;
/// A walker: 1.8 m/s forwards, 0.8 m/s sideways, 0.9 m/s backwards.
KERB_API kerb_pedestrian kerb_pedestrian_default(void);

// --------------------------------------------------------------------------- car with trailer

/// A car that tows a trailer with one axle.
///
/// State: x, y and heading of the trailer at its axle; hitch angle, from the trailer's heading to
/// the car's [rad]; speed of the car's rear axle, negative in reverse [m/s]; curvature of the path
/// of that axle [1/m]. Controls: pedal [-1 … 1], the acceleration forwards over `acceleration`;
/// steering [-1 … 1], the curvature over the greatest one.
/// kerb_controls are those of the car, which has the kind KERB_VEHICLE_WHEELED and shifts by
/// itself. kerb_motion is that of the car; the hitch angle is told beside (`told`).
///
/// Model: no wheel slips (Rouchon and others, "Flatness and Motion Planning: the Car with n
/// Trailers", ECC 1993); the hitch may be behind the car's rear axle.
typedef struct kerb_towing {
    kerb_vehicle car;
    float hitch_behind;    ///< from the car's rear axle back to the hitch [m] [0 … 10]
    float trailer_axle;    ///< from the hitch back to the trailer's axle [m] [> 0]
    float trailer_front;   ///< from the trailer's axle forward to its front [m] [> 0]
    float trailer_rear;    ///< from the trailer's axle back to its rear [m] [>= 0]
    float trailer_width;   ///< [m] [> 0]
    float hitch_angle_max; ///< [rad] [0.1 … 1.5]
    float speed_max;       ///< of plans, in both directions [m/s] [> 0] 1 to 3.
    float acceleration;    ///< of plans, both ways [m/s²] [> 0] 0.5 to 1.5.
} kerb_towing;

/// Range, default and meaning of every number but those of the car (kerb_vehicle_table).
KERB_API const kerb_settings_table kerb_towing_table;
/// The average car with a trailer of 4 m.
KERB_API kerb_towing kerb_towing_default(void);

// --------------------------------------------------------------------------- motorcycle

/// A motorcycle, or a bicycle. A settings struct: kerb_motorcycle_table has all ranges.
///
/// State: x, y and heading of the rear wheel's contact point; speed [m/s]; lean, to the left
/// positive [rad]; lean rate [rad/s]. Controls: pedal [-1 … 1], the brakes where negative; lean
/// [-1 … 1], the lean that the rider wants over lean_max.
/// kerb_controls: `throttle` and `brake` as of a car; `steering` is the angle of the front wheel
/// over steering_angle_max, by which the driver also balances: the host simulates a motorcycle that
/// falls over when nobody steers. (One that its engine holds upright is a kerb_vehicle, and any
/// driver drives it.) kerb_motion tells the lean by `rotation` and its rate by `angular_velocity`.
///
/// Model: an inverted pendulum on two wheels that roll without slip,
/// h · lean'' = g sin(lean) - (v² + b²) curvature cos(lean), with the height h of the centre of
/// mass and the rider's own balance b, who leans to the side where he steers; so a motorcycle
/// steers away from a bend first. Source: Getz, Marsden, "Control for an Autonomous Bicycle", ICRA
/// 1995; Hauser, Saccon, Frezza, "Achievable Motorcycle Trajectories", CDC 2004; Åström, Klein,
/// Lennartsson, "Bicycle Dynamics and Control", IEEE Control Systems Magazine 25(4), 2005.
typedef struct kerb_motorcycle {
    float length, width, height;  ///< with the rider [m] [> 0]
    float wheelbase;              ///< [m] [> 0]
    float rear;                   ///< from the rear wheel's contact point back to the end [m]
    float reference_to_rear_axle; ///< from the centre of mass back to the rear wheel [m]
    float mass_height;            ///< of the centre of mass [m] [> 0]
    float speed_max;              ///< [m/s] [> 0]
    float acceleration;           ///< from rest [m/s²] [> 0]
    float braking;                ///< [m/s²] [> 0]
    float lean_max;               ///< [rad] [0.1 … 1.2] Tourers: 0.6; racers: 1.
    float lean_time; ///< in which a wanted lean is nearly there [s] [> 0] Usual: 0.6 to 1.2.
    float steering_angle_max; ///< of the front wheel [rad]
    float balance_speed;      ///< b: the rider balances alone below about this speed [m/s] [> 0]
    float throttle_delay;     ///< from a command to its force [s] [>= 0]
} kerb_motorcycle;

/// Range, default and meaning of every number.
KERB_API const kerb_settings_table kerb_motorcycle_table;
/// A road motorcycle with its rider.
KERB_API kerb_motorcycle kerb_motorcycle_default(void);

#endif
