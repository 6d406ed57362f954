// One frame of a lane keeper: what its parts share. Private to the room.
//
// Words: "the edge" is the lane's own edge of the road unless it says otherwise. P_Ahead is the
// look-ahead point, P_DriveTo the point of the lane to drive to. An edge "springs" when it is
// suddenly nearer to or farther from the lane than expected.
#ifndef KERB_IN_LANE_FRAME_H
#define KERB_IN_LANE_FRAME_H

#include "kerb/lane.h"

#include "../track/shared.h"
#include "../vehicle/shared.h"

#include <string.h>

/// Distance between two updates of what is remembered of the road: bends ahead, width, places of
/// the edges. [m]
#define LANE_NOTE_EVERY 0.5f
/// Number of times that it backs off from a stopped vehicle ahead to get room to pull out. [1]
#define LANE_BACK_OFFS_MOST 2
/// Below this cosine of the angle to the lane the vehicle is askew. [1]
#define LANE_ASKEW 0.85f
/// A vehicle that drives forwards faster than this makes progress. [m/s]
#define LANE_GETS_ON 2.0f
/// A lower desired speed than this means standstill. [m/s]
#define LANE_CREEPS 0.3f
/// Below this speed the vehicle itself is at standstill. [m/s]
#define LANE_STANDS 0.15f
/// Below this speed another vehicle is at standstill. [m/s]
#define LANE_OTHER_STANDS 0.5f
/// Greatest lateral movement per metre forwards. [1]
#define LANE_SIDEWAYS 0.3f
/// Distances from the edge that differ by less are the same. [m]
#define LANE_SAME 0.05f

static inline kerb_vec2 lane_level(kerb_vec3 a) {
    return kerb_vec2_make(a.x, a.y);
}

static inline kerb_vec2 lane_left_of(kerb_vec2 a) {
    return kerb_vec2_make(-a.y, a.x);
}

static inline kerb_vec2 lane_along(kerb_vec2 a, kerb_vec2 direction, float distance) {
    return kerb_vec2_make(a.x + direction.x * distance, a.y + direction.y * distance);
}

/// A direction turned by an angle of at most 2 rad; keeps its length. By Padé's tangent of half the
/// angle, within 0.001, and within 1e-5 up to 1 rad: cheaper than kerb_sin_cos. [rad]
static inline kerb_vec2 lane_turned(kerb_vec2 a, float angle) {
    float half = kerb_clamp(0.5f * angle, -1.0f, 1.0f);
    float square = half * half;
    float over = half * (15.0f - square), under = 15.0f - 6.0f * square;
    float scale = 1.0f / (under * under + over * over);
    float cosine = (under * under - over * over) * scale, sine = 2.0f * over * under * scale;
    return kerb_vec2_make(a.x * cosine - a.y * sine, a.x * sine + a.y * cosine);
}

/// The end of an arc of length `way` that begins with a unit direction and turns by at most 2 rad
/// in all. Where it turns much it is too short: by 2 % at 0.4 rad, by 12 % at 1 rad. One division
/// for both, as in lane_turned. [m], [rad]
static inline kerb_lane_arc lane_arc_on(kerb_vec2 place, kerb_vec2 direction, float way,
                                        float turn) {
    float half = kerb_clamp(0.5f * turn, -1.0f, 1.0f);
    float square = half * half;
    float over = half * (15.0f - square), under = 15.0f - 6.0f * square;
    float scale = 1.0f / (under * under + over * over);
    float along = under * under * scale, aside = over * under * scale; // of the chord
    kerb_vec2 chord = kerb_vec2_make(direction.x * along - direction.y * aside,
                                     direction.y * along + direction.x * aside);
    kerb_lane_arc arc = {
        lane_along(place, chord, way),
        kerb_vec2_make(2.0f * chord.x - direction.x, 2.0f * chord.y - direction.y)};
    return arc;
}

/// Cosine and sine of a small angle without a division: within 2e-5 up to 0.5. [rad]
static inline kerb_vec2 lane_little(float angle) {
    float square = angle * angle;
    return kerb_vec2_make(1.0f - square * (0.5f - square * (1.0f / 24.0f)),
                          angle * (1.0f - square * ((1.0f / 6.0f) - square * (1.0f / 120.0f))));
}

