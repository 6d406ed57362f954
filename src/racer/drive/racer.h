// What the pieces of the racing driver share within one frame. Private to the room.
//
//     racer.c           the frame, in order: place, way ahead, steering, speed, gears
//     racer_senses.c    what the host does not tell
//     racer_latency.c   where it will be when what it decides acts
//     racer_place.c     where it is on the line
//     racer_ahead.c     the way ahead
//     racer_braking.c   its speeds
//     racer_steering.c  steering, slides
//     racer_speed.c     throttle and brake
//     racer_gears.c     gears, clutch, launch
//     racer_recovery.c  spins, the wrong way, stuck
//     racer_skill.c     what it lacks to the best: racer_skill.h
//     racer_learning.c  what it learns of the line: its parts are in racer_learning_parts.h
//     kerb_in_racer_traffic.c   the others: its parts are in racer_traffic.h
#ifndef KERB_IN_RACER_DRIVE_RACER_H
#define KERB_IN_RACER_DRIVE_RACER_H

#include "kerb/racing_line.h"

#include "kerb/racer.h"

// A place between two bins of the way ahead: their slots, and how far it is to the second.
typedef struct racer_spot {
    int32_t a, b;
    float share; // [0 … 1]
} racer_spot;

// One frame.
typedef struct racer_frame {
    const kerb_racing_line* line;
    const kerb_motion* motion; // as told, or as it will be when the controls act: `later`
    float time_step;
    float hold; // from the motion to the middle of the time for which the controls act [s]
    float speed_cap;
    float grip;           // of the surface as the host has it, times the line's
    kerb_line_point here; // of the line, nearest to the car
    kerb_vec3 line_along; // unit vectors along the line and to its left, within the surface
    kerb_vec3 line_left;
    kerb_vec3 forward;  // of the body
    kerb_vec3 left, up; // …
    double total;       // distance along the line, rounds counted [m]
    float speed;        // along the body [m/s]
    float side;         // and across it, to the left [m/s]
    float pace;         // of the reference point, whatever its direction [m/s]
    float along;        // speed along the line [m/s]
    float yaw_rate;     // about the body's own up [rad/s]
    float wheels;       // angle of the front wheels [rad]
    float offset;       // of the car from the line, left positive [m]
    float course;       // direction of motion against the line's [rad]
    float heading;      // of the body against the line's direction [rad]
    float drift;        // direction of motion against the body's; 0 when it all but stands [rad]
    float front_goes;   // that of the front axle [rad]
    float seen_slip[2]; // of front and rear in the motion as told, left bends positive [rad]
    float course_sine;  // of `course`
    float reference_to_front_axle;
    float grip_aside;      // sideways grip here and now, all of it [m/s²]
    float grip_more;       // than told, as learnt, which is in that [1] [>= 1]
    float grass;           // what the ground beside the track leaves of the grip [1]
    float turning_share;   // kerb_in_racer_turning_share [1]
    float bank;            // gravity's pull down a bank, which tyres hold, as a curvature [1/m]
    bool past_end;         // of an open line
    float traffic_speed;   // greatest because of others [m/s]
    float traffic_slowing; // with which it goes down [m/s²] [<= 0]
    kerb_reason traffic_reason;
    // When it is slow: as it stands, to the next before and behind it; and somebody is beside it,
    // so near that it should not turn its wheels. [m]
    float room_before, room_behind;
    bool beside;
    // Somebody stands before it; then where the wider way past him is: left (1) or right (-1), and
    // its middle. [m]
    bool stands_before;
    float out_side, out_offset;
    kerb_performance limits; // that it plans with: grip and settings in it
    float pace_lack;         // of the pace of skill 1, rubber-banding in it [1]
    racer_spot spot;         // of `total`, once it has looked ahead
    int32_t bin;             // at `total`
    kerb_motion later;
} racer_frame;

// What the way ahead says about one place.
typedef struct racer_place {
    float curvature, offset;
    float way;          // the offset that is planned; in `offset` what it wanders from that, too
    float slope;        // by which it changes, per metre of the line [1]
    float squared;      // greatest speed², and how it changes by distance [m²/s²], [m/s²]
    float acceleration; // along the way if it keeps to it [m/s²]
    float corner;       // greatest speed² for the bend itself [m²/s²]
    float free_squared, free_corner; // both if nobody were there: on its lane [m²/s²]
} racer_place;

// How fast the body turns and where the wheels stand, also where the host does not say.
void kerb_in_racer_sense(kerb_racer* racer, racer_frame* frame);
// Moves the motion told to where the car will be after settings.latency.
void kerb_in_racer_meet_latency(kerb_racer* racer, racer_frame* frame);
bool kerb_in_racer_find(kerb_racer* racer, racer_frame* frame);
// The place of its way so far ahead, in the world. [ahead: >= 0]
kerb_vec3 kerb_in_racer_look_at(const kerb_racer* racer, const racer_frame* frame, float ahead);
// What the others mean for the way and for the speed.
void kerb_in_racer_traffic(kerb_racer* racer, racer_frame* frame, const kerb_surroundings* around);
// Does it think about others in this frame, if there are any?
bool kerb_in_racer_traffic_is_due(const kerb_racer* racer, const racer_frame* frame);
// Does it look where they are in this frame, although it does not think?
bool kerb_in_racer_traffic_looks(const kerb_racer* racer, const racer_frame* frame);
void kerb_in_racer_look_ahead(kerb_racer* racer, racer_frame* frame);
kerb_profile_point kerb_in_racer_profile_point(const kerb_racer* racer, int32_t bin,
                                               float curvature);
