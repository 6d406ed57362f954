// What a lane keeper keeps between frames: the type of its member `memory`.
//
// This header is no interface. Its fields may change their meaning in any version, and no field may
// be read or written by a host. It is public because a driver is a plain struct: the host has to
// know its size to hold it, copy it and restore it.
#ifndef KERB_PRIVATE_LANE_KEEPER_MEMORY_H
#define KERB_PRIVATE_LANE_KEEPER_MEMORY_H

#include "../control.h"
#include "../math.h"
#include "../vehicle.h"

/// Number of stretches of road ahead whose bends are remembered.
#define KERB_LANE_BENDS 64
/// Number of points of the lane ahead that are remembered.
#define KERB_LANE_AHEAD 4

/// A point of an arc and the direction of the arc there.
typedef struct kerb_lane_arc {
    kerb_vec2 place, direction; ///< in world axes [m]; unit vector
} kerb_lane_arc;

/// Where the vehicle is and how it moves, seen from above, in world axes. Part of the memory.
typedef struct kerb_lane_pose {
    kerb_vec2 position;  ///< of the reference point [m]
    kerb_vec2 rear;      ///< middle of the rear axle [m]
    kerb_vec2 forward;   ///< direction of the body, unit vector
    kerb_vec2 travel;    ///< direction in which the rear axle moves, unit vector
    kerb_vec2 lane;      ///< direction of the lane beside the vehicle, unit vector
    kerb_lane_arc ahead; ///< the look-ahead point, and the direction of the lane there
    float height;        ///< of the reference point [m]
    float speed;         ///< forward [m/s]
    float lateral;       ///< lateral acceleration: speed times yaw rate [m/s²] [>= 0]
    float slip;          ///< of the rear axle: angle from `forward` to `travel` [rad] [>= 0]
    float lookahead;     ///< distance from the reference point to the target [m]
    float reach;         ///< distance to the look-ahead point; less where it would see no edge [m]
} kerb_lane_pose;

// What a lane keeper remembers.
typedef struct kerb_lane_keeper_memory {
    bool asked;          ///< for rays, and not driven since …
    kerb_motion motion;  ///< … as this motion was …
    kerb_lane_pose pose; ///< … which gives this
    bool started;
    kerb_vec2 way_meant; ///< along the road, as told before the start; zero: as it faces
    float unnoted;       ///< driven since it noted what changes along the road [m]
    float seen_free;     ///< road ahead that was seen to be free [m]
    float slip;          ///< of the rear tyres per lateral acceleration, as learnt [rad s²/m]
    float nearer;        ///< share by which P_Ahead is nearer, for who hides the edge
    float gap;           ///< to who is in the lane right ahead, -1: nobody [m]
    float lost;          ///< driven since an edge was seen last [m]
    float blocked;   ///< straight on the road is blocked after that; not positive: it is not [m]
    bool at_corner;  ///< goes round the corner in which its own edge ended
    bool apart;      ///< the edge is not where it was expected …
    float apart_for; ///< … for so long [m]
    kerb_vec2 line;  ///< a point of the lane, where an edge was seen last [m]
    kerb_vec2 line_direction;
    float line_curvature; ///< [1/m]
    float line_offset;    ///< of that point from the edge [m]
    int32_t line_edge;    ///< that told it: 0 the lane's own, 1 the other
    struct {
        bool known;
        kerb_vec2 place, direction; ///< where it was met last, and its way there
        float since;                ///< driven since then [m]
        float bend;                 ///< of the edge there [1/m]
        float straight;             ///< since its direction changed there last [m]
        float piece;                ///< so long is a piece of it between such changes [m]
    } edges[2];                     ///< the lane's own and the other, as far as they were believed
    float led;                      ///< its own edge was seen so far ahead, at most … [m]
    kerb_vec2 led_to;               ///< … and led there
    float width;                    ///< of the road; 0: not known [m]
    float offset_from;              ///< lane change: distances from the edge …
    float offset_to;                ///< … [m]
    float change_speed;             ///< to the inside when it began [m/s]
    float change_for;               ///< how long it takes; 0: none under way [s]
    float changed;                  ///< since it began [s]
    float aside;                    ///< further from the edge, to go round something …
    float round_gap;                ///< … so far ahead, negative beside it and past it … [m]
    float round_speed;              ///< … which drives so fast [m/s]
    bool hurries;                   ///< past it before who comes is there
    float wait_gap;                 ///< kept to who is ahead besides, to pull out later [m]
    bool too_near;                  ///< to who stands ahead, to pull out from here
    struct {
        bool known;
        kerb_vec2 place; ///< who stands in its lane was met there last [m]
    } stands;
    struct {
        kerb_vec2 place; ///< who is ahead in its lane was met there last …
        float speed;     ///< … and drove so fast along it [m/s]
        float waits;     ///< he was seen to drive, and counts as waiting so much longer [s]
        bool came;       ///< towards the vehicle
        float faced;     ///< both stand, or mean to, for so long [s]
    } other;
    float settle;       ///< and further still where the edge sprang aside, fading [m]
    float free_speed;   ///< that it would drive were nobody ahead [m/s]
    float look;         ///< from the lane to the lookout ray, to the left [rad]
    float look_step;    ///< by which it turns [rad]
    int32_t look_side;  ///< edge that it met last: 1 left, -1 right, 0 none
    int32_t look_turn;  ///< which ray along the lane tells of bends in this frame
    float blocked_side; ///< asks about room on this side: 1 left, -1 right, 0 does not ask
    float ask_distance; ///< of the lane asked about, from the edge [m]
    float ask_ahead;    ///< needed in sight there … [m]
    float ask_clear;    ///< … of edges so far …
    float ask_way;      ///< … and free of who stands [m]
    float ask_time;     ///< that it would be there [s]
    float ask_pause;    ///< before it asks again [s]
    float bend_start;   ///< from the vehicle to the first stretch of bends, at most 0 [m]
    float bends[KERB_LANE_BENDS]; ///< sharpest in each stretch of 4 m [1/m]
    /// And as the edges' directions say, from one place to the next. [1/m]
    float edge_bends[KERB_LANE_BENDS];
    kerb_lane_arc scanned[2]; ///< where such a ray met its own edge and the other last, at the
                              ///< lane's distance; direction zero: not yet
    int32_t scan;             ///< frames since it began anew, far ahead
    struct {
        bool known;
        kerb_vec2 place, direction; ///< of the lane
        float offset;               ///< from its edge [m]
    } ahead[KERB_LANE_AHEAD];       ///< the newest point of it that an edge told, by distance
    float slowest_bend;             ///< that limits the speed; 0: none [1/m]
    float slowest_square;           ///< speed for that now, squared [m²/s²]
    float slowest_ahead;            ///< how far ahead that is [m]
    float slowest_for;              ///< driven since it was looked for [m]
    float pedals_for;               ///< pedals and gear stay so much longer; 0: no longer [s]
    int32_t pedals_gear;            ///< engaged when they were thought over
    kerb_speed_controller speed_control;
    kerb_gearbox gearbox;
    bool turned_round; ///< its own edge would be what was the other one: it faces back
    bool across;       ///< came to stand across the lane
    float roomy_side;  ///< to turn round to: 1 left, -1 right, 0 the lane's inside
    kerb_stuck stuck;
    double way; ///< driven, less what it backed out [m]
} kerb_lane_keeper_memory;

#endif