/// lane_turned for small angles: the error is 1e-5 at 0.5 rad, 4e-4 at 0.8 rad. [rad]
static inline kerb_vec2 lane_turned_little(kerb_vec2 a, float angle) {
    kerb_vec2 to = lane_little(angle);
    return kerb_vec2_make(a.x * to.x - a.y * to.y, a.x * to.y + a.y * to.x);
}

/// An edge as a ray from P_Ahead met it.
typedef struct lane_edge_seen {
    kerb_vec2 hit, normal; ///< where it was met [m]; unit vector
    bool met;
    bool hidden; ///< a vehicle is before it
} lane_edge_seen;

/// Forgets the road: the vehicle was put elsewhere. Where it is and was stays known.
void kerb_in_lane_forget(kerb_lane_keeper* keeper);

/// Where the vehicle is now, from the local origin. [m]
kerb_vec2 kerb_in_lane_place_now(const kerb_lane_keeper* keeper, const kerb_motion* motion);

/// The pose that follows from a motion with every number in range. `motion` may lie in the memory.
kerb_lane_pose kerb_in_lane_pose_of(const kerb_lane_keeper* keeper, const kerb_motion* motion);

/// Moves the local origin to where the vehicle is now, if it is far from it.
void kerb_in_lane_keep_origin_near(kerb_lane_keeper* keeper, kerb_vec3 position);

/// The origin of a ray, from the local origin. A float near another one less that one is exact, so
/// this is the very point that the host's ray began at. [m]
static inline kerb_vec2 lane_origin_of(const kerb_lane_keeper* keeper, const kerb_lane_ray* ray) {
    return kerb_vec2_make(ray->origin.x - keeper->memory.origin.x,
                          ray->origin.y - keeper->memory.origin.y);
}

/// Where a ray met something, from the local origin. [m]
static inline kerb_vec2 lane_place_of(const kerb_lane_keeper* keeper, const kerb_lane_ray* ray,
                                      const kerb_lane_hit* hit) {
    return lane_along(lane_origin_of(keeper, ray), lane_level(ray->direction), hit->distance);
}

/// Compares eight bytes at a time: a call of memcmp takes longer.
static inline bool lane_are_same(const kerb_motion* a, const kerb_motion* b) {
    const size_t rest = sizeof *a % sizeof(uint64_t), whole = sizeof *a - rest;
    const char *from_a = (const char*)a, *from_b = (const char*)b;
    uint64_t differ = 0, of_a = 0, of_b = 0;
    for (size_t i = 0; i < whole; i += sizeof of_a) {
        memcpy(&of_a, from_a + i, sizeof of_a);
        memcpy(&of_b, from_b + i, sizeof of_b);
        differ |= of_a ^ of_b;
    }
    return differ == 0 && memcmp(from_a + whole, from_b + whole, rest) == 0;
}

/// What the answers of the rays say in this frame.
typedef struct lane_seen {
    bool notes;              ///< what is remembered of the road is updated in this frame
    lane_edge_seen edges[2]; ///< the lane's own and the other
    /// The other edge's answer, for kerb_in_lane_see_other; NULL: it was read, or there is none.
    const kerb_lane_ray* other_ray;
    const kerb_lane_hit* other_hit;
    float sight;         ///< length of road ahead that is clear [m]
    bool hidden;         ///< a vehicle ends it
    int32_t head_on;     ///< number of rays along the lane that met an edge across it
    float across;        ///< distance of the farther one of those [m]
    int32_t edges_ahead; ///< number of rays along the lane that met any edge
    float free_ahead;    ///< distance ahead of the farther one of those [m]
    float edge_ahead;    ///< distance along its ray of the nearer one [m]
    bool vehicle;        ///< a vehicle is ahead in the lane
    float gap;           ///< from the front bumper to it [m]
    bool comes_in;       ///< it only comes into the lane, beside P_Ahead
    float vehicle_speed; ///< its speed along the lane [m/s]
    kerb_vec2 place;     ///< where a ray met it [m]
    float behind;        ///< clearance behind the vehicle, asked for in reverse [m]
    bool asked;          ///< rays asked about another lane
    bool free;           ///< that lane has space
    int32_t ended; ///< number of rays along it that only met a vehicle at standstill alongside
} lane_seen;

