// What the pieces of racing among others share within one frame. Private to the room.
//
//     kerb_in_racer_traffic.c           the frame: who is where, what it means for way and speed
//     racer_traffic_place.c     neighbours on the line
//     racer_traffic_predict.c   where they and the racer itself will be
//     racer_traffic_pass.c      whom to pass, on which side, and when not
//     racer_traffic_way.c       a way that leaves the others their room; racer_traffic_way.h
//     racer_traffic_defend.c    its place kept within fair rules
//     racer_traffic_yield.c     others let by
//     racer_traffic_bend.c      who goes first into a bend
//     racer_traffic_follow.c    speeds behind and beside them
//     racer_traffic_close.c     room to creep and to back out
//
// All stand on the line, as Vamos 6 does: so far ahead of the racer along it, so far to its left.
#ifndef KERB_IN_RACER_TRAFFIC_TRAFFIC_H
#define KERB_IN_RACER_TRAFFIC_TRAFFIC_H

#include "../drive/racer.h"

#define TRAFFIC_MOST KERB_RACER_NEIGHBOURS_MAX
// Times at which the motions of all are predicted, and how far apart. [s]
#define TRAFFIC_STEPS 13
#define TRAFFIC_STEP 0.4f
#define TRAFFIC_SPAN (TRAFFIC_STEP * (float)(TRAFFIC_STEPS - 1))

// A gap in time that is too large to be closed soon. [s]
#define TRAFFIC_REACH_GAP 1.2f
// By so much of what the racer's speed would be there he is an obstacle, not a rival. [1]
#define TRAFFIC_OBSTACLE 0.6f

// Bolder than this it defends its place. [1]
#define TRAFFIC_DEFENDS_FROM 0.5f

// A neighbour on the line.
typedef struct traffic_other {
    const kerb_neighbour* seen; // NULL: not in this frame
    uint32_t id;
    int32_t known;      // where it is remembered; less than 0: nowhere
    float ahead;        // its middle from the racer's, along the line [m]
    float offset;       // of its middle from the line, left positive [m]
    float scale;        // metres of the racer's lane for each of the line between both [1]
    float speed, drift; // along the racer's lane as he gets on by the line, and to the left [m/s]
    float acceleration; // along the line, smoothed [m/s²]
    float pace;         // its speed where bends limit it, by what the racer plans there [1]
    float brakes;       // at the hardest so far, by what the racer could have there [1]
    float half_length, half_width; // of its footprint, along and across the line [m]
    int32_t side;                  // on which the racer passes it: 1 left, -1 right, 0 not at all
    bool drops;   // the racer reaches it, may not pass it, and drops back behind it
    bool laps_it; // comes from behind to lap the racer, which lets it by
    bool asks;    // from behind, to be let by
    float catch,
        clear; // when the racer's nose reaches its tail, and its tail its nose; 1e6 never [s]
    float catch_at, clear_at; // where the racer's middle is then, from here [m]
} traffic_other;

// Motions of the racer and of another, at times 0, TRAFFIC_STEP, …
typedef struct traffic_run {
    float at[TRAFFIC_STEPS];    // along the line from where the racer's middle is now [m]
    float speed[TRAFFIC_STEPS]; // [m/s]
} traffic_run;

// All that matter, from the rearmost to the foremost.
typedef struct traffic_view {
    const kerb_surroundings* around; // as the host tells it
    traffic_other others[TRAFFIC_MOST];
    int32_t count;
    float half_length, half_width; // own [m]
    float offset, drift;           // own, as of others
    float middle;                  // from the reference point forward to the footprint's middle [m]
    float tow;                     // share of its drag that those before it take [1]
    traffic_run own;               // how it would go on, when it thinks
} traffic_view;

// A neighbour's place on the line: `along` from a distance on it, left offset, and the line's
// direction, bend and edges there.
typedef struct traffic_foot {
    float along, offset;
    kerb_vec2 direction;
    float curvature, left, right;
    double height;
} traffic_foot;

// Bumper to bumper along the racer's lane; less than 0: side by side. [m]
static inline float traffic_gap(const traffic_view* view, const traffic_other* o) {
    return kerb_abs(o->ahead) * o->scale - view->half_length - o->half_length;
}

// From farther, bumper to bumper, a rival than whom it is so much faster cannot be reached: all
// slow down for the same bends. [m]
static inline float traffic_reach(float along, float faster) {
    return TRAFFIC_REACH_GAP * along + 10.0f + kerb_max(2.0f * faster, 0.0f) * TRAFFIC_SPAN;
}

// Offsets by which both must differ to be side by side with nothing between them. [m]
static inline float traffic_width(const traffic_view* view, const traffic_other* o) {
    return view->half_width + o->half_width;
}

// The foot of a position on the line near a distance on it; false when it is not near.
bool kerb_in_traffic_foot_of(const kerb_racing_line* line, double near_to, kerb_vec3 position,
                             traffic_foot* foot);
// A body with a place, and of a size that can be?
bool kerb_in_traffic_is_usable(const kerb_neighbour* n);
// Those nearer are looked at in every frame. [m]
float kerb_in_traffic_near(const racer_frame* frame);
// `far_too`: not only those near.
void kerb_in_traffic_look(kerb_racer* racer, const racer_frame* frame, bool far_too,
                          traffic_view* view);
// What is needed in the next frame; `all`: nobody else is near.
void kerb_in_traffic_remember(kerb_racer* racer, const traffic_view* view, bool all);
// A frame later, without looking: all that it knows of go on at their speeds.
void kerb_in_traffic_move_on(kerb_racer* racer, const racer_frame* frame);
// Those of them from `least` to `most` ahead of its middle, as they should be now.
void kerb_in_traffic_recall(const kerb_racer* racer, const racer_frame* frame, float least,
                            float most, traffic_view* view);
