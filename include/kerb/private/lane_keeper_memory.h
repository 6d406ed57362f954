// What a lane keeper keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_LANE_KEEPER_MEMORY_H
#define KERB_PRIVATE_LANE_KEEPER_MEMORY_H

#include "../control.h"
#include "../host_check.h"
#include "../math.h"
#include "../vehicle.h"
#include "hand_over_memory.h"
#include "line_memory.h"
#include "motion_memory.h"
#include "track_memory.h"

/// Number of stretches of road ahead for which bends are remembered.
#define KERB_LANE_BENDS 64
/// Number of remembered points of the lane ahead.
#define KERB_LANE_AHEAD 4

/// A point of an arc and the direction of the arc there.
typedef struct kerb_lane_arc {
    kerb_vec2 place, direction; ///< from the local origin [m]; unit vector
} kerb_lane_arc;

/// Where the vehicle is and how it moves, seen from above. Places are in world axes from the local
/// origin (kerb_lane_keeper_memory.origin). Part of the memory.
typedef struct kerb_lane_pose {
    kerb_vec2 position;  ///< of the reference point [m]
    kerb_vec2 forward;   ///< direction of the body, unit vector
    kerb_vec2 lane;      ///< direction of the lane beside the vehicle, unit vector
    kerb_lane_arc ahead; ///< look-ahead point (P_Ahead), and the direction of the lane there
    float height;        ///< of the reference point [m]
    float speed;         ///< forward [m/s]
    float lateral;       ///< lateral acceleration: speed times yaw rate [m/s²] [>= 0]
    float lookahead;     ///< distance from the reference point at which the lane is looked at [m]
    float reach; ///< distance to the look-ahead point; shorter where an edge would be hidden [m]
} kerb_lane_pose;