/// Side of the road seen from the lane's edge: 1 left, -1 right.
static inline float lane_inward(const kerb_lane_keeper* keeper) {
    return keeper->settings.edge == KERB_LANE_LEFT ? -1.0f : 1.0f;
}

/// Lateral offset of a point from the remembered lane, left positive. [m]
static inline float lane_aside_of_line(const kerb_lane_keeper* keeper, kerb_vec2 point) {
    kerb_vec2 off = kerb_vec2_sub(point, keeper->memory.line);
    float along = kerb_vec2_dot(off, keeper->memory.line_direction);
    float aside = kerb_vec2_cross(keeper->memory.line_direction, off);
    return aside - 0.5f * keeper->memory.line_curvature * along * along;
}

/// True: enough has been driven to update what is remembered of the road. By distance, because it
/// changes little from frame to frame.
static inline bool lane_takes_notes(const kerb_lane_keeper* keeper) {
    return keeper->memory.unnoted > LANE_NOTE_EVERY || !keeper->memory.started;
}

/// True: the vehicle is askew in its lane.
static inline bool lane_is_askew(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    return keeper->memory.started &&
           kerb_vec2_dot(pose->forward, keeper->memory.line_direction) < LANE_ASKEW;
}

/// Distance from the edge `ahead` seconds from now, during a lane change. [m]
float kerb_in_lane_offset_changing(const kerb_lane_keeper* keeper, float ahead);

/// By how much of its time a change of lanes goes on over a metre. [s/m] [speed: > 0]
float kerb_in_lane_change_per_metre(const kerb_lane_keeper* keeper, float speed);

/// Distance from the edge `ahead` seconds from now. [m]
static inline float lane_offset_at(const kerb_lane_keeper* keeper, float ahead) {
    if (keeper->memory.change_for > 0.0f)
        return kerb_in_lane_offset_changing(keeper, ahead);
    return keeper->memory.offset_to + keeper->memory.settle;
}

/// Distance of the vehicle from the lane's edge, by where it is and not by where it should be. [m]
static inline float lane_offset_of(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    if (!keeper->memory.started)
        return lane_offset_at(keeper, 0.0f);
    return keeper->memory.line_offset +
           lane_inward(keeper) * lane_aside_of_line(keeper, pose->position);
}

/// Reads the answers of the rays; that of the other edge only when it is needed.
void kerb_in_lane_look(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* rays, const kerb_lane_hit* hits, int32_t count,
                       lane_seen* seen);

/// Reads the answer of the other edge, if kerb_in_lane_look has not.
void kerb_in_lane_see_other(const kerb_lane_keeper* keeper, lane_seen* seen);

/// Remembers the bend that a ray ahead has seen.
void kerb_in_lane_look_out(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const kerb_lane_ray* ray, const kerb_lane_hit* hit);

/// Direction of the ray that scans the edges in this frame, to the left of the lane's direction.
/// False: there is none. [rad]
bool kerb_in_lane_scans(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float* angle);

/// Remembers how the road turns between the places where two such rays met an edge.
void kerb_in_lane_scan(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* ray, const kerb_lane_hit* hit);

/// Stores a point of the lane from an edge ahead: its direction there (unit vector), and its
/// distance from the lane's edge.
void kerb_in_lane_note_point(kerb_lane_keeper* keeper, kerb_vec2 place, kerb_vec2 direction,
                             float offset);

/// Lateral offset of a point ahead from the lane, left positive, by the points stored; near the
/// vehicle from the remembered lane. [m]
float kerb_in_lane_aside_ahead(const kerb_lane_keeper* keeper, kerb_vec2 point);

/// Remembers the vehicle at standstill ahead, and forgets it where rays find the place empty. True
/// where it is remembered and no ray of this frame met it.
bool kerb_in_lane_mind_who_stands(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                  const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                  int32_t count, const lane_seen* seen);

/// Direction and distance from `origin` to where the remembered vehicle at standstill was met last.
/// [m]
kerb_vec2 kerb_in_lane_way_to_who_stands(const kerb_lane_keeper* keeper, kerb_vec2 origin,
                                         float* distance);

