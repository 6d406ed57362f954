// One frame of a lane keeper: what its files tell each other. Private to the room.
#ifndef KERB_IN_LANE_FRAME_H
#define KERB_IN_LANE_FRAME_H

#include "kerb/lane.h"

#include <string.h>

/// The bends ahead, the road's width and where its edges were are noted once in so much. [m]
#define LANE_NOTE_EVERY 0.5f
/// What drives farther in a frame was put elsewhere. [m]
#define LANE_FRAME_METRES_MOST 1000.0f
/// So often it backs off from who stands ahead to have room to pull out. [1]
#define LANE_BACK_OFFS_MOST 2
/// Cosine of the angle to the lane from which it is askew. [1]
#define LANE_ASKEW 0.85f
/// Who drives forwards faster than this gets on. [m/s]
#define LANE_GETS_ON 2.0f
/// Wanting to drive slower than this is standing. [m/s]
#define LANE_CREEPS 0.3f
/// Slower than this the vehicle stands itself. [m/s]
#define LANE_STANDS 0.15f
/// Who drives faster does not stand. [m/s]
#define LANE_OTHER_STANDS 0.5f
/// Distances from the edge closer than this are the same. [m]
#define LANE_SAME 0.05f
/// Slip of a car's rear tyres per lateral acceleration, until it is learnt. [rad s²/m]
#define LANE_SLIP_TYRES 0.007f

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

/// Where an arc leads that begins with a unit direction, turns by at most 2 rad in all, and ends
/// `way` on, less where it turns much: by 2 % at 0.4 rad, by 12 % at 1 rad. One division for
/// both: with the tangent of half the turn, as in lane_turned, all else is a quotient. [m], [rad]
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

/// Sine and cosine of a little angle, without a division: within 2e-5 up to 0.5. [rad]
static inline kerb_vec2 lane_little(float angle) {
    float square = angle * angle;
    return kerb_vec2_make(1.0f - square * (0.5f - square * (1.0f / 24.0f)),
                          angle * (1.0f - square * ((1.0f / 6.0f) - square * (1.0f / 120.0f))));
}

/// lane_turned for small angles: at 0.5 rad it is some 1e-5 off, at 0.8 rad 4e-4. [rad]
static inline kerb_vec2 lane_turned_little(kerb_vec2 a, float angle) {
    kerb_vec2 to = lane_little(angle);
    return kerb_vec2_make(a.x * to.x - a.y * to.y, a.x * to.y + a.y * to.x);
}

/// lane_arc_on for a turn of at most 0.5 rad: its chord is halfway between the two directions. [m],
/// [rad]
static inline kerb_lane_arc lane_arc_little(kerb_vec2 place, kerb_vec2 direction, float way,
                                            float turn) {
    kerb_vec2 end = lane_turned_little(direction, turn);
    kerb_vec2 chord = kerb_vec2_scale(kerb_vec2_add(direction, end), 0.5f);
    kerb_lane_arc arc = {lane_along(place, chord, way), end};
    return arc;
}

/// An edge beside P_Ahead.
typedef struct lane_edge_seen {
    kerb_vec2 hit, normal; ///< where it was met
    bool met;
    bool hidden; ///< somebody stands before it
} lane_edge_seen;

/// Finds out where the vehicle is, for memory.pose. False where that is not finite.
bool kerb_in_lane_take_new_motion(kerb_lane_keeper* keeper, const kerb_motion* motion);

/// Eight bytes at a time: to call memcmp takes longer.
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

/// That, unless rays were asked for with this very motion: the same bits give the same pose, and
/// were found to be finite.
static inline bool lane_take_motion(kerb_lane_keeper* keeper, const kerb_motion* motion) {
    if (keeper->memory.asked && lane_are_same(&keeper->memory.motion, motion))
        return true;
    return kerb_in_lane_take_new_motion(keeper, motion);
}

/// What the frame's answers say.
typedef struct lane_seen {
    bool notes;              ///< what is remembered of the road is brought up to date
    lane_edge_seen edges[2]; ///< the lane's own and the other
    /// The other edge's answer, for kerb_in_lane_see_other; NULL: it was read, or there is none.
    const kerb_lane_ray* other_ray;
    const kerb_lane_hit* other_hit;
    float sight;         ///< road free ahead [m]
    int32_t head_on;     ///< rays along the lane that met an edge across it …
    float across;        ///< … the farther one so far ahead [m]
    int32_t edges_ahead; ///< rays along the lane that met an edge at all …
    float free_ahead;    ///< … the farther one so far ahead …
    float edge_ahead;    ///< … the nearer one so far on its ray [m]
    bool vehicle;        ///< somebody is in the lane …
    float gap;           ///< … so far ahead of the front bumper [m]
    bool comes_in;       ///< … and only comes into the lane, beside P_Ahead
    float vehicle_speed; ///< along the lane [m/s]
    kerb_vec2 place;     ///< where a ray met him [m]
    float behind;        ///< room behind the vehicle, asked while it backs out [m]
    bool asked;          ///< rays asked about another lane …
    bool free;           ///< … and there is room
    int32_t ended;       ///< rays along it that only met who stands beside it
} lane_seen;

