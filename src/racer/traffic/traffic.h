// What the parts of racing among other cars share within one frame. Private to the room.
//
//     traffic.c   the frame: which cars are near, the planned path, the speed
//     place.c     the other cars on the line
//     predict.c   where they and the racer itself will be
//     pass.c      which car to pass, on which side, and when not
//     way.c       a planned path that leaves the others their space: its parts are in way.h
//     defend.c    the racer's position, kept within fair rules
//     yield.c     cars that it lets pass
//     bend.c      which car goes first into a bend
//     follow.c    speeds behind and beside other cars
//     close.c     clearance to creep and to back out
//
// All cars have coordinates on the line, as in Vamos 6: a distance ahead of the racer along it, and
// a lateral offset to its left. A "run" is a predicted motion. A "decision" (about whom to pass,
// and the path for that) is made some times a second.
#ifndef KERB_IN_RACER_TRAFFIC_TRAFFIC_H
#define KERB_IN_RACER_TRAFFIC_TRAFFIC_H

#include "../drive/racer.h"

#define TRAFFIC_MOST KERB_RACER_NEIGHBOURS_MAX
// Number of times at which all motions are predicted, and the time between them. [s]
#define TRAFFIC_STEPS 13
#define TRAFFIC_STEP 0.4f
#define TRAFFIC_SPAN (TRAFFIC_STEP * (float)(TRAFFIC_STEPS - 1))

// A larger gap in time cannot be closed soon. [s]
#define TRAFFIC_REACH_GAP 1.2f
// A car slower than this share of the racer's speed there is an obstacle, not a competitor. [1]
#define TRAFFIC_OBSTACLE 0.6f

// With a higher aggression than this the racer defends its position. [1]
#define TRAFFIC_DEFENDS_FROM 0.5f

// Another car on the line.
typedef struct traffic_other {
    const kerb_neighbour* seen; // NULL: not in this frame's list
    uint32_t id;
    int32_t known;      // index in memory.traffic.known; less than 0: none
    float ahead;        // its middle from the racer's middle, along the line [m]
    float offset;       // lateral offset of its middle from the line, left positive [m]
    float scale;        // metres along the racer's path per metre of line between both [1]
    float speed, drift; // along the racer's path, and to the left [m/s]
    float acceleration; // along the line, smoothed [m/s²]
    float pace;         // its speed in bends over the speed that the racer plans [1]
    float brakes;       // its hardest braking over what the racer could do there [1]
    float half_length, half_width; // of its footprint, along and across the line [m]
    int32_t side; // side on which the racer passes it: 1 left, -1 right, 0 not at all
    bool drops;   // the racer reaches it, may not pass it, and falls back behind it
    bool laps_it; // it comes from behind to lap the racer, which lets it pass
    bool asks;    // it is behind and asks to pass
    float catch,
        clear; // when the racer's nose reaches its tail, and its tail its nose; 1e6 never [s]
    float catch_at, clear_at; // distance to the racer's middle then [m]
} traffic_other;

// Predicted motion of a car, at the times 0, TRAFFIC_STEP, …
typedef struct traffic_run {
    float at[TRAFFIC_STEPS];    // along the line from where the racer's middle is now [m]
    float speed[TRAFFIC_STEPS]; // [m/s]
} traffic_run;

// All other cars that matter, from the rearmost to the foremost.
typedef struct traffic_view {
    const kerb_surroundings* around; // as given by the host
    traffic_other others[TRAFFIC_MOST];
    int32_t count;
    float half_length, half_width;
    float offset, drift; // of the racer itself, as in traffic_other
    float middle;        // from the reference point forward to the middle of the footprint [m]
    float tow;           // share of the racer's drag that cars ahead remove [1]
    traffic_run own;     // how the racer would go on; set by a decision
} traffic_view;

// The foot of a position on the line: `along` from a given station, lateral offset, and the line's
// direction, curvature and edges there.
typedef struct traffic_foot {
    float along, offset;
    kerb_vec2 direction;
    float curvature, left, right;
    double height;
} traffic_foot;