/// Greatest speed for the bends ahead; the vehicle has moved by `moved` since the last frame. [m/s]
float kerb_in_lane_bend_speed(kerb_lane_keeper* keeper, float lateral, float most, float moved,
                              float* bend);

/// Begins with the lane that the vehicle is in, or with the one of the direction that the host
/// gave.
void kerb_in_lane_start(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_seen* seen);

/// The host gave a direction, and the vehicle has turned to it: only now it can see its lane.
void kerb_in_lane_end_turning_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose);

/// All controls but the steering, except while it recovers.
typedef struct lane_pedals {
    kerb_controls controls;
    float round; ///< result of kerb_in_lane_turns_round
    bool recovers;
} lane_pedals;

/// Deceleration needed not to hit the vehicle ahead, if that brakes as hard as this vehicle can; 0
/// while it is less than an emergency. [m/s²]
float kerb_in_lane_emergency(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_seen* seen);

/// True: it just drives, so that nothing has to be watched. Resets what is watched.
static inline bool lane_gets_on(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_stuck* stuck = &keeper->memory.stuck;
    if (!(pose->speed > LANE_GETS_ON) || stuck->phase != KERB_STUCK_FREE || stuck->tries > 0 ||
        keeper->memory.across)
        return false;
    stuck->still_time = stuck->distance_moved = stuck->circling_time = 0.0f;
    return true;
}

/// Computes pedals and gear; `sudden` is the result of kerb_in_lane_emergency, `cap` the host's
/// speed cap. [m/s²], [m/s]
void kerb_in_lane_drive_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen, const kerb_in_track_frame* frame,
                               float sudden, float cap, lane_pedals* result);

/// Fills the window with the lane's point as it is known now; `direction`: of the edge there, as it
/// was seen (window.c).
void kerb_in_lane_fill(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, kerb_vec2 direction);

/// Fills it with an arc of `radius` about a corner, `before` ahead of the vehicle; negative: it is
/// abeam. [m]
void kerb_in_lane_fill_corner(kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float radius,
                              float before);

/// What the laws of room track see of a frame. `motion`: with its place from the local origin.
kerb_in_track_frame kerb_in_lane_track_frame(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                             const kerb_motion* motion, float grip, float time_step,
                                             bool teaches);

/// Steering along the window, from -1 to 1. `round`: result of kerb_in_lane_turns_round.
float kerb_in_lane_steer(kerb_lane_keeper* keeper, const kerb_in_track_frame* frame, float round);

/// A distance from the edge, kept off both edges; on a road too narrow for that, its middle. [m]
static inline float lane_within_road(const kerb_lane_keeper* keeper, float distance) {
    float least = 0.5f * keeper->vehicle.width + keeper->settings.margin;
    float width = keeper->memory.width;
    if (width <= 0.0f)
        return kerb_max(distance, least);
    float most = width - least;
    return most < least ? 0.5f * width : kerb_clamp(distance, least, most);
}

/// True: in its lane and alone, as nearly always. Then there is nothing to decide.
static inline bool lane_is_settled(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    float wanted = lane_within_road(keeper, keeper->settings.edge_distance);
    return !seen->vehicle && !(keeper->memory.change_for > 0.0f) &&
           kerb_abs(wanted - keeper->memory.offset_to) <= LANE_SAME;
}

/// Decides where in the road to drive: lane changes, and round what is in the path.
void kerb_in_lane_decide(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const lane_seen* seen, bool sudden, float time_step);

/// Whether it turns round on the spot, forwards, to the lane's direction: 1 to the left, -1 to the
/// right, 0 does not.
float kerb_in_lane_turns_round(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose);

/// True: it drives in reverse out of a place where it makes no progress.
bool kerb_in_lane_recovers(const kerb_lane_keeper* keeper);

/// Watches whether it makes progress. `wish`: desired speed. [m/s]
kerb_stuck_phase kerb_in_lane_watch_stuck(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                          const lane_seen* seen, float wish, float time_step);

/// The controls where it makes none.
kerb_controls kerb_in_lane_recover(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   const lane_seen* seen, kerb_stuck_phase phase);

#endif
