// One frame of a lane keeper: what its files tell each other. Private to the room.
#ifndef LANE_FRAME_H
#define LANE_FRAME_H

#include "kerb/lane.h"

/// Where the vehicle is and how it moves, level.
typedef struct lane_pose {
    kerb_vec2 position;        ///< of the reference point [m]
    kerb_vec2 rear;            ///< middle of the rear axle [m]
    kerb_vec2 forward;         ///< of the body
    kerb_vec2 travel;          ///< direction in which the rear axle moves
    kerb_vec2 lane;            ///< direction of the lane beside the vehicle
    kerb_vec2 ahead;           ///< P_Ahead [m]
    kerb_vec2 ahead_direction; ///< of the lane there
    float height;              ///< of the reference point [m]
    float speed;               ///< forward [m/s]
    float lateral;             ///< acceleration to the side, as its turning says [m/s²]
    float slip;                ///< of the rear axle: size of the angle from forward to travel [rad]
    float lookahead;           ///< from the reference point to P_DriveTo [m]
    float reach;               ///< and to P_Ahead: nearer where somebody would hide the edge [m]
} lane_pose;

lane_pose lane_pose_of(const kerb_lane_keeper* keeper, const kerb_motion* motion);

/// What the frame's answers say.
typedef struct lane_seen {
    bool near_edge, far_edge; ///< the lane's own edge and the other were met
    bool edge_hidden;         ///< somebody stands before one of them …
    bool own_hidden;          ///< … before the lane's own
    kerb_vec2 near_hit, near_normal, far_hit, far_normal;
    float sight;         ///< road free ahead [m]
    int32_t head_on;     ///< rays along the lane that met an edge across it …
    float across;        ///< … the farther one so far ahead [m]
    int32_t edges_ahead; ///< rays along the lane that met an edge at all …
    float free_ahead;    ///< … the farther one so far ahead …
    float edge_ahead;    ///< … the nearer one so far on its ray [m]
    bool vehicle;        ///< somebody is in the lane …
    float gap;           ///< … so far ahead of the front bumper [m]
    float vehicle_speed; ///< along the lane [m/s]
    float behind;        ///< room behind the vehicle, asked while it backs out [m]
    bool asked;          ///< rays asked about another lane …
    bool free;           ///< … and there is room
} lane_seen;

static inline kerb_vec2 lane_level(kerb_vec3 a) {
    return kerb_vec2_make(a.x, a.y);
}

static inline kerb_vec2 lane_left_of(kerb_vec2 a) {
    return kerb_vec2_make(-a.y, a.x);
}

static inline kerb_vec2 lane_along(kerb_vec2 a, kerb_vec2 direction, float distance) {
    return kerb_vec2_make(a.x + direction.x * distance, a.y + direction.y * distance);
}

/// A direction turned by an angle of at most 2 rad; keeps its length. By the tangent of half the
/// angle as Padé gives it, within 0.001, and within 1e-5 up to 1 rad: a third of kerb_sin_cos's
/// cost. [rad]
static inline kerb_vec2 lane_turned(kerb_vec2 a, float angle) {
    float half = kerb_clamp(0.5f * angle, -1.0f, 1.0f);
    float square = half * half;
    float over = half * (15.0f - square), under = 15.0f - 6.0f * square;
    float scale = 1.0f / (under * under + over * over);
    float cosine = (under * under - over * over) * scale, sine = 2.0f * over * under * scale;
    return kerb_vec2_make(a.x * cosine - a.y * sine, a.x * sine + a.y * cosine);
}

/// A direction turned on as far again as from it to `half`. Both unit length.
static inline kerb_vec2 lane_mirrored(kerb_vec2 a, kerb_vec2 half) {
    float twice = 2.0f * kerb_vec2_dot(a, half);
    return kerb_vec2_make(twice * half.x - a.x, twice * half.y - a.y);
}

/// 1 when farther from the lane's edge is to the left, -1 when to the right.
static inline float lane_inward(const kerb_lane_keeper* keeper) {
    return keeper->settings.edge == KERB_LANE_LEFT ? -1.0f : 1.0f;
}

/// How far a point lies to the left of the remembered lane.
float lane_aside_of_line(const kerb_lane_keeper* keeper, kerb_vec2 point);

/// Distance from the edge `ahead` seconds from now.
float lane_offset_at(const kerb_lane_keeper* keeper, float ahead);

/// Reads the answers.
lane_seen lane_look(kerb_lane_keeper* keeper, const lane_pose* pose, const kerb_lane_ray* rays,
                    const kerb_lane_hit* hits, int32_t count);

/// Remembers the bend that a ray ahead saw; turns the lookout.
void lane_look_out(kerb_lane_keeper* keeper, const lane_pose* pose, const kerb_lane_ray* ray,
                   const kerb_lane_hit* hit);

/// Fits the remembered bends to where the vehicle is now, so much farther on. [m]
void lane_bends_move(kerb_lane_keeper* keeper, float moved);

/// Greatest speed for the bends ahead, so much farther on than in the last frame. [m/s]
float lane_bend_speed(kerb_lane_keeper* keeper, float lateral, float most, float moved,
                      float* bend);

/// Decides where in the road to drive: changes of lane, and round what is in the way.
void lane_decide(kerb_lane_keeper* keeper, const lane_pose* pose, const lane_seen* seen,
                 float time_step);

/// Whether it turns round on the spot, forwards, to where the lane goes: 1 to the left, -1 to the
/// right, 0 does not.
float lane_turns_round(const kerb_lane_keeper* keeper, const lane_pose* pose);

/// Whether it stands or drives askew in its lane.
bool lane_is_askew(const kerb_lane_keeper* keeper, const lane_pose* pose);

/// Whether it backs out of where it does not get on.
bool lane_recovers(const kerb_lane_keeper* keeper);

/// Watches whether it gets on. `wish`: the speed that it wants. [m/s]
kerb_stuck_phase lane_watch_stuck(kerb_lane_keeper* keeper, const lane_pose* pose,
                                  const lane_seen* seen, float wish, float time_step);

/// The controls where it does not.
kerb_controls lane_recover(kerb_lane_keeper* keeper, const lane_pose* pose, const lane_seen* seen,
                           kerb_stuck_phase phase);

#endif
