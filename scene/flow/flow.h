// Up to six vehicles that meet at one place: a crossing, a merge, a narrow bridge, a car park, a
// roundabout, a lane of 3 m with passing places. They are driven by followers, and beside that the
// best order is computed by brute force, under the same limits. The benchmark and the tests share
// it.
//
//     kerb_scene_flow flow;
//     kerb_scene_flow_make(&flow, FLOW_BRIDGE, seed);
//     kerb_scene_flow_solo(&flow);                    // each alone: its speeds
//     flow_times driven = kerb_scene_flow_drive(&flow, NULL, NULL);
//     flow_times best = kerb_scene_flow_best(&flow);
//
// **The best order.** A trajectory is a station and a speed for each tenth of a second. Vehicles
// are laid out one after the other, in an order. Each drives as fast as when it is alone, but keeps
// out of all places where its body would meet that of a vehicle before it in the order, now or
// later. It must be able to stop before such a place until it is known to get there too late; it
// follows a vehicle that drives the same way by kerb_gap_speed, with the gaps of the drivers. So an
// order is the only thing that is chosen, and in the lane with passing places also at which place a
// vehicle pulls out. All orders are tried; that with the earliest last arrival is the best.
//
// Does not: vehicles that differ, slopes, more than one meeting.
#ifndef KERB_SCENE_FLOW_FLOW_H
#define KERB_SCENE_FLOW_FLOW_H

#include "kerb/kerb.h"
#include "sim/vehicle.h"

#define FLOW_VEHICLES 6   ///< at most
#define FLOW_WAYS 3       ///< that a vehicle may take: straight on, or by one of the passing places
#define FLOW_POINTS 160   ///< of a way, at most
#define FLOW_SPEEDS 1024  ///< speeds known along a way, at most
#define FLOW_SPACING 0.25 ///< of these speeds [m]
#define FLOW_SECONDS 180.0 ///< after which vehicles that have not arrived count as jammed

typedef enum kerb_scene_flow_kind {
    FLOW_CROSSING, ///< four arms, no signs
    FLOW_MERGE,
    FLOW_BRIDGE, ///< one lane for both directions, three vehicles from each side
    FLOW_CAR_PARK,
    FLOW_ROUNDABOUT,
    FLOW_PASSING, ///< a lane of 3 m with passing places, two vehicles from each side
    FLOW_KINDS
} kerb_scene_flow_kind;

/// "crossing" … "passing places"; "unknown" out of range.
const char* kerb_scene_flow_kind_text(kerb_scene_flow_kind kind);

typedef struct flow_way {
    kerb_waypoint points[FLOW_POINTS];
    int32_t count;
    float length; ///< [m]
    float finish; ///< station at which it has arrived [m]
    bool stays;   ///< it stops there; else it drives on and is gone
    /// Speed of a vehicle that is alone, each FLOW_SPACING from its start to the finish. [m/s]
    float speeds[FLOW_SPEEDS];
    int32_t speed_count;
} flow_way;

typedef struct flow_vehicle {
    uint32_t id;
    float start;              ///< station at which it stands at first [m]
    flow_way ways[FLOW_WAYS]; ///< the first is that which followers drive
    int32_t way_count;
} flow_vehicle;

typedef struct kerb_scene_flow {
    kerb_scene_flow_kind kind;
    kerb_sim_model model; ///< of all vehicles
    kerb_follower_settings settings;
    flow_vehicle vehicles[FLOW_VEHICLES];
    int32_t count;
    /// Speed at each FLOW_SPACING after setting off from rest. [m/s]
    float launch[FLOW_SPEEDS];
    int32_t launch_count;
} kerb_scene_flow;

/// What came of them.
typedef struct flow_times {
    int32_t arrived;
    double last;      ///< arrival of the last; FLOW_SECONDS where not all arrived [s]
    double sum;       ///< of all arrivals [s]
    int32_t contacts; ///< frames in which two touch
} flow_times;

/// Lays a scene out. `seed` chooses where each begins, where it goes, and its id.
void kerb_scene_flow_make(kerb_scene_flow* flow, kerb_scene_flow_kind kind, uint64_t seed);

/// Drives each vehicle alone, and notes its speeds. The times are those of vehicles that do not
/// meet.
flow_times kerb_scene_flow_solo(kerb_scene_flow* flow);

/// Drives all together. `watch` may be NULL; it is called ten times a second.
flow_times kerb_scene_flow_drive(const kerb_scene_flow* flow,
                                 void (*watch)(void* context, double time, int32_t vehicle,
                                               const kerb_motion* motion, kerb_reason reason),
                                 void* context);

/// The best order. Needs kerb_scene_flow_solo. O(count! · seconds)
flow_times kerb_scene_flow_best(const kerb_scene_flow* flow);

/// The same where no vehicle meets another one: how exact the trajectories are.
flow_times kerb_scene_flow_free(const kerb_scene_flow* flow);

#endif
