// Kerb lane: drives along a road of which it knows nothing but what rays tell.
//
// No path, no map: each frame the keeper lists the rays that it wants, the host casts them in its
// own world (physics engine, navigation mesh, polylines), and the keeper drives. From a point ahead
// of the vehicle a ray goes to the road's edge; along the normal there, `edge_distance` off the
// edge, lies the point to drive to ("The simple maths behind bot cars", N. Augustin, 2019).
//
//     kerb_lane_keeper keeper = kerb_lane_keeper_make(&vehicle);
//     keeper.settings.speed = 20.0f;
//     each frame:
//         kerb_lane_ray rays[KERB_LANE_RAYS];
//         kerb_lane_hit hits[KERB_LANE_RAYS];
//         int32_t count = kerb_lane_keeper_rays(&keeper, &motion, rays);
//         for (int32_t i = 0; i < count; i++)
//             hits[i] = cast_in_my_world(&rays[i]);
//         kerb_controls controls =
//             kerb_lane_keeper_drive(&keeper, rays, hits, count, &motion, NULL, 1.0f / 60.0f);
//
// To change lanes, change settings.edge_distance: it gets there smoothly, once rays have found the
// other lane free. Something that stands in the lane it goes round, where rays find room, as hard
// as the time to it asks for. Spun round, or stuck before an edge, it backs out and turns to where
// its lane goes; where that fails it asks to be put back (KERB_REASON_TELEPORT).
//
// Does not: know junctions from each other, turn where roads branch, or see what rays do not meet:
// things between two rays, and what stands behind others.
#ifndef KERB_LANE_H
#define KERB_LANE_H

#include "control.h"

/// Most rays of one frame.
#define KERB_LANE_RAYS 10

/// Stretches of road whose bends are remembered.
#define KERB_LANE_BENDS 64

/// Points of the lane ahead that are remembered.
#define KERB_LANE_AHEAD 4

/// Which edges the lane is measured from.
typedef enum kerb_lane_edge {
    KERB_LANE_RIGHT, ///< `edge_distance` from the right edge; the left one stands in when it ends
    KERB_LANE_LEFT,  ///< from the left edge: where one drives on the left
    KERB_LANE_BOTH   ///< from the right edge by the mean of what both edges say
} kerb_lane_edge;

/// How a point to drive to becomes an angle of the wheels.
typedef enum kerb_lane_steering {
    KERB_LANE_BICYCLE, ///< tan(angle) = wheelbase/radius, and what understeer adds
    /// The post's estimate by the law of cosines, angle = acos(1 - wheelbase²/(2·radius²))/2: about
    /// half the angle of the bicycle. It runs wide in bends; made for vehicles that turn too well.
    KERB_LANE_COSINES
} kerb_lane_steering;

/// What the keeper does about something in its lane that stands or is slow.
typedef enum kerb_lane_obstacles {
    KERB_LANE_STAY, ///< brakes and waits behind it
    KERB_LANE_AVOID ///< goes round it where rays find room
} kerb_lane_obstacles;

/// A settings struct: see kerb_lane_settings_table for ranges.
typedef struct kerb_lane_settings {
    int32_t edge;               ///< kerb_lane_edge
    int32_t steering;           ///< kerb_lane_steering
    int32_t obstacles;          ///< kerb_lane_obstacles
    float edge_distance;        ///< from the edge to the middle of the vehicle (D_side) [m]
    float speed;                ///< wanted on a straight [m/s]
    float lateral_acceleration; ///< wanted in bends, at most half of what the vehicle holds [m/s²]
    float deceleration;         ///< wanted when slowing for what lies ahead [m/s²]
    float acceleration;         ///< wanted when gaining speed [m/s²]
    kerb_speed_settings speed_control;
    float lookahead_time;      ///< distance to P_Ahead per speed … [s]
    float lookahead_least;     ///< … at least [m]
    float lookahead_most;      ///< … at most [m]
    float side_reach;          ///< length of the rays to the sides [m]
    float sight;               ///< length of the rays ahead, at most [m]
    float change_time;         ///< a change of lane takes so long … [s]
    float change_acceleration; ///< … or longer, to stay below so much to the side [m/s²]
    float avoid_acceleration;  ///< to the side, going round something [m/s²]
    float avoid_distance;      ///< how far aside it goes round something [m]
    float margin;              ///< between its side and edges or others [m]
    float gap_time;            ///< to what drives ahead [s]
    float gap_least;           ///< to what stands ahead [m]
    float hold_distance;       ///< drives on so far where the edges are lost [m]
    kerb_stuck_settings stuck; ///< where it stands askew, or does not get on
} kerb_lane_settings;