// Bend of a way beside the line, whose offset bends by `bend` per metre of the line: inside of a
// bend both are tighter.
static inline float racer_bend_beside(float line_curvature, float offset, float bend) {
    float pace = kerb_clamp(1.0f - line_curvature * offset, 0.3f, 3.0f);
    return (line_curvature + bend / pace) / pace;
}
// Speeds of the bins from `fresh` on, from the last one back until what is new no longer matters:
// of the way, and of the lane without others. So many bins at the most; does more wait?
void kerb_in_racer_brake_back(kerb_racer* racer, const racer_frame* frame, int32_t most);
bool kerb_in_racer_brakes_back(const kerb_racer* racer);
// Speeds of the way taken in the last frame: from its end back to the car anew; those beyond it
// stand.
void kerb_in_racer_brake_way(kerb_racer* racer, const racer_frame* frame);
// Curvature that swinging round from bend to bend counts as. [1/m]
float kerb_in_racer_swing_at(const kerb_racer* racer, int32_t bin, float speed);
// The lowest speed planned from a place on, before it rises again.
float kerb_in_racer_lowest_ahead(const kerb_racer* racer, double total);
static inline int32_t racer_slot_of(int32_t bin) {
    // Right below 0, too: 2^32 is a multiple of a power of two.
    _Static_assert((KERB_RACER_LOOKAHEAD_BINS & (KERB_RACER_LOOKAHEAD_BINS - 1)) == 0,
                   "a ring of a power of two");
    return (int32_t)((uint32_t)bin % KERB_RACER_LOOKAHEAD_BINS);
}
static inline int32_t racer_bin_at(const kerb_racer* racer, double total) {
    double at = total / (double)racer->memory.ahead.spacing;
    int32_t bin = (int32_t)at;
    return (double)bin > at ? bin - 1 : bin;
}
// Beyond the window its last bin.
static inline racer_spot racer_spot_at(const kerb_racer* racer, double total) {
    double at = total / (double)racer->memory.ahead.spacing;
    int32_t bin = (int32_t)at;
    bin = (double)bin > at ? bin - 1 : bin;
    float share = (float)(at - (double)bin);
    if (bin > racer->memory.ahead.end - 2) {
        bin = racer->memory.ahead.end - 2;
        share = 1.0f;
    } else if (bin < racer->memory.ahead.first) {
        bin = racer->memory.ahead.first;
        share = 0.0f;
    }
    return (racer_spot){racer_slot_of(bin), racer_slot_of(bin + 1), share};
}
// One of the ring's rows there.
static inline float racer_row_at(const float* row, racer_spot spot) {
    return row[spot.a] + (row[spot.b] - row[spot.a]) * spot.share;
}
// So much of its wandering it does now: with others near this. [1]
#define RACER_NEAR_WANDER 0.25f
static inline float racer_skill_alone(const kerb_racer* racer) {
    return 1.0f - (1.0f - RACER_NEAR_WANDER) * racer->memory.skill.near;
}
// All of it between bins: whoever asks for little of it pays for little.
static inline racer_place racer_place_of(const kerb_racer* racer, racer_spot spot) {
    racer_place place;
    int32_t a = spot.a, b = spot.b;
    place.curvature = racer_row_at(racer->memory.ahead.curvature, spot);
    place.slope = (racer->memory.ahead.offset[b] - racer->memory.ahead.offset[a]) /
                  racer->memory.ahead.spacing;
    place.way = racer_row_at(racer->memory.ahead.offset, spot);
    place.offset =
        place.way + racer_skill_alone(racer) * racer_row_at(racer->memory.ahead.wander, spot);
    place.squared = racer_row_at(racer->memory.ahead.squared, spot);
    place.corner = racer_row_at(racer->memory.ahead.corner, spot);
    place.free_squared = racer_row_at(racer->memory.ahead.free_squared, spot);
    place.free_corner = racer_row_at(racer->memory.ahead.free_corner, spot);
    place.acceleration = 0.5f * (racer->memory.ahead.squared[b] - racer->memory.ahead.squared[a]) /
                         racer->memory.ahead.spacing;
    return place;
}
static inline racer_place racer_place_at(const kerb_racer* racer, double total) {
    return racer_place_of(racer, racer_spot_at(racer, total));
}
// The way from the first bin. [m]
static inline float racer_into(const kerb_racer* racer, double total) {
    return (float)(total - (double)racer->memory.ahead.first * (double)racer->memory.ahead.spacing);
}
// A speed by the ring's row of squares, so far on from there. [m/s]
static inline float racer_speed_in(const kerb_racer* racer, const float* squared, float into) {
    float most = (float)(racer->memory.ahead.end - racer->memory.ahead.first - 1) - 0.001f;
    float at = kerb_clamp(into / racer->memory.ahead.spacing, 0.0f, most);
    int32_t i = (int32_t)at;
    float a = squared[racer_slot_of(racer->memory.ahead.first + i)];
    float b = squared[racer_slot_of(racer->memory.ahead.first + i + 1)];
    return kerb_sqrt(a + (b - a) * (at - (float)i));
}
// That planned, and that on its lane as if nobody were there.
static inline float racer_speed_at(const kerb_racer* racer, float into) {
    return racer_speed_in(racer, racer->memory.ahead.squared, into);
}
static inline float racer_free_speed_at(const kerb_racer* racer, float into) {
    return racer_speed_in(racer, racer->memory.ahead.free_squared, into);
}
// Of a bin that is known: the offset of its way.
static inline float racer_offset_in(const kerb_racer* racer, int32_t bin) {
    return racer->memory.ahead.offset[racer_slot_of(bin)];
}
// From the line to the edges, in that bin or the nearest that is known. [m]
static inline void racer_edges_at(const kerb_racer* racer, int32_t bin, float* left, float* right) {
    bin = bin < racer->memory.ahead.first ? racer->memory.ahead.first : bin;
    bin = bin < racer->memory.ahead.end ? bin : racer->memory.ahead.end - 1;
    *left = racer->memory.ahead.left[racer_slot_of(bin)];
    *right = racer->memory.ahead.right[racer_slot_of(bin)];
}
float kerb_in_racer_lane_offset(const kerb_racer* racer, float left, float right);
// Places of a way lie so many bins apart, about a car's length: finer than that no car moves aside.
#define RACER_STRIDE 3
// Another way: offsets from the line at such places, from the bin `first` on. Its speeds follow
// when the next frame looks ahead. Beyond it the lane, as if nobody were there. O(bins)
void kerb_in_racer_take_way(kerb_racer* racer, int32_t first, int32_t count, const float* offsets);