// Bumper to bumper along the racer's path; less than 0: side by side. [m]
static inline float traffic_gap(const traffic_view* view, const traffic_other* o) {
    return kerb_abs(o->ahead) * o->scale - view->half_length - o->half_length;
}

// Beyond this gap a competitor cannot be reached by a racer that is `faster` than it: all cars slow
// down for the same bends. [m]
static inline float traffic_reach(float along, float faster) {
    return TRAFFIC_REACH_GAP * along + 10.0f + kerb_max(2.0f * faster, 0.0f) * TRAFFIC_SPAN;
}

// Difference of offsets at which the two are side by side and touch. [m]
static inline float traffic_width(const traffic_view* view, const traffic_other* o) {
    return view->half_width + o->half_width;
}

// The foot of a position on the line near a station; false when it is not near.
bool kerb_in_traffic_foot_of(const kerb_racing_line* line, double near_to, kerb_vec3 position,
                             traffic_foot* foot);
// Nearer cars are located in every look. [m]
float kerb_in_traffic_near(const racer_frame* frame);
// Locates the other cars. `far_too`: also those that are not near.
void kerb_in_traffic_look(kerb_racer* racer, const racer_frame* frame, bool far_too,
                          traffic_view* view);
// Stores what the next frame needs. `all`: the view has all cars that matter.
void kerb_in_traffic_remember(kerb_racer* racer, const traffic_view* view, bool all);
// In a frame without a look: all known cars go on at their speeds.
void kerb_in_traffic_move_on(kerb_racer* racer, const racer_frame* frame);
// The known cars from `least` to `most` ahead of the racer's middle, as they should be now.
void kerb_in_traffic_recall(const kerb_racer* racer, const racer_frame* frame, float least,
                            float most, traffic_view* view);
// Stores the sides on which they are passed, after a path was laid with all of them.
void kerb_in_traffic_note_sides(kerb_racer* racer, const traffic_view* all);

// Greatest number of cars that are predicted at once.
#define TRAFFIC_RUNS 4 // at once, at most
// Predicts some other cars.
void kerb_in_traffic_run_others(const kerb_racer* racer, const racer_frame* frame,
                                traffic_other* const* others, int32_t count, traffic_run* runs);
// Predicts them, and the racer as if it were alone but for its present slipstream.
void kerb_in_traffic_run_with(const kerb_racer* racer, const racer_frame* frame, float tow,
                              traffic_other* const* others, int32_t count, traffic_run* own,
                              traffic_run* runs);
// Sets catch and clear of a car from the two runs.
void kerb_in_traffic_meet(const traffic_view* view, const traffic_run* own, const traffic_run* run,
                          traffic_other* other);
// Where across the track another car will be. Beside the racer it keeps its share of the track's
// width; ahead of it, its offset as a share of the width on that side of the line.
typedef struct traffic_lane {
    bool keeps_share;
    float share, offset; // share of the width; or offset from the line, where `room` is the width
    float room;          // on that side of the line [m]
    // Where the line crosses the track, the car goes with the line at first. From the station
    // `from` on (distance ahead of the racer) it can leave the line's pattern by no more than to_
    // times the square of the distance, and more_ times its cube. [m], [1/m], [1/m²]
    float from, to_left, to_right, more_left, more_right;
} traffic_lane;

traffic_lane kerb_in_traffic_lane_of(const kerb_racer* racer, const racer_frame* frame,
                                     const traffic_other* other, bool keeps_share);