/// 1 when farther from the lane's edge is to the left, -1 when to the right.
static inline float lane_inward(const kerb_lane_keeper* keeper) {
    return keeper->settings.edge == KERB_LANE_LEFT ? -1.0f : 1.0f;
}

/// How far a point lies to the left of the remembered lane.
static inline float lane_aside_of_line(const kerb_lane_keeper* keeper, kerb_vec2 point) {
    kerb_vec2 off = kerb_vec2_sub(point, keeper->memory.line);
    float along = kerb_vec2_dot(off, keeper->memory.line_direction);
    float aside = kerb_vec2_cross(keeper->memory.line_direction, off);
    return aside - 0.5f * keeper->memory.line_curvature * along * along;
}

/// Whether so much has been driven that what is remembered of the road is brought up to date: by
/// distance, because from frame to frame it hardly changes.
static inline bool lane_takes_notes(const kerb_lane_keeper* keeper) {
    return keeper->memory.unnoted > LANE_NOTE_EVERY || !keeper->memory.started;
}

/// Whether it stands or drives askew in its lane.
static inline bool lane_is_askew(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    return keeper->memory.started &&
           kerb_vec2_dot(pose->forward, keeper->memory.line_direction) < LANE_ASKEW;
}

/// Distance from the edge `ahead` seconds from now, while the lane is changed.
float kerb_in_lane_offset_changing(const kerb_lane_keeper* keeper, float ahead);

/// Distance from the edge `ahead` seconds from now.
static inline float lane_offset_at(const kerb_lane_keeper* keeper, float ahead) {
    if (keeper->memory.change_for > 0.0f)
        return kerb_in_lane_offset_changing(keeper, ahead);
    return keeper->memory.offset_to + keeper->memory.settle;
}

/// How far the vehicle is from the lane's edge, by where it is and not by where it should be. [m]
static inline float lane_offset_of(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    if (!keeper->memory.started)
        return lane_offset_at(keeper, 0.0f);
    return keeper->memory.line_offset +
           lane_inward(keeper) * lane_aside_of_line(keeper, pose->position);
}

/// Reads the answers, but for the other edge's in frames that hardly ever need it.
void kerb_in_lane_look(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* rays, const kerb_lane_hit* hits, int32_t count,
                       lane_seen* seen);

/// Reads the other edge's, where kerb_in_lane_look has left that.
void kerb_in_lane_see_other(lane_seen* seen);

/// Remembers the bend that a ray ahead saw.
void kerb_in_lane_look_out(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                           const kerb_lane_ray* ray, const kerb_lane_hit* hit);

/// Where the ray that scans the edges looks in this frame: to the left of the lane's direction.
/// False: there is none. [rad]
bool kerb_in_lane_scans(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose, float* angle);

/// Remembers how the road turns between the places where two such rays met an edge.
void kerb_in_lane_scan(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                       const kerb_lane_ray* ray, const kerb_lane_hit* hit);

/// Notes a point of the lane that an edge ahead told, so far from the lane's edge, with the road's
/// direction there (unit length).
void kerb_in_lane_note_point(kerb_lane_keeper* keeper, kerb_vec2 place, kerb_vec2 direction,
                             float offset);

/// How far a point ahead lies to the left of the lane, by the points noted; near by, of the
/// remembered lane as lane_aside_of_line has it. [m]
float kerb_in_lane_aside_ahead(const kerb_lane_keeper* keeper, kerb_vec2 point);

/// Remembers who stands ahead, and forgets him where rays find nobody there. True where he is
/// remembered, and no ray of this frame told of him.
bool kerb_in_lane_mind_who_stands(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                  const kerb_lane_ray* rays, const kerb_lane_hit* hits,
                                  int32_t count, const lane_seen* seen);

/// From `origin` to where who is remembered to stand ahead was met last; how far that is. [m]
kerb_vec2 kerb_in_lane_way_to_who_stands(const kerb_lane_keeper* keeper, kerb_vec2 origin,
                                         float* distance);

/// Greatest speed for the bends ahead, so much farther on than in the last frame. [m/s]
float kerb_in_lane_bend_speed(kerb_lane_keeper* keeper, float lateral, float most, float moved,
                              float* bend);