// The sides on which they are passed, after its way was laid among all of them.
void kerb_in_traffic_note_sides(kerb_racer* racer, const traffic_view* all);

// How some others go on, …
#define TRAFFIC_RUNS 4 // at once, at most
void kerb_in_traffic_run_others(const kerb_racer* racer, const racer_frame* frame,
                                traffic_other* const* others, int32_t count, traffic_run* runs);
// … and with them how the racer would if nobody were there but for the slipstream that it has now.
void kerb_in_traffic_run_with(const kerb_racer* racer, const racer_frame* frame, float tow,
                              traffic_other* const* others, int32_t count, traffic_run* own,
                              traffic_run* runs);
// Fills catch and clear.
void kerb_in_traffic_meet(const traffic_view* view, const traffic_run* own, const traffic_run* run,
                          traffic_other* other);
// Where across the track another will be: beside the racer he keeps his share of its width, before
// it his lane shift.
typedef struct traffic_lane {
    bool keeps_share;
    float share, offset; // of the width; or from the line, where the room to that side is `room`
    float room;          // [m]
    // Where the line crosses the track he goes with it at first, however little he means to: from
    // `from` on, so far ahead of the racer, he can have left its pattern by no more than this times
    // the square of the way, and more by its cube. [m], [1/m], [1/m²]
    float from, to_left, to_right, more_left, more_right;
} traffic_lane;

traffic_lane kerb_in_traffic_lane_of(const kerb_racer* racer, const racer_frame* frame,
                                     const traffic_other* other, bool keeps_share);
// The offset of one who keeps his share, as far as he can by then.
static inline float traffic_share_at(const traffic_lane* lane, float ahead, float left,
                                     float right) {
    float on = kerb_max(ahead - lane->from, 0.0f), square = on * on;
    return kerb_clamp(lane->share * (left + right) - right,
                      lane->offset - (lane->to_right + lane->more_right * on) * square,
                      lane->offset + (lane->to_left + lane->more_left * on) * square);
}
// His offset so far ahead of the racer, where the line has that room to the edges. [m]
static inline float traffic_lane_at(const traffic_lane* lane, float ahead, float left,
                                    float right) {
    if (lane->keeps_share)
        return traffic_share_at(lane, ahead, left, right);
    float room = lane->offset > 0.0f ? left : right;
    return lane->offset * kerb_clamp(room / lane->room, 0.0f, 1.0f);
}
// The same, so far ahead of the racer.
float kerb_in_traffic_offset_at(const kerb_racer* racer, const racer_frame* frame,
                                const traffic_other* other, float ahead, bool keeps_share);

// Aside of him, and too fast to be behind him yet?
bool kerb_in_traffic_stays_aside(const kerb_racer* racer, const racer_frame* frame,
                                 const traffic_view* view, const traffic_other* other);
// Decides on which side to pass whom, and behind whom to drop back: others' `side`, `drops`. Tells
// the view's `own`.
void kerb_in_traffic_choose(kerb_racer* racer, const racer_frame* frame, traffic_view* view);
// Is there no way to be laid: the line, or the last one, is still good?
bool kerb_in_traffic_keeps_way(kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view);
// Lays the way.
void kerb_in_traffic_lay_way(kerb_racer* racer, racer_frame* frame, traffic_view* view);
// Makes way for who comes to lap it: the side to which, in `yields`.
void kerb_in_traffic_yield(kerb_racer* racer, const racer_frame* frame, const traffic_view* view);
// Covers the inside of the next bend when a rival close behind would pass there: the side to which,
// in `defends`; and the offset that it then wants in a bin with so much room. [m]
void kerb_in_traffic_defend(kerb_racer* racer, const racer_frame* frame, const traffic_view* view);
float kerb_in_traffic_defended(const kerb_racer* racer, const traffic_view* view, int32_t bin,
                               float base, float left, float right);
// The next bend to brake for on a run; inside 0: there is none.
typedef struct traffic_zone {
    float time;         // until it brakes [s]
    float speed;        // when it does [m/s]
    float brakes, apex; // where it does, and where it is slowest, from here [m]
    float inside;       // 1: it turns left
} traffic_zone;

traffic_zone kerb_in_traffic_find_zone(const kerb_racer* racer, const racer_frame* frame,
                                       const traffic_run* own);
// Notes the next bend when somebody is beside it.
void kerb_in_traffic_look_at_bend(kerb_racer* racer, const racer_frame* frame,
                                  const traffic_view* view);
// Side by side with him before that bend: is it for the racer to drop back?
bool kerb_in_traffic_gives_in(const kerb_racer* racer, const racer_frame* frame,
                              const traffic_view* view, const traffic_other* other);
// Caps the speed.
void kerb_in_traffic_follow(kerb_racer* racer, racer_frame* frame, const traffic_view* view,
                            bool thinks);
// Fills the frame's room for one that stands or creeps; nobody within so far: that. [m]
#define TRAFFIC_ROOM_MOST 1.0e6f
// Faster than this it does not creep. [m/s]
#define TRAFFIC_SLOW 6.0f
void kerb_in_traffic_look_close(const kerb_racer* racer, racer_frame* frame,
                                const kerb_surroundings* around);
// Tells what it thinks of one of them: he decides what it does.
void kerb_in_traffic_mind(kerb_racer* racer, const traffic_view* view, const traffic_other* other);

// How much it wants to pass and to stay ahead. [0 … 1]
float kerb_in_traffic_aggression(const kerb_racer* racer);
// Is it time to move aside of whom it passes?
bool kerb_in_traffic_pulls_out(const kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view, const traffic_other* other);
// Least room between sides that is planned with. [m]
float kerb_in_traffic_side_gap(const kerb_racer* racer);

#endif