// Of the front (0) or rear (1) axle as real tyres have it: where a slip counts as much. [rad]
static inline float racer_half_slip(const kerb_racer* racer, int32_t axle) {
    return kerb_max(racer->memory.half_slip[axle], 0.008f);
}
// The angle of the front wheels. [rad]
float kerb_in_racer_steer(kerb_racer* racer, racer_frame* frame);
// Of the grip, what may be asked of it for turning. [1]
float kerb_in_racer_turning_share(const kerb_racer* racer, const racer_frame* frame);
// As kerb_smooth_step, with from < to, for what is nearly always beyond either: then nothing waits
// for its quotient.
static inline float racer_step(float x, float from, float to) {
    if (x >= to)
        return 1.0f;
    return x > from ? kerb_smooth_step(x, from, to) : 0.0f;
}
// How far its tyres slip at all, as far as it has seen: in simple hosts a car goes where its wheels
// point. There every angle that looks like slip is only geometry, and steering after it steers
// itself. [0 … 1]
static inline float racer_slips(const kerb_racer* racer) {
    return 1.0f - racer_step(racer->memory.firm, 0.3f, 0.9f);
}
// Slip of the rear beyond what the bend explains, left bends positive. [rad]
float kerb_in_racer_slide(const kerb_racer* racer, const racer_frame* frame);
// Throttle and brake; what they are for is left in the thoughts.
void kerb_in_racer_pedals(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Nothing keeps the wheels from locking: by what it is told of them, has felt, or is set.
bool kerb_in_racer_may_lock(const kerb_racer* racer);
// Of the brakes, what has proved to be had without locking; in steps. [0 … 1]
float kerb_in_racer_brakes_hold(const kerb_racer* racer);
// … and what without the rear coming round; in steps. [0 … 1]
float kerb_in_racer_brakes_steady(const kerb_racer* racer);
// How much time its tyres need to settle: from those of race cars to those on loose ground.
// [0 … 1]
float kerb_in_racer_softness(const kerb_racer* racer);
// What the gear that is in pulls, as a share of the one that pulls most. [0 … 1]
float kerb_in_racer_gear_share(const kerb_racer* racer, const racer_frame* frame);
// From rest until the engine, at a good speed, must be coupled.
bool kerb_in_racer_launches(const kerb_racer* racer, const racer_frame* frame);
// What power and ratio promise at full throttle in the gear that is in. [m/s²]
float kerb_in_racer_gear_pull(const kerb_racer* racer, const racer_frame* frame);
// Gear and clutch, and the throttle that goes with them.
void kerb_in_racer_shift(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
void kerb_in_racer_ease_off(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);
// Decides what it is doing; true when it drives the car out of trouble, and then how.
bool kerb_in_racer_recover(kerb_racer* racer, const racer_frame* frame, kerb_controls* controls);

#endif