// What a lane keeper remembers. "The edge" is the lane's own edge unless it says otherwise. All
// places count from the local origin.
typedef struct kerb_lane_keeper_memory {
    kerb_motion_memory last; ///< the last frame that could be used, in metres
    kerb_motion_memory left; ///< the one before `last`, while `last` may be a glitch of one frame
    kerb_vec2 origin;        ///< the local origin, in the world: near the vehicle [m]
    /// Lengths of the poses and of what follows are in units of so many metres; 0: of 1 m
    /// (kerb_vehicle_scale).
    float scale;
    bool placed;           ///< the next two are known
    kerb_vec2 place;       ///< of the reference point in the last frame [m]
    kerb_vec2 place_moves; ///< its velocity then [m/s]
    bool asked;            ///< rays were made since the last drive call, for `motion`
    kerb_motion motion;    ///< motion of those rays, as the host gave it
    kerb_lane_pose pose;   ///< pose that follows from that motion
    bool started;          ///< the lane is known
    kerb_vec2 way_meant;   ///< direction along the road that the host gave; zero: as it faces
    float unnoted;         ///< distance since it updated what it remembers of the road [m]
    float seen_free;       ///< length of road ahead that was seen to be clear [m]
    int32_t free_until;    ///< reason to stop there: KERB_REASON_END or KERB_REASON_FOLLOWING
    float nearer;    ///< share by which P_Ahead is nearer, because a vehicle hides the edge [1]
    float gap;       ///< gap to the vehicle ahead in the lane; -1: none [m]
    float lost;      ///< distance driven since an edge was seen [m]
    float blocked;   ///< distance until the road straight ahead is blocked; 0 or less: it is not
    bool at_corner;  ///< turns round the corner at which its own edge ended
    bool apart;      ///< the edge is not where it was expected
    float apart_for; ///< distance for which that has been so [m]
    kerb_vec2 line;  ///< point of the lane at the place where an edge was seen last [m]
    kerb_vec2 line_direction; ///< direction of the lane there, unit vector
    float line_curvature;     ///< curvature of the lane, left positive [1/m]
    float line_offset;        ///< distance of `line` from the edge [m]
    int32_t line_edge;        ///< edge that gave it: 0 the lane's own, 1 the other
    struct {
        bool known;
        kerb_vec2 place, direction; ///< where the edge was met last, and its direction there
        float since;                ///< distance driven since then [m]
        float bend;                 ///< curvature of the edge there [1/m]
        float straight;             ///< distance since its direction last changed [m]
        float piece;                ///< length of a straight piece of it [m]
    } edges[2];                     ///< the lane's own and the other, as far as they were believed
    float led;                      ///< greatest distance ahead at which its own edge was seen [m]
    kerb_vec2 led_to;               ///< direction of the edge there, unit vector
    float width;                    ///< of the road; 0: not known [m]
    float offset_from;              ///< lane change: distance from the edge at its start [m]
    float offset_to;    ///< lane change: distance from the edge at its end, or without one [m]
    float change_speed; ///< lane change: rate of that distance at its start [m/s]
    float change_for;   ///< lane change: duration; 0: none [s]
    float changed;      ///< lane change: time since its start [s]
    float aside;        ///< extra distance from the edge to go round something [m]
    float round_gap;    ///< gap to that thing; negative: alongside or past it [m]
    float round_speed;  ///< its speed [m/s]
    bool hurries;       ///< it passes that thing before oncoming traffic is there
    float wait_gap;     ///< extra gap kept to the vehicle ahead, to pull out later [m]
    bool too_near;      ///< too near to the stopped vehicle ahead to pull out
    bool no_room;       ///< found no side with room to pass the stopped vehicle ahead
    struct {
        bool known;
        kerb_vec2 place; ///< where a ray met it last [m]
    } stands;            ///< the vehicle at standstill in its lane
    struct {
        kerb_vec2 place; ///< where a ray met it last [m]
        float speed;     ///< along the lane [m/s]
        float waits;     ///< it was seen to drive: time left for which it counts as waiting [s]
        bool came;       ///< it came towards this vehicle
        float faced;     ///< time for which both have stopped, or want to stop [s]
    } other;             ///< the vehicle ahead in its lane
    float settle;        ///< offset that fades after the edge sprang to the side [m]
    float wide;          ///< offset for a bend that is too tight, where the lane was seen last [m]
    float free_speed;    ///< speed without a vehicle ahead [m/s]
    float look;          ///< angle from the lane to the lookout ray, left positive [rad]
    float look_step;     ///< turn of that ray per frame [rad]
    int32_t look_side;   ///< edge that it met last: 1 left, -1 right, 0 none
    int32_t look_turn;   ///< index of the ray along the lane that gives bends in this frame
    float blocked_side;  ///< side on which it asks for room: 1 left, -1 right, 0 does not ask
    float ask_distance;  ///< question: distance of the lane from the edge [m]
    float ask_ahead;     ///< question: distance that must be in sight [m]
    float ask_clear;     ///< question: distance to the nearest edge ahead, at least [m]
    float ask_way;       ///< question: distance without a stopped vehicle [m]
    float ask_time;      ///< question: time that it would spend there [s]
    float ask_pause;     ///< time until it asks again [s]
    float bend_start;    ///< distance from the vehicle to the first stretch of bends, 0 or less [m]
    float bends[KERB_LANE_BENDS]; ///< sharpest bend in each stretch of 4 m, by the lookout [1/m]
    /// Bend in each stretch by the directions of the edges from one place to the next. [1/m]
    float edge_bends[KERB_LANE_BENDS];
    kerb_lane_arc scanned[2]; ///< where the scanning ray last met its own edge and the other one,
                              ///< at the distance of the lane; direction zero: not yet
    int32_t scan;             ///< frames since the scan began again far ahead
    struct {
        bool known;
        kerb_vec2 place, direction; ///< of the lane
        float offset;               ///< distance from its edge [m]
    } ahead[KERB_LANE_AHEAD]; ///< newest point of the lane from an edge, for each range of distance
    float slowest_bend;       ///< bend that limits the speed; 0: none [1/m]
    float slowest_square;     ///< speed² that it allows here [m²/s²]
    float slowest_ahead;      ///< distance to it [m]
    float slowest_for;        ///< distance driven since it was looked for [m]
    kerb_line window;         ///< the road ahead: `base` from the lane's edge
    kerb_line_sight sight;    ///< what was seen of it
    float base;               ///< … [m]
    float base_side;          ///< side of the road seen from that edge: 1 left, -1 right
    double station;           ///< of the vehicle on it [m]
    float curvature;          ///< commanded, left positive [1/m]
    bool follows;             ///< the last command was for that curvature
    kerb_pedals_memory pedals;
    kerb_gearbox gearbox;
    bool turned_round; ///< it faces back: the other edge is where its own was
    bool across;       ///< it came to a standstill across the lane
    float roomy_side;  ///< side on which to turn round: 1 left, -1 right, 0 the lane's inside
    kerb_stuck stuck;
    bool backs_askew; ///< it was askew in its lane when it was last free to drive
    double way;       ///< distance driven, less what it drove in reverse [m]
    kerb_host_check host_check;
    kerb_hand_over_memory hand_over;
    /// What it knows of the vehicle; from here on memory outlives the road.
    kerb_track_memory track;
    float turning_radius; ///< of the vehicle that `track` knows [m]
} kerb_lane_keeper_memory;

#endif