// Offset of a car that keeps its share of the width, as far as it can get there. [m]
static inline float traffic_share_at(const traffic_lane* lane, float ahead, float left,
                                     float right) {
    float on = kerb_max(ahead - lane->from, 0.0f), square = on * on;
    return kerb_clamp(lane->share * (left + right) - right,
                      lane->offset - (lane->to_right + lane->more_right * on) * square,
                      lane->offset + (lane->to_left + lane->more_left * on) * square);
}
// Offset of the other car at a distance ahead of the racer, where the line has these edges. [m]
static inline float traffic_lane_at(const traffic_lane* lane, float ahead, float left,
                                    float right) {
    if (lane->keeps_share)
        return traffic_share_at(lane, ahead, left, right);
    float room = lane->offset > 0.0f ? left : right;
    return lane->offset * kerb_clamp(room / lane->room, 0.0f, 1.0f);
}
// The same for a single distance: finds the lane and the edges itself. [m]
float kerb_in_traffic_offset_at(const kerb_racer* racer, const racer_frame* frame,
                                const traffic_other* other, float ahead, bool keeps_share);

// True: the racer is beside the path of that car, and too fast to be behind it yet.
bool kerb_in_traffic_stays_aside(const kerb_racer* racer, const racer_frame* frame,
                                 const traffic_view* view, const traffic_other* other);
// Decides which cars to pass on which side, and behind which to fall back: `side` and `drops` of
// the others. Sets the view's `own`.
void kerb_in_traffic_choose(kerb_racer* racer, const racer_frame* frame, traffic_view* view);
// True: no path has to be laid, because the line, or the last path, is still good.
bool kerb_in_traffic_keeps_way(kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view);
// Lays the planned path.
void kerb_in_traffic_lay_way(kerb_racer* racer, racer_frame* frame, traffic_view* view);
// Makes way for a car that laps it or asks to pass: sets `yields` to the side.
void kerb_in_traffic_yield(kerb_racer* racer, const racer_frame* frame, const traffic_view* view);
// Covers the inside of the next bend when a competitor close behind would pass there: sets
// `defends` to the side. kerb_in_traffic_defended: the offset that it then wants in a bin with
// these edges. [m]
void kerb_in_traffic_defend(kerb_racer* racer, const racer_frame* frame, const traffic_view* view);
float kerb_in_traffic_defended(const kerb_racer* racer, const traffic_view* view, int32_t bin,
                               float base, float left, float right);
// The next braking zone on a run; inside 0: there is none.
typedef struct traffic_zone {
    float time;         // until the braking begins [s]
    float speed;        // when the braking begins [m/s]
    float brakes, apex; // where it begins, and where the run is slowest, from here [m]
    float inside;       // 1: the bend turns left, -1: right
} traffic_zone;

traffic_zone kerb_in_traffic_find_zone(const kerb_racer* racer, const racer_frame* frame,
                                       const traffic_run* own);
// Stores the next braking zone while a car is alongside.
void kerb_in_traffic_look_at_bend(kerb_racer* racer, const racer_frame* frame,
                                  const traffic_view* view);
// True: the racer must fall back from a car alongside before that bend.
bool kerb_in_traffic_gives_in(const kerb_racer* racer, const racer_frame* frame,
                              const traffic_view* view, const traffic_other* other);
// Limits the speed because of other cars.
void kerb_in_traffic_follow(kerb_racer* racer, racer_frame* frame, const traffic_view* view,
                            bool thinks);
// Clearance that means: no car is near. [m]
#define TRAFFIC_ROOM_MOST 1.0e6f
// Greatest speed that counts as creeping. [m/s]
#define TRAFFIC_SLOW 6.0f
// Sets the frame's clearances at standstill and while creeping.
void kerb_in_traffic_look_close(const kerb_racer* racer, racer_frame* frame,
                                const kerb_surroundings* around);
// Stores in `decision` that this car decides what the racer does.
void kerb_in_traffic_mind(kerb_racer* racer, const traffic_view* view, const traffic_other* other);

// How much it wants to pass and to stay ahead. [0 … 1]
float kerb_in_traffic_aggression(const kerb_racer* racer);
// True: it is time to leave the path of a car that it passes.
bool kerb_in_traffic_pulls_out(const kerb_racer* racer, const racer_frame* frame,
                               const traffic_view* view, const traffic_other* other);
// Smallest clearance between the sides of two cars that is planned with. [m]
float kerb_in_traffic_side_gap(const kerb_racer* racer);

#endif