/// Ranges, defaults and meaning of every setting.
KERB_API const kerb_settings_table kerb_lane_settings_table;

/// 1.75 m from the right edge, 20 m/s, the bicycle relation, going round obstacles.
KERB_API kerb_lane_settings kerb_lane_settings_default(void);

/// What a ray is for. The host casts all of them alike.
typedef enum kerb_lane_ray_purpose {
    KERB_LANE_RAY_EDGE,    ///< from P_Ahead to the edge that the lane is measured from
    KERB_LANE_RAY_ACROSS,  ///< from P_Ahead to the other edge
    KERB_LANE_RAY_LOOKOUT, ///< to where the road goes out of sight: bends, walls, its end
    KERB_LANE_RAY_LANE,    ///< from a front corner along the lane: who is ahead
    KERB_LANE_RAY_BESIDE,  ///< into another lane, from the vehicle's side
    KERB_LANE_RAY_BEHIND,  ///< back along another lane, or straight back while it backs out
    KERB_LANE_RAY_AHEAD,   ///< forward along another lane
    KERB_LANE_RAY_SCAN     ///< to one edge or the other ahead, nearer each time: how it turns there
} kerb_lane_ray_purpose;

/// A question: what is the first thing from `origin` along `direction`, no farther than `length`?
/// Of the vehicle that asks, nothing must answer.
typedef struct kerb_lane_ray {
    kerb_vec3 origin;    ///< [m]
    kerb_vec3 direction; ///< unit
    float length;        ///< [m] [> 0]
    int32_t purpose;     ///< kerb_lane_ray_purpose
} kerb_lane_ray;

/// What a ray hit.
typedef enum kerb_lane_hit_what {
    KERB_LANE_HIT_NOTHING,
    KERB_LANE_HIT_EDGE,   ///< the edge of the road, whatever marks it
    KERB_LANE_HIT_WALL,   ///< a wall instead of a kerb: as an edge
    KERB_LANE_HIT_VEHICLE ///< anything that moves or may move, or stands on the road
} kerb_lane_hit_what;

/// An answer. One with numbers that are not finite, a distance outside the ray or an unknown `what`
/// counts as nothing hit.
typedef struct kerb_lane_hit {
    int32_t what;       ///< kerb_lane_hit_what
    float distance;     ///< from the ray's origin [m]
    kerb_vec3 normal;   ///< of the surface, unit, towards the ray's origin; unused of vehicles
    kerb_vec3 velocity; ///< of a vehicle [m/s]
} kerb_lane_hit;

/// What the keeper thought in the last frame, for pictures and for questions.
typedef struct kerb_lane_thoughts {
    kerb_vec3 ahead;      ///< P_Ahead [m]
    kerb_vec3 drive_to;   ///< P_DriveTo [m]
    float curvature;      ///< that it steers, left positive [1/m]
    float lane_curvature; ///< of the lane near the vehicle, as the edge's normal says [1/m]
    float bend;           ///< that limits the speed now [1/m]
    float target_speed;   ///< [m/s]
    float edge_distance;  ///< that it drives at P_Ahead, on its way to the setting [m]
    float width;          ///< of the road; 0: not known [m]
    float sight;          ///< road seen to be free [m]
    float gap;            ///< to who is ahead, -1: nobody [m]
    bool edge_seen;       ///< false: drives by the other edge or by what it remembers
    bool changing;        ///< on the way to another lane
    bool avoiding;        ///< going round something, or still beside its lane for its sake
    kerb_reason reason;
} kerb_lane_thoughts;

/// A place on an arc, and the way there. [m]
typedef struct kerb_lane_arc {
    kerb_vec2 place, direction;
} kerb_lane_arc;

/// Where a keeper's vehicle is and how it moves, level.
typedef struct kerb_lane_pose {
    kerb_vec2 position;  ///< of the reference point [m]
    kerb_vec2 rear;      ///< middle of the rear axle [m]
    kerb_vec2 forward;   ///< of the body
    kerb_vec2 travel;    ///< direction in which the rear axle moves
    kerb_vec2 lane;      ///< direction of the lane beside the vehicle
    kerb_lane_arc ahead; ///< P_Ahead, and the lane's direction there
    float height;        ///< of the reference point [m]
    float speed;         ///< forward [m/s]
    float lateral;       ///< acceleration to the side, as its turning says [m/s²]
    float slip;          ///< of the rear axle: size of the angle from forward to travel [rad]
    float lookahead;     ///< from the reference point to P_DriveTo [m]
    float reach;         ///< and to P_Ahead: nearer where somebody would hide the edge [m]
} kerb_lane_pose;

