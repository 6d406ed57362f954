// Which curvature a command of the steering gives, and when: what a driver needs that steers a
// vehicle whose host does not tell the angle of its wheels. For the drivers on the floors above.
#ifndef KERB_IN_TRACK_WHEELS_H
#define KERB_IN_TRACK_WHEELS_H

#include "kerb/private/track_memory.h"

/// Length of a tick, as the estimate's. [s]
#define KERB_IN_ASKED_TICK 0.025f

/// Takes it that this was asked for all along.
void kerb_in_asked_start(kerb_asked_memory* asked, float value);

/// A frame passes in which asked->now was asked for.
void kerb_in_asked_run(kerb_asked_memory* asked, float time);

/// What was asked for some time ago, or in between.
float kerb_in_asked_before(const kerb_asked_memory* asked, float ago);

/// One frame. Speeds are forwards, negative in reverse.
typedef struct kerb_in_wheels_frame {
    const kerb_vehicle* vehicle; ///< WHEELED
    float command;               ///< that acted since the last frame [-1 … 1]
    float speed;                 ///< [m/s]
    float yaw_rate;              ///< [rad/s]
    float side; ///< velocity of the described rear axle to the left, without the slip of its tyres
                ///< [m/s]
    float side_doubt; ///< standard deviation of that [m/s]
    float lag;        ///< of the body behind the wheels [s]
    float time_step;  ///< [s]
    bool teaches;     ///< its motion follows from what was commanded
} kerb_in_wheels_frame;

/// Begins anew: it knows the description only.
void kerb_in_wheels_begin(kerb_wheels_memory* wheels, const kerb_vehicle* vehicle);

/// Takes it that this was commanded all along.
void kerb_in_wheels_start(kerb_wheels_memory* wheels, float command);

/// Takes what a frame tells. O(1)
void kerb_in_wheels_watch(kerb_wheels_memory* wheels, const kerb_in_wheels_frame* frame);

/// The command that acted some time ago, or in between. [-1 … 1]
float kerb_in_wheels_command_before(const kerb_wheels_memory* wheels, float ago);

/// Curvature that a lasting command gives, forwards; speed as above. [1/m]
float kerb_in_wheels_curvature(const kerb_wheels_memory* wheels, const kerb_vehicle* vehicle,
                               float command, float speed);

/// The command that gives a curvature. [-1 … 1]
float kerb_in_wheels_command(const kerb_wheels_memory* wheels, const kerb_vehicle* vehicle,
                             float curvature, float speed);

/// Where commands that have not acted yet take the vehicle.
typedef struct kerb_in_wheels_pending {
    float time;     ///< until all have acted: the delay [s]
    float turn;     ///< by which the body turns until then, left positive [rad]
    float left;     ///< way of the described rear axle to the left of its present heading [m]
    float from, to; ///< curvatures now and then [1/m]
} kerb_in_wheels_pending;

/// O(ticks of the delay)
kerb_in_wheels_pending kerb_in_wheels_pending_of(const kerb_wheels_memory* wheels,
                                                 const kerb_vehicle* vehicle, float speed);

/// Takes it that what delays all controls is within this time, all that lies below it as likely.
/// [s]
void kerb_in_wheels_bound_delay(kerb_wheels_memory* wheels, float most);

/// Standard deviation of the delay. [s]
float kerb_in_wheels_delay_doubt(const kerb_wheels_memory* wheels);

#endif