/// Begins with the lane that the vehicle is in, or with the one it was told to face.
void kerb_in_lane_start(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                        const lane_seen* seen);

/// Told which way is meant, and round: where its lane is it sees only now.
void kerb_in_lane_end_turning_round(kerb_lane_keeper* keeper, const kerb_lane_pose* pose);

/// What else it does than steer.
typedef struct lane_pedals {
    // Not in the order of kerb_controls: two stores read back as one wait for each other.
    float brake, throttle, clutch;
    float steering; ///< where it backs out
    float round;    ///< as kerb_in_lane_turns_round says
    int32_t gear;
    kerb_reason reason;
    bool recovers;
} lane_pedals;

/// Braking that it takes not to meet who is ahead, should that brake as hard as this vehicle can; 0
/// while it is less than an emergency. [m/s²]
float kerb_in_lane_emergency(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                             const lane_seen* seen);

/// Whether it just drives, so that nothing has to be watched: it is as if it had been, and had
/// moved.
static inline bool lane_gets_on(kerb_lane_keeper* keeper, const kerb_lane_pose* pose) {
    kerb_stuck* stuck = &keeper->memory.stuck;
    if (!(pose->speed > LANE_GETS_ON) || stuck->phase != KERB_STUCK_FREE || stuck->tries > 0 ||
        keeper->memory.across)
        return false;
    stuck->still_time = stuck->distance_moved = stuck->circling_time = 0.0f;
    return true;
}

/// Whether pedals and gear may stay as they are: the last time is a moment ago, and nothing came up
/// since then that calls for more.
static inline bool lane_holds_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                     const lane_seen* seen, const kerb_motion* motion,
                                     float time_step) {
    return keeper->memory.pedals_for > time_step && !seen->vehicle && keeper->decision.gap < 0.0f &&
           motion->gear == keeper->memory.pedals_gear && keeper->controls.clutch == 0.0f &&
           !keeper->memory.turned_round && lane_gets_on(keeper, pose);
}

static inline void lane_hold_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                    float time_step, lane_pedals* result) {
    const kerb_controls* last = &keeper->controls;
    keeper->memory.pedals_for -= time_step;
    keeper->memory.way += (double)(pose->speed * time_step);
    result->throttle = last->throttle;
    result->brake = last->brake;
    result->clutch = 0.0f;
    result->round = 0.0f;
    result->gear = last->gear;
    result->reason = last->reason;
    result->recovers = false;
}

/// Anew, for where kerb_in_lane_emergency said `sudden` and the host allows `cap`. [m/s²], [m/s]
void kerb_in_lane_drive_pedals(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                               const lane_seen* seen, const kerb_motion* motion, float sudden,
                               float cap, float grip, float time_step, lane_pedals* result);

/// A distance from the edge, kept off both edges, or in the middle of a road that is too narrow for
/// that. [m]
static inline float lane_within_road(const kerb_lane_keeper* keeper, float distance) {
    float least = 0.5f * keeper->vehicle.width + keeper->settings.margin;
    float width = keeper->memory.width;
    if (width <= 0.0f)
        return kerb_max(distance, least);
    float most = width - least;
    return most < least ? 0.5f * width : kerb_clamp(distance, least, most);
}

/// In its lane, alone: as nearly always. Then there is nothing to decide.
static inline bool lane_is_settled(const kerb_lane_keeper* keeper, const lane_seen* seen) {
    float wanted = lane_within_road(keeper, keeper->settings.edge_distance);
    return !seen->vehicle && !(keeper->memory.change_for > 0.0f) &&
           kerb_abs(wanted - keeper->memory.offset_to) <= LANE_SAME;
}

/// Decides where in the road to drive: changes of lane, and round what is in the way.
void kerb_in_lane_decide(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                         const lane_seen* seen, bool sudden, float time_step);

/// Whether it turns round on the spot, forwards, to where the lane goes: 1 to the left, -1 to the
/// right, 0 does not.
float kerb_in_lane_turns_round(const kerb_lane_keeper* keeper, const kerb_lane_pose* pose);

/// Whether it backs out of where it does not get on.
bool kerb_in_lane_recovers(const kerb_lane_keeper* keeper);

/// Watches whether it gets on. `wish`: the speed that it wants. [m/s]
kerb_stuck_phase kerb_in_lane_watch_stuck(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                          const lane_seen* seen, float wish, float time_step);

/// The controls where it does not.
kerb_controls kerb_in_lane_recover(kerb_lane_keeper* keeper, const kerb_lane_pose* pose,
                                   const lane_seen* seen, kerb_stuck_phase phase);

#endif