/// A lane keeper: settings, vehicle, memory. Plain data; change settings and vehicle at any time.
typedef struct kerb_lane_keeper {
    kerb_lane_settings settings;
    kerb_vehicle vehicle;
    kerb_lane_thoughts thoughts;
    kerb_controls controls; ///< that it gave last
    int32_t bad_frames;     ///< frames with motion that was not finite or a bad time step

    // What it remembers. Read it if you like; the meaning may change between versions.
    struct {
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
        float blocked;  ///< straight on the road is blocked after that; not positive: it is not [m]
        bool at_corner; ///< goes round the corner in which its own edge ended
        bool apart;     ///< the edge is not where it was expected …
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
        } edges[2];         ///< the lane's own and the other, as far as they were believed
        float led;          ///< its own edge was seen so far ahead, at most … [m]
        kerb_vec2 led_to;   ///< … and led there
        float width;        ///< of the road; 0: not known [m]
        float offset_from;  ///< lane change: distances from the edge …
        float offset_to;    ///< … [m]
        float change_speed; ///< to the inside when it began [m/s]
        float change_for;   ///< how long it takes; 0: none under way [s]
        float changed;      ///< since it began [s]
        float aside;        ///< further from the edge, to go round something …
        float round_gap;    ///< … so far ahead, negative beside it and past it … [m]
        float round_speed;  ///< … which drives so fast [m/s]
        bool hurries;       ///< past it before who comes is there
        float wait_gap;     ///< kept to who is ahead besides, to pull out later [m]
        bool too_near;      ///< to who stands ahead, to pull out from here
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
    } memory;
} kerb_lane_keeper;

/// A keeper at the start of its life, default settings. The settings and vehicle must be valid;
/// driving with invalid ones asserts.
KERB_API kerb_lane_keeper kerb_lane_keeper_make(const kerb_vehicle* vehicle);

/// Tells a keeper at the start of its life, or one whose vehicle was put elsewhere, which way along
/// the road is meant: without it that which the vehicle faces. One that faces another way turns
/// round, in as many moves as the road's width takes. What it remembers is forgotten.
///
/// direction: level; roughly along the road, within 60° or so. Not finite, or without a level part:
/// the way that the vehicle faces.
KERB_API void kerb_lane_keeper_set_way(kerb_lane_keeper* keeper, kerb_vec3 direction);

/// Lists the rays that the keeper wants in this frame; returns how many. Five while it keeps its
/// lane, six in every third frame, seven while it backs out, up to KERB_LANE_RAYS while it changes
/// or looks for room. Level rays, at the height of the reference point. Motion that is not finite:
/// none. What it works out for them it keeps for the drive call, should that be told the same
/// motion. O(1)
KERB_API int32_t kerb_lane_keeper_rays(kerb_lane_keeper* keeper, const kerb_motion* motion,
                                       kerb_lane_ray rays[KERB_LANE_RAYS]);

/// The controls for this frame, from the rays of this frame and what they met. Of `surroundings`,
/// which may be NULL, speed cap and grip count. Allocates nothing. O(count)
///
/// The wheels follow the lane in every frame. Pedals and gear are thought over every 0.02 s, and at
/// once where somebody is ahead, another gear is engaged, or it does not just drive on; between
/// that they stay as they are, with what was thought of them.
///
/// time_step: since the last call [s] [> 0, < 1000]. Another step repeats the last controls; motion
/// that is not finite gives the safe controls. Both are counted in bad_frames.
KERB_API kerb_controls kerb_lane_keeper_drive(kerb_lane_keeper* keeper, const kerb_lane_ray* rays,
                                              const kerb_lane_hit* hits, int32_t count,
                                              const kerb_motion* motion,
                                              const kerb_surroundings* surroundings,
                                              float time_step);

/// P_DriveTo: `distance` from a hit along the edge's normal, held level. [m]
KERB_API kerb_vec3 kerb_lane_drive_to(kerb_vec3 hit, kerb_vec3 normal, float distance);

/// The post's steering: angle of the wheels for a curvature, by the law of cosines. [rad]
/// [curvature: beyond 2/wheelbase held there]
KERB_API float kerb_lane_angle_by_cosines(float wheelbase, float curvature);

#endif
