// Kerb intent: what a driver is about to do, as other drivers see it, and for whom its vehicle
// waits. Drivers fill it (kerb_follower_intent, kerb_avoid_tell in others.h), and read those of
// neighbours (kerb_neighbour.intent in vehicle.h).
#ifndef KERB_INTENT_H
#define KERB_INTENT_H

#include "math.h"

#include <stdint.h>

/// Greatest number of points of an intent.
#define KERB_INTENT_POINTS_MAX 16

/// For which vehicle a vehicle at standstill waits, and the least offer to clear the way along the
/// chain of waits that begins there. Each vehicle passes on the offer that the one it waits for has
/// published, or makes a lower one itself. A vehicle that receives its own offer is part of a cycle
/// of waiting vehicles; no vehicle has to see the whole cycle. kerb_avoid_tell fills it.
typedef struct kerb_wait {
    /// 0: it waits for no vehicle. 1: the offer is its own. n: that of the vehicle n - 1 waits on.
    int32_t hops;
    uint32_t waits_for;  ///< id of the vehicle for which it waits
    uint32_t clears;     ///< id of the vehicle that makes the offer
    float clearing_time; ///< the offer; KERB_WAIT_NEVER: that vehicle cannot go back [s] [>= 0]
} kerb_wait;

/// A time that stands for never. [s]
#define KERB_WAIT_NEVER 1.0e6f

/// What a driver is about to do, for the other vehicles: the strip of ground that its vehicle will
/// sweep, and how much of this strip the driver has claimed. Vehicles that know each other's
/// intents need not predict each other. Drivers fill it (kerb_follower_intent). For a vehicle that
/// the host moves itself, such as a tram, the host may fill an intent. It must then call
/// kerb_intent_bound.
typedef struct kerb_intent {
    int32_t count; ///< of points; below 2: the intent is unknown [0 … KERB_INTENT_POINTS_MAX]
    float spacing; ///< distance along the strip from one point to the next [m] [> 0.01]
    /// Points on the middle of the strip, seen from above; the first is the reference point. [m]
    kerb_vec2 points[KERB_INTENT_POINTS_MAX];
    /// Distances from the reference point to the ends of the vehicle that lead and trail in this
    /// direction of travel. [m]
    float front, rear;
    float width; ///< of the strip [m] [> 0]
    /// Claimed distance ahead of the leading end. The vehicle will drive this distance, and it can
    /// leave every crossing that it enters. There it yields only to one that has stood longer and
    /// asks for a crossing before which this vehicle can still stop. 0: it is at standstill and
    /// stays there. [m] [>= 0]
    float claimed;
    /// Distance ahead of the leading end that it would claim if no other vehicle had claimed any of
    /// it: as far as there is room to leave every crossing. [m] [>= 0]
    float asked;
    /// Distance ahead of the leading end within which it can stop, if it must. 0: not told; others
    /// then reckon with 5 m/s². [m] [>= 0]
    float stopping;
    float yield_time; ///< how long it has stood for others since it last drove its length [s]
    kerb_wait wait;   ///< for whom it waits at standstill
    /// How far it could go back now, if those who stand behind it went back as far as they can. [m]
    float room_behind;
    float retreat;    ///< how far it is about to go back [m] [>= 0]
    uint32_t behind;  ///< id of the vehicle that makes room for that, as it would be hit first
    float behind_gap; ///< gap to that vehicle; 1e6: there is none [m]
    /// Opposite corners of a box around the strip; kerb_intent_bound writes them. [m]
    kerb_vec2 box_min, box_max;
} kerb_intent;

/// Computes `box_min` and `box_max` from the other fields. Call it after every change of an
/// intent: an intent with a wrong box counts as unknown. O(count)
KERB_API void kerb_intent_bound(kerb_intent* intent);

#endif
